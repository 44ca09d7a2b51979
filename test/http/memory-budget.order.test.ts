import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryBudget, type MemoryHold } from '../../src/http/load/memory.js';

const MiB = 1024 * 1024;

describe('a budget', () => {
  const forever = 600_000;
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  const uploads = fc.array(
    fc.record({
      caller: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      MiBs: fc.integer({ min: 1, max: 16 }),
    }),
    { minLength: 1, maxLength: 30 },
  );

  test('lets every body come to its end, in whatever order their bytes come', async () => {
    const run = async (bodies: { caller: string; MiBs: number }[], order: number[]) => {
      const budget = new MemoryBudget({ limit: 256 * MiB, maxWaitMs: forever });
      const under = bodies.map(({ caller, MiBs }) => {
        const hold: MemoryHold = budget.open();
        hold.caller = caller;
        return { hold, left: MiBs, waits: false };
      });
      const open = new Set(under);
      for (let step = 0; open.size > 0; step++) {
        let ready = [...open].filter(({ waits }) => !waits);
        if (ready.length === 0) await turn();
        ready = [...open].filter(({ waits }) => !waits);
        // Nobody is left who could give anything back.
        expect(ready).not.toEqual([]);
        const body = ready[(order[step % order.length] ?? 0) % ready.length] as (typeof under)[number];
        if (body.left === 0) {
          body.hold.close();
          open.delete(body);
          continue;
        }
        const wait = body.hold.receive(MiB, () => {});
        body.waits = wait !== undefined;
        void wait?.then(() => {
          body.waits = false;
        });
        body.left--;
        if (body.left === 0 && !body.waits) body.hold.received();
        else if (body.left === 0) void wait?.then(() => body.hold.received());
        const total = budget.held.body + budget.held.answer;
        expect(total).toBeLessThanOrEqual(budget.limit);
      }
      expect(budget.held.body).toBe(0);
    };
    const order = fc.array(fc.nat(1_000), { minLength: 1, maxLength: 50 });
    await fc.assert(fc.asyncProperty(uploads, order, run), { numRuns: 200 });
  });

  test('gives up late bodies of the caller who waits, and not those that come fast enough or of others', async () => {
    let now = 0;
    const budget = new MemoryBudget({ limit: 300 * MiB, maxWaitMs: forever, uptime: () => now });
    const given: string[] = [];
    const hold = (caller: string, name: string, MiBs: number) => {
      const held = budget.open();
      held.caller = caller;
      expect(held.receive(MiBs * MiB, () => given.push(name))).toBeUndefined();
      return held;
    };
    const fast = hold('a', 'fast', 1);
    hold('a', 'late', 1);
    hold('b', 'of another', 1);
    const waiting = budget.open();
    waiting.caller = 'a';
    now = 4_000;
    fast.receive(16 * MiB, () => given.push('fast'));
    const wait = waiting.receive(MiB, () => given.push('waiting'));
    expect(wait).toBeInstanceOf(Promise);
    now = 6_000;
    await wait;
    await turn();
    expect(given).toEqual(['late']);
  });
});
