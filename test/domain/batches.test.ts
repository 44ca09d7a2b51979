import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inBatches } from '../../src/domain/collections.js';

class Shared extends Error {}

/** Something to be done, and how it will go. */
interface Job {
  readonly name: number;
  /** `alone`: it fails, by its own fault; `shared`: so does whatever is done with it. */
  readonly goes: 'well' | 'alone' | 'shared';
}

/** Returns what work answers of a batch: a result for each job, unless one of them spoils it. */
function outcomeOf(jobs: readonly Job[]): string[] {
  const bad = jobs.find(({ goes }) => goes !== 'well');
  if (bad?.goes === 'shared') throw new Shared(`shared ${bad.name}`);
  if (bad) throw new Error(`alone ${bad.name}`);
  return jobs.map(({ name }) => `done ${name}`);
}

const isShared = (error: unknown) => error instanceof Shared;

/** Work that ends when it is told to. */
function heldWork() {
  const calls: { readonly jobs: readonly Job[]; end(): Promise<void> }[] = [];
  const work = (jobs: readonly Job[]) =>
    new Promise<string[]>((resolve) => {
      const end = async () => {
        resolve(Promise.resolve(jobs).then(outcomeOf));
        await new Promise(setImmediate);
      };
      calls.push({ jobs, end });
    });
  return { calls, work };
}

const messageOf = ({ message }: Error) => message;
const well = (name: number): Job => ({ name, goes: 'well' });
const namesOf = (calls: readonly { readonly jobs: readonly Job[] }[]) =>
  calls.map(({ jobs }) => jobs.map(({ name }) => name));

describe('inBatches', () => {
  it('begins at once, and with all that came meanwhile as soon as it can', async () => {
    const { calls, work } = heldWork();
    const take = inBatches(3, work, isShared);
    const results = [take(well(0))];
    expect(namesOf(calls)).toEqual([[0]]);
    for (const name of [1, 2, 3, 4]) results.push(take(well(name)));
    expect(namesOf(calls)).toEqual([[0]]);
    await calls[0]?.end();
    expect(namesOf(calls)).toEqual([[0], [1, 2, 3]]);
    results.push(take(well(5)));
    await calls[1]?.end();
    expect(namesOf(calls)).toEqual([[0], [1, 2, 3], [4, 5]]);
    await calls[2]?.end();
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4, 5].map((name) => `done ${name}`));
    void take(well(6));
    expect(namesOf(calls.slice(3))).toEqual([[6]]);
    await calls[3]?.end();
  });

  it('tries each job alone when one spoils its batch, before anything that came later', async () => {
    const { calls, work } = heldWork();
    const take = inBatches(9, work, isShared);
    const settle = (job: Job) => take(job).catch(messageOf);
    const results = [well(0), well(1), { name: 2, goes: 'alone' } as const, well(3)].map(settle);
    await calls[0]?.end();
    results.push(settle(well(4)));
    for (let index = 1; index < 6; index++) await calls[index]?.end();
    expect(namesOf(calls)).toEqual([[0], [1, 2, 3], [1], [2], [3], [4]]);
    expect(await Promise.all(results)).toEqual(['done 0', 'done 1', 'alone 2', 'done 3', 'done 4']);
  });

  it('fails a whole batch at once for a common reason, and continues', async () => {
    const { calls, work } = heldWork();
    const take = inBatches(2, work, isShared);
    const jobs = [well(0), { name: 1, goes: 'shared' } as const, well(2), well(3)];
    const results = jobs.map((job) => take(job).catch(messageOf));
    for (let index = 0; index < 3; index++) await calls[index]?.end();
    expect(namesOf(calls)).toEqual([[0], [1, 2], [3]]);
    expect(await Promise.all(results)).toEqual(['done 0', 'shared 1', 'shared 1', 'done 3']);
  });

  it('outlives work that throws before it promises anything', async () => {
    const take = inBatches(2, (jobs: readonly Job[]) => Promise.resolve(outcomeOf(jobs)), isShared);
    await expect(take({ name: 0, goes: 'alone' })).rejects.toThrow('alone 0');
    expect(await take(well(1))).toBe('done 1');
  });
});

const anyJobs = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('well' as const) },
    { weight: 2, arbitrary: fc.constant('alone' as const) },
    { weight: 1, arbitrary: fc.constant('shared' as const) },
  ),
  { maxLength: 25 },
);

/** Lets jobs come and work end in any order, and tells what was begun, and how each job ended. */
async function play(scheduler: fc.Scheduler, largest: number, kinds: readonly Job['goes'][]) {
  const arrived: Job[] = [];
  const begun: { readonly jobs: readonly Job[]; readonly arrived: number }[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const take = inBatches<Job, string>(
    largest,
    async (jobs) => {
      begun.push({ jobs, arrived: arrived.length });
      mostUnderWay = Math.max(mostUnderWay, ++underWay);
      await scheduler.schedule(Promise.resolve());
      underWay--;
      return outcomeOf(jobs);
    },
    isShared,
  );
  const ends = kinds.map(async (goes, name) => {
    await scheduler.schedule(Promise.resolve());
    const job = { name, goes };
    arrived.push(job);
    return take(job);
  });
  const [settled] = await Promise.all([Promise.allSettled(ends), scheduler.waitIdle()]);
  return { arrived, begun, mostUnderWay, settled };
}

/**
 * Returns what must have been begun, given what had come when each batch was begun; and what each job must
 * have come to.
 */
function expected(
  arrived: readonly Job[],
  begun: readonly { readonly arrived: number }[],
  largest: number,
): { batches: number[][]; ends: Map<number, string> } {
  const batches: number[][] = [];
  const ends = new Map<number, string>();
  const alone: Job[] = [];
  let next = 0;
  for (const { arrived: count } of begun) {
    const again = alone.shift();
    const jobs = again ? [again] : arrived.slice(next, Math.min(count, next + largest));
    if (!again) next += jobs.length;
    batches.push(jobs.map(({ name }) => name));
    const bad = jobs.find(({ goes }) => goes !== 'well');
    if (bad?.goes === 'alone' && jobs.length > 1) alone.push(...jobs);
    else for (const { name } of jobs) ends.set(name, bad ? `${bad.goes} ${bad.name}` : `done ${name}`);
  }
  return { batches, ends };
}

it('whenever jobs come: in their order, none late, none by its company, each with its own end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 1, max: 6 }),
      anyJobs,
      async (scheduler, size, kinds) => {
        const { arrived, begun, mostUnderWay, settled } = await play(scheduler, size, kinds);
        expect(mostUnderWay).toBeLessThanOrEqual(1);
        const { batches, ends } = expected(arrived, begun, size);
        expect(namesOf(begun)).toEqual(batches);
        const seen = settled.map((end) => (end.status === 'fulfilled' ? end.value : end.reason.message));
        expect(seen).toEqual(kinds.map((_, name) => ends.get(name)));
      },
    ),
  );
});
