import { describe, expect, test } from 'vitest';
import { expectShape } from './shapes.js';

const id = '018f0000-0000-7000-8000-00000000000a';
const modified = '2026-11-20T09:30:00.000Z';
const field = { id, name: 'Gate', value: 'B' };
const yard = { id, parent_location_id: id, name: 'Yard', team_id: id, modified, custom_fields: [field] };

describe('holding a record against the contract', () => {
  test('lets one pass that has every member, and lets members be null where not all need a value', () => {
    expect(() => expectShape(yard, 'LocationModel', true)).not.toThrow();
    const bare = { ...yard, parent_location_id: null, name: null, custom_fields: [] };
    expect(() => expectShape(bare, 'LocationModel')).not.toThrow();
    expect(() => expectShape(bare, 'LocationModel', true)).toThrow('custom_fields is empty');
  });

  test.each([
    ['a member that is missing', { ...yard, name: undefined }, 'name is undefined'],
    ['a member that is left out', (({ name, ...rest }) => rest)(yard), 'name is missing'],
    ['a member too many', { ...yard, created: modified }, 'created is not in the contract'],
    ['a list that is null', { ...yard, custom_fields: null }, 'custom_fields is null, not a list'],
    ['an id that is no UUID', { ...yard, id: '7' }, 'id is \\"7\\"'],
    ['a time in another format', { ...yard, modified: '2026-11-20' }, 'modified is \\"2026-11-20\\"'],
    [
      'a nested member that is missing',
      { ...yard, custom_fields: [{ id, name: '' }] },
      '[0].value is missing',
    ],
    [
      'a nested member of a wrong type',
      { ...yard, custom_fields: [{ ...field, value: 5 }] },
      '[0].value is 5',
    ],
    ['what is no object', [yard], 'not an object'],
  ])('refuses %s', (_what, record, problem) => {
    expect(() => expectShape(record, 'LocationModel')).toThrow(problem);
  });
});
