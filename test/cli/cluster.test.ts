import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileGateway } from '../faults/support.js';
import { eventually } from '../support/eventually.js';
import { familiesOf, problemsOf } from '../support/exposition.js';
import { createDatabase } from '../support/gateway.js';
import { knock } from '../support/knocking.js';
import { signedHeaders } from '../support/signatures.js';
import { call, type ServeProcess, serveProcess, textOf } from './process.support.js';

let root: string;
let program: string;
let gateway: ServeProcess;
let url: string;
let token: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gateway-cluster-'));
  await chmod(root, 0o711); // as root, PostgreSQL runs as another user
  program = await compileGateway(root);
  gateway = serveProcess(program, { DATA_DIR: join(root, 'data'), WORKERS: '2', SHUTDOWN_DELAY: '5' });
  url = String((await gateway.line('ready')).url);
  const secrets = await readFile(join(root, 'data/first-start.txt'), 'utf8');
  [, token = ''] = /^Admin token: (\S+)$/m.exec(secrets) ?? [];
}, 120_000);
afterAll(async () => {
  if (gateway?.child.exitCode === null) {
    gateway.child.kill('SIGTERM');
    await gateway.exited;
  }
  await rm(root, { recursive: true });
});

const json = () => ({ Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' });

async function graphql(query: string) {
  const body = JSON.stringify({ query });
  const response = await call(`${url}/graphql`, { method: 'POST', headers: json(), body });
  return JSON.parse(await textOf(response)).data;
}

async function statusOf(path: string): Promise<number | undefined> {
  const response = await call(url + path, { headers: json() });
  response.resume();
  return response.statusCode;
}

const scrape = async () => textOf(await call(`${url}/metrics`));

/** Returns the processor time that processes have taken, in ticks of Linux. */
async function ticksOf(pids: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of pids) {
    // The fields 14 and 15 (proc_pid_stat), counted from behind the name, which may have spaces.
    const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).replace(/^.*\) /s, '').split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks;
}

/** Returns how many requests each worker has answered at a route. */
async function answered(route: string): Promise<Record<string, number>> {
  const family = familiesOf(await scrape()).get('gateway_http_request_duration_seconds');
  const counts = (family?.samples ?? [])
    .filter(({ name, labels }) => name.endsWith('_count') && labels.route === route)
    .map(({ labels, value }): [string, number] => [String(labels.worker), value]);
  return Object.fromEntries(counts);
}

test('one database, one token, one line when all listen', () => {
  const messages = gateway.log().map(({ msg }) => msg);
  for (const once of ['PostgreSQL started', 'Database migrated', 'ready']) {
    expect(messages.filter((msg) => msg === once)).toEqual([once]);
  }
  expect(gateway.stdout() + gateway.stderr()).not.toContain(token);
  const [ready] = gateway.log().filter(({ msg }) => msg === 'ready');
  expect(ready?.workers).toEqual([expect.any(Number), expect.any(Number)]);
});

test('one process hashes the passwords of all', async () => {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'autumn leaves on the pond' });
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' };
  const signIn = async () => {
    const response = await call(`${url}/session/password`, { method: 'POST', headers, body });
    response.resume();
    return response.statusCode;
  };
  const { workers = [] } = (await gateway.line('ready')) as { readonly workers?: readonly number[] };
  const before = [await ticksOf([Number(gateway.child.pid)]), await ticksOf(workers)] as const;
  // Each worker has to ask; a queue that answered neither would leave them waiting.
  expect([await signIn(), await signIn()]).toEqual([401, 401]);
  const answers = await Promise.all(Array.from({ length: 12 }, signIn));
  // Three of one address wait in the queue that both workers share.
  expect(answers.filter((status) => status === 401).length).toBeGreaterThanOrEqual(1);
  expect(answers.every((status) => status === 401 || status === 429)).toBe(true);
  const primary = (await ticksOf([Number(gateway.child.pid)])) - before[0];
  expect(primary).toBeGreaterThan((await ticksOf(workers)) - before[1]);
});

test('all listen on one port, and each scrape includes all of them', async () => {
  for (let at = 0; at < 10; at++) expect(await statusOf('/v1/teams')).toBe(200);
  expect(await answered('/v1/teams')).toEqual({ 1: 5, 2: 5 });
  const text = await scrape();
  expect(problemsOf(text)).toEqual([]);
  const families = familiesOf(text);
  const workersOf = (name: string) => families.get(name)?.samples.map(({ labels }) => labels.worker);
  expect(workersOf('process_resident_memory_bytes')).toEqual(['1', '2']);
  expect(workersOf('process_start_time_seconds')).toEqual(['1', '2']);
  expect(workersOf('gateway_worker_restarts_total')).toEqual(['1', '2']);
  // There is one database, whoever looks at it.
  expect(families.get('gateway_database_up')?.samples).toEqual([
    { name: 'gateway_database_up', labels: {}, value: 1 },
  ]);
  expect(families.get('gateway_upload_queue_notifications')?.samples).toHaveLength(1);
});

test('log lines name their process', async () => {
  await statusOf('/health/live');
  await eventually(() => {
    const workers = gateway.log().flatMap(({ path, worker }) => (path === '/v1/teams' ? [worker] : []));
    expect(new Set(workers)).toEqual(new Set(['1', '2']));
  });
});

test('live events reach the streams of all', async () => {
  const query = 'subscription { eventLogged { description } }';
  const open = () =>
    call(`${url}/graphql`, {
      method: 'POST',
      headers: { ...json(), Accept: 'text/event-stream' },
      body: JSON.stringify({ query }),
    });
  const streams = [await open(), await open()];
  const heard = streams.map(async (stream) => {
    stream.setEncoding('utf8');
    let text = '';
    for await (const part of stream) {
      text += part;
      if (text.includes('eventLogged')) return text;
    }
    return text;
  });
  const { samples } = familiesOf(await scrape()).get('gateway_live_streams') ?? {};
  expect(samples?.map(({ labels, value }) => [labels.worker, value])).toEqual([
    ['1', 1],
    ['2', 1],
  ]);
  await graphql('mutation { createVehicle(input: {name: "Van"}) { id } }');
  for (const text of await Promise.all(heard)) expect(text).toContain('eventLogged');
  for (const stream of streams) stream.destroy();
});

test('all know the secret of a token that one of them has made', async () => {
  const made = await graphql(
    'mutation { createAccessToken(input: {name: "x", role: UPLOADER, signed: true}) { token signingSecret } }',
  );
  const { token: uploader, signingSecret } = made.createAccessToken;
  for (let id = 0; id < 4; id++) {
    const body = JSON.stringify({ id });
    const headers = {
      Authorization: `Bearer ${uploader}`,
      'Content-Type': 'application/json',
      ...signedHeaders(signingSecret, new Date(), body),
    };
    const response = await call(`${url}/v1/bulkscan/receive`, { method: 'POST', headers, body });
    expect(response.statusCode).toBe(204);
    response.resume();
  }
  expect(await answered('/v1/bulkscan/receive')).toEqual({ 1: 2, 2: 2 });
});

test('a killed worker is replaced, while requests are still answered', async () => {
  const [victim] = (await gateway.line('ready')).workers as number[];
  let stopped = false;
  const seen = { answered: 0, lost: 0, wrong: 0 };
  const client = async () => {
    while (!stopped) {
      const status = await statusOf('/v1/teams').catch(() => undefined);
      if (status === undefined) seen.lost++;
      else if (status === 200) seen.answered++;
      else seen.wrong++;
    }
  };
  const clients = [client(), client(), client(), client()];
  process.kill(Number(victim), 'SIGKILL');
  const again = await gateway.line('a worker process replaced a lost one');
  const before = await answered('/v1/teams');
  await eventually(async () => {
    const now = await answered('/v1/teams');
    expect(now[1]).toBeGreaterThan(before[1] ?? 0);
    expect(now[2]).toBeGreaterThan(before[2] ?? 0);
  });
  stopped = true;
  await Promise.all(clients);
  expect(again.pid).not.toBe(victim);
  expect(gateway.log()).toContainEqual(
    expect.objectContaining({ level: 'error', worker: '1', signal: 'SIGKILL' }),
  );
  expect(seen.wrong).toBe(0);
  // Only what was in the hands of the one that was killed can be lost: a connection of each client.
  expect(seen.lost).toBeLessThanOrEqual(4);
  expect(seen.answered).toBeGreaterThan(4);
  const { samples } = familiesOf(await scrape()).get('gateway_worker_restarts_total') ?? {};
  expect(samples?.map(({ value }) => value)).toEqual([1, 0]);
}, 120_000);

test('a worker that hangs is replaced, and nobody waits for it for ever', async () => {
  const again = gateway.line('a worker process replaced a lost one', 1);
  const { workers = [] } = (await gateway.line('ready')) as { readonly workers?: readonly number[] };
  process.kill(Number(workers[1]), 'SIGSTOP');
  // One of them is given to the one that hangs. Another worker answers it in the end.
  const knocking = Array.from({ length: 12 }, () => knock(url));
  expect(new Set(await Promise.all(knocking))).toEqual(new Set(['200']));
  await again;
  expect(gateway.log()).toContainEqual(
    expect.objectContaining({ level: 'error', worker: '2', msg: 'a worker process hangs and is killed' }),
  );
}, 240_000);

test('SIGTERM: first not ready, then requests in flight finish, then all processes end', async () => {
  const body = JSON.stringify({ query: 'mutation { createVehicle(input: {name: "Last"}) { name } }' });
  const client = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  const head = { Host: 'x', ...json(), 'Content-Length': body.length, Expect: '100-continue' };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`POST /graphql HTTP/1.1\r\n${lines.join('')}\r\n`);
  const closed = once(client, 'close').then(() => {
    throw new Error('The connection was closed instead of being answered.');
  });
  closed.catch(() => {});
  const answered = async () => String((await Promise.race([once(client, 'data'), closed]))[0]);
  // It says so once it waits for the rest.
  expect(await answered()).toMatch(/^HTTP\/1\.1 100 /);
  client.write(body.slice(0, 9));
  expect(await statusOf('/health/ready')).toBe(200);
  gateway.child.kill('SIGTERM');
  await gateway.line('stopping');
  await eventually(async () => {
    expect([await statusOf('/health/ready'), await statusOf('/health/ready')]).toEqual([503, 503]);
  });
  expect(await statusOf('/v1/teams')).toBe(200);
  // By now nothing listens any more, and one request waits for its body.
  await eventually(() => expect(statusOf('/health/live')).rejects.toThrow('ECONNREFUSED'));
  client.write(body.slice(9));
  expect(await answered()).toContain('"name":"Last"');
  expect(await gateway.exited).toBe(0);
  expect(gateway.stderr()).toBe('');
  expect(gateway.log().slice(-2)).toMatchObject([{ msg: 'PostgreSQL stopped' }, { msg: 'stopped' }]);
}, 120_000);

test('SIGTERM ends a start before the workers can serve', async () => {
  const own = await createDatabase();
  const starting = serveProcess(program, { DATABASE_URL: own.url, WORKERS: '2' });
  const children = `/proc/${starting.child.pid}/task/${starting.child.pid}/children`;
  await eventually(async () => expect(await readFile(children, 'utf8')).not.toBe(''));
  starting.child.kill('SIGTERM');
  expect(await starting.exited).toBe(1);
  expect(starting.stderr()).toContain('Stopped by SIGTERM while worker processes are being started.');
  expect(starting.log().map(({ msg }) => msg)).not.toContain('ready');
  await own.drop();
}, 120_000);

test('a problem of all workers is reported once, with status 1', async () => {
  const [own, other] = [await createDatabase(), createServer().listen(0, '127.0.0.1')];
  await once(other, 'listening');
  try {
    const { port } = other.address() as { port: number };
    const failing = serveProcess(program, { DATABASE_URL: own.url, WORKERS: '2', PORT: String(port) });
    expect(await failing.exited).toBe(1);
    expect(failing.stderr()).toMatch(/^error: .*EADDRINUSE.*\n$/);
  } finally {
    other.close();
    await own.drop();
  }
}, 120_000);
