import { pino } from 'pino';
import { expect } from 'vitest';
import { startImports } from '../../src/csv/start-jobs.js';
import { Session } from '../../src/db/connection/session.js';
import { newId } from '../../src/domain/rules.js';
import { schema } from '../../src/graphql/schema.js';
import { matchItems } from '../../src/imports/matches.js';
import { forgetImports } from '../../src/imports/queue.js';
import { eventually } from './eventually.js';
import { type TestGateway, testTime } from './gateway.js';

/** Fields that tests of imports look at. */
const fields = `id state error rowCount doneCount encoding sheet headerLine preview { created updated unchanged failed
  missing headerLine encoding sheets { name hidden chosen } columns { header column guess samples }
  people { header value rows kinds } alongside { kind count } dates { header format asked undated firstShortYear example { row value readings { format date } } } warnings { row column value message }
  errors { row column value message } firstRows { changes { column after } } }`;

/** Imports files through GraphQL, with a worker of its own. */
export function startImporter(gateway: TestGateway) {
  const stop = startImports({
    ...{ database: gateway.database, clock: () => testTime, pollMs: 20 },
    ...{ log: pino({ level: 'silent' }), loadSchema: async () => schema },
  });
  const settled = (id: string) =>
    eventually(async () => {
      const { data } = await gateway.graphql(`query($id: ID!) { import(id: $id) { ${fields} } }`, { id });
      expect(['READING', 'RUNNING']).not.toContain(data.import.state);
      return data.import;
    });
  const mutate = async (name: string, parameters: string, args: string, variables: object) => {
    const text = `mutation(${parameters}) { ${name}(${args}) { id } }`;
    const { data, errors } = await gateway.graphql(text, variables);
    if (errors) throw new Error(errors[0].message);
    return settled(data[name].id);
  };
  return {
    stop,
    settled,
    /** Creates an import, and waits for its preview. */
    create: (content: string | Buffer, options: object = {}) =>
      mutate('createImport', '$input: CreateImportInput!', 'input: $input', {
        input: { kind: 'ITEMS', content: Buffer.from(content as string).toString('base64'), ...options },
      }),
    /** Makes the preview of an import again. */
    change: (id: string, input: object) =>
      mutate('changeImport', '$id: ID!, $input: ChangeImportInput!', 'id: $id, input: $input', { id, input }),
    /** Writes the records of an import, and waits for its end. */
    run: (id: string) => mutate('runImport', '$id: ID!', 'id: $id', { id }),
  };
}

/** Deletes what is too old of imports, as workers do each hour. */
export const forgetOldImports = ({ database, clock }: TestGateway) => forgetImports(database, clock.now);

/** Returns the ids of the items that a row with a name matches, but for some that are passed over. */
export async function itemsMatching(gateway: TestGateway, name: string, without: readonly string[]) {
  const { database, organizationId, teamId, userId } = gateway;
  const user = { id: userId, name: 'Ada Admin', email: 'ada@example.com', teamId };
  const caller = { tokenId: newId(), role: 'ADMIN' as const, organizationId, teamIds: [teamId], user };
  const session = new Session(database, { caller, now: testTime });
  const key = { name, category: null, email: null, holders: null, kinds: [] };
  return (await matchItems(session, [key], new Set(without))).get(0);
}
