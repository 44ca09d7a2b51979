import { connect, type Socket } from 'node:net';
import { createToken } from '../../src/access/tokens.js';
import { type TestGateway, testTime } from '../support/gateway.js';

/** Bytes. */
export const KiB = 1024;
/** Bytes. */
export const MiB = 1024 * KiB;

/** A connection on which a request is sent part by part, and all that came back. */
export interface Sending {
  readonly socket: Socket;
  readonly text: () => string;
  /** Settled when the gateway has closed it. */
  readonly closed: Promise<unknown>;
}

/** Sends the head of a request; a length of undefined is one in chunks. */
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

/** Makes tokens of users who may read. */
export const tokensOf = ({ database, organizationId, userId }: TestGateway, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const about = { organizationId, userId, name: 'reads', role: 'VIEWER' as const, expiresAt: null };
      return (await createToken(database, about, testTime)).token;
    }),
  );

/** A query of so many bytes. */
export function queryOf(bytes: number): string {
  const [before, after] = ['{"query":"{me{name}}","extensions":{"x":"', '"}}'];
  return before + 'x'.repeat(bytes - before.length - after.length) + after;
}
