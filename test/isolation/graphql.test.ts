import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Case, filteredKind, isOwn, nameOf, valueAt, walk, writtenAt } from './cases.js';
import type { Observation, Sent } from './observe.js';
import { chosen, filters, kept, type Row, references, rows } from './rows.js';
import {
  type Door,
  documentOf,
  type Operation,
  operations,
  type Position,
  positionsIn,
  put,
} from './schema-walk.js';
import { holdForeignRows, makeWorld, type World } from './world.js';

let world: World;
let release: Awaited<ReturnType<typeof holdForeignRows>>;
beforeAll(async () => {
  world = await makeWorld();
  // Held throughout: no refusal waits for a row that is not the caller's to know of.
  release = await holdForeignRows(world);
});
afterAll(async () => {
  await release();
  await world.close();
});

test('every operation has its row, and every row is an operation', () => {
  const named = (door: Door) => operations.filter((one) => one.door === door).map(({ field }) => field.name);
  for (const door of ['query', 'mutation', 'subscription'] as const) {
    expect(Object.keys(rows[door]).sort()).toEqual(named(door).sort());
  }
});

test('every path of an id in arguments is known, and every known one exists', () => {
  const positions = operations.flatMap(({ field }) => positionsIn(field));
  const inner = positions.filter((at) => !isOwn(at) && (nameOf(at) in filters || !filteredKind(at)));
  const listed = [...[references, kept, filters].flatMap(Object.keys), ...chosen];
  expect([...new Set(inner.map(nameOf))].sort()).toEqual(listed.sort());
  for (const { door, field } of operations) {
    const { of, ofNoRecord, others = {} } = rows[door][field.name] ?? {};
    const own = positionsIn(field).filter((at) => isOwn(at) || String(at.path[0]) in others);
    const known = Object.keys(others);
    expect(own.length, field.name).toBe(known.length + (of || ofNoRecord ? 1 : 0));
    expect(own.map((at) => (isOwn(at) ? at.field : at.path[0]))).toEqual(expect.arrayContaining(known));
  }
});

/** Returns a request of an operation with a value at a place of its arguments. */
const requestOf = (
  operation: Operation,
  row: Row,
  path: Position['path'],
  value: unknown,
  token: string,
): Sent => ({
  method: 'POST',
  path: '/graphql',
  token,
  body: { query: documentOf(operation), variables: put(row.args(world.own), path, value) },
});

function expectNothing({ status, json }: Observation): void {
  expect(status).toBe(200);
  if (json.errors)
    expect(json).toMatchObject({ data: { result: null }, errors: [{ extensions: { code: 'NOT_FOUND' } }] });
  else expect([null, [null], []]).toContainEqual(json.data.result?.nodes ?? json.data.result);
}

/** 400 that names the place. */
const expectRefused =
  ({ path }: Pick<Position, 'path'>) =>
  ({ json }: Observation) => {
    const [error] = json.errors ?? [];
    expect(error?.extensions, error?.message).toMatchObject({ code: 'BAD_REQUEST' });
    expect(error?.message).toMatch(new RegExp(`^(operation 0: )?${path[1]}\\b`));
  };

function expectDone({ json }: Observation): void {
  expect(json.errors).toBeUndefined();
}

/** No records: neither a list nor a count of any. */
function expectEmpty({ json }: Observation): void {
  expect(json.errors).toBeUndefined();
  const { result } = json.data;
  const { total, totalCount, nodes, url } = result;
  // A new calendar reads its items when it is opened, as the list with its filter does.
  if (url !== undefined) return;
  if (Array.isArray(result)) {
    expect(result).toEqual([]);
    return;
  }
  expect(total ?? [totalCount, nodes]).toEqual(total === undefined ? [0, []] : 0);
}

/** Returns the other ids of an operation whose arguments stand side by side. */
function otherCases(operation: Operation, row: Row): Case[] {
  const { needs, others = {} } = row;
  return positionsIn(operation.field)
    .filter((at) => isOwn(at) && at.field in others)
    .map(({ path, field }) => {
      const [kind, refusal] = others[field] ?? (['team', 'NOT_FOUND'] as const);
      const isNothing = refusal === 'NOT_FOUND';
      const expectAnswer = isNothing ? expectNothing : expectRefused({ path: [field, field] });
      return {
        ...{ kind, needs, expectAnswer },
        request: (id: string, token: string) => requestOf(operation, row, path, id, token),
      };
    });
}

function ownCases(operation: Operation, row: Row): Case[] {
  const own = positionsIn(operation.field).filter((at) => isOwn(at) && !(at.field in (row.others ?? {})));
  return own.flatMap(({ path }) =>
    (row.of ?? []).map((kind) => ({
      ...{ kind, needs: row.needs, expectAnswer: expectNothing },
      request: (id, token) => requestOf(operation, row, path, id, token),
    })),
  );
}

function nestedCases(operation: Operation, row: Row): Case[] {
  const nested = positionsIn(operation.field).filter((at) => !isOwn(at) && !chosen.includes(nameOf(at)));
  return nested.map((at): Case => {
    const [argument = '', member = ''] = at.path;
    const request = (id: string, token: string) =>
      requestOf(operation, row, [argument, member], valueAt(at, 2, id), token);
    const filtered = filteredKind(at);
    if (filtered) {
      const expectAnswer = row.refusesEach ? expectDone : expectEmpty;
      return { kind: filtered, needs: row.needs, request, expectAnswer };
    }
    const { kind, stores } = writtenAt(at);
    const isNothing = row.others?.[String(argument)]?.[1] === 'NOT_FOUND';
    const refused = isNothing ? expectNothing : expectRefused(at);
    const expectAnswer = stores || row.refusesEach ? expectDone : refused;
    return { kind, stores, needs: row.needs, request, expectAnswer };
  });
}

/** Members of inputs that a patched document does not have, because they are lists of several types. */
const unpatched: readonly unknown[] = ['holders'];

/** Returns a patch writes what an update does. */
function patchCases(operation: Operation, row: Row): Case[] {
  const { name } = operation.field;
  if (!name.startsWith('patch')) return [];
  const update = operations.find(({ field }) => field.name === name.replace('patch', 'update'));
  return positionsIn(update?.field ?? { args: [] })
    .filter((at) => !isOwn(at) && !unpatched.includes(at.path[1]))
    .map((at): Case => {
      const { kind, stores } = writtenAt(at);
      const step = (id: string) => ({ op: 'add', path: `/${at.path[1]}`, value: valueAt(at, 2, id) });
      const request = (id: string, token: string) =>
        requestOf(operation, row, ['operations', 0], step(id), token);
      return {
        kind,
        stores,
        needs: row.needs,
        request,
        expectAnswer: stores ? expectDone : expectRefused(at),
      };
    });
}

let walked = 0;
const walkable = operations.flatMap((operation) => {
  const row = rows[operation.door][operation.field.name];
  const cases = row
    ? [
        ...ownCases(operation, row),
        ...otherCases(operation, row),
        ...nestedCases(operation, row),
        ...patchCases(operation, row),
      ]
    : [];
  return operation.door === 'subscription' ? [] : [[operation.field.name, cases] as const];
});

test.each(walkable.filter(([, cases]) => cases.length > 0))(
  '%s tells nothing of foreign ids',
  async (_, cases) => {
    for (const one of cases) walked += await walk(world, one);
  },
);

test(`${walkable.length} queries and mutations are walked, and what is foreign is as it was`, async () => {
  const { before, after } = await release();
  expect(before.length).toBeGreaterThan(50);
  expect(after).toEqual(before);
  expect(walked).toBeGreaterThan(400);
});
