import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../support/eventually.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { execute, jsonOf, type Running, start } from './support.js';

let test: TestDatabase;
let env: Record<string, string>;

beforeEach(async () => {
  test = await createDatabase();
  env = { DATABASE_URL: test.url, PORT: '0' };
});
afterEach(() => test.drop());

/** Returns the log so far, without the lines that are for people. */
function logOf({ stdout }: Running): Record<string, unknown>[] {
  return stdout()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

/** Waits until a command is ready; answers what it said of that. */
function ready(running: Running): Promise<Record<string, unknown>> {
  return eventually(() => {
    const line = logOf(running).find(({ msg }) => msg === 'ready');
    if (!line) throw new Error(`It is not ready: ${running.stdout()}`);
    return line;
  });
}

async function stop(running: Running, signal = 'SIGTERM') {
  running.signals.emit(signal, signal);
  return running.outcome;
}

const uploads = () => test.database.prisma.uploadNotification.findMany({ orderBy: { id: 'asc' } });

/** Waits until so many uploads are filed. */
const filed = (count: number) =>
  eventually(async () => {
    expect((await uploads()).filter(({ state }) => state === 'FILED')).toHaveLength(count);
  });

/** Starts a gateway, and gives what sends uploads to it. */
async function serve(settings: Record<string, string>) {
  const running = start({ ...env, ...settings }, 'serve');
  const { url } = await ready(running);
  const issued = await execute(env, 'token', 'create', '--name', 'scanner', '--role', 'uploader', '--json');
  const headers = { Authorization: `Bearer ${jsonOf(issued).token}`, 'Content-Type': 'application/json' };
  const send = async (id: number) => {
    const body = JSON.stringify({ id, action: 'fp.upload', text: { filename: `scan-${id}.txt` } });
    const { status } = await fetch(`${url}/v1/bulkscan/receive`, { method: 'POST', headers, body });
    expect(status).toBe(204);
  };
  return { running, send };
}

it('files uploads received by a gateway without a worker, until SIGTERM', async () => {
  const { running, send } = await serve({ WORKER: 'off' });
  for (const id of [1, 2, 3]) await send(id);
  const worker = start(env, 'worker');
  await ready(worker);
  await filed(3);
  await send(4);
  await filed(4);
  expect(await stop(worker)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(logOf(worker).slice(-2)).toMatchObject([{ msg: 'stopping', signal: 'SIGTERM' }, { msg: 'stopped' }]);
  expect(worker.signals.eventNames()).toEqual([]);
  // Of all that is here, only the worker ever took anything up.
  await send(5);
  expect((await stop(running)).exitCode).toBe(0);
  const rows = await uploads();
  expect(rows.map(({ state, attempts }) => [state, attempts])).toEqual([
    ...Array(4).fill(['FILED', 1]),
    ['RECEIVED', 0],
  ]);
  expect(await test.database.prisma.attachment.count()).toBe(4);
});

it('logs that each upload was filed, but not its contents', async () => {
  const { running, send } = await serve({ WORKER: 'off' });
  await send(1);
  await stop(running);
  const worker = start(env, 'worker');
  await filed(1);
  await eventually(() => {
    const [upload] = logOf(worker).filter(({ msg }) => msg === 'upload filed');
    expect(upload).toMatchObject({ level: 'info', attempts: 1 });
  });
  expect((await stop(worker, 'SIGINT')).exitCode).toBe(0);
  expect(worker.stdout()).not.toContain('scan-1');
});

it('is part of serve by default', async () => {
  const { running, send } = await serve({});
  for (const id of [1, 2]) await send(id);
  await filed(2);
  expect(await stop(running)).toMatchObject({ exitCode: 0 });
});

it('needs no gateway, and makes nothing of its own', async () => {
  const worker = start(env, 'worker');
  await ready(worker);
  expect(await stop(worker)).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await test.database.prisma.accessToken.count()).toBe(0);
});

it('refuses wrong settings with status 2', async () => {
  const { exitCode, stderr } = await execute({ ...env, WORKER: 'perhaps' }, 'worker');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/WORKER "perhaps": expected on or off/);
});
