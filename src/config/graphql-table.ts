import * as z from 'zod';
import { onOff } from './formats.js';

/** Settings of the console and the GraphQL door, a part of the table of settings. */
export const graphqlTable = {
  CONSOLE: {
    default: 'on',
    description: 'Whether browsers get the console at / and at its addresses: on or off.',
    schema: onOff,
  },
  GRAPHIQL: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql shows GraphiQL to browsers: on or off.',
    schema: onOff.optional(),
  },
  INTROSPECTION: {
    otherwise: 'on unless NODE_ENV is production',
    description: 'Whether /graphql tells callers its schema: on or off.',
    schema: onOff.optional(),
  },
  FEDERATION: {
    default: 'off',
    description: 'Whether /graphql is a subgraph of Apollo Federation 2, too: on or off.',
    schema: onOff,
  },
  PERSISTED_OPERATIONS: {
    otherwise: 'none',
    description: 'Folder of the GraphQL operations that callers may name by their ids.',
    schema: z.string().optional(),
  },
  PERSISTED_OPERATIONS_ONLY: {
    default: 'off',
    description: 'Whether /graphql answers those operations and no others: on or off.',
    schema: onOff,
  },
};
