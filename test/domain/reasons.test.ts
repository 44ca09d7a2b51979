import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import notTold from '../../console/src/i18n/texts/notTold.js';
import unreadTexts from '../../console/src/i18n/texts/unreadReasons.js';
import uploadTexts from '../../console/src/i18n/texts/uploadReasons.js';
import { errorKinds, GatewayError } from '../../src/domain/errors.js';
import { notNotifiedReasons, reasonCode } from '../../src/domain/reminders/reasons.js';
import {
  unreadReasonOf,
  unreadReasons,
  uploadReasonOf,
  uploadReasons,
} from '../../src/domain/uploads/upload.js';

/** Lists the sources below a folder. */
const sourcesOf = (folder: string) =>
  readdirSync(new URL(`../../src/${folder}/`, import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(new URL(`../../src/${folder}/${file}`, import.meta.url), 'utf8'));

describe.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, readonly string[]>>]>([
  ['uploads', uploadReasons, uploadTexts],
  ['documents that were not read', unreadReasons, unreadTexts],
  ['people who were not told', notNotifiedReasons, notTold],
])('reasons of %s', (_name, codes, texts) => {
  test('each have a sentence in six languages, and what to do', () => {
    expect(Object.keys(texts).toSorted()).toEqual([...Object.keys(codes), 'other'].toSorted());
    for (const [code, row] of Object.entries(texts)) {
      expect([code, new Set(row).size]).toEqual([code, 6]);
      for (const text of row)
        expect([code, text]).toEqual([code, expect.stringMatching(/^\p{Lu}.*[.;:].*\.$/su)]);
    }
  });
});

test.each(Object.keys(errorKinds) as (keyof typeof errorKinds)[])(
  'an upload that fails by %s has a reason',
  (code) => {
    expect(Object.keys(uploadReasons)).toContain(uploadReasonOf(new GatewayError(code, 'It failed.')));
  },
);

// Where an upload or a mail fails, the compiler asks for the code.
test('words that statements write as reasons all have a code', () => {
  const written = sourcesOf('reminders').flatMap((source) =>
    [...source.matchAll(/\b(?:THEN|SET reason =|reason IN|AND reason =) \(?'([a-z ]+)'/g)].map(
      ([, word = '']) => word,
    ),
  );
  expect(new Set(written).size).toBeGreaterThan(10);
  // What a delivery is about is no reason.
  for (const word of written.filter((one) => one !== 'digest'))
    expect([word, reasonCode(word)]).toEqual([word, expect.any(String)]);
});

test('a code of another version is none', () => {
  const upload = { unreadCode: 'OF_ANOTHER_VERSION', dueAt: null, state: 'FILED' };
  expect(unreadReasonOf(upload)).toBeNull();
  for (const code of Object.keys(unreadReasons))
    expect(unreadReasonOf({ ...upload, unreadCode: code })).toBe(code);
});
