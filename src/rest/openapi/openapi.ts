import type { GraphQLSchema } from 'graphql';
import type { Route } from '../../domain/doors/route.js';
import { version } from '../../version.js';
import { projectSchema } from '../projection.js';
import { routes } from '../routes.js';
import { type Components, createComponents, type OpenApiNode } from './components.js';
import { describeOperation, type Sources } from './describe-operation.js';
import { describeExports } from './files/exports.js';
import { describeImports } from './files/imports.js';
import { describeResumableUploads } from './files/resumable-uploads.js';
import { describeTeamExports } from './files/team-exports.js';
import { describeKey } from './parameters.js';
import { withKeyResponses } from './responses.js';
import { createSchemas } from './schemas.js';
import { aboutTag, introduction, security } from './texts.js';
import { describeWebhooks } from './webhooks.js';

function describePaths(sources: Sources, table: readonly Route[]): OpenApiNode {
  const paths: Record<string, Record<string, OpenApiNode>> = {};
  for (const route of table) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeOperation(sources, route),
    };
  }
  return paths;
}

interface Operation {
  readonly parameters?: readonly OpenApiNode[];
  readonly responses: OpenApiNode;
}

/** Adds the `Idempotency-Key` to writing operations that are no routes. */
function withKeys(components: Components, paths: OpenApiNode): OpenApiNode {
  const add = (operation: Operation) => ({
    ...operation,
    parameters: [...(operation.parameters ?? []), describeKey(components)],
    responses: withKeyResponses(components, operation.responses),
  });
  const described = Object.entries(paths as Record<string, Record<string, Operation>>).map(
    ([path, methods]) => {
      const operations = Object.entries(methods).map(([method, operation]) => [
        method,
        method === 'get' ? operation : add(operation),
      ]);
      return [path, Object.fromEntries(operations)];
    },
  );
  return Object.fromEntries(described);
}

/**
 * Creates the OpenAPI 3.1 document of the REST door. Nothing is written twice: its paths come from the table
 * of routes, its schemas from the executed types, its limits and errors from the code that checks and throws
 * them.
 */
export function openapiDocument(gateway: GraphQLSchema, table: readonly Route[] = routes): object {
  const components = createComponents();
  const schemas = createSchemas(gateway, components);
  const projection = projectSchema(gateway, table);
  const paths = {
    ...describePaths({ gateway, projection, components, schemas }, table),
    ...describeExports(gateway, components),
    ...withKeys(components, {
      ...describeImports(components),
      ...describeTeamExports(components),
      ...describeResumableUploads(components),
    }),
  };
  const webhooks = describeWebhooks(projection, components, schemas);
  const accessToken = { type: 'http', scheme: 'bearer', description: security(gateway) };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Expiration gateway',
      version,
      description: introduction(table),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The gateway that this document came from.', 'x-internal': false }],
    security: [{ accessToken: [] }],
    tags: [
      ...[...new Set(table.map(({ tag }) => tag))].map((name) => ({ name, description: aboutTag(name) })),
      { name: 'Imports', description: 'CSV files whose rows become records.' },
      { name: 'Exports', description: 'Workspaces as ZIP files.' },
      { name: 'Resumable uploads', description: 'Files that come in pieces.' },
    ],
    paths,
    webhooks,
    components: { securitySchemes: { accessToken }, ...components.all() },
  };
}
