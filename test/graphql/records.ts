import { describe, expect, test } from 'vitest';
import { expectNoTrace } from '../rest/records.js';
import { eventsOf, nowhere } from '../rest/support.js';
import { createTenant, type TestGateway, testTime } from '../support/gateway.js';
import { namesOf } from '../support/statements.js';
import { ask, expectRefusal, refusal, serverId } from './support.js';

/** A GraphQL resource under test. */
export interface Records {
  readonly gateway: () => TestGateway;
  readonly type: string;
  readonly one: string;
  readonly many: string;
  readonly table: string;
  /** Number of its kind in `related_entities[].type_id`. */
  readonly kind: number;
  /** Returns the name that people see. */
  readonly noun: string;
  /** Returns non-default values for all fields that callers write except links; new ones each time. */
  readonly plain: () => Record<string, unknown>;
  /** Values of those fields when nothing is set. */
  readonly blank: Record<string, unknown>;
  /** Fields that link to other records: what is written, the field that then shows the record, and its column. */
  readonly links: () => Promise<
    Record<
      string,
      { readonly value: unknown; readonly shown: string; readonly column: string; readonly to: string }
    >
  >;
  /** Values that every record needs. */
  readonly needed: () => Record<string, unknown>;
  /** The columns that `term` searches. */
  readonly searched: readonly string[];
  /** The columns that lists are narrowed by. */
  readonly filtered: readonly string[];
  /** The field whose values are unique, and those within which they are. */
  readonly uniqueBy?: readonly string[];
}

/** Returns the operations on a resource. */
export function operationsOf({ type, one, many, blank }: Records) {
  const own = Object.keys(blank).filter((field) => field !== 'customFields');
  const entry = type === 'Category' ? 'internalName' : 'value';
  const custom = 'customFields' in blank ? `customFields { id name ${entry} }` : '';
  const selection = `{ id ${own.join(' ')} ${custom} created modified }`;
  return {
    selection,
    create: `mutation ($input: Create${type}Input!) { record: create${type}(input: $input) ${selection} }`,
    update: `mutation ($id: ID!, $input: Update${type}Input!) { record: update${type}(id: $id, input: $input) ${selection} }`,
    replace: `mutation ($id: ID!, $input: Replace${type}Input!) { record: replace${type}(id: $id, input: $input) ${selection} }`,
    patch: `mutation ($id: ID!, $operations: [PatchOperationInput!]!) { record: patch${type}(id: $id, operations: $operations) ${selection} }`,
    remove: `mutation ($id: ID!) { record: delete${type}(id: $id) ${selection} }`,
    read: `query ($id: ID!) { record: ${one}(id: $id) ${selection} }`,
    list: `query ($first: Int, $filter: ${type}Filter, $orderBy: [${type}Order!]) {
      list: ${many}(first: $first, filter: $filter, orderBy: $orderBy) { totalCount nodes ${selection} } }`,
  };
}

const times = { created: testTime.toISOString(), modified: testTime.toISOString() };
const changedAt = { modified: new Date(testTime.getTime() + 1).toISOString() };

/** Defines the tests that the queries and mutations of every kind must pass. */
export function describeRecords(records: Records): void {
  const { gateway, type, blank } = records;
  const operations = operationsOf(records);
  const { needed } = records;
  const run = async (operation: string, variables: object, token = gateway().admin) =>
    (await ask(gateway(), operation, variables, token)).record;
  const create = (input: object = {}, token?: string) =>
    run(operations.create, { input: { ...needed(), ...input } }, token);
  const values = () => ({ ...records.plain(), ...needed() });
  const full = () => run(operations.create, { input: values() });

  test(`create${type} and ${records.one}: all values, and what it points at`, async () => {
    const links = await records.links();
    const written = Object.fromEntries(Object.entries(links).map(([field, { value }]) => [field, value]));
    const input = values();
    const record = await run(operations.create, { input: { ...input, ...written } });
    expect(record).toEqual({ ...blank, ...input, id: serverId, ...times });
    expect(await run(operations.read, { id: record.id })).toEqual(record);
    const shown = Object.values(links).map((link) => `${link.shown} { id }`);
    if (shown.length > 0) {
      const query = `query ($id: ID!) { record: ${records.one}(id: $id) { id ${shown.join(' ')} } }`;
      const ids = Object.values(links).map(({ value, shown }) => [shown, { id: idOf(value) }]);
      expect(await run(query, { id: record.id })).toEqual({ id: record.id, ...Object.fromEntries(ids) });
    }
  });

  test.each(['left out', 'null'])(`create${type}: what is %s has its default`, async (how) => {
    const needs = needed();
    const nulls = Object.keys({ ...blank, ...(await records.links()), id: null }).map((name) => [name, null]);
    const input = { ...(how === 'null' && Object.fromEntries(nulls)), ...needs };
    const record = await run(operations.create, { input });
    expect(record).toEqual({ ...blank, ...needs, id: serverId, ...times });
    // A new workspace can be read only by its creator.
    const token = type === 'Team' ? gateway().admin : gateway().viewer;
    expect(await run(operations.read, { id: record.id }, token)).toEqual(record);
  });

  test(`create${type}: one event tells who made what`, async () => {
    const { name, ...input } = values();
    const token = type === 'Team' ? gateway().admin : gateway().member;
    const record = await run(operations.create, { input: { ...input, name: `${name}` } }, token);
    const events = await eventsOf(gateway(), record);
    expect(events).toMatchObject([
      {
        typeId: 1,
        userName: type === 'Team' ? 'Ada Admin' : 'Max Member',
        description: expect.stringMatching(new RegExp(`^${records.noun} "${name}" was created$`, 'i')),
        entities: [{ entityId: record.id, typeId: records.kind, position: 0 }],
      },
    ]);
    expect(JSON.parse(events[0]?.details ?? '')).toMatchObject({ name: { before: null, after: name } });
  });

  test(`create${type}: a free id may be chosen, in any letter case`, async () => {
    const id = crypto.randomUUID();
    const record = await run(operations.create, { input: { ...needed(), id: id.toUpperCase() } });
    expect(record.id).toBe(id);
    await expectNoTrace(gateway(), () =>
      expectRefusal(refusal(gateway(), operations.create, { input: { ...needed(), id } }), 'CONFLICT', 'id'),
    );
  });

  test('what names no record, or one of another kind, is refused', async () => {
    const record = await create();
    const links = Object.entries(await records.links());
    await expectNoTrace(gateway(), async () => {
      for (const [field, { value, column }] of links) {
        const at = typeof value === 'string' ? field : `${field}.id`;
        for (const id of [nowhere, column === 'teamId' ? record.id : gateway().teamId]) {
          const input = { [field]: typeof value === 'string' ? id : { id } };
          const made = refusal(gateway(), operations.create, { input: { ...needed(), ...input } });
          await expectRefusal(made, 'BAD_REQUEST', at);
          await expectRefusal(
            refusal(gateway(), operations.update, { id: record.id, input }),
            'BAD_REQUEST',
            at,
          );
        }
      }
    });
  });

  describe(`update${type}`, () => {
    // The plain text of a note follows from its body (notes.test.ts).
    const clearable = Object.keys(blank).filter((field) => !(field in needed()) && field !== 'body');

    test.each(clearable)('%s: null clears it, the rest is kept', async (field) => {
      const record = await full();
      const expected = { ...record, [field]: blank[field], ...changedAt };
      expect(await run(operations.update, { id: record.id, input: { [field]: null } })).toEqual(expected);
      expect(await run(operations.read, { id: record.id })).toEqual(expected);
    });

    test.each(Object.keys(needed()))('%s: null does not clear it', async (field) => {
      const record = await full();
      const variables = { id: record.id, input: { [field]: null } };
      await expectNoTrace(gateway(), () =>
        expectRefusal(refusal(gateway(), operations.update, variables), 'BAD_REQUEST', field),
      );
    });

    test('links: null clears them, and so does deleting what they name', async () => {
      const links = Object.entries(await records.links()).filter(([, { to }]) => to !== 'team');
      const shown = links.map(([, link]) => `${link.shown} { id }`).join(' ');
      if (type === 'Watch' || links.length === 0) return;
      const make = () => create(Object.fromEntries(links.map(([field, { value }]) => [field, value])));
      const read = `query ($id: ID!) { record: ${records.one}(id: $id) { ${shown} } }`;
      const [cleared, left] = [await make(), await make()];
      const input = Object.fromEntries(links.map(([field]) => [field, null]));
      await run(operations.update, { id: cleared.id, input });
      const none = Object.fromEntries(links.map(([, link]) => [link.shown, null]));
      expect(await run(read, { id: cleared.id })).toEqual(none);
      for (const [field, { value, to, shown }] of links.filter(([, { to }]) => to !== 'user')) {
        const remove = `mutation ($id: ID!) { delete${to[0]?.toUpperCase()}${to.slice(1)}(id: $id) { id } }`;
        await ask(gateway(), remove, { id: value });
        const query = `query ($id: ID!) { record: ${records.one}(id: $id) { ${field} ${shown} { id } } }`;
        expect(await run(query, { id: left.id })).toEqual({ [field]: null, [shown]: null });
      }
    });

    test('nothing given, nothing written', async () => {
      const record = await full();
      await expectNoTrace(gateway(), async () => {
        expect(await run(operations.update, { id: record.id, input: {} })).toEqual(record);
      });
    });
  });

  const texts = Object.entries(needed()).flatMap(([name, value]) =>
    typeof value === 'string' ? [name] : [],
  );
  test.each(texts)(
    '%s: no write leaves it out, and none leaves it without a visible character',
    async (field) => {
      const record = await full();
      const { id } = record;
      const { [field]: _, ...others } = values();
      const bulk = `mutation ($ids: [ID!]!, $input: Update${type}Input!) {
      records: update${listOf(records.many)}(ids: $ids, input: $input) { id } }`;
      // What is missing in variables is an error of the request, without a path.
      const refused = async (query: string, variables: object) => {
        const { json } = await gateway().send('POST', '/graphql', { body: { query, variables } });
        expect(json.errors, JSON.stringify(json)).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
        expect(
          json.errors[0].extensions.violations.map(({ path }: { path: string[] }) => path.at(-1)),
        ).toEqual([field]);
      };
      await expectNoTrace(gateway(), async () => {
        await refused(operations.create, { input: others });
        await refused(operations.replace, { id, input: others });
        for (const value of [null, '', ' \t', '\u200b']) {
          const input = { ...others, [field]: value };
          await refused(operations.create, { input });
          await refused(operations.replace, { id, input });
          await refused(operations.update, { id, input: { [field]: value } });
          await refused(bulk, { ids: [id], input: { [field]: value } });
          const patch = [{ op: 'replace', path: `/${field}`, value }];
          const patched = refusal(gateway(), operations.patch, { id, operations: patch });
          await expectRefusal(patched, 'BAD_REQUEST', undefined, new RegExp(`${field}: `));
        }
      });
      expect(await run(operations.read, { id })).toEqual(record);
    },
  );

  test(`replace${type}: what is left out returns to its default`, async () => {
    const record = await full();
    const needs = needed();
    const expected = { ...record, ...blank, ...needs, ...changedAt };
    expect(await run(operations.replace, { id: record.id, input: needs })).toEqual(expected);
  });

  test(`${type}: a record stays in its workspace, unless another one is named`, async () => {
    const links = Object.values(await records.links());
    if (!links.some(({ column }) => column === 'teamId')) return;
    const teamId = gateway().otherTeamId;
    const { id } = await create({ teamId });
    const read = `query ($id: ID!) { record: ${records.one}(id: $id) { teamId } }`;
    for (const none of [undefined, null, '00000000-0000-0000-0000-000000000000']) {
      for (const write of [operations.replace, operations.update]) {
        await run(write, { id, input: { ...needed(), teamId: none } });
        expect(await run(read, { id })).toEqual({ teamId });
      }
    }
  });

  test(`patch${type}: operations in the names of GraphQL, one event`, async () => {
    const record = await full();
    await expectNoTrace(gateway(), async () => {
      for (const idle of [[], [{ op: 'replace', path: '/name', value: record.name }]]) {
        const unchanged = await run(operations.patch, { id: record.id, operations: idle });
        expect(unchanged).toEqual(record);
      }
    });
    const name = `${record.name} patched`;
    const variables = { id: record.id, operations: [{ op: 'replace', path: '/name', value: name }] };
    expect(await run(operations.patch, variables)).toEqual({ ...record, name, ...changedAt });
    const event = (await eventsOf(gateway(), record)).at(-1);
    expect(event).toMatchObject({ typeId: 2, entities: [{ entityId: record.id, typeId: records.kind }] });
  });

  test(`delete${type}: answers the record as it was, and tells of it`, async () => {
    const record = await full();
    expect(await run(operations.remove, { id: record.id })).toEqual(record);
    expect(await run(operations.read, { id: record.id })).toBeNull();
    const event = (await eventsOf(gateway(), record)).at(-1);
    expect(event).toMatchObject({
      typeId: 4,
      description: expect.stringMatching(new RegExp(`^${records.noun} "[^"]+" was deleted$`, 'i')),
    });
    expect(JSON.parse(event?.details ?? '').name).toEqual({ before: record.name, after: null });
  });

  test('a viewer may not write; unknown and hidden records are not found', async () => {
    const record = await create();
    const foreign = await createTenant(gateway().database, 'Globex');
    const writes: [string, object][] = [
      [operations.update, { input: { name: 'x' } }],
      [operations.replace, { input: { ...needed(), name: 'x' } }],
      [operations.patch, { operations: [{ op: 'add', path: '/name', value: 'x' }] }],
      [operations.remove, {}],
    ];
    await expectNoTrace(gateway(), async () => {
      for (const [operation, rest] of writes) {
        const refused = (id: string, token: string) => refusal(gateway(), operation, { id, ...rest }, token);
        await expectRefusal(refused(record.id, gateway().viewer), 'FORBIDDEN');
        for (const id of [nowhere, 'no-uuid', '']) {
          const message = new RegExp(`^There is no ${records.noun} with the id ${JSON.stringify(id)}\\.$`);
          await expectRefusal(refused(id, gateway().admin), 'NOT_FOUND', undefined, message);
        }
        await expectRefusal(refused(record.id, foreign.admin), 'NOT_FOUND', undefined, /^There is no /);
      }
      const input = { input: needed() };
      await expectRefusal(refusal(gateway(), operations.create, input, gateway().viewer), 'FORBIDDEN');
    });
    expect(await run(operations.read, { id: record.id }, foreign.admin)).toBeNull();
    expect(await run(operations.read, { id: 'no-uuid' })).toBeNull();
  });

  test.each(records.filtered)(`${records.many}: narrowed by %s`, async (field) => {
    const links = await records.links();
    const written = Object.fromEntries(Object.entries(links).map(([name, { value }]) => [name, value]));
    const record = await create({ ...records.plain(), ...written });
    const link = Object.values(links).find(({ column }) => column === field);
    const value = link ? idOf(link.value) : record[field];
    const nodes = async (by: unknown) => {
      const variables = { first: 500, filter: { [field]: by } };
      return (await ask(gateway(), operations.list, variables)).list.nodes;
    };
    expect(await nodes(value)).toContainEqual(record);
    const other = typeof value === 'boolean' ? !value : field === 'teamId' ? gateway().teamId : nowhere;
    expect(await nodes(other)).not.toContainEqual(record);
  });

  const [unique, ...within] = records.uniqueBy ?? [];
  const ofUnique = unique === undefined ? [] : [unique];
  test.each(ofUnique)('%s is unique, letter case and outer blanks apart', async (unique) => {
    const same = { teamId: gateway().teamId };
    const { [unique]: value } = records.plain();
    const first = await create({ [unique]: value, ...same });
    const other = await create({ ...records.plain(), ...same });
    const taken = { [unique]: ` ${String(value).toUpperCase()} ` };
    const { create: making, update } = operations;
    await expectNoTrace(gateway(), async () => {
      const made = refusal(gateway(), making, { input: { ...needed(), ...taken, ...same } });
      await expectRefusal(made, 'CONFLICT', unique);
      await expectRefusal(refusal(gateway(), update, { id: other.id, input: taken }), 'CONFLICT', unique);
    });
    expect(await run(update, { id: first.id, input: taken })).toMatchObject({ id: first.id });
    const foreign = await createTenant(gateway().database, 'Globex');
    await create(taken, foreign.admin);
    const elsewhere = { ...taken, teamId: gateway().otherTeamId };
    if (within.includes('teamId')) await create(elsewhere);
    else
      await expectRefusal(
        refusal(gateway(), making, { input: { ...needed(), ...elsewhere } }),
        'CONFLICT',
        unique,
      );
    for (const empty of unique in needed() ? [] : [null, null, '', ' ']) await create({ [unique]: empty });
  });

  test('a list with all its links takes two statements, however long it is', async () => {
    const links = Object.entries(await records.links());
    const written = Object.fromEntries(links.map(([field, { value }]) => [field, value]));
    const shown = links.map(([, link]) => `${link.shown} { id }`).join(' ');
    const query = `{ list: ${records.many}(first: 100) { totalCount nodes { id ${shown} } } }`;
    const counts: number[] = [];
    for (const more of [1, 20]) {
      for (let n = 0; n < more; n++) await create({ ...records.plain(), ...written });
      const sent = await namesOf(gateway(), async () => {
        counts.push((await ask(gateway(), query)).list.nodes.length);
      });
      expect(sent.map((name) => name.split(' + ')[0]).sort()).toEqual(
        [`${records.table}.count`, `${records.table}.list`].sort(),
      );
    }
    expect(counts[1]).toBeGreaterThan(counts[0] ?? 0);
  });

  test.each(records.searched)(`${records.many}: term is found in %s, in any letter case`, async (field) => {
    const word = `needle-${field}`;
    const value = field === 'email' ? `${word}@example.com` : `A ${word} here`;
    const record = await create({ [field]: value });
    await create({ [field]: field === 'email' ? 'other@example.com' : 'Something else' });
    const filter = { term: word.toUpperCase() };
    const { list } = await ask(gateway(), operations.list, { filter });
    expect(list).toEqual({ totalCount: 1, nodes: [record] });
  });
}

const listOf = (many: string) => `${many[0]?.toUpperCase()}${many.slice(1)}`;

/** Returns the id in the input of a link: itself, or in an object. */
function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (value as { id: string }).id;
}
