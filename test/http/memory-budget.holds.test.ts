import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../src/domain/errors.js';
import { heldKinds, MemoryBudget, type MemoryHold } from '../../src/http/load/memory.js';

const MiB = 1024 * 1024;
const limit = 1024 * MiB;
const quarter = limit / 4;

/** Longer than any test: who waits so long waits for ever. */
const forever = 600_000;

const open = (budget: MemoryBudget, caller: string): MemoryHold => {
  const hold = budget.open();
  hold.caller = caller;
  return hold;
};

/** Returns a budget that callers other than the one who asks have filled, by holds that can be closed. */
function filled(maxWaitMs = forever) {
  const budget = new MemoryBudget({ limit, maxWaitMs });
  const others = ['a', 'b', 'c', 'd'].map((caller) => {
    const hold = open(budget, caller);
    expect(hold.grow(quarter, 'body')).toBeUndefined();
    return hold;
  });
  return { budget, others };
}

/** Notes the names of those who are served, in order. */
function watchOrder() {
  const served: string[] = [];
  const wait = (name: string, waiting: Promise<void> | undefined) =>
    waiting?.then(
      () => served.push(name),
      () => served.push(`${name} refused`),
    );
  return { served, wait };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const refusal = { code: 'UNAVAILABLE', headers: { 'Retry-After': '2' } };

describe('a caller', () => {
  test('holds a quarter, and no byte more, while others find room', () => {
    const budget = new MemoryBudget({ limit, maxWaitMs: forever });
    const first = open(budget, 'greedy');
    const second = open(budget, 'greedy');
    expect(first.tryGrow(quarter - 1, 'body')).toBe(true);
    expect(second.tryGrow(2, 'answer')).toBe(false);
    expect(second.tryGrow(1, 'answer')).toBe(true);
    expect(open(budget, 'other').tryGrow(quarter, 'body')).toBe(true);
  });

  test('holds one upload of the largest size however small the budget is', () => {
    const budget = new MemoryBudget({ limit: 80 * MiB });
    const hold = open(budget, 'a');
    expect(hold.tryGrow(72 * MiB, 'body')).toBe(true);
    expect(hold.tryGrow(1, 'body')).toBe(false);
    const small = open(new MemoryBudget({ limit: MiB }), 'a');
    expect([small.tryGrow(MiB, 'body'), small.tryGrow(1, 'body')]).toEqual([true, false]);
  });

  test('that asks for more than a caller ever gets is rejected at once', () => {
    const budget = new MemoryBudget({ limit, maxWaitMs: forever });
    expect(() => open(budget, 'a').grow(quarter + 1, 'body')).toThrow(expect.objectContaining(refusal));
    expect(budget.refused).toBe(1);
  });
});

describe('who finds no room', () => {
  test('waits, and is served in the order of coming', async () => {
    const { budget, others } = filled();
    const { served, wait } = watchOrder();
    wait('first', open(budget, 'e').grow(quarter, 'body'));
    wait('second', open(budget, 'f').grow(1, 'body'));
    await turn();
    expect(served).toEqual([]);
    others[0]?.close();
    await turn();
    expect(served).toEqual(['first']);
    others[1]?.close();
    await turn();
    expect(served).toEqual(['first', 'second']);
  });

  test('is passed over while its caller has a quarter', async () => {
    const { budget, others } = filled();
    const { served, wait } = watchOrder();
    wait('greedy', open(budget, 'a').grow(quarter, 'body'));
    wait('other', open(budget, 'e').grow(quarter, 'body'));
    others[1]?.close();
    await turn();
    expect(served).toEqual(['other']);
    others[0]?.close();
    await turn();
    expect(served).toEqual(['other', 'greedy']);
  });

  test('is refused when that takes too long, and counted', async () => {
    const { budget } = filled(5);
    const error = await open(budget, 'e')
      .grow(1, 'body')
      ?.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject(refusal);
    expect(budget.refused).toBe(1);
  });

  test('is not waited for by those who need less', async () => {
    const { budget, others } = filled();
    const { served, wait } = watchOrder();
    const large = open(budget, 'e');
    wait('large', large.grow(quarter, 'body'));
    wait('small', open(budget, 'f').grow(2 * MiB, 'body'));
    others[0]?.shrink(2 * MiB, 'body');
    await turn();
    expect(served).toEqual(['small']);
    large.close();
    await turn();
    expect(served).toEqual(['small', 'large refused']);
    expect(budget.held.body).toBe(limit);
  });

  test('holds nothing when its request ends before', async () => {
    const { budget, others } = filled();
    const { served, wait } = watchOrder();
    const hold = open(budget, 'e');
    wait('gone', hold.grow(quarter, 'body'));
    hold.close();
    for (const other of others) other.close();
    await turn();
    expect(served).toEqual(['gone refused']);
    expect(budget.held).toEqual({ body: 0, answer: 0, stream: 0 });
  });

  test('is refused at once when too many wait', () => {
    const { budget } = filled();
    const waiting = Array.from({ length: 1_000 }, (_, n) => open(budget, `w${n}`));
    for (const hold of waiting) hold.grow(1, 'body')?.catch(() => {});
    expect(() => open(budget, 'late').grow(1, 'body')).toThrow(expect.objectContaining(refusal));
    for (const hold of waiting) hold.close();
  });
});

test('what must be sent is held beyond the limit, and counted', () => {
  const { budget } = filled();
  const hold = open(budget, 'e');
  hold.force(MiB, 'answer');
  expect(budget.held).toEqual({ body: limit, answer: MiB, stream: 0 });
  hold.close();
  expect(budget.held.answer).toBe(0);
});

test('a finished request holds nothing any more', () => {
  const budget = new MemoryBudget({ limit });
  const hold = open(budget, 'a');
  hold.close();
  hold.close();
  hold.force(1, 'answer');
  hold.shrink(1, 'body');
  expect([hold.grow(1, 'body'), hold.tryGrow(limit * 2, 'body')]).toEqual([undefined, true]);
  expect(budget.held).toEqual({ body: 0, answer: 0, stream: 0 });
});

const kind = fc.constantFrom(...heldKinds);
const step = fc.record({
  what: fc.constantFrom('grow', 'tryGrow', 'force', 'shrink', 'close'),
  at: fc.nat(7),
  bytes: fc.integer({ min: 1, max: quarter + MiB }),
  kind,
});

test('whatever requests do, nothing is held twice, and all is given back', async () => {
  const work = async (
    steps: { what: string; at: number; bytes: number; kind: (typeof heldKinds)[number] }[],
  ) => {
    const budget = new MemoryBudget({ limit, maxWaitMs: forever });
    const requests = Array.from({ length: 8 }, (_, n) => ({
      hold: open(budget, `caller ${n % 3}`),
      held: { body: 0, answer: 0, stream: 0 },
      forced: 0,
      waits: false,
      closed: false,
    }));
    const total = () => heldKinds.reduce((sum, each) => sum + budget.held[each], 0);
    for (const { what, at, bytes, kind } of steps) {
      const request = requests[at] as (typeof requests)[number];
      const { hold, held } = request;
      if (what === 'close') {
        hold.close();
        Object.assign(request, { held: { body: 0, answer: 0, stream: 0 }, forced: 0, closed: true });
      } else if (what === 'shrink') {
        const part = Math.min(bytes, held[kind]);
        hold.shrink(part, kind);
        held[kind] -= part;
      } else if (what === 'force') {
        hold.force(bytes, kind);
        if (!request.closed) {
          held[kind] += bytes;
          request.forced += bytes;
        }
      } else if (what === 'tryGrow') {
        if (hold.tryGrow(bytes, kind) && !request.closed) held[kind] += bytes;
      } else if (!request.waits) {
        try {
          const waiting = hold.grow(bytes, kind);
          if (!waiting) held[kind] += request.closed ? 0 : bytes;
          request.waits = waiting !== undefined;
          waiting?.then(
            () => {
              request.waits = false;
              request.held[kind] += bytes;
            },
            () => {
              request.waits = false;
            },
          );
        } catch (error) {
          expect(error).toMatchObject(refusal);
        }
      }
      await null;
      await null;
      for (const each of heldKinds) {
        expect(budget.held[each]).toBe(requests.reduce((sum, { held }) => sum + held[each], 0));
      }
      expect(total()).toBeLessThanOrEqual(limit + requests.reduce((sum, { forced }) => sum + forced, 0));
    }
    for (const { hold } of requests) hold.close();
    await turn();
    expect(budget.held).toEqual({ body: 0, answer: 0, stream: 0 });
    // All room is there again, for anybody.
    for (const caller of ['caller 0', 'caller 1', 'caller 2', 'other']) {
      expect(open(budget, caller).tryGrow(quarter, 'body')).toBe(true);
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), work), { numRuns: 300 });
});
