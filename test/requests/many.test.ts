import { randomUUID as newId } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefused } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { nextData, quiet, subscribe } from '../live/support.js';
import { evaluateTurns, type Office, openOffice, queueRequestMails, request } from './support.js';

let office: Office;
let place: { organizationId: string; teamId: string };
const [categoryId, otherId, requirementId, annId] = [newId(), newId(), newId(), newId()];
const trucks: string[] = [];
beforeAll(async () => {
  office = await openOffice();
  const { gateway } = office;
  await quiet(gateway);
  place = { organizationId: gateway.organizationId, teamId: gateway.teamId };
  const { prisma } = gateway.database;
  await prisma.category.create({ data: { ...place, id: categoryId, name: 'Insurance' } });
  await prisma.category.create({ data: { ...place, id: otherId, name: 'Registration' } });
  await prisma.contact.create({ data: { ...place, id: annId, name: 'Ann', email: 'ann@example.org' } });
  const requirement = { id: requirementId, name: 'Insured', holderKind: 'VEHICLE', anyOf: [categoryId] };
  const second = { name: 'Registered', holderKind: 'VEHICLE', anyOf: [otherId] };
  const require = 'mutation ($input: CreateRequirementInput!) { createRequirement(input: $input) { id } }';
  for (const input of [requirement, second]) await ask(gateway, require, { input });
  for (let n = 0; n < 6; n++) {
    const input = { id: newId(), name: `Truck ${n}`, ...(n < 4 && { assignedToContactId: annId }) };
    trucks.push(input.id);
    await ask(gateway, 'mutation ($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }', {
      input,
    });
  }
  await evaluateTurns(gateway.database, () => gateway.clock.now);
});
afterAll(() => office.close());

const create = `mutation ($input: CreateDocumentRequestsInput!) { createDocumentRequests(input: $input) {
  created { id state holderId message dueOn language category { name } recipient { name } }
  refused { index code field message holderKind holderId categoryId expirationItemId } } }`;
const many = async (input: object) => (await ask(office.gateway, create, { input })).createDocumentRequests;
const counts = async (filter?: object) =>
  (
    await ask(
      office.gateway,
      'query ($filter: DocumentRequestFilter) { documentRequestCounts(filter: $filter) { state count overdue } }',
      { filter },
    )
  ).documentRequestCounts;

test('all gaps of a filter are asked for, and those without anybody to ask are told', async () => {
  const filter = { kind: 'VEHICLE', term: 'truck' };
  const { created, refused } = await many({
    gaps: { filter, requirementIds: [requirementId] },
    ...{ message: 'Please.', dueOn: '2026-12-24', language: 'fr' },
  });
  expect(created).toHaveLength(4);
  expect(new Set(created.map(({ holderId }: { holderId: string }) => holderId))).toEqual(
    new Set(trucks.slice(0, 4)),
  );
  expect(created[0]).toMatchObject({
    ...{ state: 'OPEN', message: 'Please.', dueOn: '2026-12-24', language: 'fr' },
    ...{ category: { name: 'Insurance' }, recipient: { name: 'Ann' } },
  });
  expect(refused).toHaveLength(2);
  expect(refused[0]).toMatchObject({
    ...{ index: null, code: 'BAD_REQUEST', field: 'recipientId', holderKind: 'VEHICLE', categoryId },
    message: expect.stringMatching(/nobody is known/),
  });
  // Asked again, everything is known; the other requirement of one truck is new.
  const again = await many({ gaps: { filter, requirementIds: [requirementId] } });
  expect([again.created.length, again.refused.map(({ code }: { code: string }) => code).sort()]).toEqual([
    0,
    ['BAD_REQUEST', 'BAD_REQUEST', 'CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
  ]);
  const one = await many({ gaps: { holderIds: [trucks[0]] } });
  expect(one.created.map(({ category }: { category: { name: string } }) => category.name)).toEqual([
    'Registration',
  ]);
  // Ann gets one mail for all of it.
  const before = office.post.sink.taken.length;
  await office.mailAfter(2);
  expect(office.post.sink.taken.slice(before).map(({ to }) => to)).toEqual([['ann@example.org']]);
});

test('each of many requests is made or refused by itself', async () => {
  const { created, refused } = await many({
    message: 'Of all.',
    requests: [
      { categoryId, email: 'one@example.org' },
      { categoryId, email: 'not an address' },
      { categoryId: newId(), email: 'two@example.org' },
      { categoryId, email: 'ONE@example.org' },
      { categoryId, email: 'three@example.org', message: 'Of one.' },
    ],
  });
  expect(created.map(({ message }: { message: string }) => message)).toEqual(['Of all.', 'Of one.']);
  expect(refused).toMatchObject([
    { index: 1, code: 'BAD_REQUEST', field: 'email' },
    { index: 2, code: 'BAD_REQUEST', field: 'categoryId' },
    { index: 3, code: 'CONFLICT', field: null },
  ]);
  expect(await many({})).toEqual({ created: [], refused: [] });
});

test('invalid values of all, and too many, are refused', async () => {
  const refuse = (input: object, why: [string, RegExp], token?: string) =>
    expectRefused(office.gateway, create, { input }, why, token);
  await refuse({ language: 'tlh', requests: [] }, ['BAD_REQUEST', /language/]);
  await refuse({ gaps: { filter: { requirementId: 'x' } } }, ['BAD_REQUEST', /requirementId/]);
  await refuse({ gaps: { holderIds: ['x'] } }, ['BAD_REQUEST', /holderIds/]);
  const requests = Array.from({ length: 501 }, () => ({ categoryId, email: 'x@example.org' }));
  await refuse({ requests }, ['BAD_REQUEST', /at most 500/]);
  await refuse({ requests: [] }, ['FORBIDDEN', /./], office.gateway.viewer);
  // A record of another organization is no gap of this one.
  expect(await many({ gaps: { holderIds: [newId()] } })).toEqual({ created: [], refused: [] });
});

test('requests are counted by state', async () => {
  const id = newId();
  const teamId = office.gateway.otherTeamId;
  await request(office, { id, categoryId, email: 'c@example.org', teamId, dueOn: '2026-12-01' });
  expect(await counts({ teamId })).toEqual([{ state: 'OPEN', count: 1, overdue: 0 }]);
  office.gateway.clock.now = new Date('2026-12-03T00:00:00Z');
  expect(await counts({ teamId })).toEqual([{ state: 'OPEN', count: 1, overdue: 1 }]);
  expect((await counts()).length).toBeGreaterThan(0);
});

test('REST asks for many, and counts them, as GraphQL does', async () => {
  const { gateway } = office;
  const rest = (path: string, body?: object, token?: string) =>
    gateway.send(body ? 'POST' : 'GET', `/v1/documentrequests/${path}`, {
      ...(body && { body }),
      ...(token && { token }),
    });
  const requests = [
    { category_id: categoryId, email: 'rest@example.org', holder_kind: 'vehicle', holder_id: trucks[5] },
    { category_id: newId(), email: 'rest@example.org' },
  ];
  const { status, json, headers } = await rest('bulk', {
    requests,
    gaps: { filter: { kind: 'vehicle', term: 'truck 4' }, requirement_ids: [requirementId] },
  });
  expect([status, headers.get('location')]).toEqual([200, null]);
  expect(json.created).toMatchObject([{ email: 'rest@example.org', holder_id: trucks[5], state: 'open' }]);
  expect(json.refused).toMatchObject([
    { index: 1, code: 'BAD_REQUEST', field: 'category_id', holder_kind: null },
    { index: null, field: 'recipient_id', holder_kind: 'vehicle', holder_id: trucks[4] },
  ]);
  const many = Array.from({ length: 150 }, (_, n) => ({
    category_id: newId(),
    email: `rest${n}@example.org`,
  }));
  expect((await rest('bulk', { requests: many })).json.refused).toHaveLength(150);
  const tooMany = Array.from({ length: 501 }, () => ({ email: 'x' }));
  expect((await rest('bulk', { requests: tooMany })).json).toMatchObject({ ok: false, code: 'BAD_REQUEST' });
  expect((await rest('bulk', { requests: [] }, gateway.viewer)).status).toBe(403);
  expect((await rest('bulk', { gaps: { holder_ids: ['x'] } })).status).toBe(400);
  const counted = await rest(`counts?holder_id=${trucks[5]}&term=rest`, undefined, gateway.viewer);
  expect(counted.json).toEqual({ counts: [{ state: 'open', count: 1, overdue: 0 }] });
  expect((await rest(`counts?holder_id=${newId()}`)).json).toEqual({ counts: [] });
  expect((await rest('counts?state=lost')).status).toBe(400);
  expect((await rest('counts?page=2')).status).toBe(400);
});

test('a member sees which addresses get no mails', async () => {
  const suppression = {
    organizationId: place.organizationId,
    addressKey: 'stop@example.org',
    scope: 'ALL' as const,
  };
  await office.gateway.database.prisma.suppression.create({ data: { ...suppression, reason: 'ADMIN' } });
  const query = '{ stoppedAddresses(addresses: ["Stop@example.org", "go@example.org"]) }';
  const as = (token: string) => office.gateway.send('POST', '/graphql', { token, body: { query } });
  expect((await as(office.gateway.member)).json).toEqual({
    data: { stoppedAddresses: ['Stop@example.org'] },
  });
  expect((await as(office.gateway.viewer)).json.errors[0].extensions.code).toBe('FORBIDDEN');
});

test('each step of a request is streamed to those who follow it', async () => {
  const { gateway } = office;
  const feed = await subscribe(gateway, {
    query: 'subscription { documentRequestChanged(filter: { term: "live" }) { id state email } }',
    token: gateway.viewer,
  });
  const { id } = await request(office, { categoryId, email: 'live@example.org' });
  expect(await nextData(feed)).toEqual({
    documentRequestChanged: { id, state: 'OPEN', email: 'live@example.org' },
  });
  const before = office.post.sink.taken.length;
  const [link = ''] = (await office.mailAfter(2, 2)).slice(-1);
  expect(office.post.sink.taken.length).toBeGreaterThan(before);
  expect(await nextData(feed)).toMatchObject({ documentRequestChanged: { id, state: 'SENT' } });
  expect(link).toMatch(/asked/);
});

test('one person who lacks most of 500 papers gets one mail', async () => {
  const { gateway } = office;
  gateway.clock.now = new Date(gateway.clock.now.getTime() + 48 * 3_600_000);
  const types = Array.from({ length: 200 }, (_, n) => ({ ...place, id: newId(), name: `Type ${n}` }));
  await gateway.database.prisma.category.createMany({ data: types });
  const requests = [
    ...types.map(({ id }) => ({ categoryId: id, email: 'most@example.org' })),
    ...Array.from({ length: 40 }, (_, n) => ({ categoryId, email: `few${n}@example.org` })),
  ];
  const { created, refused } = await many({ requests });
  expect([created.length, refused.length]).toEqual([240, 0]);
  const now = new Date(gateway.clock.now.getTime() + 120_000);
  while (await queueRequestMails(gateway.database, now));
  const { prisma } = gateway.database;
  expect(await prisma.delivery.count({ where: { address: 'most@example.org' } })).toBe(1);
  expect(await prisma.delivery.count({ where: { address: { startsWith: 'few' } } })).toBe(40);
});
