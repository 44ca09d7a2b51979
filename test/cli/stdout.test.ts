import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileGateway } from '../faults/support.js';
import { patience } from '../support/eventually.js';
import { createDatabase } from '../support/gateway.js';
import { call, serveProcess } from './process.support.js';

test('a gateway whose log nobody reads still answers, and ends when it must', async () => {
  const root = await mkdtemp(join(tmpdir(), 'gateway-stdout-'));
  const own = await createDatabase();
  // Two: what one of them does to the pipe that they share is done to the other.
  const env = { DATABASE_URL: own.url, WORKERS: '2' };
  const { child, exited, line } = serveProcess(await compileGateway(root), env);
  try {
    const { url } = await line('ready');
    child.stdout?.unpipe();
    // More than the pipe takes, and what this side of it reads ahead.
    for (let at = 0; at < 60; at++) {
      expect((await call(`${url}/${'x'.repeat(8_000)}`)).resume().statusCode).toBe(404);
    }
    child.kill('SIGTERM');
    const late = once(AbortSignal.timeout(patience), 'abort');
    expect(await Promise.race([exited, late.then(() => 'It does not end.')])).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await exited;
    await own.drop();
    await rm(root, { recursive: true });
  }
}, 120_000);
