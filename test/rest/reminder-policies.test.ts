import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { expectBadRequest, expectError, expectNotModified } from './support.js';

const gateway = useGateway();

const merging = { 'Content-Type': 'application/merge-patch+json' };
let count = 0;

const create = (body: object) =>
  gateway.send('POST', '/v1/reminderpolicies', { body: { name: `Policy ${++count}`, ...body } });

async function created(body: object) {
  const { status, text, json } = await create(body);
  expect(status, text).toBe(201);
  return json;
}

const standing = {
  about: null,
  repeat_every_days: null,
  repeat_count: null,
  only_unacknowledged: false,
  asks_for_document: false,
  addresses: [],
};
const standard = ['contacts', 'main_contact', 'assignee', 'watchers'];

test('words are taken in any letter case, and answered in small letters', async () => {
  const policy = await created({
    Deliver_On: 'Working_Days',
    steps: [{ offset_days: 1, recipients: ['ADMINS', 'Workspace_Members', 'admins'] }, { offset_days: -7 }],
  });
  expect(policy).toMatchObject({ deliver_on: 'working_days', lead_days: 7, time_of_day: '08:00' });
  expect(policy.steps).toEqual([
    { ...standing, id: expect.any(String), offset_days: -7, recipients: standard },
    { ...standing, id: expect.any(String), offset_days: 1, recipients: ['admins', 'workspace_members'] },
  ]);
});

test.each([
  ['no word', { deliver_on: 'sundays' }, /^deliver_on: must be one of any, working_days$/],
  ['a number for a word', { deliver_on: 1 }, /^deliver_on: must be one of/],
  ['a word with NUL', { deliver_on: 'any\0' }, /^deliver_on/],
  [
    'an unknown recipient',
    { steps: [{ offset_days: 0, recipients: ['boss'] }] },
    /^steps\[0\]\.recipients\[0\]: /,
  ],
  ['an object as recipients', { steps: [{ offset_days: 0, recipients: {} }] }, /^steps\[0\]\.recipients: /],
  ['no offset', { steps: [{}] }, /^steps\[0\]\.offset_days: is required$/],
  ['an offset too far', { steps: [{ offset_days: 3651 }] }, /^steps\[0\]\.offset_days: /],
  ['a fraction of a day', { steps: [{ offset_days: 1.5 }] }, /^steps\[0\]\.offset_days: /],
  ['an offset twice', { steps: [{ offset_days: 1 }, { offset_days: 1 }] }, /^steps\[1\]\.offset_days: /],
  ['too many steps', { steps: Array.from({ length: 21 }, (_, i) => ({ offset_days: i })) }, /^steps: .*20/],
  ['no address', { steps: [{ offset_days: 0, addresses: ['nobody'] }] }, /^steps\[0\]\.addresses\[0\]: /],
  [
    'too many addresses',
    { steps: [{ offset_days: 0, addresses: Array.from({ length: 101 }, (_, i) => `a${i}@example.com`) }] },
    /^steps\[0\]\.addresses: .*100/,
  ],
  [
    'too many addresses in all',
    {
      steps: Array.from({ length: 6 }, (_, day) => ({
        offset_days: day,
        addresses: Array.from({ length: day === 0 ? 1 : 100 }, (_, i) => `a${i}@example.com`),
      })),
    },
    /^steps: .*500/,
  ],
  ['addresses that are not named', { steps: [{ offset_days: 0, recipients: ['addresses'] }] }, /^steps\[0\]/],
  ['a name with NUL', { name: 'a\0b' }, /^name: /],
  ['an empty name', { name: ' ' }, /^name: /],
  ['steps that are one', { steps: { offset_days: 1 } }, /^steps: /],
])('400: %s', async (_name, body, message) => {
  expectBadRequest(await create(body), message);
});

test('a step keeps its id while its offset stays', async () => {
  const { id, steps } = await created({ steps: [{ offset_days: -7 }, { offset_days: 0 }] });
  const put = await gateway.send('PUT', `/v1/reminderpolicies/${id}`, {
    body: { steps: [{ offset_days: -7, recipients: ['admins'] }, { offset_days: 3 }] },
  });
  expect(put.json.steps.map((step: { id: string }) => step.id === steps[0].id)).toEqual([true, false]);
  expect(put.json.lead_days).toBe(7);
});

test('a patch reaches into steps, and its words are those of REST', async () => {
  const { id } = await created({ steps: [{ offset_days: -7 }] });
  const path = `/v1/reminderpolicies/${id}`;
  const patch = (body: unknown, headers = {}) => gateway.send('PATCH', path, { body, headers });
  const patched = await patch([
    { op: 'test', path: '/deliver_on', value: 'any' },
    { op: 'replace', path: '/deliver_on', value: 'WORKING_DAYS' },
    { op: 'add', path: '/steps/-', value: { offset_days: 5, recipients: ['admins'] } },
    { op: 'replace', path: '/steps/0/recipients', value: ['Assignee'] },
  ]);
  expect(patched.status, patched.text).toBe(200);
  expect(patched.json.deliver_on).toBe('working_days');
  const recipients = (json: { steps: { recipients: string[] }[] }) =>
    json.steps.map((step) => step.recipients);
  expect(recipients(patched.json)).toEqual([['assignee'], ['admins']]);
  const merged = await patch({ deliver_on: null, steps: [{ offset_days: -1 }] }, merging);
  expect(merged.json).toMatchObject({ deliver_on: 'any', steps: [{ offset_days: -1 }], lead_days: 1 });
  // A record may be sent back as it is.
  expectNotModified(await patch(merged.json, merging));
  expectBadRequest(
    await patch([{ op: 'replace', path: '/deliver_on', value: 'sundays' }]),
    /^operation 0: deliver_on: is not one of the allowed values$/,
  );
  expectBadRequest(await patch({ deliver_on: 'sundays' }, merging), /^deliver_on: /);
  expectBadRequest(await patch([{ op: 'replace', path: '/lead_days', value: 3 }]), /lead_days/);
  const failing = await patch([{ op: 'test', path: '/deliver_on', value: 'working_days' }]);
  expectError(failing, 409, 'CONFLICT');
});

test('of two who change a version, one does', async () => {
  const { headers, json } = await create({ steps: [{ offset_days: -7 }] });
  const put = (days: number) =>
    gateway.send('PUT', `/v1/reminderpolicies/${json.id}`, {
      headers: { 'If-Match': headers.get('etag') ?? '' },
      body: { steps: [{ offset_days: days }] },
    });
  // Otherwise both could be of one millisecond, and the version one of them makes the same.
  const statuses = (await Promise.all([put(-1), put(-2), put(-3)])).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 412, 412]);
});

test('a member does not change the policy of a workspace, and a policy stays where it is', async () => {
  const { id } = await created({ steps: [] });
  await gateway.database.prisma.team.update({
    where: { id: gateway.teamId },
    data: { reminderPolicyId: id },
  });
  const as = (token: string, body: object) =>
    gateway.send('PUT', `/v1/reminderpolicies/${id}`, { token, body });
  expectError(await as(gateway.member, { time_of_day: '10:00' }), 403, 'FORBIDDEN');
  expectBadRequest(await as(gateway.admin, { team_id: gateway.otherTeamId }), /^team_id: /);
  expect((await as(gateway.admin, { time_of_day: '10:00' })).json.time_of_day).toBe('10:00');
});

test('a workspace has 100 policies at most, however they come', async () => {
  const { organizationId, otherTeamId: teamId } = gateway;
  const { prisma } = gateway.database;
  const first = await created({ team_id: teamId });
  const left = 99 - (await prisma.reminderPolicy.count({ where: { teamId } }));
  const rows = Array.from({ length: left }, (_, i) => ({
    id: randomUUID(),
    organizationId,
    teamId,
    name: `Full ${i}`,
  }));
  await prisma.reminderPolicy.createMany({ data: rows });
  const statuses = (await Promise.all([1, 2, 3, 4].map(() => create({ team_id: teamId })))).map(
    ({ status }) => status,
  );
  expect(statuses.sort()).toEqual([201, 409, 409, 409]);
  expectError(await create({ team_id: teamId }), 409, 'CONFLICT', /has 100 reminder policies/);
  // What is deleted makes room, and comes back when there is some.
  expect((await gateway.send('DELETE', `/v1/reminderpolicies/${first.id}`)).status).toBe(200);
  const last = await created({ team_id: teamId });
  const restore = `mutation { restoreReminderPolicy(id: "${first.id}") { id } }`;
  const refused = await gateway.graphql(restore);
  expect(refused.errors?.[0]).toMatchObject({ extensions: { code: 'CONFLICT' } });
  expect((await gateway.send('DELETE', `/v1/reminderpolicies/${last.id}`)).status).toBe(200);
  expect((await gateway.graphql(restore)).data.restoreReminderPolicy.id).toBe(first.id);
  expect(await prisma.reminderPolicy.count({ where: { teamId } })).toBe(100);
});

test('lists page, search and order', async () => {
  await created({ name: 'Zebra', time_of_day: '06:00' });
  await created({ name: 'zebra two', time_of_day: '05:00' });
  const names = async (query: string) =>
    (await gateway.send('GET', `/v1/reminderpolicies?${query}`)).json.reminder_policies.map(
      ({ name }: { name: string }) => name,
    );
  expect(await names('term=ZEBRA')).toEqual(['Zebra', 'zebra two']);
  expect(await names('term=zebra&sort=time_of_day')).toEqual(['zebra two', 'Zebra']);
  expect(await names('term=zebra&paging=1&page=2')).toEqual(['zebra two']);
});

test('the database keeps a step about both dates from being stored twice', async () => {
  const { id: policyId } = await created({ steps: [{ offset_days: -3 }] });
  const twice = gateway.database.prisma.reminderStep.create({
    data: { id: randomUUID(), policyId, position: 1, offsetDays: -3, recipients: ['ADMINS'] },
  });
  await expect(twice).rejects.toThrow(/Unique constraint/);
});
