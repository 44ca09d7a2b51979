import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { nextData, type Results, streams, subscribe, transports } from '../live/support.js';
import { receiveTagged, settled, withWorker } from '../uploads/support.js';
import { expectUntold, type Sent } from './observe.js';
import { chosen, rows } from './rows.js';
import { documentOf, operations, put } from './schema-walk.js';
import { type Beyond, foreignRows, type Kind, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const places = ['another organization', 'another workspace'] as const;
const beyond = (place: (typeof places)[number]) => world.beyond.find(({ what }) => what === place) as Beyond;

describe.each(places)('a file of %s', (place) => {
  test.each([{}, { Range: 'bytes=0-1' }, { Range: 'bytes=999-' }, { 'If-None-Match': '*' }] as Record<
    string,
    string
  >[])('is not there: %o', async (headers) => {
    const { ids, token } = beyond(place);
    for (const method of ['GET', 'HEAD']) {
      const request = (id: string): Sent => {
        const conditions: Record<string, string> = { ...headers };
        if (headers['If-None-Match']) conditions['If-None-Match'] = `"${id}", *`;
        return { method, path: `/attachments/${id}`, token, headers: conditions };
      };
      expect((await expectUntold(world, request, ids.attachment)).status).toBe(404);
    }
  });
});

describe.each(places)('an upload that names %s', (place) => {
  test.each([
    ['expiration_item_id', 'expirationItem'],
    ['team_id', 'team'],
  ] as const)('by %s fails as one that names nothing', async (tag, kind) => {
    const { ids, token } = beyond(place);
    const { gateway } = world;
    const before = await theirs();
    const errorOf = async (id: string) => {
      const upload = await receiveTagged(gateway, { [tag]: id }, token);
      const { state, error } = await withWorker(gateway, {}, () => settled(gateway, upload));
      return { state, error: error?.replaceAll(id, '<the id>') };
    };
    const [foreign, unknown] = [await errorOf(ids[kind]), await errorOf(newId())];
    expect(foreign).toEqual(unknown);
    expect(foreign.state).toBe('FAILED');
    expect(await theirs()).toEqual(before);
  });
});

test('an upload that was filed in another workspace does not tell under which item', async () => {
  const { gateway, own } = world;
  const { ids, token } = beyond('another workspace');
  const { prisma } = gateway.database;
  const [where, data] = [{ id: own.uploadNotification }, { state: 'FILED' as const }];
  await prisma.uploadNotification.update({ where, data: { ...data, expirationItemId: ids.expirationItem } });
  const query = `mutation ($id: ID!) { confirmUpload(id: $id, input: {name: "Mine"}) { expirationItem { id } } }`;
  const answer = await gateway.graphql(query, { id: own.uploadNotification }, token);
  expect(answer.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  expect(JSON.stringify(answer)).not.toContain(ids.expirationItem);
});

/** Returns what is foreign, all of it. */
async function theirs(): Promise<string[]> {
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: world.gateway.databaseUrl });
  await client.connect();
  const found = await foreignRows(client, world);
  await client.end();
  return found;
}

/** Operations by which callers choose an id. */
const creating = operations.filter(({ field }) => chosen.includes(`${field.name.replace('create', '')}.id`));

test.each(creating.map((operation) => [operation.field.name, operation] as const))(
  '%s: an id that is taken is a conflict, whoever has it, and reveals nothing else',
  async (name, operation) => {
    expect(creating).toHaveLength(chosen.length);
    const kind = `${name[6]?.toLowerCase()}${name.slice(7)}` as Kind;
    const row = rows.mutation[name];
    const admins = row?.needs === 'administer';
    const before = await theirs();
    const refusal = async (id: string, token: string) => {
      const variables = put(row?.args(world.own), ['input', 'id'], id);
      const { errors, data } = await world.gateway.graphql(documentOf(operation), variables as object, token);
      return { data, errors: JSON.parse(JSON.stringify(errors).replaceAll(id, '<the id>')) };
    };
    const { gateway } = world;
    for (const { ids, token } of world.beyond) {
      const as = admins ? gateway.admin : token;
      const taken = await refusal(world.own[kind], as);
      expect(taken.errors).toMatchObject([{ extensions: { code: 'CONFLICT', field: 'id' } }]);
      expect(await refusal(ids[kind], as)).toEqual(taken);
    }
    expect(await theirs()).toEqual(before);
  },
);

describe('values that no two records share', () => {
  const unique: [type: string, values: (word: string) => object][] = [
    ['Vehicle', (word) => ({ vin: word, name: 'Van' })],
    ['Company', (word) => ({ taxId: word, name: 'Broker' })],
    ['Contact', (word) => ({ email: `${word}@example.com` })],
    ['ContactType', (word) => ({ name: word })],
    ['Location', (word) => ({ name: word })],
    ['Category', (word) => ({ name: word })],
    ['Tag', (word) => ({ name: word })],
    ['ReminderPolicy', (word) => ({ name: word })],
  ];
  const perWorkspace = ['Category', 'Tag', 'ReminderPolicy'];

  test.each(unique)(
    '%s: another organization’s are free; another workspace’s only say that they are used',
    async (type, values) => {
      const { gateway, stranger } = world;
      const create = `mutation ($input: Create${type}Input!) { result: create${type}(input: $input) { id } }`;
      const made = (word: string, token: string, more = {}) =>
        gateway.graphql(create, { input: { ...values(word), ...more } }, token);
      const word = `unique-${newId()}`;
      expect((await made(word, stranger.admin)).errors).toBeUndefined();
      expect((await made(word, gateway.admin, { teamId: gateway.otherTeamId })).errors).toBeUndefined();
      const { errors } = await made(word, gateway.member);
      if (perWorkspace.includes(type)) expect(errors).toBeUndefined();
      else {
        const [field] = Object.keys(values(word));
        expect(errors).toMatchObject([
          { message: `${field}: is already in use`, extensions: { code: 'CONFLICT' } },
        ]);
        expect(Object.keys(errors[0].extensions)).toEqual(['code', 'field', 'violations']);
      }
    },
  );

  test('natural keys never lead to another organization’s records, or link another workspace’s', async () => {
    const create = `mutation ($input: CreateExpirationItemInput!) { result: createExpirationItem(input: $input) {
      id category { id } contacts { id } tags { id } locations { id } } }`;
    for (const { ids, place, token } of world.beyond) {
      const named = (kind: Kind) => `${place.word} ${ids[kind]}`;
      const nested = {
        category: { name: named('category') },
        tags: [{ name: named('tag') }],
        ...(token === world.gateway.admin && {
          contacts: [{ email: `${place.word}-${ids.contact}@example.com` }],
          locations: [{ name: named('location') }],
        }),
      };
      const input = { name: 'Named', expirationDate: '2030-01-01', ...nested };
      const { data, errors } = await world.gateway.graphql(create, { input }, token);
      expect(errors).toBeUndefined();
      for (const id of Object.values(ids)) expect(JSON.stringify(data)).not.toContain(id);
    }
    // What the whole organization has once is used by the other workspace, and cannot be had here.
    const [, { ids, place, token } = beyond('another workspace')] = world.beyond;
    for (const [member, key, value] of [
      ['contacts', 'email', `${place.word}-${ids.contact}@example.com`],
      ['locations', 'name', `${place.word} ${ids.location}`],
    ] as const) {
      const input = { name: 'Named', expirationDate: '2030-01-01', [member]: [{ [key]: value }] };
      const { errors } = await world.gateway.graphql(create, { input }, token);
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST', field: `${member}.0.${key}` } }]);
      expect(JSON.stringify(errors)).not.toContain(ids[member === 'contacts' ? 'contact' : 'location']);
    }
  });
});

describe.each(places)('live events of %s', (place) => {
  const rename = `mutation ($id: ID!, $name: String!) {
    updateExpirationItem(id: $id, input: {name: $name}) { id } }`;

  test('an item there cannot be followed, and looks like an unknown one', async () => {
    const { ids, token } = beyond(place);
    const query = 'subscription ($id: ID!) { expirationItemChanged(id: $id) { name } }';
    const request = (id: string): Sent => ({
      ...{ method: 'POST', path: '/graphql', token, headers: { Accept: 'text/event-stream' } },
      body: { query, variables: { id } },
    });
    const { body } = await expectUntold(world, request, ids.expirationItem);
    expect(body).toContain('NOT_FOUND');
  });

  test('are not sent, requested by the record’s id or not', async () => {
    const { gateway, stranger } = world;
    const { ids, token } = beyond(place);
    const theirs = place === 'another organization' ? stranger.admin : gateway.admin;
    const query = 'subscription ($id: ID) { eventLogged(entityId: $id, typeIds: [1, 2]) { description } }';
    const follow = (id: string | null) =>
      subscribe(gateway, { query, token, variables: { id } }, transports['graphql-ws']);
    const [all, one]: Results[] = [await follow(null), await follow(ids.expirationItem)];
    await gateway.graphql(rename, { id: ids.expirationItem, name: `${place} renamed` }, theirs);
    // A note of the caller's may be about any id. It is found by that id unless the record is a hidden one.
    const note = `mutation ($id: ID!) {
      createNote(input: {name: "mine", relations: [{entityId: $id, entityType: 1}]}) { id } }`;
    const { errors } = await gateway.graphql(note, { id: ids.expirationItem }, token);
    expect(errors).toBeUndefined();
    const contact =
      'mutation ($id: ID!, $email: String!) { createContact(input: {id: $id, email: $email}) { id } }';
    const email = `${ids.expirationItem}@example.com`;
    const made = await gateway.graphql(contact, { id: ids.expirationItem, email }, token);
    expect(made.errors).toBeUndefined();
    const mine = { eventLogged: { description: 'Note "mine" was created' } };
    const same = { eventLogged: { description: `Contact "${email}" was created` } };
    const isHidden = place === 'another workspace';
    expect(await nextData(all as Results)).toEqual(mine);
    expect(await nextData(one as Results)).toEqual(isHidden ? same : mine);
    for (const results of [all, one]) await results?.return?.();
    await streams(gateway, 0);
  });
});
