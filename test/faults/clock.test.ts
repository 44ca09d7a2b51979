import { expect, test } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { useFreshGateway } from '../support/gateway.js';
import { receiveTagged, settled, storedUpload, withWorker } from '../uploads/support.js';

const gateway = useFreshGateway();

const hour = 3_600_000;

function at(moment: string | number): void {
  gateway.clock.now = new Date(moment);
}

async function makeItem(expirationDate: string): Promise<string> {
  const mutation =
    'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
  const input = { name: `Until ${expirationDate}`, expirationDate };
  return (await gateway.graphql(mutation, { input })).data.createExpirationItem.id;
}

async function statusOf(id: string): Promise<string> {
  return (await gateway.graphql(`{ expirationItem(id: "${id}") { status } }`)).data.expirationItem.status;
}

/** The turns of days that are not 24 hours, or not where one looks for them: zone, date, its last and its next moment. */
const turns = [
  ['the year', 'Europe/Berlin', '2026-12-31', '2026-12-31T22:59:59.999Z', '2026-12-31T23:00:00.000Z'],
  ['a leap day', 'UTC', '2028-02-29', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z'],
  ['a February without one', 'UTC', '2027-02-28', '2027-02-28T23:59:59.999Z', '2027-03-01T00:00:00.000Z'],
  [
    'a day of 23 hours',
    'America/New_York',
    '2027-03-14',
    '2027-03-15T03:59:59.999Z',
    '2027-03-15T04:00:00.000Z',
  ],
  [
    'a day of 25 hours',
    'America/New_York',
    '2027-11-07',
    '2027-11-08T04:59:59.999Z',
    '2027-11-08T05:00:00.000Z',
  ],
  [
    'a day that begins at one',
    'America/Santiago',
    '2027-09-04',
    '2027-09-05T03:59:59.999Z',
    '2027-09-05T04:00:00.000Z',
  ],
] as const;

test.each(turns)(
  'statuses turn with %s, and back with the clock',
  async (_what, timezone, date, last, next) => {
    const { prisma } = gateway.database;
    await prisma.team.updateMany({ data: { timezone, reminderDays: 1 } });
    const id = await makeItem(date);
    const dayBefore = new Date(Date.parse(last) - 24 * hour - hour).toISOString();
    const twoBefore = new Date(Date.parse(last) - 50 * hour).toISOString();
    const jumps = [twoBefore, next, dayBefore, last, next, last];
    const expected = ['CURRENT', 'EXPIRED', 'NOTIFYING', 'NOTIFYING', 'EXPIRED', 'NOTIFYING'];
    const found: string[] = [];
    for (const moment of jumps) {
      at(moment);
      found.push(await statusOf(id));
      const filter = `{ expirationItems(filter: {status: [${found.at(-1)}]}) { totalCount } }`;
      // The database counts as the rule does.
      expect((await gateway.graphql(filter)).data.expirationItems.totalCount).toBe(1);
    }
    expect(found).toEqual(expected);
  },
);

test("a summary's months follow the turn of the year, and come back with the clock", async () => {
  await gateway.database.prisma.team.updateMany({ data: { timezone: 'Europe/Berlin' } });
  await makeItem('2027-12-31');
  const months = async () => {
    const { data } = await gateway.graphql('{ expirationSummary { byMonth { month count } } }');
    const found: { month: string; count: number }[] = data.expirationSummary.byMonth;
    expect(new Set(found.map(({ month }) => month)).size).toBe(12);
    return [found[0]?.month, found.at(-1)?.month, found.at(-1)?.count];
  };
  for (let round = 0; round < 2; round++) {
    at('2026-12-31T22:59:59.999Z');
    expect(await months()).toEqual(['2026-12', '2027-11', 0]);
    at('2026-12-31T23:00:00.000Z');
    expect(await months()).toEqual(['2027-01', '2027-12', 1]);
  }
});

test('versions of a record go on while the clock goes back', async () => {
  const { json } = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' } });
  const start = gateway.clock.now.getTime();
  const modified: string[] = [json.modified];
  for (const [number, jump] of [hour, -hour, -24 * 365 * hour, 0, 2 * hour].entries()) {
    at(start + jump);
    const answer = await gateway.send('PUT', `/v1/vehicles/${json.id}`, { body: { name: `Van ${number}` } });
    modified.push(answer.json.modified);
  }
  expect(modified).toEqual([...new Set(modified)].sort());
  const { eventlogs } = (await gateway.send('GET', '/v1/eventlogs?type=updated')).json;
  expect(eventlogs).toHaveLength(5);
});

test('a token ends at its moment, and not for good while the clock is wrong', async () => {
  const { organizationId, userId, database, clock } = gateway;
  const expiresAt = new Date('2028-02-29T00:00:00.000Z');
  const given = { organizationId, userId, name: 'Leap', role: 'VIEWER', expiresAt } as const;
  const { token } = await createToken(database, given, clock.now);
  const statuses: number[] = [];
  for (const ms of [-1, 0, 24 * 366 * hour, -1]) {
    at(expiresAt.getTime() + ms);
    statuses.push((await gateway.send('GET', '/v1/vehicles', { token })).status);
  }
  expect(statuses).toEqual([200, 401, 401, 200]);
});

test('a key is remembered for 24 hours, and longer while the clock goes back', async () => {
  const start = Date.parse('2026-12-31T12:00:00.000Z');
  const make = async (ms: number) => {
    at(start + ms);
    const headers = { 'Idempotency-Key': 'year' };
    const sent = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Van' }, headers });
    return [sent.status, sent.headers.get('idempotency-replayed')];
  };
  expect(await make(0)).toEqual([201, null]);
  expect(await make(-24 * 365 * hour)).toEqual([201, 'true']);
  expect(await make(24 * hour - 1)).toEqual([201, 'true']);
  expect(await make(24 * hour)).toEqual([201, null]);
  expect(await gateway.database.prisma.vehicle.count()).toBe(2);
});

test('uploads are filed once, whichever way the clock jumps while they wait or are under way', async () => {
  const start = Date.parse('2026-12-31T23:59:59.000Z');
  at(start);
  const first = await receiveTagged(gateway, {});
  at(start - hour);
  const second = await receiveTagged(gateway, {});
  await withWorker(gateway, {}, async () => {
    await settled(gateway, second);
    // Received in a future that is over: it waits until that comes again.
    expect(await storedUpload(gateway, first)).toMatchObject({ state: 'RECEIVED', attempts: 0 });
    at(start + 24 * 366 * hour);
    await settled(gateway, first, second);
  });
  const { prisma } = gateway.database;
  expect(await prisma.attachment.count()).toBe(2);
  expect(await prisma.eventLog.count({ where: { typeId: 11 } })).toBe(2);
});
