import { describe, expect, it } from 'vitest';
import { findOperationAt, operationError, parsePatch } from '../../src/domain/patch/patch.js';
import { patched, refusal, vehicle } from './patch.fixture.js';

describe('parseOperations refuses', () => {
  it.each([null, undefined, 1, 'text', {}, { 0: {} }])('a patch that is %j', (value) => {
    expect(refusal(() => parsePatch(value))).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'A patch must be a list of operations.',
    });
  });

  it('more than 500 operations', () => {
    const operation = { op: 'test', path: '/name', value: 'Truck' };
    expect(patched(...Array(500).fill(operation))).toBe(vehicle);
    expect(refusal(() => patched(...Array(501).fill(operation))).message).toBe(
      'A patch can have at most 500 operations.',
    );
  });

  const malformed: [operation: unknown, why: string][] = [
    [null, 'expected an object.'],
    [[], 'expected an object.'],
    ['add', 'expected an object.'],
    [{ path: '/name' }, '"op" must be a string.'],
    [{ op: 1, path: '/name' }, '"op" must be a string.'],
    [{ op: 'merge', path: '/name' }, '"merge" is not an operation.'],
    [{ op: '', path: '/name' }, '"" is not an operation.'],
    [{ op: 'toString', path: '/name' }, '"tostring" is not an operation.'],
    [{ op: 'remove' }, '"path" must be a string.'],
    [{ op: 'remove', path: null }, '"path" must be a string.'],
    [{ op: 'replace', path: ['name'] }, '"path" must be a string.'],
    [{ op: 'copy', path: '/name', from: null }, '"from" must be a string.'],
    [{ op: 'move', path: '/name' }, '"from" must be a string.'],
    [{ op: 'copy', path: '/name', from: 1 }, '"from" must be a string.'],
    [{ op: 'remove', path: '/a~2' }, '"/a~2" has a "~" that is neither "~0" nor "~1".'],
    [{ op: 'copy', path: '/name', from: '/a~' }, '"/a~" has a "~" that is neither "~0" nor "~1".'],
    [{ op: 'remove', path: '/a'.repeat(65) }, `"${'/a'.repeat(50)}…" is deeper than 64 levels.`],
  ];
  it.each(malformed)('%j', (operation, why) => {
    const fine = { op: 'test', path: '/name', value: 'Truck' };
    expect(refusal(() => patched(fine, operation))).toMatchObject({
      code: 'BAD_REQUEST',
      message: `operation 1: ${why}`,
    });
  });
});

describe('operationAt', () => {
  const operations = parsePatch([
    { op: 'replace', path: '/NAME', value: 'x' },
    { op: 'add', path: '/tags/0', value: {} },
    { op: 'move', from: '/license_plate', path: '/tags/1/name' },
    { op: 'copy', from: '/codes', path: '/extra' },
    { op: 'test', path: '/name', value: 'x' },
    { op: 'add', path: '/sizes/-', value: 1 },
  ]);
  it.each<[(string | number)[], number | undefined]>([
    [['name'], 0],
    [['tags'], 2],
    [['tags', 7], 2],
    [['tags', 7, 'id'], 1],
    [['tags', 7, 'name'], 2],
    [['license_plate'], 2],
    [['extra', 'anything'], 3],
    [['codes'], undefined],
    [['assigned_to', 'id'], undefined],
    [['sizes', 4], 5],
    [[], 5],
  ])('blames for %j operation %j', (path, index) => {
    expect(findOperationAt(operations, path)).toBe(index);
  });

  it('blames a write of the whole document for everything', () => {
    expect(findOperationAt(parsePatch([{ op: 'add', path: '', value: {} }]), ['tags', 0])).toBe(0);
  });

  it('goes with an error in the same words', () => {
    expect(operationError(3, 'too long.')).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'operation 3: too long.',
    });
  });
});
