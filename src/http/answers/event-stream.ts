import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { onHangUp } from '../connections/hang-up.js';
import { type Exchange, noteError } from '../routing/exchange.js';

/** The media type of server-sent events (HTML, section 9.2). */
export const eventStream = 'text/event-stream';

/** A keep-alive comment. Browsers show a stream only when something came, and proxies end a silent one. */
const ping = ':\n\n';

/** Writes a GraphQL result as a server-sent event (distinct connections mode). */
export const formatEvent = (text: string) => `event: next\ndata: ${text}\n\n`;

export const lastEvent = 'event: complete\ndata:\n\n';

export interface EventStreamOptions {
  readonly response: ServerResponse;
  readonly exchange: Exchange;
  /** Milliseconds between pings. */
  readonly heartbeat: number;
  readonly write: (result: ExecutionResult) => string;
}

/**
 * Sends results as server-sent events, each when the one before it has been taken. The unsent one counts among the
 * memory that requests hold; where there is no room for it, the stream is cut.
 */
export async function sendEvents(
  results: AsyncIterable<ExecutionResult>,
  { response, exchange, heartbeat, write }: EventStreamOptions,
): Promise<void> {
  const iterator = results[Symbol.asyncIterator]();
  // A stream is no work that others wait for: it ends when its caller wants it to.
  exchange.visit.end();
  response.writeHead(200, {
    'Content-Type': eventStream,
    'Cache-Control': 'no-store',
    // No proxy is to keep events back until there are more of them (nginx reads this).
    'X-Accel-Buffering': 'no',
  });
  response.write(ping);
  const timer = setInterval(() => {
    if (response.writableLength === 0) response.write(ping);
  }, heartbeat);
  onHangUp(response, () => response.destroy());
  try {
    while (!response.destroyed) {
      const next = await unlessClosed(response, iterator.next());
      if (!next || response.destroyed) return;
      if (next.done) response.end(lastEvent);
      if (next.done || !(await sendEvent(formatEvent(write(next.value)), response, exchange))) return;
    }
  } finally {
    clearInterval(timer);
    void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/**
 * Waits for a value, or for a response to be closed, which is undefined. A race with a promise that lasts as long as the
 * stream would hold every value until the end.
 */
function unlessClosed<T>(response: ServerResponse, value: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const close = () => resolve(undefined);
    const leave = () => response.off('close', close);
    response.once('close', close);
    value.finally(leave).then(resolve, reject);
  });
}

/** Sends an event and waits for the client to take it. Returns false when the stream has ended. */
async function sendEvent(text: string, response: ServerResponse, exchange: Exchange): Promise<boolean> {
  if (response.write(text)) return true;
  const { memory } = exchange;
  const unsent = response.writableLength;
  if (!memory.tryGrow(unsent, 'stream')) {
    noteError(exchange, memory.refusal().code);
    response.destroy();
    return false;
  }
  await unlessClosed(response, new Promise((resolve) => response.once('drain', resolve)));
  memory.shrink(unsent, 'stream');
  return !response.destroyed;
}
