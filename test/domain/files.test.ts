import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentDisposition, mediaTypeOf } from '../../src/domain/files.js';
import { rangeIn } from '../../src/domain/ranges.js';

describe('contentDisposition', () => {
  test.each([
    ['plan.pdf', 'attachment; filename="plan.pdf"; filename*=UTF-8\'\'plan.pdf'],
    ['a b"c".txt', `attachment; filename="a b_c_.txt"; filename*=UTF-8''a%20b%22c%22.txt`],
    ['Führerschein.pdf', `attachment; filename="F_hrerschein.pdf"; filename*=UTF-8''F%C3%BChrerschein.pdf`],
    [
      "50% (it's *).txt",
      `attachment; filename="50_ (it's *).txt"; filename*=UTF-8''50%25%20%28it%27s%20%2A%29.txt`,
    ],
    ['../etc\\passwd', `attachment; filename=".._etc_passwd"; filename*=UTF-8''.._etc_passwd`],
    [
      'a\r\nSet-Cookie: b',
      `attachment; filename="a__Set-Cookie: b"; filename*=UTF-8''a%0D%0ASet-Cookie%3A%20b`,
    ],
    [' ', `attachment; filename="attachment"; filename*=UTF-8''attachment`],
    [null, `attachment; filename="attachment"; filename*=UTF-8''attachment`],
  ])('of %j', (name, expected) => {
    expect(contentDisposition(name)).toBe(expected);
  });

  test('is a header of ASCII for any name, from which the name comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        const header = contentDisposition(name);
        const [, ascii, encoded = ''] =
          /^attachment; filename="([ !#$&-[\]-~]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header) ??
          [];
        expect(ascii, header).toBeDefined();
        const back = decodeURIComponent(encoded);
        expect(back).toBe(name.toWellFormed().replace(/[/\\]/g, '_').trim() || 'attachment');
      }),
    );
  });
});

describe('mediaTypeOf', () => {
  test.each([
    ['text/plain', 'text/plain'],
    [' text/plain; charset=utf-8 ', 'text/plain; charset=utf-8'],
    ['text/plain; charset="utf-8"', 'text/plain; charset="utf-8"'],
    ['application/vnd.ms-excel', 'application/vnd.ms-excel'],
  ])('%j is one', (text, expected) => {
    expect(mediaTypeOf(text)).toBe(expected);
  });

  test.each([
    null,
    '',
    'text',
    'text/',
    'text/plain\r\nX: y',
    'täxt/plain',
    'text/plain; x',
    'text/plain, a/b',
  ])('%j is none', (text) => {
    expect(mediaTypeOf(text)).toBe('application/octet-stream');
  });
});

describe('rangeIn', () => {
  test.each<[string | null, [number, number] | null | undefined]>([
    ['bytes=0-0', [0, 0]],
    ['bytes=2-5', [2, 5]],
    ['Bytes = 2-5', undefined],
    ['BYTES=2-5', [2, 5]],
    ['bytes=8-', [8, 9]],
    ['bytes=8-99999999999999999999', [8, 9]],
    ['bytes=-3', [7, 9]],
    ['bytes=-99', [0, 9]],
    ['bytes=10-', null],
    ['bytes=99-100', null],
    ['bytes=-0', null],
    ['bytes=5-2', undefined],
    ['bytes=0-1,3-4', undefined],
    ['bytes=-', undefined],
    ['bytes=a-b', undefined],
    ['items=0-1', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j of ten bytes', (header, expected) => {
    const range = rangeIn(header, 10);
    expect(range && [range.first, range.last]).toEqual(expected);
  });

  test('of a file without bytes there is none', () => {
    for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(rangeIn(header, 0)).toBeNull();
  });

  test('is always a part of the file', () => {
    const size = fc.integer({ min: 1, max: 50 });
    fc.assert(
      fc.property(fc.nat(60), fc.nat(60), size, (first, last, size) => {
        const range = rangeIn(`bytes=${first}-${last}`, size);
        if (!range) return last < first || first >= size;
        return range.first === first && range.last >= first && range.last < size;
      }),
    );
  });
});
