import { expect, test } from 'vitest';
import { findDetails } from '../../src/domain/documents/findings.js';
import { heldOutCorpus } from './corpus/held-out.js';
import { judgeCorpus } from './corpus/judge.js';
import { workCorpus } from './corpus/work.js';

/** Reads a text as the worker does, without the file around it. */
const read = (text: string, today: string) =>
  findDetails([{ page: 1, source: 'TEXT', codes: [], parts: [[text, '', 100]] }], new Date(today));

test('reads 300 documents in six languages as a careful person does', async () => {
  const { total, failures } = await judgeCorpus(workCorpus(), read);
  expect(failures.map(({ failed }) => failed.text)).toEqual([]);
  expect(total).toMatchObject({ texts: 300, right: 300 });
});

test('of 1,500 other documents, 88 % are read right and hardly any wrong', async () => {
  const { total } = await judgeCorpus(heldOutCorpus(), read);
  expect(total.right / total.texts).toBeGreaterThan(0.88);
  expect(total.wrong / total.texts).toBeLessThan(0.005);
  expect(total.wrongTrusted / total.texts).toBeLessThan(0.002);
});
