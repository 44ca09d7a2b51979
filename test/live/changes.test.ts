import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changedTables } from '../../src/db/changes/changes.js';
import { newId } from '../../src/domain/rules.js';
import { eventually } from '../support/eventually.js';
import { createTenant, startGateway, type Tenant, type TestGateway } from '../support/gateway.js';
import {
  type Asked,
  begin,
  connect,
  expectAfter,
  inShort,
  readAll,
  readPage,
  refused,
  type Told,
} from './changes.support.js';

let gateway: TestGateway;
let other: Tenant;
const clients: pg.Client[] = [];
beforeAll(async () => {
  gateway = await startGateway();
  other = await createTenant(gateway.database, 'Globex');
  for (let count = 0; count < 4; count++) clients.push(await connect(gateway));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await gateway.close();
});

async function write(mutation: string, variables?: object, token?: string): Promise<string> {
  const { data, errors } = await gateway.graphql(mutation, variables, token);
  expect(errors).toBeUndefined();
  return (Object.values(data)[0] as { id: string })?.id;
}

const client = (index: number) => clients[index] as pg.Client;
const insertTag = (id: string) =>
  `INSERT INTO tags (id, organization_id, team_id, name) VALUES ('${id}', '${gateway.organizationId}', '${gateway.teamId}', '${id}')`;

describe('the order', () => {
  test('a writer that began early and commits late is not skipped, however many came meanwhile', async () => {
    const [early, late] = [client(0), client(1)];
    const ids = [newId(), newId(), newId()] as const;
    const names = { [ids[0]]: 'early', [ids[1]]: 'late', [ids[2]]: 'rolled back' };
    let { after } = await readAll(gateway, { after: await begin(gateway) });
    await early.query('BEGIN');
    await early.query(insertTag(ids[0]));
    await late.query(insertTag(ids[1]));
    // The one behind is committed, and held back: a reader that passed it would never see the other.
    const held = await readAll(gateway, { after });
    expect(held.nodes).toEqual([]);
    after = held.after;
    await early.query('COMMIT');
    await expectAfter(gateway, { after }, names, ['TAG early CREATED', 'TAG late CREATED']);

    await early.query('BEGIN');
    await early.query(insertTag(ids[2]));
    await late.query(`UPDATE tags SET name = 'x' WHERE id = '${ids[1]}'`);
    after = (await readAll(gateway, { after: (await readAll(gateway, { after })).after })).after;
    await early.query('ROLLBACK');
    await eventually(async () => {
      const { nodes } = await readAll(gateway, { after });
      expect(inShort(nodes, names)).toContain('TAG late CHANGED');
      expect(inShort(nodes, names).join()).not.toContain('rolled back');
    });
  });

  test('the last change of a record is its true state, in whatever order its writers began', async () => {
    const [first, second] = [client(0), client(1)];
    const id = newId();
    await first.query(insertTag(id));
    const after = await begin(gateway);
    await first.query('BEGIN');
    await first.query(insertTag(newId()));
    await second.query(`UPDATE tags SET name = 'y' WHERE id = '${id}'`);
    await first.query(`DELETE FROM tags WHERE id = '${id}'`);
    await first.query('COMMIT');
    await eventually(async () => {
      const told = (await readAll(gateway, { after })).nodes.filter((node) => node.id === id);
      expect(told.length).toBeGreaterThan(1);
      expect(told.at(-1)).toMatchObject({ change: 'DELETED', version: null });
    });
  });

  const step = fc.record({
    writer: fc.nat({ max: 3 }),
    what: fc.constantFrom('begin', 'write', 'write', 'commit', 'rollback', 'read', 'savepoint', 'undo'),
  });

  test('writers in any order: a reader that continues from its cursor meets each commit, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const committed = new Set<string>();
        const inside = new Map<number, { ids: string[]; saved: number | undefined }>();
        const met: string[] = [];
        let after = await begin(gateway);
        const read = async () => {
          const page = await readAll(gateway, { after, first: 3, kinds: ['TAG'] });
          after = page.after;
          met.push(...page.nodes.map(({ id }) => id));
        };
        const end = async (writer: number, how: string) => {
          const open = inside.get(writer);
          if (!open) return;
          await client(writer).query(how);
          if (how === 'COMMIT') for (const id of open.ids) committed.add(id);
          inside.delete(writer);
        };
        await read();
        met.splice(0);
        for (const { writer, what } of steps) {
          const open = inside.get(writer);
          const one = client(writer);
          if (what === 'read') await read();
          else if (what === 'commit' || what === 'rollback') await end(writer, what.toUpperCase());
          else if (what === 'begin' && !open) {
            await one.query('BEGIN');
            inside.set(writer, { ids: [], saved: undefined });
          } else if (what === 'savepoint' && open) {
            await one.query('SAVEPOINT here');
            open.saved = open.ids.length;
          } else if (what === 'undo' && open?.saved !== undefined) {
            await one.query('ROLLBACK TO here');
            open.ids.length = open.saved;
          } else if (what === 'write') {
            const id = newId();
            await one.query(insertTag(id));
            if (open) open.ids.push(id);
            else committed.add(id);
          }
        }
        for (const writer of [...inside.keys()]) await end(writer, 'COMMIT');
        await eventually(async () => {
          await read();
          expect(met.filter((id) => committed.has(id)).length).toBe(committed.size);
        });
        // Once each: of its first row on, a reader that goes on from its cursor meets no row again.
        expect(met.filter((id) => committed.has(id)).sort()).toEqual([...committed].sort());
      }),
      { numRuns: 12 },
    );
  });
});

describe('what is told', () => {
  test('every kind of records has its trigger', async () => {
    const { rows } = await client(0).query(
      `SELECT tgrelid::regclass::text AS table FROM pg_trigger WHERE tgname = 'tell_change'`,
    );
    const links = [
      'expiration_item_contacts',
      'expiration_item_locations',
      'expiration_item_tags',
      'item_holders',
      'memberships',
    ];
    expect(rows.map(({ table }) => table).sort()).toEqual(
      [...changedTables.map(([, table]) => table), ...links].sort(),
    );
  });

  test('a record is sent with its version, as in its entity tag', async () => {
    const after = await begin(gateway);
    const id = await write('mutation { createVehicle(input: {name: "Van"}) { id } }');
    const names = { [id]: 'van' };
    const [created] = await expectAfter(gateway, { after }, names, ['VEHICLE van CREATED']);
    const { headers } = await gateway.send('GET', `/v1/vehicles/${id}`);
    expect(headers.get('etag')?.startsWith(`"${created?.version}`)).toBe(true);
    await write('mutation($id: ID!) { updateVehicle(id: $id, input: {name: "Car"}) { id } }', { id });
    const told = await expectAfter(gateway, { after }, names, ['VEHICLE van CREATED', 'VEHICLE van CHANGED']);
    expect(told[1]?.version).not.toBe(created?.version);
    // The cursor of a change is after that change.
    await expectAfter(gateway, { after: told[0]?.cursor ?? '' }, names, ['VEHICLE van CHANGED']);
    await write('mutation($id: ID!) { deleteVehicle(id: $id) { id } }', { id });
    const gone = await expectAfter(gateway, { after: told[1]?.cursor ?? '', kinds: ['VEHICLE'] }, names, [
      'VEHICLE van DELETED',
    ]);
    expect(gone[0]?.version).toBeNull();
    // Nothing is there that is gone: who catches up does not look for it.
    const since = (await readAll(gateway, { after, kinds: ['VEHICLE'] })).nodes;
    expect(since.every(({ change }) => change === 'DELETED')).toBe(true);
    const { data } = await gateway.graphql('{ bin(first: 1) { nodes { id version recordId } } }');
    const [entry] = data.bin.nodes;
    expect(entry.recordId).toBe(id);
    const [binned] = await expectAfter(gateway, { after, kinds: ['BIN_ENTRY'] }, { [entry.id]: 'entry' }, [
      'BIN_ENTRY entry CREATED',
    ]);
    expect(binned?.version).toBe(entry.version);
    const back = await begin(gateway);
    await write('mutation($id: ID!) { restoreVehicle(id: $id) { id } }', { id });
    await expectAfter(gateway, { after: back, kinds: ['VEHICLE'] }, names, ['VEHICLE van CREATED']);
  });

  test('an item is sent when its links, files, dates or linked records change', async () => {
    const contact = await write('mutation { createContact(input: {email: "c@example.com"}) { id } }');
    const item = await write(
      `mutation($contacts: [ContactReference!]) {
        createExpirationItem(input: {name: "Pass", expirationDate: "2030-01-01", contacts: $contacts}) { id }
      }`,
      { contacts: [{ id: contact }] },
    );
    const names: Record<string, string> = { [contact]: 'contact', [item]: 'item' };
    const changesOf = async (work: () => Promise<unknown>, ...expected: string[]) => {
      const after = await begin(gateway);
      await work();
      await eventually(async () => {
        const { nodes } = await readAll(gateway, { after });
        expect(inShort(nodes, names)).toEqual(expect.arrayContaining(expected));
      });
    };
    const itemChanged = 'EXPIRATION_ITEM item CHANGED';
    const update =
      'mutation($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }';
    await changesOf(() => write(update, { id: item, input: { contacts: [] } }), itemChanged);
    await changesOf(() => write(update, { id: item, input: { contacts: [{ id: contact }] } }), itemChanged);
    await changesOf(
      () =>
        write(
          'mutation($id: ID!) { addAttachment(itemId: $id, input: {name: "a.txt", content: "YQ=="}) { id } }',
          {
            id: item,
          },
        ),
      itemChanged,
      'ATTACHMENT ? CREATED',
    );
    await changesOf(
      () =>
        write(
          'mutation($id: ID!) { renewExpirationItem(id: $id, input: {expirationDate: "2031-01-01"}) { id } }',
          { id: item },
        ),
      itemChanged,
      'RENEWAL ? CREATED',
    );
    await changesOf(() => write(update, { id: item, input: { isActive: false } }), itemChanged);
    await changesOf(() => write(update, { id: item, input: { isActive: true } }), itemChanged);
    // Of a link that a foreign key deletes, nobody writes the item.
    await changesOf(
      () => write('mutation($id: ID!) { deleteContact(id: $id) { id } }', { id: contact }),
      'CONTACT contact DELETED',
      itemChanged,
    );
    await changesOf(
      () => write('mutation($id: ID!) { deleteExpirationItem(id: $id) { id } }', { id: item }),
      'EXPIRATION_ITEM item DELETED',
      'ATTACHMENT ? DELETED',
      'BIN_ENTRY ? CREATED',
    );
  });

  test('changes written together are sent individually', async () => {
    const create = `mutation($name: String!) {
      createExpirationItem(input: {name: $name, expirationDate: "2030-01-01"}) { id }
    }`;
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push(await write(create, { name }));
    const names = Object.fromEntries(ids.map((id, index) => [id, 'abc'[index] ?? '']));
    const each = (change: string) => ['a', 'b', 'c'].map((name) => `EXPIRATION_ITEM ${name} ${change}`);
    const expectTold = async (mutation: string, change: string) => {
      const after = await begin(gateway);
      await gateway.graphql(mutation, { ids });
      await eventually(async () => {
        const { nodes } = await readAll(gateway, { after, kinds: ['EXPIRATION_ITEM'] });
        expect(inShort(nodes, names).sort()).toEqual(each(change));
      });
    };
    await expectTold(
      'mutation($ids: [ID!]!) { updateExpirationItems(ids: $ids, input: {isActive: false}) { id } }',
      'CHANGED',
    );
    await expectTold('mutation($ids: [ID!]!) { deleteExpirationItems(ids: $ids) { id } }', 'DELETED');
  });

  test('who reaches which workspace is the change of a user', async () => {
    const after = await begin(gateway);
    const { organizationId, otherTeamId: teamId } = gateway;
    const where = { organizationId, email: 'max@example.com' };
    const { prisma } = gateway.database;
    const { id: userId } = await prisma.user.findFirstOrThrow({ where });
    await prisma.membership.create({ data: { userId, teamId } });
    await expectAfter(gateway, { after }, { [userId]: 'max' }, ['USER max CHANGED'], gateway.member);
    await prisma.membership.deleteMany({ where: { userId, teamId } });
  });
});

describe('who is told', () => {
  test('a moved record disappears for some and appears for others', async () => {
    const { teamId, otherTeamId, member } = gateway;
    const id = await write('mutation { createVehicle(input: {name: "Mover"}) { id } }');
    const names = { [id]: 'van' };
    const after = await begin(gateway);
    const move =
      'mutation($id: ID!, $teamId: ID) { updateVehicle(id: $id, input: {teamId: $teamId}) { id } }';
    await write(move, { id, teamId: otherTeamId });
    const [gone] = await expectAfter(gateway, { after }, names, ['VEHICLE van DELETED'], member);
    expect(gone?.version).toBeNull();
    await expectAfter(gateway, { after }, names, ['VEHICLE van CHANGED']);
    await expectAfter(gateway, { after, teamIds: [teamId] }, names, ['VEHICLE van DELETED']);
    await expectAfter(gateway, { after, teamIds: [otherTeamId.toUpperCase()] }, names, [
      'VEHICLE van CREATED',
    ]);
    await expectAfter(gateway, { after, teamIds: [otherTeamId] }, names, [], member);
    const back = await begin(gateway);
    await write(move, { id, teamId });
    await expectAfter(gateway, { after: back }, names, ['VEHICLE van CREATED'], member);
  });

  test('others get nothing: by organization, by workspace, by a named workspace', async () => {
    const after = await begin(gateway);
    const foreign = await write('mutation { createVehicle(input: {name: "F"}) { id } }', {}, other.admin);
    const hidden = await write(
      'mutation($teamId: ID) { createVehicle(input: {name: "H", teamId: $teamId}) { id } }',
      { teamId: gateway.otherTeamId },
    );
    const names = { [foreign]: 'foreign', [hidden]: 'hidden' };
    await expectAfter(gateway, { after }, names, ['VEHICLE hidden CREATED']);
    await expectAfter(gateway, { after }, names, ['VEHICLE foreign CREATED'], other.admin);
    await expectAfter(gateway, { after }, names, [], gateway.member);
    await expectAfter(gateway, { after, teamIds: [other.teamId] }, names, []);
    expect((await refused(gateway, { last: 1 }, gateway.uploader)).extensions.code).toBe('FORBIDDEN');
  });

  test('kinds narrow', async () => {
    const after = await begin(gateway);
    const tag = await write('mutation { createTag(input: {name: "only"}) { id } }');
    const van = await write('mutation { createVehicle(input: {name: "only"}) { id } }');
    const names = { [tag]: 'tag', [van]: 'van' };
    await expectAfter(gateway, { after, kinds: ['TAG'] }, names, ['TAG tag CREATED']);
    await expectAfter(gateway, { after, kinds: [] }, names, []);
  });
});

describe('cursors', () => {
  test('a page is a range of an index and a look-up of keys: two statements, whatever is asked', async () => {
    const after = await begin(gateway);
    const ids = [];
    for (let count = 0; count < 3; count++) {
      ids.push(await write('mutation { createVehicle(input: {name: "Plan"}) { id } }'));
    }
    await eventually(async () => expect((await readAll(gateway, { after })).nodes).toHaveLength(3));
    const requests: [string, Asked][] = [
      [gateway.admin, { after }],
      [gateway.admin, { last: 2 }],
      [gateway.member, { after, kinds: ['VEHICLE'], teamIds: [gateway.teamId] }],
    ];
    for (const [token, asked] of requests) {
      const work = () => readPage(gateway, asked, token);
      await work();
      expect(await gateway.statementNames(work)).toEqual([
        'access_tokens.authenticate',
        'record_changes.page',
        'record_changes.states',
      ]);
      const [, page, states] = await gateway.statements(work);
      await client(0).query('SET enable_seqscan = off');
      const planOf = async (sql = '') =>
        (await client(0).query(`EXPLAIN (GENERIC_PLAN) ${sql}`)).rows
          .map((line) => line['QUERY PLAN'])
          .join('\n');
      expect(await planOf(page)).toMatch(
        /Index Scan (Backward )?using record_changes_pkey.*\n.*Index Cond: .*ROW\(xid, seq\) > ROW.*xid < /,
      );
      const keys = await planOf(states);
      expect(keys).not.toContain('Seq Scan');
      expect(keys.match(/_pkey\b.*\n.*Index Cond: \(id = ANY/g), keys).toHaveLength(changedTables.length);
    }
  });

  test('pages go on where the one before ends, also where nobody may see anything', async () => {
    const { organizationId, otherTeamId, member } = gateway;
    const after = await begin(gateway);
    await client(0).query(
      `INSERT INTO tags (id, organization_id, team_id, name)
       SELECT gen_random_uuid(), $1, $2, 'many ' || number FROM generate_series(1, 4500) AS number`,
      [organizationId, otherTeamId],
    );
    const id = await write('mutation { createVehicle(input: {name: "Last"}) { id } }');
    await eventually(async () => {
      const pages: Told[][] = [];
      let at = after;
      for (let more = true; more; ) {
        const page = await readPage(gateway, { after: at, first: 2 }, member);
        pages.push(page.nodes);
        more = page.pageInfo.hasNextPage;
        at = page.pageInfo.endCursor;
      }
      // Each request looks through some of them only.
      expect(pages.length).toBe(3);
      expect(inShort(pages.flat(), { [id]: 'last' })).toEqual(['VEHICLE last CREATED']);
    });
    const last = await readPage(gateway, { last: 3 });
    expect(last.nodes.map((node) => node.kind)).toEqual(['TAG', 'TAG', 'VEHICLE']);
    expect((await readPage(gateway, { first: 0 })).nodes).toEqual([]);
  });

  test('a page says what is on both sides of it, as far as it knows', async () => {
    const after = await begin(gateway);
    const names = { [await write('mutation { createTag(input: {name: "one"}) { id } }')]: 'one' };
    names[await write('mutation { createTag(input: {name: "two"}) { id } }')] = 'two';
    const all = ['TAG one CREATED', 'TAG two CREATED'];
    await expectAfter(gateway, { after }, names, all);
    const page = async (asked: Asked) => {
      const { nodes, pageInfo } = await readPage(gateway, asked);
      return [inShort(nodes, names), pageInfo.hasPreviousPage, pageInfo.hasNextPage];
    };
    // Forward, there are changes before those after a cursor; backward, where the last ones are not all.
    expect(await page({ after, first: 1 })).toEqual([all.slice(0, 1), true, true]);
    expect(await page({ after, first: 2 })).toEqual([all, true, false]);
    expect((await page({ first: 1 })).slice(1)).toEqual([false, true]);
    expect(await page({ after, last: 1 })).toEqual([all.slice(1), true, false]);
    expect(await page({ after, last: 2 })).toEqual([all, false, false]);
  });

  test('invalid cursors and arguments are rejected', async () => {
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const epoch = newId();
    for (const after of [
      '',
      'x',
      json([]),
      json([epoch, 1, 2]),
      json([epoch, '1', '99999999999999999999']),
      json(['x', '1', '1']),
      json(null),
    ]) {
      const { extensions, message } = await refused(gateway, { after });
      expect([extensions.code, message]).toEqual(['BAD_REQUEST', 'after: is not a cursor for changes']);
    }
    for (const asked of [{ first: -1 }, { last: 501 }, { first: 1, last: 1 }, { teamIds: ['x'] }])
      expect((await refused(gateway, asked)).extensions.code).toBe('BAD_REQUEST');
    expect((await refused(gateway, { after: json([epoch, '1', '1']) })).extensions.code).toBe(
      'PRECONDITION_FAILED',
    );
  });
});
