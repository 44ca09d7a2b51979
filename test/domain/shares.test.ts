import { describe, expect, test } from 'vitest';
import { FairQueue } from '../../src/domain/load/shares.js';

/** A queue whose work ends when it is told to, and notes who began. */
function heldQueue(places: number, mostWaiting = { organization: 9, person: 4 }) {
  const full = new Error('full');
  const queue = new FairQueue(places, { ...mostWaiting, refusal: () => full });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: string[] = [];
  return {
    begun,
    refused,
    /** Adds work of a person, such as `a1` of organization `a`. */
    add: (...persons: string[]) => {
      for (const personId of persons) {
        const work = () => {
          begun.push(personId);
          return new Promise<void>((end) => ends.push(end));
        };
        const owner = { organizationId: personId.charAt(0), personId };
        queue.run(owner, work).catch((error) => {
          expect(error).toBe(full);
          refused.push(personId);
        });
      }
    },
    /** Ends the work that has run for longest, as often as told. */
    end: async (count = 1) => {
      for (let index = 0; index < count; index++) {
        ends.shift()?.();
        await new Promise(setImmediate);
      }
    },
  };
}

describe('a fair queue', () => {
  test('gives neither a person nor an organization all places', async () => {
    const queue = heldQueue(4);
    queue.add('a1', 'a1', 'a1', 'a1', 'a2', 'a2', 'a3');
    expect(queue.begun).toEqual(['a1', 'a1', 'a2']);
    queue.add('b1');
    expect(queue.begun).toEqual(['a1', 'a1', 'a2', 'b1']);
  });

  test('lets organizations take turns, and the persons of each', async () => {
    const queue = heldQueue(1);
    queue.add('a1', 'a1', 'a1', 'a2', 'b1', 'b1', 'c1', 'a1');
    await queue.end(8);
    expect(queue.begun).toEqual(['a1', 'a1', 'b1', 'c1', 'a2', 'b1', 'a1', 'a1']);
  });

  test('refuses what a person or an organization has too much of, and nobody else', async () => {
    const queue = heldQueue(2, { organization: 4, person: 3 });
    queue.add('a1', 'a1', 'a1', 'a1', 'a1', 'a2', 'a3', 'b1', 'c1');
    await queue.end(9);
    expect(queue.refused).toEqual(['a1', 'a3']);
    expect(queue.begun.toSorted()).toEqual(['a1', 'a1', 'a1', 'a1', 'a2', 'b1', 'c1']);
  });

  test('goes on after work that fails', async () => {
    const queue = new FairQueue(1);
    const owner = { organizationId: 'a', personId: 'a1' };
    const failing = queue.run(owner, () => Promise.reject(new Error('failed')));
    const next = queue.run(owner, async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
