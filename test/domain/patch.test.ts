import { describe, expect, it } from 'vitest';
import { applyPatch, type DocumentShape, parsePatch } from '../../src/domain/patch/patch.js';
import { changed, patched, refusal, vehicle } from './patch.fixture.js';

describe('RFC 6902 on a model', () => {
  it('sets, inserts, appends, copies and moves', () => {
    expect(changed({ op: 'add', path: '/name', value: 'Van' })).toEqual({ name: 'Van' });
    expect(changed({ op: 'add', path: '/codes/1', value: 9 })).toEqual({ codes: [1, 9, 2, 3] });
    expect(changed({ op: 'add', path: '/codes/-', value: 9 })).toEqual({ codes: [1, 2, 3, 9] });
    expect(changed({ op: 'add', path: '/codes/3', value: 9 })).toEqual({ codes: [1, 2, 3, 9] });
    expect(changed({ op: 'copy', from: '/name', path: '/license_plate' })).toEqual({
      license_plate: 'Truck',
    });
    expect(changed({ op: 'move', from: '/name', path: '/license_plate' })).toEqual({
      name: null,
      license_plate: 'Truck',
    });
    expect(changed({ op: 'move', from: '/codes/0', path: '/codes/-' })).toEqual({ codes: [2, 3, 1] });
    expect(changed({ op: 'copy', from: '/tags/1', path: '/tags/0' }).tags).toHaveLength(3);
  });

  it('takes the pointers that ASP.NET Core takes', () => {
    expect(changed({ op: 'replace', path: '/name/', value: 'Van' })).toEqual({ name: 'Van' });
    expect(changed({ op: 'move', from: 'name/', path: '/license_plate/' })).toEqual({
      name: null,
      license_plate: 'Truck',
    });
    expect(patched({ op: 'move', from: '/name/', path: '/name' })).toEqual(vehicle);
    expect(changed({ op: 'add', path: '/codes/-/', value: 9 })).toEqual({ codes: [1, 2, 3, 9] });
    expect(patched({ op: 'test', path: '/codes/-', value: 3 })).toBe(vehicle);
    expect(changed({ op: 'replace', path: '/codes/-', value: 9 })).toEqual({ codes: [1, 2, 9] });
    expect(changed({ op: 'remove', path: '/codes/-' })).toEqual({ codes: [1, 2] });
    expect(changed({ op: 'copy', from: '/codes/-', path: '/codes/0' })).toEqual({ codes: [3, 1, 2, 3] });
    expect(changed({ op: 'move', from: '/codes/-', path: '/codes/0' })).toEqual({ codes: [3, 1, 2] });
    const [empty, none] = [
      { op: 'replace', path: '/codes', value: [] },
      { op: 'remove', path: '/codes/-' },
    ];
    expect(refusal(() => patched(empty, none)).message).toBe('operation 1: there is nothing at "/codes/0".');
  });

  it('lets every operation see what the ones before it did', () => {
    const operations = [
      { op: 'remove', path: '/codes/0' },
      { op: 'test', path: '/codes/0', value: 2 },
      { op: 'replace', path: '/codes/0', value: 20 },
    ];
    expect(changed(...operations)).toEqual({ codes: [20, 3] });
  });

  it('moves a value onto itself without a change, whatever the spelling', () => {
    expect(patched({ op: 'move', from: '/name', path: 'NAME' })).toEqual(vehicle);
    expect(patched({ op: 'move', from: '/id', path: '/id' })).toEqual(vehicle);
  });

  it('compares objects without order, lists with it, and numbers by value', () => {
    const tag = { name: 'red', id: 't1' };
    expect(patched({ op: 'test', path: '/tags/0', value: tag })).toBe(vehicle);
    expect(patched({ op: 'test', path: '/codes', value: JSON.parse('[1.0,2e0,3]') })).toBe(vehicle);
    expect(refusal(() => patched({ op: 'test', path: '/codes', value: [1, 3, 2] })).code).toBe('CONFLICT');
    expect(refusal(() => patched({ op: 'test', path: '/tags/0', value: { id: 't1' } })).code).toBe(
      'CONFLICT',
    );
  });

  it('takes the whole document', () => {
    expect(patched({ op: 'test', path: '', value: vehicle })).toBe(vehicle);
    expect(patched({ op: 'replace', path: '', value: { NAME: 'Van', junk: 1 } })).toEqual({
      id: 'v1',
      modified: vehicle.modified,
      name: 'Van',
      license_plate: null,
      is_active: true,
      assigned_to: null,
      tags: [],
      codes: [],
      sizes: [7],
      extra: null,
    });
    expect(patched({ op: 'add', path: '', value: vehicle })).toEqual(vehicle);
  });
});

describe('leniencies', () => {
  it('accepts names of members and operations in any case, and ignores operationType', () => {
    expect(changed({ OperationType: 2, Op: 'Replace', Path: '/Name', Value: 'Van', from: null })).toEqual({
      name: 'Van',
    });
    expect(changed({ op: 'REMOVE', path: '/LICENSE_PLATE', value: null })).toEqual({});
    expect(changed({ OP: 'copy', PATH: '/License_Plate', FROM: '/nAME' })).toEqual({
      license_plate: 'Truck',
    });
  });

  it('prefers the exact name to one that differs in case', () => {
    expect(changed({ PATH: '/id', path: '/name', op: 'add', value: 'Van' })).toEqual({ name: 'Van' });
    const odd: DocumentShape = { kind: 'object', members: { A: { kind: 'scalar' }, a: { kind: 'scalar' } } };
    expect(applyPatch({ A: 1, a: 2 }, parsePatch([{ op: 'remove', path: '/a' }]), odd)).toEqual({
      A: 1,
      a: null,
    });
  });

  it('accepts a missing leading slash', () => {
    expect(changed({ op: 'remove', path: 'codes/0' })).toEqual({ codes: [2, 3] });
  });

  it('reads a missing value as null', () => {
    expect(changed({ op: 'replace', path: '/name' })).toEqual({ name: null });
    expect(patched({ op: 'test', path: '/license_plate' })).toBe(vehicle);
  });

  it('sets the default on remove', () => {
    const paths = ['/name', '/is_active', '/tags', '/license_plate'];
    expect(changed(...paths.map((path) => ({ op: 'remove', path })))).toEqual({
      name: null,
      is_active: true,
      tags: [],
    });
    expect(changed({ op: 'remove', path: '/tags/0/name' }).tags).toEqual([
      { id: 't1', name: null },
      { id: 't2', name: 'blue' },
    ]);
  });

  it('replaces null, and creates the objects above it', () => {
    expect(changed({ op: 'replace', path: '/license_plate', value: 'AB' })).toEqual({ license_plate: 'AB' });
    expect(changed({ op: 'replace', path: '/assigned_to/id', value: 'c1' })).toEqual({
      assigned_to: { id: 'c1' },
    });
    expect(changed({ op: 'add', path: '/assigned_to/company/id', value: 'c1' })).toEqual({
      assigned_to: { company: { id: 'c1' } },
    });
  });

  it('reads a missing member of an added object as its default', () => {
    const added = [
      { op: 'add', path: '/tags/-', value: { name: 'new' } },
      { op: 'test', path: '/tags/2/id', value: null },
    ];
    expect(changed(...added).tags).toHaveLength(3);
    expect(changed(...added, { op: 'replace', path: '/tags/2/id', value: 't3' }).tags).toContainEqual({
      id: 't3',
      name: 'new',
    });
  });

  it('brings values into the shape: spelling, unknown members, null lists', () => {
    const value = { ID: 't3', id: 't4', Id: 't5', nAmE: 'new', junk: { deep: 1 } };
    expect(changed({ op: 'add', path: '/tags/-', value }).tags).toContainEqual({ id: 't4', name: 'new' });
    expect(changed({ op: 'replace', path: '/codes', value: null })).toEqual({ codes: [] });
    expect(changed({ op: 'copy', from: '', path: '/assigned_to' })).toEqual({
      assigned_to: { id: 'v1', name: 'Truck' },
    });
  });

  it('follows the RFC inside free JSON', () => {
    const start = { op: 'add', path: '/extra', value: { Foo: [null], junk: 1 } };
    expect(changed(start, { op: 'remove', path: '/extra/junk' })).toEqual({ extra: { Foo: [null] } });
    expect(changed(start, { op: 'add', path: '/extra/foo', value: 2 })).toEqual({
      extra: { Foo: [null], junk: 1, foo: 2 },
    });
    expect(refusal(() => patched(start, { op: 'replace', path: '/extra/foo', value: 2 })).message).toBe(
      'operation 1: there is nothing at "/extra/foo".',
    );
  });
});

describe('read-only members', () => {
  it.each([
    [{ op: 'replace', path: '/id', value: 'v2' }, 'id'],
    [{ op: 'add', path: '/MODIFIED', value: null }, 'modified'],
    [{ op: 'remove', path: '/id' }, 'id'],
    [{ op: 'move', from: '/id', path: '/name' }, 'id'],
    [{ op: 'copy', from: '/name', path: '/id' }, 'id'],
    [{ op: 'add', path: '/sizes/-', value: 1 }, 'sizes'],
    [{ op: 'replace', path: '/sizes/0', value: 8 }, 'sizes'],
    [{ op: 'remove', path: '/sizes/0' }, 'sizes'],
    [{ op: 'replace', path: '', value: { id: 'v2' } }, 'id'],
  ])('are not changed: %j', (operation, name) => {
    expect(refusal(() => patched(operation))).toMatchObject({
      code: 'BAD_REQUEST',
      message: `operation 0: "${name}" is read-only.`,
    });
  });

  it('can be tested, copied from, and set to what they are', () => {
    expect(patched({ op: 'test', path: '/id', value: 'v1' })).toBe(vehicle);
    expect(changed({ op: 'copy', from: '/id', path: '/name' })).toEqual({ name: 'v1' });
    expect(patched({ op: 'replace', path: '/id', value: 'v1' })).toEqual(vehicle);
    expect(patched({ op: 'add', path: '/sizes', value: [7] })).toEqual(vehicle);
  });
});
