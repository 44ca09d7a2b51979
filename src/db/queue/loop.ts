/** Work that a process repeats until it is stopped. */
export interface Loop {
  /** Begins the next run at once, or right after the one in progress. */
  wake(): void;
  /** Begins no further run, and waits for the one in progress. */
  stop(): Promise<void>;
}

/** Returns whether work may be done now. */
export type TimeGate = () => Promise<boolean>;

/** Returns work that is left out while a condition does not hold. Without a condition, it is always done. */
export function onlyWhen(
  condition: TimeGate | undefined,
  run: () => Promise<unknown>,
): () => Promise<unknown> {
  return async () => ((await condition?.()) === false ? undefined : run());
}

/**
 * Repeats work at an interval. Runs never overlap. The first one begins after an interval, or when the loop
 * is woken. Waking only makes it faster: work that nobody announces is found by the next run.
 * @param interval milliseconds from the end of a run to the next one
 * @param onError is called when a run fails, with whether the run before it did not; the next one follows
 */
export function startLoop(
  run: () => Promise<unknown>,
  interval: number | (() => number),
  onError: (error: Error, isFirst: boolean) => void,
): Loop {
  let isStopped = false;
  let isAwake = false;
  let isFailing = false;
  let endWait = () => {};
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function repeat(): Promise<void> {
    for (;;) {
      if (!isAwake) await wait(typeof interval === 'number' ? interval : interval());
      if (isStopped) return;
      isAwake = false;
      try {
        await run();
        isFailing = false;
      } catch (error) {
        onError(error as Error, !isFailing);
        isFailing = true;
      }
    }
  }

  const repeating = repeat();
  const wake = () => {
    isAwake = true;
    endWait();
  };
  return {
    wake,
    stop() {
      isStopped = true;
      wake();
      return repeating;
    },
  };
}
