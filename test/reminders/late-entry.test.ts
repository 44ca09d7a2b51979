import { beforeEach, expect, test } from 'vitest';
import { dayKeys } from '../../src/domain/reminders/decide.js';
import { newId } from '../../src/domain/rules.js';
import { evaluateReminders } from '../../src/reminders/evaluate/evaluation.js';
import { testTime, useFreshGateway } from '../support/gateway.js';
import { anna, setSteps } from './told.support.js';

const day = 86_400_000;
const dateOf = (days: number) => new Date(testTime.getTime() + days * day).toISOString().slice(0, 10);
const addresses = { recipients: ['ADDRESSES'], addresses: [anna] };

const gateway = useFreshGateway();
beforeEach(async () => {
  await setSteps(gateway, gateway.teamId, [
    { offsetDays: -30, ...addresses },
    { offsetDays: -7, ...addresses },
    { offsetDays: 0, ...addresses },
    { offsetDays: 1, repeatEveryDays: 7, ...addresses },
  ]);
  await gateway.database.prisma.reminderMark.updateMany({ data: { through: testTime, nextAt: testTime } });
});

/** Decides all that is due some days after the test's beginning, as often as there is something. */
async function decide(days = 0): Promise<number> {
  const at = new Date(testTime.getTime() + days * day + 60_000);
  const { database } = gateway;
  let told = 0;
  for (let round = 0; round < 5; round++)
    told += await evaluateReminders({ database, clock: () => at, isMailSetUp: () => true });
  return told;
}

/** Returns what the ledger has, with how often. */
async function ledger(): Promise<Record<string, number>> {
  const rows = await gateway.database.prisma.reminder.findMany({
    where: { stepKey: { notIn: Object.values(dayKeys) } },
  });
  const counts: Record<string, number> = {};
  for (const { state, reason } of rows) {
    const name = [state, reason].filter(Boolean).join(' ');
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const create = async (date: string, index = 0): Promise<string> => {
  const body = { name: `Import ${index}`, expiration_date: date, category_name: 'Licence' };
  const { status, text, json } = await gateway.send('POST', '/v1/expirationitems', { body });
  expect(status, text).toBe(201);
  return json.id;
};

/** Creates items as an import does: one after the other, or many by one statement. */
async function createMany(count: number, date: string, values: object = {}): Promise<string[]> {
  const id = await create(date);
  const item = await gateway.database.prisma.expirationItem.findUniqueOrThrow({ where: { id } });
  const { id: _, customFields: _fields, notifyOn: _on, noticeRule: _rule, ...row } = item;
  const rows = Array.from({ length: count - 1 }, () => ({ ...row, ...values, id: newId() }));
  await gateway.database.prisma.expirationItem.createMany({ data: rows });
  return [id, ...rows.map((made) => made.id)];
}

async function mutate(query: string, variables: object): Promise<void> {
  const { errors } = await gateway.graphql(query, variables);
  expect(errors).toBeUndefined();
}

const ways: Record<string, () => Promise<unknown>> = {
  'made by REST': () => create(dateOf(-400)),
  'made by GraphQL': () =>
    mutate('mutation ($d: Date!) { createExpirationItem(input: {name: "Old", expirationDate: $d}) { id } }', {
      d: dateOf(-8),
    }),
  'made many at once': () => createMany(1_200, dateOf(-30)),
  'changed many at once': async () => {
    const ids = await createMany(50, dateOf(900));
    await mutate(
      'mutation ($ids: [ID!]!, $d: Date!) { updateExpirationItems(ids: $ids, input: {expirationDate: $d}) { id } }',
      { ids, d: dateOf(-200) },
    );
  },
  'copied with a date': async () => {
    const id = await create(dateOf(900));
    await mutate(
      'mutation ($id: ID!, $d: Date!) { copyExpirationItem(id: $id, input: {expirationDate: $d}) { id } }',
      { id, d: dateOf(-100) },
    );
  },
  'restored from the bin': async () => {
    const id = await create(dateOf(-100));
    await gateway.send('DELETE', `/v1/expirationitems/${id}`);
    await mutate('mutation ($id: ID!) { restoreExpirationItem(id: $id) { id } }', { id });
  },
  'taken out of the archive': async () => {
    const ids = await createMany(20, dateOf(-100), { isActive: false });
    await mutate(
      'mutation ($ids: [ID!]!) { updateExpirationItems(ids: $ids, input: {isActive: true}) { id } }',
      { ids },
    );
  },
  'filed from an upload': async () => {
    const { organizationId, teamId } = gateway;
    const id = newId();
    await gateway.database.prisma.uploadNotification.create({
      data: { id, organizationId, teamId, dedupeKey: id, action: 'fp.upload', state: 'FAILED' },
    });
    await mutate(
      'mutation ($id: ID!, $d: Date!) { confirmUpload(id: $id, input: {name: "Scan", expirationDate: $d}) { id } }',
      { id, d: dateOf(-100) },
    );
  },
};

test.each(Object.entries(ways))(
  'an item long past that was %s leads to no mail, then or later',
  async (_, make) => {
    await make();
    const items = await gateway.database.prisma.expirationItem.count({
      where: { isActive: true, expirationDate: { lt: testTime } },
    });
    expect(items).toBeGreaterThan(0);
    expect(await decide()).toBe(0);
    expect(await ledger()).toEqual({ 'SKIPPED long past': 4 * items });
    // Nor do its repetitions, week after week.
    for (const days of [1, 7, 8, 15, 40]) expect(await decide(days)).toBe(0);
    expect(await gateway.database.prisma.delivery.count()).toBe(0);
  },
);

test('items that expired within the week are in one mail, each with its last step only', async () => {
  await createMany(300, dateOf(-3));
  expect(await decide()).toBe(300);
  expect(await ledger()).toEqual({ PENDING: 300, 'SKIPPED superseded': 900 });
  expect(await gateway.database.prisma.delivery.count()).toBe(1);
  expect(await gateway.database.prisma.reminderTarget.count({ where: { reason: null } })).toBe(300);
  expect(await decide()).toBe(0);
});
