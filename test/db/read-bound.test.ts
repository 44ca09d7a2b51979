import { expect, test } from 'vitest';
import { defaultBound, ReadBound } from '../../src/db/connection/bounds.js';

const MiB = 1024 * 1024;

/** Returns a request that may read 64 MiB. */
function request() {
  const bound = new ReadBound(64 * MiB);
  /** The bounds of the statements that were sent, in MiB, and the MiB that they read. */
  const sent: number[] = [];
  let total = 0;
  const read = (size: number) =>
    bound.read(async (most) => {
      sent.push(most / MiB);
      await null;
      if (size * MiB > most) return undefined;
      total += size;
      return { found: size, bytes: size * MiB };
    });
  return { read, sent, total: () => total };
}

const refused = { code: 'BAD_REQUEST', message: expect.stringMatching(/^The response would be too large/) };

test('statements of a request one after the other read so much together', async () => {
  const { read, sent } = request();
  expect([await read(40), await read(20)]).toEqual([40, 20]);
  await expect(read(5)).rejects.toMatchObject(refused);
  await expect(read(1)).rejects.toMatchObject(refused);
  expect(sent).toEqual([64, 24, 4]);
});

test('while one may read everything, others read a little, and larger ones wait', async () => {
  const { read, sent } = request();
  const results = await Promise.all([read(10), read(0.5), read(8), read(0.25)]);
  expect(results).toEqual([10, 0.5, 8, 0.25]);
  expect(sent).toEqual([64, 1, 1, 1, 64 - 10 - 0.5 - 0.25]);
});

test('fifty large reads at once read no more than one may, and a little each', async () => {
  const { read, sent, total } = request();
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => read(6)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  for (const result of results.slice(10)) expect(result).toMatchObject({ reason: refused });
  expect(total()).toBe(60);
  // Nothing is sent once it is refused: fifty first attempts, and ten later ones.
  expect(sent).toHaveLength(60);
});

test('one that fails leaves its turn to the next', async () => {
  const bound = new ReadBound(defaultBound);
  const failing = bound.read(() => Promise.reject(new Error('lost')));
  const next = bound.read(async (most) => (most > MiB ? { found: 'rows', bytes: 1 } : undefined));
  await expect(failing).rejects.toThrow('lost');
  expect(await next).toBe('rows');
});
