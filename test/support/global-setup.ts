import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the PostgreSQL of the whole run is asked for (test/support/postgres.ts). */
    postgresDoor: string;
  }
}

/**
 * Vitest's global set-up: a door at which test files ask for the run's PostgreSQL. The first one that asks has it
 * started, so that files which need none do not wait for one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: Promise<{ url: string; stop: () => Promise<void> }> | undefined;
  const door = createServer((_request, response) => {
    started ??= import('./database.js').then(({ startPostgres }) => startPostgres());
    started.then(
      ({ url }) => response.end(url),
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
