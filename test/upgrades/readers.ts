import { type Place, type Results, transports } from '../live/support.js';

/** How streams of live events went. */
export interface Readers {
  /** The reasons for which streams ended, in the gateway's words. */
  readonly ends: readonly string[];
  /** Milliseconds from the end of a stream to the first event of the next one. */
  readonly gaps: readonly number[];
  /** Events so far. */
  events(): number;
  stop(): Promise<void>;
}

const query = 'subscription { eventLogged { type } }';

/** Reads a stream to its end, and returns the reason. */
async function readToEnd(results: Results, onEvent: () => void): Promise<string> {
  try {
    for (;;) {
      const { done, value } = await results.next();
      if (done) return 'no reason';
      if (value.errors) return value.errors.map(({ message }) => message).join(' ');
      onEvent();
    }
  } catch (error) {
    const [first] = Array.isArray(error) ? error : [error];
    return (first as Error).message;
  }
}

/** Keeps streams open over both transports. Whoever is told that a stream has ended subscribes again. */
export function startReaders(place: Place, count: number): Readers {
  const ends: string[] = [];
  const gaps: number[] = [];
  const open = new Set<Results>();
  let events = 0;
  let stopping = false;
  async function read(over: (typeof transports)[keyof typeof transports]): Promise<void> {
    let since: number | undefined;
    while (!stopping) {
      const results = over(place, { query });
      open.add(results);
      const reason = await readToEnd(results, () => {
        events += 1;
        if (since !== undefined) gaps.push(Math.round(performance.now() - since));
        since = undefined;
      });
      open.delete(results);
      if (stopping) return;
      ends.push(reason);
      since = performance.now();
    }
  }
  const ways = [transports['plain server-sent events'], transports['graphql-ws']];
  const all = Promise.all(ways.flatMap((over) => Array.from({ length: count }, () => read(over))));
  return {
    ends,
    gaps,
    events: () => events,
    stop: async () => {
      stopping = true;
      for (const results of open) await results.return?.();
      await all;
    },
  };
}
