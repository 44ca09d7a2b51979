import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReplicaLag } from '../../src/db/replica/replica.js';

test('nothing is known in the beginning, nor after the connection was lost', () => {
  const lag = createReplicaLag();
  expect([lag.has(0n), lag.behind(1)]).toEqual([false, Number.POSITIVE_INFINITY]);
  lag.primaryAt(5n, 1);
  lag.replayedTo(5n);
  expect([lag.has(5n), lag.has(6n), lag.behind(4)]).toEqual([true, false, 3]);
  lag.lost();
  expect([lag.has(0n), lag.behind(4)]).toEqual([false, Number.POSITIVE_INFINITY]);
});

test('a replica that comes back further behind claims only what it has', () => {
  const lag = createReplicaLag();
  lag.replayedTo(9n);
  lag.replayedTo(7n);
  expect([lag.has(7n), lag.has(8n)]).toEqual([true, false]);
});

test('an idle primary makes no replica old, and one that stands still grows old', () => {
  const lag = createReplicaLag();
  for (let at = 0; at <= 1_000; at += 100) {
    lag.primaryAt(5n, at);
    lag.replayedTo(5n);
  }
  expect(lag.behind(1_050)).toBe(50);
  for (let at = 1_100; at <= 200_000; at += 100) {
    lag.primaryAt(BigInt(at), at);
    lag.replayedTo(5n);
  }
  expect(lag.behind(200_050)).toBe(199_050);
  lag.primaryAt(200_000n, 200_100);
  lag.replayedTo(200_000n);
  lag.primaryAt(200_000n, 200_200);
  lag.replayedTo(200_000n);
  expect(lag.behind(200_250)).toBe(50);
});

test('is never less behind than it is', () => {
  const step = fc.record({ written: fc.nat(5), replayed: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const lag = createReplicaLag();
      /** When each position was reached by the primary. */
      const reached: number[] = [0];
      let replayed = 0;
      steps.forEach((step, at) => {
        for (let count = 0; count < step.written; count += 1) reached.push(at);
        lag.primaryAt(BigInt(reached.length - 1), at);
        replayed = Math.min(reached.length - 1, replayed + step.replayed);
        lag.replayedTo(BigInt(replayed));
        const missing = reached[replayed + 1];
        expect(lag.behind(at)).toBeGreaterThanOrEqual(missing === undefined ? 0 : at - missing);
        expect(lag.has(BigInt(replayed + 1))).toBe(false);
      });
    }),
  );
});
