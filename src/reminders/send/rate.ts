/** Limits the number of actions per second (token bucket). */
export interface Rate {
  /** Takes as many as are available, at most `wanted`. */
  take(wanted: number): number;
  /** Returns unused ones. */
  giveBack(count: number): void;
  /** Returns the milliseconds until one is available; 0 if one is. */
  wait(): number;
}

/** Milliseconds' worth of actions that are saved up while idle. */
const burstMs = 500;

/**
 * Creates a rate limit.
 * @param perSecond actions per second in the long run
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
