/** Limits how many are done in a second (token bucket). */
export interface Rate {
  /** Takes as many as are free, `wanted` at most. */
  take(wanted: number): number;
  /** Gives back what was taken and not used. */
  giveBack(count: number): void;
  /** Milliseconds until one is free; 0 when one is. */
  wait(): number;
}

/** Milliseconds whose worth is saved up while nothing is done. */
const burstMs = 500;

/**
 * Makes a rate limit.
 * @param perSecond how many, in the long run
 * @param uptime milliseconds of a monotonic clock
 */
export function createRate(perSecond: number, uptime: () => number): Rate {
  const most = Math.max(1, (perSecond * burstMs) / 1_000);
  let free = most;
  let last = uptime();
  const refill = () => {
    const now = uptime();
    free = Math.min(most, free + ((now - last) * perSecond) / 1_000);
    last = now;
  };
  return {
    take(wanted) {
      refill();
      const taken = Math.max(0, Math.min(wanted, Math.floor(free)));
      free -= taken;
      return taken;
    },
    giveBack(count) {
      free = Math.min(most, free + count);
    },
    wait() {
      refill();
      return free >= 1 ? 0 : Math.ceil(((1 - free) * 1_000) / perSecond);
    },
  };
}
