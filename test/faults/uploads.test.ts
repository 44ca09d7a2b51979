import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import { onPosix, prepareWhole, timeout } from './fixture.js';
import { query } from './support.js';

/** Notifications in all, who sends them, and after how many that are acknowledged everything is killed. */
const total = 300;
const senders = 8;
const kills = [30, 70, 110];

const { token, gateway, restart } = prepareWhole();

const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

/** Posts JSON; undefined when there was no answer. */
async function post(path: string, body: object): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(5_000);
  const sent = { method: 'POST', headers, body: JSON.stringify(body), signal };
  return fetch(gateway().url + path, sent).catch(() => undefined);
}

/** Returns an item that is there before anything is sent; every tenth file goes to it. */
async function makeItem(): Promise<string> {
  const mutation =
    'mutation { createExpirationItem(input: {name: "Shared", expirationDate: "2040-01-01"}) { id } }';
  const answer = await post('/graphql', { query: mutation });
  if (!answer) throw new Error('The gateway does not answer.');
  return (await answer.json()).data.createExpirationItem.id;
}

/** Sends a notification until it is acknowledged, and never after. */
async function sendUntilAcknowledged(id: number, itemId: string): Promise<void> {
  const place =
    id % 10 === 0
      ? { expiration_item_id: itemId }
      : { name: `Item ${id}`, category: 'Scan', contact_email: 'scan@example.com' };
  const text = { filename: `File ${id}`, upload_Tags: place };
  for (;;) {
    const answer = await post('/v1/bulkscan/receive', { id, action: 'fp.upload', text });
    if (answer?.status === 204) return;
    await sleep(20);
  }
}

/** Sends all, with many senders at once; `onAcknowledged` is told how many there are after each one. */
async function sendAll(itemId: string, onAcknowledged: (count: number) => void): Promise<number> {
  let next = 1;
  let acknowledged = 0;
  const sender = async () => {
    while (next <= total) {
      await sendUntilAcknowledged(next++, itemId);
      onAcknowledged(++acknowledged);
    }
  };
  await Promise.all(Array.from({ length: senders }, sender));
  return acknowledged;
}

/** Kills everything and starts it anew, each time that so many are acknowledged. */
function killer() {
  let work = Promise.resolve();
  let done = 0;
  const again = async () => {
    await restart();
    done++;
  };
  return {
    onAcknowledged: (count: number) => {
      if (kills.includes(count)) work = work.then(again);
    },
    end: async () => {
      await work;
      return done;
    },
  };
}

/** What each notification came to, by the numbers of all that must be there once. */
const outcomes = `
  SELECT upload.notification_id::int AS id, upload.state, upload.attempts,
    (SELECT count(*)::int FROM upload_notifications AS twin WHERE twin.notification_id = upload.notification_id)
      AS stored,
    (SELECT count(*)::int FROM attachments WHERE name = upload.filename) AS attachments,
    (SELECT count(*)::int FROM expiration_items WHERE name = 'Item ' || upload.notification_id) AS items,
    (SELECT count(*)::int FROM event_logs JOIN event_log_entities AS entity ON entity.event_id = event_logs.id
      WHERE entity.entity_id = upload.id AND event_logs.type_id = 10) AS received,
    (SELECT count(*)::int FROM event_logs JOIN event_log_entities AS entity ON entity.event_id = event_logs.id
      WHERE entity.entity_id = upload.id AND event_logs.type_id = 11) AS filed
  FROM upload_notifications AS upload ORDER BY 1`;

interface Outcome {
  readonly id: number;
  readonly state: string;
  readonly attempts: number;
}

onPosix(
  'everything killed three times while uploads come: what was acknowledged is filed, and nothing twice',
  { timeout },
  async () => {
    const itemId = await makeItem();
    const { onAcknowledged, end } = killer();
    const acknowledged = await sendAll(itemId, onAcknowledged);
    expect(await end()).toBe(kills.length);
    const open = 'SELECT count(*)::int AS count FROM upload_notifications WHERE due_at IS NOT NULL';
    const left = () => query(gateway().databaseUrl, open);
    // What was under way when the last of them died waits for its lease to end.
    await eventually(async () => expect(await left()).toEqual([{ count: 0 }]), 120_000);
    const found = await query<Outcome>(gateway().databaseUrl, outcomes);
    const filed = found.filter(({ state }) => state === 'FILED');
    const takenOver = found.filter(({ attempts }) => attempts > 1).length;
    const [counts] = await query(
      gateway().databaseUrl,
      `SELECT (SELECT count(*)::int FROM attachments) AS attachments,
        (SELECT count(*)::int FROM attachments WHERE item_id = '${itemId}') AS shared,
        (SELECT count(*)::int FROM expiration_items) AS items,
        (SELECT count(*)::int FROM categories WHERE name = 'Scan') AS categories,
        (SELECT count(*)::int FROM contacts) AS contacts`,
    );
    // biome-ignore lint/suspicious/noConsole: the numbers are what this test is looked at for.
    console.info({
      acknowledged,
      found: found.length,
      filed: filed.length,
      takenOver,
      ...(counts as object),
    });
    const once = { state: 'FILED', stored: 1, attachments: 1, received: 1, filed: 1 };
    expect(found).toEqual(
      Array.from({ length: total }, (_, index) => {
        const id = index + 1;
        return { ...once, id, items: id % 10 === 0 ? 0 : 1, attempts: expect.any(Number) };
      }),
    );
    const shared = total / 10;
    expect(counts).toEqual({
      attachments: total,
      shared,
      items: total - shared + 1,
      categories: 1,
      contacts: 1,
    });
    expect(takenOver).toBeGreaterThan(0);
    expect(await gateway().stop()).toBe(0);
  },
);
