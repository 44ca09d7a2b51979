import { beforeEach, expect, test } from 'vitest';
import { execute } from '../support/database.js';
import { useFreshGateway } from '../support/gateway.js';
import { check } from './check.js';
import { type LoadResult, startLoad } from './load.js';

const gateway = useFreshGateway();
let result: LoadResult;
beforeEach(async () => {
  const load = await startLoad({ token: gateway.admin, writers: 2, url: () => gateway.url });
  await load.more(24);
  result = await load.stop();
});

/** Returns an event of a kind, any one. */
const anEvent = (type: number) =>
  `(SELECT id FROM event_logs WHERE type_id = ${type} AND details LIKE '%write-%' LIMIT 1)`;

/** What no gateway may do to a database, and the check must see. */
const damages = [
  ['a record without its event', `DELETE FROM event_logs WHERE id = ${anEvent(1)}`],
  ['a change without its event', `DELETE FROM event_logs WHERE id = ${anEvent(2)}`],
  ['a renewal without its event', `DELETE FROM event_logs WHERE id = ${anEvent(3)}`],
  ['a notification without its event', 'DELETE FROM event_logs WHERE type_id = 10'],
  ['an event without its record', "DELETE FROM vehicles WHERE name LIKE 'write-%'"],
  ['an event without its change', "UPDATE contacts SET name = 'as before' WHERE email = 'own-0@example.com'"],
  ['an event without its renewal', 'DELETE FROM renewals'],
  ['a key without its answer', 'DELETE FROM idempotency_keys'],
] as const;

test.each(damages)('%s is found', async (_what, sql) => {
  await execute(gateway.databaseUrl, sql);
  await expect(checkIt()).rejects.toThrow();
});

test('so is a lost or duplicated write, and a wrong answer', async () => {
  expect(await checkIt()).toMatchObject({ lost: 0, doubled: 0 });
  const lost = { marker: 'nowhere', key: undefined, acknowledged: true };
  await expect(checkIt({ ...result, writes: [...result.writes, lost] })).rejects.toThrow();
  await expect(checkIt({ ...result, unexpected: ['500'] })).rejects.toThrow();
  const body = { name: 'write-0-6' };
  expect((await gateway.send('POST', '/v1/vehicles', { body })).status).toBe(201);
  await expect(checkIt()).rejects.toThrow();
});

function checkIt(checked = result) {
  const { url, databaseUrl, admin: token } = gateway;
  return check({ scenario: 'None', result: checked, recovery: [], databaseUrl, url, token });
}
