import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { onPosix, prepareWhole, timeout } from './fixture.js';
import { query } from './support.js';

/** Vehicles in all, who makes them, and after how many that are answered everything is killed. */
const total = 120;
const senders = 8;
const killAfter = 40;

const { token, gateway, restart } = prepareWhole();

/** A request with its key, as it is sent however often. */
interface Keyed {
  readonly path: string;
  readonly key: string;
  readonly body: string;
}

/** Creates a vehicle at one door or the other. */
function making(number: number): Keyed {
  const input = { name: `Vehicle ${number}` };
  const mutation = 'mutation ($input: CreateVehicleInput!) { createVehicle(input: $input) { id name } }';
  const [path, body] =
    number % 2 === 0 ? ['/v1/vehicles', input] : ['/graphql', { query: mutation, variables: { input } }];
  return { path, key: randomUUID(), body: JSON.stringify(body) };
}

/** Sends a request until it is answered that it is done. */
async function untilDone({ path, key, body }: Keyed): Promise<{ text: string; replayed: boolean }> {
  const type = { 'Content-Type': 'application/json' };
  const headers = { Authorization: `Bearer ${token}`, 'Idempotency-Key': key, ...type };
  for (;;) {
    const sent = { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) };
    const answer = await fetch(gateway().url + path, sent).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    const replayed = answer?.headers.get('idempotency-replayed') === 'true';
    if (answer?.ok && text !== undefined) return { text, replayed };
    await sleep(20);
  }
}

onPosix(
  'everything killed while requests with keys come: each is done once, and answered alike before and after',
  { timeout },
  async () => {
    const requests = Array.from({ length: total }, (_, number) => making(number));
    const answers: string[] = [];
    let next = 0;
    let answered = 0;
    let restarted: Promise<void> | undefined;
    const sender = async () => {
      for (let number = next++; number < total; number = next++) {
        answers[number] = (await untilDone(requests[number] as Keyed)).text;
        if (++answered === killAfter) restarted = restart();
      }
    };
    await Promise.all(Array.from({ length: senders }, sender));
    await restarted;
    const found = await query<{ id: string; name: string }>(
      gateway().databaseUrl,
      `SELECT id, name FROM vehicles ORDER BY substr(name, 9)::int`,
    );
    expect(found.map(({ name }) => name)).toEqual(requests.map((_, number) => `Vehicle ${number}`));
    for (const [number, { id }] of found.entries()) expect(answers[number]).toContain(id);
    const events = 'SELECT count(*)::int AS count FROM event_logs WHERE type_id = 1';
    expect(await query(gateway().databaseUrl, events)).toEqual([{ count: total }]);
    for (const [number, request] of requests.entries()) {
      expect(await untilDone(request)).toEqual({ text: answers[number], replayed: true });
    }
    expect(await gateway().stop()).toBe(0);
  },
);
