import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contentDisposition, decodeBase64, encodeBase64, validMediaType } from '../../src/domain/files.js';
import { rangeIn } from '../../src/http/downloads.js';

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
    ['a\r\nSet-Cookie: b', `attachment; filename="a__Set-Cookie: b"; filename*=UTF-8''a__Set-Cookie%3A%20b`],
    [
      'a"; filename="b.exe',
      `attachment; filename="a_; filename=_b.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22b.exe`,
    ],
    [
      "a'; filename*=UTF-8''b",
      `attachment; filename="a'; filename*=UTF-8''b"; filename*=UTF-8''a%27%3B%20filename%2A%3DUTF-8%27%27b`,
    ],
    ['%2e%2e%2fa', `attachment; filename="_2e_2e_2fa"; filename*=UTF-8''%252e%252e%252fa`],
    ['photo\u202egpj.exe', `attachment; filename="photo_gpj.exe"; filename*=UTF-8''photo_gpj.exe`],
    ['a\u2066b\u2069\u2028c\u009b', `attachment; filename="a_b__c_"; filename*=UTF-8''a_b__c_`],
    ['a\0.txt\u007f', `attachment; filename="a_.txt_"; filename*=UTF-8''a_.txt_`],
    ['a\ud800', `attachment; filename="a_"; filename*=UTF-8''a%EF%BF%BD`],
    ['..', `attachment; filename="attachment"; filename*=UTF-8''attachment`],
    ['.', `attachment; filename="attachment"; filename*=UTF-8''attachment`],
    ['.profile', `attachment; filename=".profile"; filename*=UTF-8''.profile`],
    ['=1+1.csv', `attachment; filename="=1+1.csv"; filename*=UTF-8''%3D1%2B1.csv`],
    [' ', `attachment; filename="attachment"; filename*=UTF-8''attachment`],
    [null, `attachment; filename="attachment"; filename*=UTF-8''attachment`],
  ])('of %j', (name, expected) => {
    expect(contentDisposition(name)).toBe(expected);
  });

  const unsafe = /[/\\\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
  const names = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({
      unit: fc.constantFrom('a', '.', '"', '%', '/', '\\', '\r', '\n', '\u202e', "'", ';', '=', 'ü'),
      minLength: 1,
    }),
  );

  test('is an ASCII header for any name, which can be decoded except for unsafe characters', () => {
    fc.assert(
      fc.property(names, (name) => {
        const header = contentDisposition(name);
        const [, ascii, encoded = ''] =
          /^attachment; filename="([ !#$&-[\]-~]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header) ??
          [];
        expect(ascii, header).toBeDefined();
        const back = decodeURIComponent(encoded);
        const safe = name.toWellFormed().trim().replace(unsafe, '_');
        expect(back).toBe(/^\.*$/.test(safe) ? 'attachment' : safe);
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
    expect(validMediaType(text)).toBe(expected);
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
  ])('%j is invalid', (text) => {
    expect(validMediaType(text)).toBe('application/octet-stream');
  });
});

describe('rangeIn', () => {
  test.each<[string | null, [number, number] | null | undefined]>([
    ['bytes=0-0', [0, 0]],
    ['bytes=2-5', [2, 5]],
    ['bytes= 2-5', [2, 5]],
    ['bytes=2 - 5', undefined],
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

  test('is looked for in a time that grows with the header, not with its square', () => {
    const time = (length: number) => {
      const header = `bytes=${' '.repeat(length)}x`;
      const started = performance.now();
      expect(rangeIn(header, 10)).toBeUndefined();
      return performance.now() - started;
    };
    // Its square would be minutes.
    expect(time(1_000_000)).toBeLessThan(2_000);
  });

  test('does not exist for an empty file', () => {
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

/** What a text means to .NET: white space is removed first. */
function expected(text: string): string | undefined {
  const compact = text.replace(/[ \t\r\n]+/g, '');
  const isValid = compact.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(compact);
  return isValid ? Buffer.from(compact, 'base64').toString('hex') : undefined;
}

const decoded = (text: string) => {
  const file = decodeBase64(text);
  return file && Buffer.from(file.bytes).toString('hex');
};

test('base64 is read with white space anywhere, and nothing else is', () => {
  const unit = fc.constantFrom(...'AQgZ09+/=- \r\n\t_.\v', '\u00a0', '\u202f', '\u0141', '😀');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), (text) => {
      expect(decoded(text)).toBe(expected(text));
    }),
    { numRuns: 2_000 },
  );
  const spaces = fc.array(fc.constantFrom(' ', '\r\n', '\t'), { minLength: 40, maxLength: 40 });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 30 }), spaces, (bytes, between) => {
      const text = [...encodeBase64(bytes)].map((letter, at) => letter + between[at]).join('');
      expect(decoded(text)).toBe(Buffer.from(bytes).toString('hex'));
    }),
  );
});
