import { isNonNullType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from './rows.js';
import { documentOf, operations, records } from './schema-walk.js';
import { type Kind, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

test('every record has a version', () => {
  for (const type of records) {
    const { version } = type.getFields();
    expect(String(version?.type), type.name).toBe('String!');
  }
});

test('every mutation of records that are there takes their versions', () => {
  for (const { door, field } of operations) {
    if (door !== 'mutation' || rows.mutation[field.name]?.isUnversioned) continue;
    const named = field.args.filter(({ name }) => ['id', 'itemId', 'ids', 'userId'].includes(name));
    const changes = named.length > 0 || ['updateMe', 'updateOrganization'].includes(field.name);
    const taken = field.args.filter(({ name }) => name.startsWith('ifVersion')).length;
    expect(taken, field.name).toBe(changes ? 1 : 0);
  }
});

const changing = operations.filter(({ door, field }) => {
  const row = rows.mutation[field.name];
  return door === 'mutation' && row?.of && !row.isUnversioned;
});

/** Returns the record whose version a mutation compares: a file's is that of its item. */
const changedBy = (name: string) =>
  name === 'removeAttachment' ? 'expirationItem' : (rows.mutation[name]?.of?.[0] as Kind);

const send = (query: string, variables: object, headers?: Record<string, string>) =>
  world.gateway.send('POST', '/graphql', {
    token: world.gateway.admin,
    body: { query, variables },
    ...(headers && { headers }),
  });

/** Returns the version of what a mutation changes. An acknowledgement is named by its item. */
async function versionFor(name: string): Promise<string> {
  const id = world.own[changedBy(name)];
  if (name.endsWith('NoticePeriod')) {
    const notice =
      'mutation ($id: ID!) { setNoticePeriod(id: $id, input: { rule: { unit: DAYS, count: 9 } }) { version } }';
    return (await send(notice, { id })).json.data.setNoticePeriod.version;
  }
  if (name.endsWith('Repetition')) {
    const end = 'mutation ($id: ID!) { setRepetition(id: $id, input: { renewalsLeft: 2 }) { version } }';
    return (await send(end, { id })).json.data.setRepetition.version;
  }
  if (!name.endsWith('Acknowledgement')) return versionOf(id);
  const set = 'mutation ($id: ID!) { setAcknowledgement(id: $id, input: {}) { version } }';
  const found = await send('query ($id: ID!) { acknowledgement(id: $id) { version } }', { id });
  const known = found.json.data.acknowledgement ?? (await send(set, { id })).json.data.setAcknowledgement;
  return known.version;
}

async function versionOf(id: string): Promise<string> {
  const { json } = await send('query ($id: ID!) { node(id: $id) { id version } }', { id });
  expect(json.data.node?.id).toBe(id);
  return json.data.node.version;
}

describe.each(changing.map((operation) => [operation.field.name, operation] as const))(
  '%s',
  (name, operation) => {
    const args = () => rows.mutation[name]?.args(world.own) ?? {};
    const isBulk = 'ids' in args0();
    function args0(): object {
      // Only the names of the arguments are looked at.
      return rows.mutation[name]?.args(new Proxy({}, { get: () => '' }) as never) ?? {};
    }

    test('takes the version of its record, or leaves it out', () => {
      const argument = operation.field.args.find(
        ({ name }) => name === (isBulk ? 'ifVersions' : 'ifVersion'),
      );
      expect(argument && isNonNullType(argument.type)).toBe(false);
    });

    test('rejects another version than the current one, and returns that', async () => {
      const id = world.own[changedBy(name)];
      const version = await versionFor(name);
      const stale = isBulk ? { ifVersions: ['0'] } : { ifVersion: '0' };
      const { json } = await send(documentOf(operation), { ...args(), ...stale });
      // What is restored is told of by its entry in the bin.
      const told = { code: 'PRECONDITION_FAILED', version, ...(!name.startsWith('restore') && { id }) };
      expect(json.data).toEqual({ result: null });
      expect(json.errors).toMatchObject([{ extensions: told }]);
      expect(await versionFor(name)).toBe(version);
      const header = await send(documentOf(operation), args(), { 'If-Match': '"0"' });
      expect(header.json.errors).toMatchObject([{ extensions: told }]);
      expect(await versionFor(name)).toBe(version);
    });

    // What deletes or restores would take along what others need.
    if (/^(delete|restore|purge|removeAttachment)/.test(name)) return;
    test('accepts the current one', async () => {
      const version = await versionFor(name);
      const fresh = isBulk ? { ifVersions: [version] } : { ifVersion: version };
      const { json } = await send(documentOf(operation), { ...args(), ...fresh });
      const codes = (json.errors ?? []).map(({ extensions }: { extensions: object }) => extensions);
      expect(codes).not.toMatchObject([{ code: 'PRECONDITION_FAILED' }]);
    });
  },
);
