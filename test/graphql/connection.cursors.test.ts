import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { useGateway } from '../support/gateway.js';
import { forge, insert, pages, readPage, type VehicleOrder } from './lists.js';
import { ask, expectRefusal, refusal } from './support.js';

const gateway = useGateway();
beforeAll(async () => {
  await insert(gateway, gateway, [{ name: 'a', year: 2020 }, { name: 'b' }]);
});

const id = newId();
const byName: VehicleOrder = { field: 'NAME', direction: 'ASC' };
const both = ['after', 'before'] as const;

async function cursorOf(orderBy: VehicleOrder): Promise<string> {
  return (await readPage(gateway, { first: 1, orderBy })).pageInfo.endCursor as string;
}

describe.each(both)('%s', (argument) => {
  test.each<[string, VehicleOrder]>([
    ['another field', { field: 'YEAR', direction: 'ASC' }],
    ['the other direction', { field: 'NAME', direction: 'DESC' }],
    ['another field in the other direction', { field: 'IS_ARCHIVED', direction: 'DESC' }],
  ])('refuses a cursor of %s', async (_, orderBy) => {
    const args = { [argument]: await cursorOf(orderBy), orderBy: byName };
    await expectRefusal(refusal(gateway, pages, args), 'BAD_REQUEST', argument, /a different order/);
  });

  test('takes one of the same order with another filter', async () => {
    const args = { [argument]: await cursorOf(byName), filter: { term: 'b' }, orderBy: byName };
    expect((await ask(gateway, pages, args)).vehicles.edges).toHaveLength(argument === 'after' ? 1 : 0);
  });

  test.each<[string, string]>([
    ['empty', ''],
    ['no base64', '!?'],
    ['an id', id],
    ['no JSON', forge('name,asc')],
    ['null', forge(null)],
    ['a text', forge('"a"')],
    ['an object', forge({ 0: 'name', 1: 'asc', 2: 'a', 3: id, length: 4 })],
    ['an empty list', forge([])],
    ['too short', forge(['name', 'asc', 'a'])],
    ['without id', forge(['name', 'asc', 'a', null])],
    ['with an object for the id', forge(['name', 'asc', 'a', { gt: '' }])],
    ['with an object for the value', forge(['name', 'asc', { contains: '' }, id])],
    ['with a list for the value', forge(['name', 'asc', ['a'], id])],
    ['with a list for the field', forge([['name'], 'asc', 'a', id])],
    ['of a field that there is not', forge(['wheels', 'asc', 4, id])],
    ['of a field that every object has', forge(['__proto__', 'asc', null, id])],
    ['with an id that is no UUID', forge(['name', 'asc', 'a', 'van-7'])],
    ['with SQL for the id', forge(['name', 'asc', 'a', `${id}' OR true --`])],
    ['with an empty id', forge(['name', 'asc', 'a', ''])],
    ['with a number for the text', forge(['name', 'asc', 7, id])],
    ['with a flag for the text', forge(['name', 'asc', true, id])],
    ['with a NUL in the text', forge(['name', 'asc', 'a\0', id])],
    ['with half a character in the text', forge('["name","asc","\\ud800","'.concat(id, '"]'))],
    ['nested too deep', forge('['.repeat(100_000))],
  ])('rejects a cursor that is %s', async (_, cursor) => {
    const args = { [argument]: cursor, orderBy: byName };
    await expectRefusal(refusal(gateway, pages, args), 'BAD_REQUEST', argument, /cursor/);
  });

  const uuidFields = ['ID', 'STATUS_ID', 'LOCATION_ID', 'ASSIGNED_TO_ID', 'TEAM_ID'];
  const wrong: [string, string, unknown[]][] = [
    ['YEAR', 'year', ['2020', 2020.5, 2 ** 31, -1e300, true]],
    ['MSRP', 'msrp', ['1', false]],
    ['IS_ARCHIVED', 'isArchived', ['true', 1, null]],
    ...['CREATED', 'MODIFIED'].map((field): [string, string, unknown[]] => [
      field,
      field.toLowerCase(),
      ['', 'yesterday', '2026-02-30T00:00:00.000Z', '2026-13-45T00:00:00.000Z', 0, null],
    ]),
    ...uuidFields.map((field): [string, string, unknown[]] => [
      field,
      field.toLowerCase().replace(/_(.)/g, (_, c: string) => c.toUpperCase()),
      ['', 'van-7', 7, ...(field === 'ID' || field === 'TEAM_ID' ? [null] : [])],
    ]),
  ];
  test.each(wrong)('rejects a value that does not fit the column: %s', async (field, name, values) => {
    for (const direction of ['ASC', 'DESC'] as const) {
      for (const value of values) {
        const cursor = forge([name, direction.toLowerCase(), value, id]);
        const args = { [argument]: cursor, orderBy: { field, direction } };
        await expectRefusal(refusal(gateway, pages, args), 'BAD_REQUEST', argument, /cursor/);
      }
    }
  });

  test('never causes an internal error, whatever it contains', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double(), fc.constant(null));
    const content = fc.oneof(
      fc.tuple(fc.constant('name'), fc.constant('asc'), value, fc.oneof(fc.constant(id), value)),
      fc.tuple(fc.constant('year'), fc.constant('asc'), value, fc.constant(id)),
      fc.tuple(fc.constant('created'), fc.constant('asc'), value, fc.constant(id)),
      fc.jsonValue(),
    );
    const orders = ['NAME', 'YEAR', 'CREATED'].map((field) => ({ field, direction: 'ASC' }));
    const cursor = fc.oneof(content.map(forge), fc.string());
    const property = fc.asyncProperty(cursor, fc.constantFrom(...orders), async (cursor, orderBy) => {
      const { data, errors } = await gateway.graphql(pages, { [argument]: cursor, orderBy });
      if (errors) expect(errors[0].extensions).toMatchObject({ code: 'BAD_REQUEST', field: argument });
      else expect(data.vehicles.edges.length).toBeLessThanOrEqual(2);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});

test('a cursor of another caller reveals nothing hidden', async () => {
  const [hidden] = await insert(gateway, { ...gateway, teamId: gateway.otherTeamId }, [{ name: 'aa' }]);
  const { edges } = await readPage(gateway, { orderBy: byName });
  const cursor = edges.find(({ node }) => node.id === hidden)?.cursor;
  expect(cursor).toBeDefined();
  const seen = await ask(gateway, pages, { after: cursor, orderBy: byName }, gateway.member);
  expect(JSON.stringify(seen)).not.toContain(hidden);
});
