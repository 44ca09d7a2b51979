import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/connection/database.js';
import { openPost } from '../reminders/sender.support.js';
import { makeWorld } from '../reminders/support.js';
import { openWebhooks, startSending } from '../webhooks/support.js';
import { type DatabaseProxy, startProxy } from './proxy.js';

/** A way to a database that can be cut. */
interface Way {
  readonly database: Database;
  /** Cuts the way, once: whatever is sent breaks its connection. */
  cut(): void;
  /** Messages that were cut. */
  cuts(): number;
  mend(): void;
  close(): Promise<void>;
}

async function openWay(databaseUrl: string): Promise<Way> {
  const proxy: DatabaseProxy = await startProxy(databaseUrl);
  const database = openDatabase({ url: proxy.url, poolSize: 10, onError: () => {} });
  let [wasCut, cuts] = [false, 0];
  return {
    database,
    cut: () => {
      if (wasCut) return;
      wasCut = true;
      proxy.tap = {
        request: (_piece, link) => {
          cuts++;
          link.cut();
          return false;
        },
      };
    },
    cuts: () => cuts,
    mend: () => {
      proxy.tap = {};
    },
    close: async () => {
      await database.close();
      await proxy.close();
    },
  };
}

let closings: (() => Promise<unknown>)[];
beforeEach(() => {
  closings = [];
});
afterEach(async () => {
  for (const close of closings.reverse()) await close();
});

/** Messages that are cut before the database is back: each outcome that is kept was tried more than once. */
const patience = 30;

describe('while the database is away', () => {
  test('mails that the server has taken are kept, and none is sent twice', async () => {
    const world = await makeWorld();
    closings.push(world.drop);
    const way = await openWay(world.databaseUrl);
    closings.push(way.close);
    const addresses = Array.from({ length: 20 }, (_, n) => `a${n}@example.org`).sort();
    await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses });
    await world.item('2027-03-31');
    await world.at('2027-03-01T07:00:00Z');
    const post = await openPost(way, {
      onMailFrom(_address, _session, callback) {
        way.cut();
        callback();
      },
    });
    closings.push(post.close);
    void post.send('2027-03-01T07:00:00Z', addresses.length);
    await expect.poll(way.cuts).toBeGreaterThan(patience);
    expect(post.sink.taken.length).toBeGreaterThan(0);
    way.mend();
    // The clock stands still, so no lease ends: what was taken is stored, and what was not begun is given back.
    const states = async () => [...new Set((await world.deliveries()).map(({ state }) => state))];
    await expect.poll(states, { timeout: 20_000 }).toEqual(['SENT']);
    expect(post.sink.taken.map(({ to }) => to[0]).sort()).toEqual(addresses);
  });

  test('messages that a receiver has accepted are kept, and none is sent twice', async () => {
    const hooks = await openWebhooks();
    closings.push(hooks.close);
    const { gateway, receiver } = hooks;
    const way = await openWay(gateway.databaseUrl);
    closings.push(way.close);
    await hooks.create({ eventTypes: ['vehicle.created'] });
    const ids: string[] = [];
    receiver.answer = ({ headers }, response) => {
      way.cut();
      ids.push(String(headers['webhook-id']));
      response.writeHead(204).end();
    };
    for (let n = 0; n < 12; n++) await gateway.send('POST', '/v1/vehicles', { body: { name: `Van ${n}` } });
    closings.push(startSending({ database: way.database, clock: gateway.clock }, receiver));
    await expect.poll(way.cuts).toBeGreaterThan(patience);
    expect(ids.length).toBeGreaterThan(0);
    way.mend();
    const sent = async () =>
      (await gateway.database.sql(`SELECT id FROM webhook_deliveries WHERE state = 'SENT'`)).length;
    await expect.poll(sent, { timeout: 20_000 }).toBe(12);
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });

  test('a worker that is stopped gives up what it cannot store, and ends', async () => {
    const world = await makeWorld();
    closings.push(world.drop);
    const way = await openWay(world.databaseUrl);
    closings.push(way.close);
    await world.steps({ offsetDays: -30, recipients: ['ADDRESSES'], addresses: ['a@example.org'] });
    await world.item('2027-03-31');
    await world.at('2027-03-01T07:00:00Z');
    const post = await openPost(way, {
      onMailFrom(_address, _session, callback) {
        way.cut();
        callback();
      },
    });
    const sent = post.send('2027-03-01T07:00:00Z');
    await expect.poll(() => post.sink.taken.length).toBe(1);
    await post.close();
    await sent;
    expect(post.outcomes).toEqual(['lost']);
  });
});
