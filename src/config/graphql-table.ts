import * as z from 'zod';
import { onOff } from './formats.js';

/** Settings of the console and the GraphQL door, a part of the table of settings. */
export const graphqlTable = {
  CONSOLE: {
    default: 'on',
    description: 'Whether browsers get the console at / and its other addresses: on or off.',
    schema: onOff,
  },
  GRAPHIQL: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql shows GraphiQL to browsers: on or off.',
    schema: onOff.optional(),
  },
  INTROSPECTION: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql answers introspection queries: on or off.',
    schema: onOff.optional(),
  },
  FEDERATION: {
    default: 'off',
    description: 'Whether /graphql is also an Apollo Federation 2 subgraph: on or off.',
    schema: onOff,
  },
  MCP: {
    default: 'off',
    description: 'Whether assistants can call tools at /mcp (Model Context Protocol): on or off.',
    schema: onOff,
  },
  MCP_OPERATIONS: {
    otherwise: 'none',
    description: 'Folder with GraphQL operations that assistants get as tools, besides our own.',
    schema: z.string().optional(),
  },
  PERSISTED_OPERATIONS: {
    otherwise: 'none',
    description: 'Folder with GraphQL operations that callers can send by id.',
    schema: z.string().optional(),
  },
  PERSISTED_OPERATIONS_ONLY: {
    default: 'off',
    description: 'Whether /graphql accepts only those operations: on or off.',
    schema: onOff,
  },
};
