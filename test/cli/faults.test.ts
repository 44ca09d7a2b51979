import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compileGateway } from '../faults/support.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { serveProcess } from './process.support.js';

/** Loaded before the gateway, in its process: it has the faults that code of the gateway would have by mistake. */
const faulty = `
process.on('SIGUSR2', () => void Promise.reject(new Error('a hidden rejection')));
process.on('SIGWINCH', () => setImmediate(() => { throw new Error('a hidden exception'); }));
`;

let test: TestDatabase;
let folder: string;
beforeEach(async () => {
  test = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'faults-'));
});
afterEach(async () => {
  await test.drop();
  await rm(folder, { recursive: true });
});

it('logs and counts a rejection and continues; after an exception, it shuts down in order with status 1', async () => {
  const preload = join(folder, 'faulty.mjs');
  await writeFile(preload, faulty);
  const env = { DATABASE_URL: test.url, NODE_OPTIONS: `--import=${preload}` };
  const running = serveProcess(await compileGateway(folder), env);
  try {
    const { url } = await running.line('ready');
    const counted = async () => {
      const text = await (await fetch(`${url}/metrics`)).text();
      return text.split('\n').filter((line) => line.startsWith('gateway_unhandled_errors_total'));
    };
    expect(await counted()).toEqual([
      'gateway_unhandled_errors_total{kind="rejection"} 0',
      'gateway_unhandled_errors_total{kind="exception"} 0',
    ]);
    running.child.kill('SIGUSR2');
    const rejection = await running.line('Unhandled rejection');
    expect(rejection).toMatchObject({ level: 'error', err: { message: 'a hidden rejection' }, requests: [] });
    expect((await counted())[0]).toBe('gateway_unhandled_errors_total{kind="rejection"} 1');
    running.child.kill('SIGWINCH');
    await running.line('Uncaught exception: stopping');
    await running.line('stopped');
    expect(await running.exited).toBe(1);
    expect(running.stderr()).toContain('error: Stopped by an uncaught exception; see the log.\n');
  } finally {
    running.child.kill('SIGKILL');
  }
});
