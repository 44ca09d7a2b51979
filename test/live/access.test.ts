import type { ExecutionResult } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createToken, revokeToken } from '../../src/access/tokens.js';
import { personOf, type Role } from '../../src/domain/caller.js';
import { newId } from '../../src/domain/rules.js';
import { createTenant, startGateway, type Tenant, type TestGateway, testTime } from '../support/gateway.js';
import {
  expectEnd,
  fileUpload,
  nextData,
  type Results,
  sessionOf,
  streams,
  subscribe,
  transports,
} from './support.js';

let gateway: TestGateway;
let foreign: Tenant;
const open: Results[] = [];
beforeAll(async () => {
  // Quiet streams are looked at often here, so that no test has to wait.
  gateway = await startGateway({}, { recheck: 50, perToken: 3 });
  foreign = await createTenant(gateway.database, 'Foreign');
});
afterEach(async () => {
  gateway.clock.now = testTime;
  for (const results of open.splice(0)) await results.return?.();
  await streams(gateway, 0);
});
afterAll(() => gateway.close());

async function follow(query: string, token: string, variables?: Record<string, unknown>): Promise<Results> {
  const results = await subscribe(gateway, { query, token, ...(variables && { variables }) });
  open.push(results);
  return results;
}

/** Creations alone: that tokens were made may still be told. */
const events = 'subscription { eventLogged(typeIds: [1]) { description } }';
const deletions = 'subscription { eventLogged(typeIds: [4]) { description } }';
const itemChanges = 'subscription($id: ID!) { expirationItemChanged(id: $id) { name } }';

async function vehicle(name: string, token: string, teamId?: string): Promise<void> {
  const query = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
  const { errors } = await gateway.graphql(query, { input: { name, ...(teamId && { teamId }) } }, token);
  expect(errors).toBeUndefined();
}

async function item(name: string, token: string, teamId: string): Promise<string> {
  const query =
    'mutation($input: CreateExpirationItemInput!) { record: createExpirationItem(input: $input) { id } }';
  const { data } = await gateway.graphql(
    query,
    { input: { name, expirationDate: '2030-01-01', teamId } },
    token,
  );
  return data.record.id;
}

const update = `mutation($id: ID!, $input: UpdateExpirationItemInput!) {
  updateExpirationItem(id: $id, input: $input) { id }
}`;

const created = (name: string) => ({ eventLogged: { description: `Vehicle "${name}" was created` } });

/** Returns a token of the member's, made for one test. */
async function memberToken(role: Role = 'MEMBER', expiresAt: Date | null = null) {
  const { caller } = await sessionOf(gateway, 'MEMBER');
  const { organizationId } = gateway;
  const given = { organizationId, userId: personOf(caller).id, name: 'one test', role, expiresAt };
  return createToken(gateway.database, given, gateway.clock.now);
}

describe('what is written elsewhere is not told', () => {
  test('in another organization', async () => {
    const own = await follow(events, gateway.admin);
    await vehicle('Foreign', foreign.admin);
    await vehicle('Own', gateway.admin);
    expect(await nextData(own)).toEqual(created('Own'));
  });

  test('in a workspace that the caller is not in', async () => {
    const own = await follow(events, gateway.viewer);
    await vehicle('Foreign', gateway.admin, gateway.otherTeamId);
    await vehicle('Own', gateway.admin, gateway.teamId);
    expect(await nextData(own)).toEqual(created('Own'));
  });

  test('an admin gets events of every workspace', async () => {
    const all = await follow(events, gateway.admin);
    await vehicle('Other', gateway.admin, gateway.otherTeamId);
    expect(await nextData(all)).toEqual(created('Other'));
  });

  test('uploads that are filed there', async () => {
    const uploads = await follow('subscription { uploadFiled { filename } }', gateway.viewer);
    const receive =
      'mutation($name: String!) { record: receiveUpload(input: {text: {filename: $name}}) { id } }';
    const [hidden, own] = await Promise.all(
      ['hidden.pdf', 'own.pdf'].map(
        async (name) => (await gateway.graphql(receive, { name })).data.record.id,
      ),
    );
    const { prisma } = gateway.database;
    await prisma.uploadNotification.update({ where: { id: hidden }, data: { teamId: gateway.otherTeamId } });
    await fileUpload(gateway, hidden);
    await fileUpload(gateway, own);
    expect(await nextData(uploads)).toEqual({ uploadFiled: { filename: 'own.pdf' } });
  });
});

describe('an item', () => {
  test.each(['another organization', 'a workspace that the caller is not in', 'nowhere'])(
    'in %s cannot be followed',
    async (place) => {
      const ids: Record<string, () => Promise<string>> = {
        'another organization': () => item('Foreign', foreign.admin, foreign.teamId),
        'a workspace that the caller is not in': () => item('Other', gateway.admin, gateway.otherTeamId),
        nowhere: async () => 'no-uuid',
      };
      const id = await ids[place]?.();
      const results = transports['plain server-sent events'](gateway, {
        query: itemChanges,
        token: gateway.viewer,
        variables: { id },
      });
      expect((await results.next()).value).toMatchObject({
        errors: [{ extensions: { code: 'NOT_FOUND' }, path: ['expirationItemChanged'] }],
      });
      expect((await results.next()).done).toBe(true);
      await streams(gateway, 0);
    },
  );

  test('that is moved out of sight is not followed any more', async () => {
    const id = await item('Moving', gateway.admin, gateway.teamId);
    const changes = await follow(itemChanges, gateway.viewer, { id });
    const { errors } = await gateway.graphql(update, {
      id,
      input: { name: 'Moved', teamId: gateway.otherTeamId },
    });
    expect(errors).toBeUndefined();
    expect(await nextData(changes)).toEqual({ expirationItemChanged: null });
    expect((await changes.next()).done).toBe(true);
  });
});

describe('who may not read', () => {
  test.each(Object.entries(transports))('is refused over %s', async (_name, over) => {
    const results = over(gateway, { query: events, token: gateway.uploader });
    const refused = {
      message: 'A token with the role UPLOADER may not do this.',
      extensions: { code: 'FORBIDDEN' },
    };
    const [error] = await results.next().then(
      ({ value }) => (value as ExecutionResult).errors ?? [],
      (errors) => errors,
    );
    expect(error).toMatchObject(refused);
    expect(gateway.app.streams()).toBe(0);
  });

  test.each(Object.entries(transports))('any more gets an error over %s', async (_name, over) => {
    const { id, token } = await memberToken();
    const results = await subscribe(gateway, { query: deletions, token }, over);
    await revokeToken(gateway.database, id, gateway.clock.now);
    await expectEnd(results, 'UNAUTHORIZED', /expired or was revoked/);
    await streams(gateway, 0);
  });

  test('an expired token ends its streams', async () => {
    const { token } = await memberToken('VIEWER', new Date(testTime.getTime() + 60_000));
    const results = await follow(events, token);
    await vehicle('Before', gateway.admin);
    expect(await nextData(results)).toEqual(created('Before'));
    gateway.clock.now = new Date(testTime.getTime() + 61_000);
    await expectEnd(results, 'UNAUTHORIZED', /expired or was revoked/);
  });

  test('a role that changes to one without the right ends the streams', async () => {
    const { id, token } = await memberToken();
    const results = await follow(deletions, token);
    await gateway.database.prisma.accessToken.update({ where: { id }, data: { role: 'UPLOADER' } });
    await expectEnd(results, 'FORBIDDEN', /may no longer read/);
  });
});

test('a token has a limited number of streams, until one of them ends', async () => {
  const { token } = await memberToken();
  const [first] = [await follow(events, token), await follow(events, token), await follow(events, token)];
  const refused = transports['plain server-sent events'](gateway, { query: events, token });
  expect((await refused.next()).value).toMatchObject({
    errors: [
      { message: expect.stringContaining('3 subscriptions'), extensions: { code: 'TOO_MANY_REQUESTS' } },
    ],
  });
  await first?.return?.();
  await streams(gateway, 2);
  await follow(events, token);
});

describe('with quiet streams looked at never, what an event finds is', () => {
  let patient: TestGateway;
  beforeAll(async () => {
    patient = await startGateway({}, { recheck: 3_600_000 });
  });
  afterAll(() => patient.close());

  const create = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
  const write = (name: string, teamId: string) => patient.graphql(create, { input: { name, teamId } });

  test('the current members of a workspace', async () => {
    const { caller } = await sessionOf(patient, 'MEMBER');
    const [userId, teamId] = [personOf(caller).id, patient.otherTeamId];
    const results = await subscribe(patient, { query: events, token: patient.member });
    await patient.database.prisma.membership.create({ data: { userId, teamId } });
    await write('Joined', teamId);
    expect(await nextData(results)).toEqual(created('Joined'));
    await patient.database.prisma.membership.delete({ where: { userId_teamId: { userId, teamId } } });
    await write('Left', teamId);
    await write('Still', patient.teamId);
    expect(await nextData(results)).toEqual(created('Still'));
    await results.return?.();
    await streams(patient, 0);
  });

  test('the currently valid tokens', async () => {
    const results = await subscribe(patient, { query: events, token: patient.viewer });
    const { caller } = await sessionOf(patient, 'VIEWER');
    await revokeToken(patient.database, caller.tokenId, patient.clock.now);
    await write('Too late', patient.teamId);
    await expectEnd(results, 'UNAUTHORIZED', /expired or was revoked/);
  });
});

test('a stream of events about a hidden record tells nothing that links to it', async () => {
  const create = 'mutation($input: CreateVehicleInput!) { record: createVehicle(input: $input) { id } }';
  const { otherTeamId, teamId, admin, member } = gateway;
  const id = newId();
  const about = 'subscription($id: ID) { eventLogged(entityId: $id, typeIds: [1]) { description } }';
  const [seen, all] = [await follow(about, member, { id }), await follow(about, admin, { id })];
  const vehicle = { id, name: 'Hidden', teamId: otherTeamId };
  expect((await gateway.graphql(create, { input: vehicle }, admin)).errors).toBeUndefined();
  expect(await nextData(all)).toEqual({ eventLogged: { description: 'Vehicle "Hidden" was created' } });
  const note = { name: 'About it', teamId, relations: [{ entityId: id, entityType: 3 }] };
  const write = 'mutation($input: CreateNoteInput!) { createNote(input: $input) { id } }';
  expect((await gateway.graphql(write, { input: note }, admin)).errors).toBeUndefined();
  expect(await nextData(all)).toEqual({ eventLogged: { description: 'Note "About it" was created' } });
  // The contact with the same id is not hidden.
  const contact = { id, email: 'same@example.com', teamId };
  const add = 'mutation($input: CreateContactInput!) { createContact(input: $input) { id } }';
  expect((await gateway.graphql(add, { input: contact }, admin)).errors).toBeUndefined();
  const created = { eventLogged: { description: 'Contact "same@example.com" was created' } };
  expect(await nextData(seen)).toEqual(created);
  expect(await nextData(all)).toEqual(created);
});

test('one statement looks up the tokens of all streams, and one reads for all who see the same', async () => {
  const watched = await startGateway({}, { recheck: 3_600_000 });
  const tokens = [watched.admin, watched.member, watched.viewer];
  const query = 'subscription { eventLogged(typeIds: [1]) { description relatedEntities { id } } }';
  const all: Results[] = [];
  for (const token of [...tokens, ...tokens, ...tokens]) all.push(await subscribe(watched, { query, token }));
  const sent = await watched.statementNames(async () => {
    await watched.graphql('mutation { createVehicle(input: {name: "Van"}) { id } }');
    for (const results of all) await nextData(results);
  });
  // The one who writes, and those who are told.
  expect(sent.filter((name) => /^access_tokens\.(authenticate|callers)$/.test(name))).toEqual([
    'access_tokens.authenticate',
    'access_tokens.callers',
  ]);
  // The three read side by side, in whatever order.
  expect(sent.slice(sent.lastIndexOf('access_tokens.callers') + 1).sort()).toEqual([
    ...Array(3).fill('event_log_entities.find'),
    ...Array(3).fill('event_logs.list'),
  ]);
  for (const results of all) await results.return?.();
  await watched.close();
});
