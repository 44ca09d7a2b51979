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
  /** Number of its kind in `related_entities[].type_id`. */
  readonly kind: number;
  /** Returns the name that people see. */
  readonly noun: string;
  /** Returns non-default values for all fields that callers write except links; new ones each time. */
  readonly plain: () => Record<string, unknown>;
  /** Values of those fields when nothing is set. */
  readonly blank: Record<string, unknown>;
  /** Fields that link to other records: what is written, and the field that then shows the record. */
  readonly links: () => Promise<Record<string, { readonly value: unknown; readonly shown: string }>>;
  /** Values that every record needs. */
  readonly needed?: () => Record<string, unknown>;
  /** The columns that `term` searches. */
  readonly searched: readonly string[];
}

/** Returns the operations on a resource. */
export function operationsOf({ type, one, many, blank }: Records) {
  const own = Object.keys(blank).filter((field) => field !== 'customFields');
  const custom = 'customFields' in blank ? 'customFields { id name value }' : '';
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
  const needed = () => records.needed?.() ?? {};
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

  test(`create${type}: what is left out has its default`, async () => {
    const needs = needed();
    const record = await run(operations.create, { input: needs });
    expect(record).toEqual({ ...blank, ...needs, id: serverId, ...times });
    // A new workspace can be read only by its creator.
    const token = type === 'Team' ? gateway().admin : gateway().viewer;
    expect(await run(operations.read, { id: record.id }, token)).toEqual(record);
  });

  describe(`update${type}`, () => {
    const clearable = Object.keys(records.plain()).filter((field) => !(field in needed()));

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

    test('nothing given, nothing written', async () => {
      const record = await full();
      await expectNoTrace(gateway(), async () => {
        expect(await run(operations.update, { id: record.id, input: {} })).toEqual(record);
      });
    });
  });

  test(`replace${type}: what is left out returns to its default`, async () => {
    const record = await full();
    const needs = needed();
    const expected = { ...record, ...blank, ...needs, ...changedAt };
    expect(await run(operations.replace, { id: record.id, input: needs })).toEqual(expected);
  });

  test(`patch${type}: operations in the names of GraphQL, one event`, async () => {
    const record = await full();
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
        for (const id of [nowhere, 'no-uuid']) await expectRefusal(refused(id, gateway().admin), 'NOT_FOUND');
        await expectRefusal(refused(record.id, foreign.admin), 'NOT_FOUND', undefined, /^There is no /);
      }
      const input = { input: needed() };
      await expectRefusal(refusal(gateway(), operations.create, input, gateway().viewer), 'FORBIDDEN');
    });
    expect(await run(operations.read, { id: record.id }, foreign.admin)).toBeNull();
    expect(await run(operations.read, { id: 'no-uuid' })).toBeNull();
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

/** Returns the id in the input of a link: itself, or in an object. */
function idOf(value: unknown): string {
  return typeof value === 'string' ? value : (value as { id: string }).id;
}

/** Expects that a list of 100 records with all linked records takes these statements, like a list of 2. */
export async function expectStatements(
  gateway: TestGateway,
  query: string,
  fill: (count: number) => Promise<void>,
  expected: readonly string[],
): Promise<void> {
  for (const [count, total] of [
    [2, 2],
    [98, 100],
  ] as const) {
    await fill(count);
    const answers: number[] = [];
    const sent = await namesOf(gateway, async () => {
      const { list } = await ask(gateway, query);
      answers.push(list.nodes.length);
    });
    expect(answers).toEqual([total]);
    expect(sent.sort()).toEqual([...expected].sort());
  }
}
