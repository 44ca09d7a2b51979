import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAnnouncer } from '../../src/db/connection/database.js';
import { decodeHeads, type EventHead } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const id = newId();
const head = (typeId: number): EventHead => ({
  id,
  typeId,
  organizationId: id,
  teamId: id,
  entities: [],
  more: false,
});

/** Returns an announcer, what each of its statements told, and how to let them end. */
function start(works: () => Promise<unknown> = async () => {}) {
  const told: unknown[] = [];
  const errors: string[] = [];
  const announcer = createAnnouncer(
    async (payloads) => {
      await works();
      told.push(
        payloads.flatMap<unknown>((payload) => decodeHeads(payload)?.map(({ typeId }) => typeId) ?? 'lost'),
      );
    },
    ({ message }) => errors.push(message),
  );
  return { announcer, told, errors };
}

test('events of the same moment are announced together', async () => {
  const { announcer, told } = start();
  announcer.announce([head(1), head(2)]);
  announcer.announce([]);
  announcer.announce([head(3)]);
  await vi.advanceTimersByTimeAsync(20);
  announcer.announce([head(4)]);
  await vi.advanceTimersByTimeAsync(20);
  expect(told).toEqual([[1, 2, 3], [4]]);
});

test('events that arrive during a statement wait for it', async () => {
  let arrive = () => {};
  const { announcer, told } = start(
    () =>
      new Promise<void>((resolve) => {
        arrive = resolve;
      }),
  );
  announcer.announce([head(1)]);
  await vi.advanceTimersByTimeAsync(20);
  for (const typeId of [2, 3, 4]) {
    announcer.announce([head(typeId)]);
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(told).toEqual([]);
  arrive();
  await vi.advanceTimersByTimeAsync(20);
  arrive();
  await vi.advanceTimersByTimeAsync(20);
  expect(told).toEqual([[1], [2, 3, 4]]);
});

test('after lost announcements, listeners are told as soon as sending works again', async () => {
  let works = false;
  const { announcer, told, errors } = start(() =>
    works ? Promise.resolve() : Promise.reject(new Error('away')),
  );
  announcer.announce([head(1)]);
  await vi.advanceTimersByTimeAsync(20);
  expect(errors).toEqual(['away']);
  announcer.announce([head(2)]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(errors).toHaveLength(2);
  works = true;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toEqual([['lost']]);
  announcer.announce([head(3)]);
  await vi.advanceTimersByTimeAsync(20);
  expect(told).toEqual([['lost'], [3]]);
});

test("announcements beyond the queue's capacity are reported as lost", async () => {
  const { announcer, told } = start();
  announcer.announce(Array(10_000).fill(head(1)));
  announcer.announce([head(2)]);
  announcer.announce([head(3)]);
  await vi.advanceTimersByTimeAsync(20);
  expect(told).toEqual([['lost', 3]]);
});

test('announcements waiting at the end are sent', async () => {
  const { announcer, told } = start();
  announcer.announce([head(1)]);
  await announcer.close();
  expect(told).toEqual([[1]]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toHaveLength(1);
});
