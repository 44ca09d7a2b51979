import { connect, type Socket } from 'node:net';
import { createToken } from '../../src/access/tokens.js';
import { type TestGateway, testTime } from '../support/gateway.js';

/** In bytes. */
export const KiB = 1024;
/** In bytes. */
export const MiB = 1024 * KiB;

/** A connection on which a request is sent piece by piece, with everything that came back. */
export interface Sending {
  readonly socket: Socket;
  readonly text: () => string;
  /** Settles when the gateway has closed it. */
  readonly closed: Promise<unknown>;
}

/** Sends the head of a request; with an undefined length, the body is chunked. */
export function begin(
  { url }: TestGateway,
  { token, line = 'POST /graphql', length, more = '' }: HeadOptions,
): Sending {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  socket.write(
    `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${framing}\r\n${more}\r\n`,
  );
  return { socket, text: () => text, closed: new Promise((resolve) => socket.once('close', resolve)) };
}

export interface HeadOptions {
  readonly token: string;
  readonly line?: string;
  readonly length?: number;
  readonly more?: string;
}

/** Creates tokens of users who may read. */
export const tokensOf = ({ database, organizationId, userId }: TestGateway, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const about = { organizationId, userId, name: 'reads', role: 'VIEWER' as const, expiresAt: null };
      return (await createToken(database, about, testTime)).token;
    }),
  );

/** Returns a query of a number of bytes. */
export function queryOf(bytes: number): string {
  const [before, after] = ['{"query":"{me{name}}","extensions":{"x":"', '"}}'];
  return before + 'x'.repeat(bytes - before.length - after.length) + after;
}
