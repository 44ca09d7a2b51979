import { AsyncLocalStorage } from 'node:async_hooks';
import { buildSchema, type GraphQLObjectType, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TimeSlices } from '../../src/db/connection/bounds.js';
import { execute } from '../../src/graphql/execution/execute.js';
import { ResponseSize } from '../../src/graphql/limits/response-size.js';
import { ShortSlices } from '../support/short-slices.js';
import { Unhandled } from '../support/unhandled.js';

const large = 2 ** 20;

/** Slices of a request that is large from its beginning. */
function divided(): TimeSlices {
  const slices = new TimeSlices();
  slices.weigh(large);
  return slices;
}

/** Blocks the event loop. @param ms at least this long; the shortest slice takes half a millisecond, the longest 5 */
function work(ms = 1): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Counts the turns of the event loop until some work is done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const ended = done.finally(() => {
    isDone = true;
  });
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await ended;
  return turns;
}

describe('time slices', () => {
  test('do not divide small work', () => {
    const slices = new TimeSlices();
    slices.weigh(1000);
    work();
    expect(Array.from({ length: 20 }, () => slices.isOver)).not.toContain(true);
    expect(slices.isDivided).toBe(false);
  });

  test('end by the clock, and begin again in a later turn', async () => {
    const slices = divided();
    expect(slices.isOver).toBe(true);
    await slices.next();
    expect(slices.isOver).toBe(false);
    // A slice is longer where the event loop was busy before.
    work(6);
    const looks = Array.from({ length: 8 }, () => slices.isOver);
    expect(looks.at(-1)).toBe(true);
  });

  test('of several requests are those of the oldest until its end', async () => {
    const order: string[] = [];
    const request = async (name: string) => {
      const slices = divided();
      for (let part = 0; part < 3; part++) {
        await slices.next();
        order.push(name);
        work();
      }
    };
    await Promise.all([request('a'), request('b')]);
    expect(order).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
  });

  test('are longer where others take long, so that many small requests do not starve a large one', async () => {
    const slices = divided();
    let [most, inTurn, left] = [0, 0, 60];
    const part = () => {
      work();
      inTurn += 1;
      most = Math.max(most, inTurn);
      left -= 1;
    };
    for (let parts = left; parts > 0; parts--) slices.later(part);
    await new Promise<void>((resolve) => {
      const others = () => {
        inTurn = 0;
        for (let times = 20; times > 0; times--) work();
        if (left > 0) setImmediate(others);
        else resolve();
      };
      setImmediate(others);
    });
    // One part takes longer than the shortest slice.
    expect(most).toBeGreaterThan(2);
  });

  test('keep the asynchronous context of their request', async () => {
    const requests = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const request = (name: string) =>
      requests.run(name, async () => {
        const slices = divided();
        const see = () => {
          seen.push(requests.getStore());
        };
        slices.later(see);
        // Work is left when it is asked for, so that it is another's turn that it comes after.
        await new Promise<void>((resolve) => {
          slices.whenIdle(() => {
            see();
            resolve();
          });
        });
      });
    await Promise.all([request('a'), request('b')]);
    expect(seen.sort()).toEqual(['a', 'a', 'b', 'b']);
  });

  test('finish all work before what waits for its end', async () => {
    const slices = divided();
    const order: number[] = [];
    const idle = new Promise<void>((resolve) => {
      slices.later(() => order.push(1));
      slices.whenIdle(() => {
        order.push(4);
        resolve();
      });
      slices.later(() => {
        order.push(2);
        // What goes on with a promise may have more work.
        Promise.resolve().then(() => slices.later(() => order.push(3)));
      });
    });
    await idle;
    expect(order).toEqual([1, 2, 3, 4]);
  });
});

describe('what is rejected while a list waits for its turn', () => {
  const schema = buildSchema(
    'type Query { rows: [Row], one: Row } type Row { text: String, rows: [Row], none: String }',
  );
  let unhandled: Unhandled;
  beforeAll(() => {
    unhandled = new Unhandled();
  });
  afterAll(() => unhandled.close());
  const refused = () => Promise.reject(new Error('refused'));

  test.each<[string, () => object]>([
    ['an element', () => ({ rows: [{}, {}, {}, refused(), {}, refused()] })],
    ['an element of a list that is awaited', () => ({ rows: async () => [{}, refused(), {}, refused()] })],
    ['a member', () => ({ rows: [1, 2, 3, 4, 5].map(() => ({ text: refused(), none: null })) })],
    ['a member of what is awaited', () => ({ one: async () => ({ rows: refused() }) })],
  ])('is heard: %s', async (_, rootValue) => {
    const document = parse('{ rows { text none } one { rows { text } } }');
    const sessions = [new ShortSlices(), new TimeSlices()].map((slices) => ({ slices }));
    const results: unknown[] = [];
    for (const session of sessions) {
      const contextValue = { answer: new ResponseSize(large), session };
      results.push(await execute({ schema, document, rootValue: rootValue(), contextValue }));
      await unhandled.expectNone();
    }
    expect(results[0]).toMatchObject({ errors: expect.arrayContaining([expect.anything()]) });
    expect(results[0]).toEqual(results[1]);
  });
});

describe('a list', () => {
  const schema = buildSchema('type Query { rows: [Row!]! } type Row { text: String! }');
  const row = schema.getType('Row') as GraphQLObjectType;
  const resolve = () => {
    work();
    return 'x'.repeat(1000);
  };
  Object.assign(row.getFields().text ?? {}, { resolve });
  const answerWith = (count: number, answer: ResponseSize) =>
    Promise.resolve(
      execute({
        schema,
        document: parse('{ rows { text } }'),
        rootValue: { rows: Array(count).fill({}) },
        contextValue: { answer },
      }),
    );
  const room = { take() {}, release() {} };

  test('that is large leaves the event loop to others', async () => {
    const answered = answerWith(400, new ResponseSize(2 ** 25, room));
    const turns = await turnsUntil(answered);
    expect((await answered).data?.rows).toHaveLength(400);
    // The first 256 rows fill a small answer; beyond it, one is looked at in eight.
    expect(turns).toBeGreaterThan(10);
  });

  test('that is small is answered in one go', async () => {
    const answered = answerWith(100, new ResponseSize(2 ** 25, room));
    expect(await turnsUntil(answered)).toBeLessThan(3);
  });
});
