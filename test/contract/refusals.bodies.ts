import { expectBadRequest, expectError, nowhere } from '../rest/support.js';
import type { TestRequest } from '../support/gateway.js';
import { bodySchemaOf, operationOf } from '../support/openapi.js';
import type { Body } from './fixtures.js';
import { type Plain, references, shapeOf, type Type } from './models.js';
import {
  assignedBy,
  type Case,
  isPatch,
  known,
  merging,
  modelOf,
  naming,
  refuse,
  replacing,
  requiredBy,
  type World,
} from './requests.js';
import type { Row } from './rows.js';
import { elementOf, isPlain } from './shapes.js';

function requiredCases(row: Row): Case[] {
  return requiredBy(row).flatMap((member) =>
    [undefined, null].map((value) => ({
      name: `400: ${member} is ${value === null ? 'null' : 'missing'}`,
      error: 'Bad Request' as const,
      run: async (world: World) => {
        const { body } = await known(world, row);
        expectBadRequest(await refuse(world, row, { body: { ...body, [member]: value } }), naming(member));
      },
    })),
  );
}

/** For each type without members, values that are not of it. */
const wrongValues: Readonly<Record<Plain, readonly unknown[]>> = {
  string: [5, {}, 'a\0b', '\ud800'],
  strings: ['x', {}, ['x'], [5]],
  'string (uuid)': ['no-uuid', 5],
  boolean: ['yes', 1],
  integer: [1.5, 'x'],
  'integer (int32)': [1.5, 2 ** 31, '5'],
  'integer (int64)': [1.5, 2 ** 63, 'x', '5'],
  'number (double)': ['x', true],
  object: ['x', []],
};

/** Values of the right type that their members refuse, as decided. */
const wrongTexts: Readonly<Record<string, readonly string[]>> = {
  expiration_date: ['2027-02-30', 'tomorrow'],
  time_of_day: ['25:00'],
  deliver_on: ['sundays'],
  snooze_until: ['2027-02-30', 'tomorrow', '2001-01-31'],
  email: ['nobody'],
  timezone: ['Mars/Olympus'],
};

function wrongFor(row: Row, member: string, type: Type): readonly unknown[] {
  const wrong = isPlain(type) ? wrongValues[type] : elementOf(type) ? ['x', {}] : ['x', []];
  const longest = bodySchemaOf(operationOf(row.method, row.path))?.properties?.[member]?.maxLength;
  const long = type === 'string' && longest <= 65_536 ? ['x'.repeat(longest + 1)] : [];
  // Beside the document type itself, its name is not looked at.
  if (member === 'category_name') return [5, {}];
  return [...wrong, ...long, ...(wrongTexts[member] ?? [])];
}

/** Returns every member that callers write, with what it must not be. */
function memberCases(row: Row): Case[] {
  const model = modelOf(row);
  if (!model) return [];
  const ignored = new Set([...Object.keys(assignedBy(row)), ...(row.method === 'PUT' ? ['id'] : [])]);
  const members = Object.entries(shapeOf(model)).filter(([member]) => !ignored.has(member));
  const typed: Case[] = members.map(([member, type]) => ({
    name: `400: ${member} is no ${type}`,
    error: 'Bad Request',
    run: async (world) => {
      const { body } = await known(world, row);
      for (const value of wrongFor(row, member, type)) {
        expectBadRequest(await refuse(world, row, { body: { ...body, [member]: value } }), naming(member));
      }
    },
  }));
  const pointing: Case[] = (references[model] ?? []).map((path) => ({
    name: `400: ${path} names no record`,
    error: 'Bad Request',
    run: async (world) => {
      const { body } = await known(world, row);
      const [member = '', inner] = path.split('.');
      const wrong = { [member]: inner ? { [inner]: nowhere } : nowhere };
      expectBadRequest(await refuse(world, row, { body: { ...body, ...wrong } }), naming(path));
    },
  }));
  return [...typed, ...pointing];
}

function renewalCases(row: Row): Case[] {
  if (!row.path.endsWith('/renew')) return [];
  return ['2027-06-01', '2027-05-31'].map((date) => ({
    name: `400: ${date} is not later than the current date, 2027-06-01`,
    error: 'Bad Request',
    run: async (world) =>
      expectBadRequest(
        await refuse(world, row, { body: { expiration_date: date } }),
        naming('expiration_date'),
      ),
  }));
}

function patchCases(row: Row): Case[] {
  if (!isPatch(row)) return [];
  const wrong: [name: string, operation: Body][] = [
    ['an unknown member', replacing('nothing', 1)],
    ['a member that the server sets', replacing('modified', '2001-02-03T04:05:06.789Z')],
    ['an unknown operation', { ...replacing('name', 'x'), op: 'swap' }],
    ['a wrong type', replacing('name', 5)],
  ];
  return wrong.map(([name, operation]) => ({
    name: `400: an operation with ${name}`,
    error: 'Bad Request',
    run: async (world) => {
      const body = [replacing('name', 'Never'), operation];
      // The message says which operation is at fault.
      expectBadRequest(await refuse(world, row, { body }), /1/);
    },
  }));
}

/** Returns what a merge patch must not be. */
function mergeCases(row: Row): Case[] {
  if (!isPatch(row)) return [];
  const wrong: [name: string, body: unknown, message?: RegExp][] = [
    ['a list', [replacing('name', 'Never')]],
    ['null', null],
    ['of a member that the server sets', { name: 'Never', modified: null }, /modified/],
    ['of a wrong type', { name: 5 }, naming('name')],
    ['of a list in place of a value', { name: ['Never'] }, /name/],
  ];
  return [
    ...wrong.map(([name, body, message]) => ({
      name: `400: a merge patch is ${name}`,
      error: 'Bad Request' as const,
      run: async (world: World) =>
        expectBadRequest(await refuse(world, row, { body, headers: merging }), message),
    })),
    {
      name: '404: a merge patch of an unknown record',
      error: 'Not Found',
      run: async (world) => {
        const request = { id: nowhere, body: {}, headers: merging };
        expectError(await refuse(world, row, request), 404, 'NOT_FOUND');
      },
    },
    {
      name: '412: a merge patch of another version',
      run: async (world) => {
        const request = { body: { name: 'Never' }, headers: { ...merging, 'If-Match': '"old-1"' } };
        expectError(await refuse(world, row, request), 412, 'PRECONDITION_FAILED');
      },
    },
  ];
}

function bodyCases(row: Row): Case[] {
  if (!row.body) return [];
  const json = { 'Content-Type': 'application/json' };
  const wrong: (readonly [name: string, request: TestRequest])[] = [
    ['no JSON', { raw: '{"name": ', body: undefined, headers: json }],
    // Not from the receiver, to which nothing at all is a message as well.
    ...(row.status === 204 ? [] : [['nothing', { raw: '', body: undefined, headers: json }] as const]),
    [
      isPatch(row) ? 'an object' : 'a list',
      { body: isPatch(row) ? {} : [row.path.endsWith('/contacts') ? 5 : {}] },
    ],
    ['null', { body: null }],
  ];
  return [
    ...wrong.map(([name, request]) => ({
      name: `400: the body is ${name}`,
      error: 'Bad Request' as const,
      run: async (world: World) => expectBadRequest(await refuse(world, row, request)),
    })),
    {
      name: '415: the body is text',
      run: async (world) => {
        const headers = { 'Content-Type': 'text/plain' };
        expectError(await refuse(world, row, { headers }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      },
    },
  ];
}

/** Returns what a row must refuse of bodies. */
export function bodyRefusals(row: Row): Case[] {
  return [
    ...requiredCases(row),
    ...memberCases(row),
    ...renewalCases(row),
    ...patchCases(row),
    ...mergeCases(row),
    ...bodyCases(row),
  ];
}
