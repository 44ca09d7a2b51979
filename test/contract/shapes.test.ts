import { describe, expect, test } from 'vitest';
import { problemsOf } from './shapes.js';

const id = '018f0000-0000-7000-8000-00000000000a';
const modified = '2026-11-20T09:30:00.000Z';
const field = { id, name: 'Gate', value: 'B' };
const yard = { id, parent_location_id: id, name: 'Yard', team_id: id, modified, custom_fields: [field] };
const bare = { ...yard, parent_location_id: null, name: null, custom_fields: [] };
const { name: _, ...nameless } = yard;

describe('holding a record against the contract', () => {
  test('accepts a record with every member', () => {
    expect(problemsOf(yard, 'LocationModel', true)).toEqual([]);
  });

  test('finds members without a value where all must have one', () => {
    expect(problemsOf(bare, 'LocationModel')).toEqual([]);
    const missing = ['parent_location_id is null', 'name is null', 'custom_fields is empty'];
    expect(problemsOf(bare, 'LocationModel', true)).toEqual(missing);
  });

  test.each<[problem: string, record: unknown]>([
    ['name is missing', nameless],
    ['created is not in the contract', { ...yard, created: modified }],
    ['id is "7", not string (uuid)', { ...yard, id: '7' }],
    [`modified is "yesterday", not `, { ...yard, modified: 'yesterday' }],
    ['custom_fields is null, not a list', { ...yard, custom_fields: null }],
    ['custom_fields[1] is 5, not an object', { ...yard, custom_fields: [field, 5] }],
    ['custom_fields[0].value is missing', { ...yard, custom_fields: [{ id, name: '' }] }],
    ['custom_fields[0].value is 5, not string', { ...yard, custom_fields: [{ ...field, value: 5 }] }],
    ['It is [], not an object', []],
  ])('finds that %s', (problem, record) => {
    expect(problemsOf(record, 'LocationModel')).toEqual([expect.stringContaining(problem)]);
  });
});
