import {
  type AdmissionLimits,
  AdmissionQueue,
  type AdmissionSlot,
  type WorkKind,
} from '../../src/domain/load/admission.js';

/** A phase of a simulated load. */
export interface Phase {
  readonly seconds: number;
  /** Requests per second that arrive, whether or not earlier ones are answered (open loop). */
  readonly arriving: number;
  /** Requests per second that the server can complete. */
  readonly capacity: number;
  /** The share of uploads. */
  readonly uploads?: number;
}

/** One simulated request at its end; times in milliseconds. */
export interface Ended {
  readonly kind: WorkKind;
  readonly phase: number;
  readonly arrived: number;
  readonly took: number;
  readonly outcome: 'done' | 'shed' | 'overdue';
}

export const limits: AdmissionLimits = {
  width: { least: 10, most: 64 },
  patience: { ordinary: 750, upload: 2_000 },
  service: 250,
  lease: 30_000,
};

/** Creates a queue whose waiting requests get their turns as soon as there is room. */
export function promptQueue(limits: AdmissionLimits, uptime: () => number): AdmissionQueue {
  const queue: AdmissionQueue = new AdmissionQueue(limits, uptime, () => {
    while (queue.serve());
  });
  return queue;
}

/** A seeded random number generator: from 0 to 1, 1 excluded (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const exponential = (random: () => number, mean: number) => -Math.log(1 - random()) * mean;

/**
 * Sends an open loop of requests through a queue to a server that processes one request after the other. It
 * uses a clock of its own, in steps of a millisecond without timers.
 */
export function simulate(phases: readonly Phase[], seed: number): Ended[] {
  const random = randomOf(seed);
  let now = 0;
  const queue = promptQueue(limits, () => now);
  const ended: Ended[] = [];
  const work: { place: AdmissionSlot; left: number; end: () => void }[] = [];
  let phaseEnd = 0;
  const arrive = (phase: number, { uploads = 0 }: Phase) => {
    const kind: WorkKind = random() < uploads ? 'upload' : 'ordinary';
    const arrived = now;
    const end = (outcome: Ended['outcome']) =>
      ended.push({ kind, phase, arrived, took: now - arrived, outcome });
    const begin = (place: AdmissionSlot | undefined) => {
      if (!place) return end('overdue');
      return work.push({ place, left: exponential(random, 1), end: () => end('done') });
    };
    if (queue.isTooLong(kind)) return end('shed');
    const place = queue.take();
    return place ? begin(place) : queue.wait(kind, begin);
  };
  phases.forEach((phase, index) => {
    let next = now + exponential(random, 1000 / phase.arriving);
    for (phaseEnd = now + phase.seconds * 1000; now < phaseEnd; now += 1) {
      for (; next <= now; next += exponential(random, 1000 / phase.arriving)) arrive(index, phase);
      // A millisecond's capacity goes to the oldest request, and the rest to the next.
      let power = phase.capacity / 1000;
      for (let first = work[0]; first && power > 0; first = work[0]) {
        const spent = Math.min(power, first.left);
        power -= spent;
        first.left -= spent;
        if (first.left > 0) break;
        work.shift();
        first.end();
        first.place.leave();
      }
      if (now % 100 === 0) queue.sweep();
    }
  });
  return ended;
}

/** Returns a quantile: the value below which a share of the values are. */
export function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
