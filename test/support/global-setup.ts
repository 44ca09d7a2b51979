import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { startPostgres } from './database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address at which the run's PostgreSQL is requested (test/support/postgres.ts). */
    postgresDoor: string;
  }
}

/**
 * Vitest's global setup: a server from which test files request the run's PostgreSQL. The first request
 * starts it, so that files without a database do not wait for one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: ReturnType<typeof startPostgres> | undefined;
  const door = createServer((_request, response) => {
    started ??= import('./database.js').then(({ startPostgres }) => startPostgres());
    started.then(
      ({ url, pooler }) => response.end(JSON.stringify({ url, pooler })),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.closeAllConnections();
    door.close();
    await (await started)?.stop();
  };
}
