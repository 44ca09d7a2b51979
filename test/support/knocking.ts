import { connect } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

/** How many connections came to what: a status of their answer, `refused`, `ended` without an answer, or an error. */
export type Outcomes = Record<string, number>;

/** Opens connections one after the other, each for one request. */
export interface Knocking {
  /** Connections so far that have come to an end. */
  readonly outcomes: Outcomes;
  /** Milliseconds until the end of the connection that took longest. */
  longest(): number;
  /** Opens no more, and waits until each has come to an end. It never returns if one is left waiting. */
  stop(): Promise<Outcomes>;
}

/** The most connections of one caller that are open at once. More would only show how busy the machine is. */
const most = 40;

/** Opens a connection for one request; returns what it came to. */
export function knock(url: string): Promise<string> {
  const { port, hostname } = new URL(url);
  return new Promise((resolve) => {
    let [status, problem] = ['', ''];
    const socket = connect(Number(port), hostname, () =>
      socket.write('GET /health/live HTTP/1.1\r\nHost: gateway\r\nConnection: close\r\n\r\n'),
    );
    socket.on('data', (bytes) => {
      status ||= bytes.toString('latin1').slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      problem = code === 'ECONNREFUSED' ? 'refused' : String(code);
    });
    socket.on('close', () => resolve(status || problem || 'ended'));
  });
}

/** Opens a connection each millisecond until it is stopped. */
export function startKnocking(url: string): Knocking {
  const outcomes: Outcomes = {};
  const open = new Set<Promise<void>>();
  let isStopped = false;
  let longest = 0;
  function begin(): void {
    const started = performance.now();
    const one = knock(url).then((outcome) => {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      longest = Math.max(longest, performance.now() - started);
      open.delete(one);
    });
    open.add(one);
  }
  const running = (async () => {
    while (!isStopped) {
      if (open.size < most) begin();
      await sleep(1);
    }
  })();
  return {
    outcomes,
    longest: () => Math.round(longest),
    async stop() {
      isStopped = true;
      await running;
      await Promise.all(open);
      return outcomes;
    },
  };
}

/** Opens connections one right after the other, until one is refused; returns what they came to. */
export async function knockUntilRefused(url: string): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  while (!outcomes.refused) {
    const outcome = await knock(url);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    await setImmediate();
  }
  return outcomes;
}

/** Adds counts up. */
export function total(all: readonly Outcomes[]): Outcomes {
  const sum: Outcomes = {};
  for (const one of all) {
    for (const [outcome, count] of Object.entries(one)) sum[outcome] = (sum[outcome] ?? 0) + count;
  }
  return sum;
}
