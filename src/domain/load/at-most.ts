/** Work that waits for a place. */
interface Waiting {
  /** The most pieces of work that wait. */
  readonly most: number;
  /** Creates the error of work that would be one too many. */
  readonly refuse: () => Error;
}

/**
 * Returns a function that limits how many pieces of work run at once. Others wait in their order.
 * @param places how many run at once
 * @param waiting how many may wait; any number if left out
 */
export function atMost(places: number, waiting?: Waiting): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else {
      if (waiting && line.length >= waiting.most) throw waiting.refuse();
      await new Promise<void>((resolve) => line.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The next one takes over the place.
      const next = line.shift();
      if (next) next();
      else free += 1;
    }
  };
}
