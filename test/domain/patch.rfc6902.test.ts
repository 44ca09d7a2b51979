import { describe, expect, it } from 'vitest';
import { applyPatch, parsePatch } from '../../src/domain/patch/patch.js';
import type { JsonObject } from '../../src/domain/text/json.js';
import { refusal } from './patch.fixture.js';

describe('RFC 6902 appendix A, on free JSON', () => {
  const cases: [name: string, before: JsonObject, patch: unknown, after: JsonObject][] = [
    [
      'A.1 adding an object member',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux' }],
      { baz: 'qux', foo: 'bar' },
    ],
    [
      'A.2 adding an array element',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    [
      'A.3 removing an object member',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'remove', path: '/baz' }],
      { foo: 'bar' },
    ],
    [
      'A.4 removing an array element',
      { foo: ['bar', 'qux', 'baz'] },
      [{ op: 'remove', path: '/foo/1' }],
      { foo: ['bar', 'baz'] },
    ],
    [
      'A.5 replacing a value',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'A.6 moving a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7 moving an array element',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8 testing a value: success',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    [
      'A.10 adding a nested member object',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'A.11 ignoring unrecognized elements',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    [
      'A.14 ~ escape ordering',
      { '/': 9, '~1': 10 },
      [{ op: 'test', path: '/~01', value: 10 }],
      { '/': 9, '~1': 10 },
    ],
    [
      'A.16 adding an array value',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
  ];
  it.each(cases)('%s', (_name, before, patch, after) => {
    expect(applyPatch(before, parsePatch(patch), { kind: 'any' })).toEqual(after);
  });

  const refused: [name: string, before: JsonObject, patch: string, code: string][] = [
    ['A.9 testing a value: error', { baz: 'qux' }, '[{"op":"test","path":"/baz","value":"bar"}]', 'CONFLICT'],
    [
      'A.12 adding to a nonexistent target',
      { foo: 'bar' },
      '[{"op":"add","path":"/baz/bat","value":"qux"}]',
      'BAD_REQUEST',
    ],
    [
      'A.13 an invalid document: the last of two members counts',
      { foo: 'bar' },
      '[{"op":"add","path":"/baz","value":"qux","op":"remove"}]',
      'BAD_REQUEST',
    ],
    [
      'A.15 comparing strings and numbers',
      { '/': 9, '~1': 10 },
      '[{"op":"test","path":"/~01","value":"10"}]',
      'CONFLICT',
    ],
  ];
  it.each(refused)('%s', (_name, before, patch, code) => {
    const error = refusal(() => applyPatch(before, parsePatch(JSON.parse(patch)), { kind: 'any' }));
    expect(error).toMatchObject({ code, message: expect.stringMatching(/^operation 0: /) });
  });
});
