import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { onHangUp } from '../connections/connections.js';
import { noteError, type RequestContext } from '../routing/endpoint.js';

/** The media type of server-sent events (HTML, section 9.2). */
export const eventStream = 'text/event-stream';

/**
 * A keep-alive comment. Browsers open a stream only after its first bytes, and proxies close silent streams.
 */
const ping = ':\n\n';

/** Formats a GraphQL result as a server-sent event (distinct connections mode). */
export const formatEvent = (text: string) => `event: next\ndata: ${text}\n\n`;

export const lastEvent = 'event: complete\ndata:\n\n';

interface EventStreamOptions {
  readonly response: ServerResponse;
  readonly exchange: RequestContext;
  /** Milliseconds between pings. */
  readonly heartbeat: number;
  readonly write: (result: ExecutionResult) => string;
}

/**
 * Sends results as server-sent events, each after the client has taken the one before (backpressure). The
 * unsent event counts in the memory budget; if there is no room for it, the stream is cut.
 */
export async function sendEvents(
  results: AsyncIterable<ExecutionResult>,
  { response, exchange, heartbeat, write }: EventStreamOptions,
): Promise<void> {
  const iterator = results[Symbol.asyncIterator]();
  // A stream must not hold a slot of admission control: it lasts as long as its caller wants.
  exchange.visit.end();
  response.writeHead(200, {
    'Content-Type': eventStream,
    'Cache-Control': 'no-store',
    // Proxies must not buffer events (nginx reads this header).
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
 * Waits for a value, or resolves to undefined when the response is closed. `Promise.race` with a promise that
 * lasts as long as the stream would keep every value in memory until the stream's end.
 */
function unlessClosed<T>(response: ServerResponse, value: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const close = () => resolve(undefined);
    const leave = () => response.off('close', close);
    response.once('close', close);
    value.finally(leave).then(resolve, reject);
  });
}

/** Sends an event and waits for the client to take it. Returns false if the stream has ended. */
async function sendEvent(text: string, response: ServerResponse, exchange: RequestContext): Promise<boolean> {
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
