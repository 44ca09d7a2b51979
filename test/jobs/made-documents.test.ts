import { expect, test } from 'vitest';
import { makeDocument } from '../../bench/lib/made-documents.mjs';
import { readDocument } from '../../src/uploads/reading/read-document.js';

const today = new Date('2026-11-26T00:00:00Z');

/** Numbers of the set: each kind, five languages; the last two are worn. */
const sample = [6, 14, 21, 42, 49];

test.each(sample)(
  'the date of the made document %i is found, and no other',
  { timeout: 180_000 },
  async (index) => {
    const { bytes, expires, language: locale } = await makeDocument(index);
    const { findings } = await readDocument({ bytes }, { ocr: 'on', ocrCommand: '', today, locale });
    const dates = findings.filter(({ field }) => field === 'expiration_date').map(({ value }) => value);
    expect(dates).toEqual([expires]);
  },
);

test('the same number makes the same document', async () => {
  const [one, other] = [await makeDocument(31), await makeDocument(31)];
  expect(one.bytes.equals(other.bytes)).toBe(true);
});
