import { execFileSync } from 'node:child_process';
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

test('a document is drawn with its own fonts, whatever the machine has', async () => {
  const url = new URL('../../bench/lib/made-documents.mjs', import.meta.url).href;
  const program = `import { makeDocument } from '${url}'; process.stdout.write((await makeDocument(42)).bytes)`;
  const args = ['--input-type=module', '-e', program];
  const env = { DISABLE_SYSTEM_FONTS_LOAD: '1' };
  const without = execFileSync(process.execPath, args, { env, maxBuffer: 2 ** 25 });
  expect(without.equals((await makeDocument(42)).bytes)).toBe(true);
});

test('the same number makes the same document', async () => {
  const [one, other] = [await makeDocument(31), await makeDocument(31)];
  expect(one.bytes.equals(other.bytes)).toBe(true);
});
