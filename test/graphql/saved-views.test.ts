import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createTenant, useGateway } from '../support/gateway.js';

const gateway = useGateway();
let strange: string;
beforeAll(async () => {
  strange = (await createTenant(gateway.database, 'Strange')).admin;
});

const fields =
  'id version name list columns filters { name value } sort isShared isOwn mayChange team { id } user { name }';
const list = `query ($list: String!) { me { savedViews(list: $list) { ${fields} } } }`;
const create = `mutation ($input: CreateSavedViewInput!) { view: createSavedView(input: $input) { ${fields} } }`;
const update = `mutation ($id: ID!, $ifVersion: String, $input: UpdateSavedViewInput!) {
  view: updateSavedView(id: $id, ifVersion: $ifVersion, input: $input) { ${fields} } }`;
const remove = `mutation ($id: ID!, $ifVersion: String) {
  view: deleteSavedView(id: $id, ifVersion: $ifVersion) { ${fields} } }`;

const run = (token: string, document: string, variables: object) =>
  gateway.graphql(document, variables, token);

async function done(token: string, document: string, variables: object) {
  const { data, errors } = await run(token, document, variables);
  expect(errors).toBeUndefined();
  return data.view;
}

async function refused(token: string, document: string, variables: object) {
  const { data, errors } = await run(token, document, variables);
  expect(data?.view ?? null).toBeNull();
  return errors?.[0]?.extensions as {
    code: string;
    version?: string;
    violations?: { path: string[]; rule: string }[];
  };
}

const make = (token: string, input: object = {}) =>
  done(token, create, { input: { name: `View ${randomUUID()}`, list: 'items', ...input } });

const seen = async (token: string, of = 'items'): Promise<{ id: string; mayChange: boolean }[]> =>
  (await run(token, list, { list: of })).data.me.savedViews;
const isSeen = async (token: string, { id }: { id: string }) =>
  (await seen(token)).some((view) => view.id === id);

test('a view keeps columns, filters and order', async () => {
  const chosen = {
    columns: ['name', 'date', 'name'],
    filters: [
      { name: 'q', value: 'van' },
      { name: 'due', value: '30' },
    ],
    sort: '-date',
  };
  const view = await make(gateway.viewer, { name: 'Vans', ...chosen });
  expect(view).toMatchObject({
    ...{ ...chosen, columns: ['name', 'date'], name: 'Vans', list: 'items', isShared: false, team: null },
    ...{ isOwn: true, mayChange: true, user: { name: 'Max Member' } },
  });
  expect(await seen(gateway.viewer)).toContainEqual(view);
  expect((await seen(gateway.viewer, 'contacts')).map(({ id }) => id)).not.toContain(view.id);
  const renamed = await done(gateway.viewer, update, { id: view.id, input: { name: 'Lorries' } });
  expect(renamed).toMatchObject({ ...chosen, columns: ['name', 'date'], name: 'Lorries' });
  expect(await done(gateway.viewer, remove, { id: view.id })).toEqual(renamed);
  expect(await isSeen(gateway.viewer, view)).toBe(false);
});

describe('what is not shared', () => {
  test('is of its user alone, also where an admin knows its id', async () => {
    const view = await make(gateway.member);
    expect(await isSeen(gateway.member, view)).toBe(true);
    for (const token of [gateway.admin, strange]) {
      expect(await isSeen(token, view)).toBe(false);
      expect(await refused(token, update, { id: view.id, input: {} })).toMatchObject({ code: 'NOT_FOUND' });
      expect(await refused(token, remove, { id: view.id })).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('what is shared', () => {
  test('is seen by the organization, and changed by its user and admins', async () => {
    const view = await make(gateway.member, { isShared: true });
    expect((await seen(gateway.admin)).find(({ id }) => id === view.id)).toMatchObject({
      ...{ isOwn: false, mayChange: true },
    });
    expect(await isSeen(strange, view)).toBe(false);
    expect(await refused(strange, remove, { id: view.id })).toMatchObject({ code: 'NOT_FOUND' });
    const renamed = await done(gateway.admin, update, { id: view.id, input: { name: 'Of all' } });
    expect(renamed).toMatchObject({ name: 'Of all', isOwn: false });
    const ofAdmin = await make(gateway.admin, { isShared: true });
    expect((await seen(gateway.member)).find(({ id }) => id === ofAdmin.id)).toMatchObject({
      ...{ isOwn: false, mayChange: false },
    });
    for (const document of [update, remove])
      expect(await refused(gateway.member, document, { id: ofAdmin.id, input: {} })).toMatchObject({
        code: 'FORBIDDEN',
      });
  });

  test('with a workspace is seen in that workspace alone', async () => {
    const { otherTeamId, teamId } = gateway;
    const view = await make(gateway.admin, { isShared: true, teamId: otherTeamId });
    expect(view.team).toEqual({ id: otherTeamId });
    expect(await isSeen(gateway.member, view)).toBe(false);
    expect(await refused(gateway.member, remove, { id: view.id })).toMatchObject({ code: 'NOT_FOUND' });
    await done(gateway.admin, update, { id: view.id, input: { teamId } });
    expect(await isSeen(gateway.member, view)).toBe(true);
    const elsewhere = { isShared: true, teamId: otherTeamId, name: 'Elsewhere', list: 'items' };
    expect(await refused(gateway.member, create, { input: elsewhere })).toMatchObject({
      ...{ code: 'BAD_REQUEST', violations: [{ path: ['input', 'teamId'], rule: 'reference' }] },
    });
  });

  test('is nothing that a viewer makes, but can take back', async () => {
    const input = { name: 'Shared', list: 'items', isShared: true };
    expect(await refused(gateway.viewer, create, { input })).toMatchObject({ code: 'FORBIDDEN' });
    // The same person, once with the role of a member.
    const view = await make(gateway.member, { isShared: true });
    const changed = { id: view.id, input: { name: 'Still shared' } };
    expect(await refused(gateway.viewer, update, changed)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await done(gateway.viewer, update, { id: view.id, input: { isShared: false } })).toMatchObject({
      isShared: false,
    });
  });
});

test('of two who change a view, the second is told', async () => {
  const view = await make(gateway.member);
  const { id, version: ifVersion } = view;
  const { version } = await done(gateway.member, update, { id, ifVersion, input: { sort: 'name' } });
  for (const document of [update, remove])
    expect(
      await refused(gateway.member, document, { id, ifVersion, input: { sort: '-name' } }),
    ).toMatchObject({ code: 'PRECONDITION_FAILED', version });
});

test('a name is one view of a person in a list', async () => {
  const name = `Twice ${randomUUID()}`;
  await make(gateway.member, { name });
  await make(gateway.member, { name, list: 'contacts' });
  await make(gateway.admin, { name });
  const input = { name, list: 'items' };
  expect(await refused(gateway.member, create, { input })).toMatchObject({ code: 'CONFLICT' });
  const other = await make(gateway.member);
  expect(await refused(gateway.member, update, { id: other.id, input: { name } })).toMatchObject({
    code: 'CONFLICT',
  });
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      run(gateway.member, create, { input: { name: `${name} at once`, list: 'items' } }),
    ),
  );
  expect(answers.filter(({ errors }) => !errors)).toHaveLength(1);
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ list: 'Items?' }, 'list'],
  [{ columns: [''] }, 'columns'],
  [{ columns: Array.from({ length: 101 }, (_, at) => `column${at}`) }, 'columns'],
  [{ filters: [{ name: 'due', value: 'x'.repeat(256) }] }, 'filters'],
  [{ filters: Array.from({ length: 51 }, (_, at) => ({ name: `f${at}`, value: '1' })) }, 'filters'],
  [{ filters: ['1', '2'].map((value) => ({ name: 'due', value })) }, 'filters'],
  [{ sort: 'x'.repeat(256) }, 'sort'],
  [{ teamId: 'somewhere' }, 'teamId'],
])('%j is refused, and told where', async (wrong, at) => {
  const input = { name: `Wrong ${randomUUID()}`, list: 'items', ...wrong };
  const { code, violations } = await refused(gateway.member, create, { input });
  expect(code).toBe('BAD_REQUEST');
  expect(violations?.[0]?.path[1]).toBe(at);
});

test('a person has at most 200 views', async () => {
  const { prisma } = gateway.database;
  const { organizationId, userId } = gateway;
  const data = Array.from({ length: 200 }, (_, at) => ({
    ...{ id: randomUUID(), organizationId, userId, name: `Many ${at}`, list: 'vehicles', columns: [] },
  }));
  await prisma.savedView.createMany({ data });
  const input = { name: 'One more', list: 'vehicles' };
  expect(await refused(gateway.admin, create, { input })).toMatchObject({ code: 'CONFLICT' });
  await prisma.savedView.deleteMany({ where: { list: 'vehicles' } });
});

test('unknown ids are told as such', async () => {
  for (const id of [randomUUID(), 'nothing']) {
    expect(await refused(gateway.member, update, { id, input: {} })).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refused(gateway.member, remove, { id })).toMatchObject({ code: 'NOT_FOUND' });
  }
});
