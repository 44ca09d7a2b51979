import { describe, expect, test } from 'vitest';
import { expectNoTrace } from '../rest/records.js';
import { useGateway } from '../support/gateway.js';
import { operationsOn } from './records.declared.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();

const { create, update, replace, patch, remove, list } = operationsOn('Team');
const make = async (input: object = {}) =>
  (await ask(gateway, create, { input: { name: 'Depot', ...input } })).record;

test.each<[field: string, input: object]>([
  ['name', { name: '' }],
  ['name', { name: ' \t' }],
  ['name', { name: 'x'.repeat(256) }],
  ['timezone', { timezone: '' }],
  ['timezone', { timezone: '+02:00' }],
  ['reminderDays', { reminderDays: -1 }],
  ['reminderDays', { reminderDays: 3_651 }],
])('refuses a wrong %s (%#)', async (field, input) => {
  const { id } = await make();
  await expectNoTrace(gateway, async () => {
    const made = refusal(gateway, create, { input: { name: 'x', ...input } });
    await expectRefusal(made, 'BAD_REQUEST', field);
    await expectRefusal(refusal(gateway, update, { id, input }), 'BAD_REQUEST', field);
  });
});

test('reminderDays may be 0', async () => {
  expect(await make({ reminderDays: 0 })).toMatchObject({ reminderDays: 0 });
});

describe('who may do what', () => {
  test('a member changes its workspaces, and no other', async () => {
    const { teamId: id, otherTeamId, member } = gateway;
    const input = { name: 'Ours', reminderDays: 7 };
    expect((await ask(gateway, update, { id, input }, member)).record).toMatchObject(input);
    const whole = { name: 'Ours', timezone: 'Asia/Tokyo' };
    const replaced = (await ask(gateway, replace, { id, input: whole }, member)).record;
    expect(replaced).toMatchObject({ ...whole, reminderDays: 30 });
    await expectRefusal(refusal(gateway, update, { id: otherTeamId, input }, member), 'NOT_FOUND');
  });

  test('only an admin makes and deletes workspaces', async () => {
    const { id } = await make();
    await expectNoTrace(gateway, async () => {
      for (const token of [gateway.member, gateway.viewer, gateway.uploader]) {
        const input = { name: 'Mine' };
        await expectRefusal(refusal(gateway, create, { input }, token), 'FORBIDDEN', undefined, /role/);
        await expectRefusal(refusal(gateway, remove, { id }, token), 'FORBIDDEN', undefined, /role/);
        const own = refusal(gateway, remove, { id: gateway.teamId }, token);
        await expectRefusal(own, 'FORBIDDEN', undefined, /role/);
      }
    });
  });
});

test('is ordered by its own fields: a workspace is in none', async () => {
  const query = '{ __type(name: "TeamOrderField") { enumValues { name } } }';
  const { enumValues } = (await ask(gateway, query)).__type;
  const names = enumValues.map(({ name }: { name: string }) => name).sort();
  expect(names).toEqual([
    ...['CREATED', 'ID', 'IS_ACTIVE', 'MODIFIED', 'NAME', 'REMINDER_DAYS'],
    ...['REMINDER_FALLBACK_ADDRESS', 'REMINDER_POLICY_ID', 'TIMEZONE'],
  ]);
  for (const field of names) await ask(gateway, list, { orderBy: { field } });
});

test('patchTeam: every field is shown here, and can be patched', async () => {
  const { id } = await make();
  const operations = [
    { op: 'test', path: '/timezone', value: 'UTC' },
    { op: 'replace', path: '/timezone', value: 'Asia/Tokyo' },
    { op: 'remove', path: '/reminderDays' },
  ];
  const { record } = await ask(gateway, patch, { id, operations });
  expect(record).toMatchObject({ timezone: 'Asia/Tokyo', reminderDays: 30 });
});
