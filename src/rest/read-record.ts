import type { GraphQLSchema } from 'graphql';
import { maxReadBytes, ReadBound } from '../db/connection/read-bound.js';
import { AnswerSize } from '../graphql/limits/answer-size.js';
import { shownVersion } from '../web/etag.js';
import type { RecordReader } from '../webhooks/send/fan-out.js';
import { restDoor } from './handler.js';
import { projectSchema } from './projection.js';
import { routes } from './routes.js';
import { createSofaExecutor } from './sofa.js';

/** Creates the function that reads records in the contract's form. */
export function createRecordReader(schema: GraphQLSchema): RecordReader {
  const sofa = createSofaExecutor(projectSchema(schema, routes));
  const routeOf = new Map(routes.flatMap((route) => (route.kind === 'read' ? [[route.field, route]] : [])));
  return async (session, kind, id) => {
    const route = routeOf.get(kind);
    if (!route) return undefined;
    session.readBound = new ReadBound(maxReadBytes);
    const answer = new AnswerSize(Number.POSITIVE_INFINITY);
    const context = {
      ...{ session, schema, door: restDoor, fileContent: 'none' as const, answer, outcome: {} },
      ...{ page: 1, shown: {} },
    };
    const { value, body } = await sofa(route, context, { id });
    if (value === null) return undefined;
    return { version: shownVersion(value as Record<string, unknown>), body };
  };
}
