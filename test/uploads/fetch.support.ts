import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createFileFetcher, FetchFailure, type FetchOptions } from '../../src/uploads/worker/fetch.js';

/** A key and its certificate, for files.example.com and *.bucket.example.com. */
export const pem = readFileSync(new URL('../fixtures/tls.pem', import.meta.url), 'utf8');

/** A file host with TLS on the loopback interface. */
export interface FileHost {
  readonly port: number;
  /** Open TCP connections, by the client's port. */
  readonly connections: ReadonlyMap<number | undefined, Socket>;
  /**
   * `createFileFetcher` with all hosts resolved to this one and its certificate trusted, unless told
   * otherwise.
   */
  fetcher(options?: Partial<FetchOptions>): ReturnType<typeof createFileFetcher>;
  /** Returns a URL of this host. */
  url(path: string, name?: string): string;
  close(): Promise<void>;
}

/** Starts a host with an answer for each path. */
export async function startFileHost(answers: Record<string, RequestListener>): Promise<FileHost> {
  const server = https.createServer({ key: pem, cert: pem }, (request, response) => {
    const answer = answers[request.url ?? ''];
    if (!answer) throw new Error(`Nothing is there to answer ${request.url} with.`);
    answer(request, response);
  });
  const connections = new Map<number | undefined, Socket>();
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    connections.set(remotePort, socket);
    socket.on('close', () => connections.delete(remotePort));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const names = ['files.example.com', '*.bucket.example.com', 'other.example.com'];
  return {
    port,
    connections,
    fetcher: (options) =>
      createFileFetcher({
        hosts: names.map((name) => `${name}:${port}`),
        lookup: async () => [{ address: '127.0.0.1', family: 4 }],
        isAllowedAddress: (address) => address === '127.0.0.1',
        ca: pem,
        ...options,
      }),
    url: (path, name = 'files.example.com') => `https://${name}:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the reason, the message and the finality of a failing fetch. */
export async function failureOf(
  fetch: Promise<unknown>,
): Promise<Pick<FetchFailure, 'reason' | 'message' | 'final'>> {
  const error = await fetch.then(
    () => new Error('The file was fetched.'),
    (error: unknown) => error,
  );
  if (!(error instanceof FetchFailure)) throw error;
  const { reason, message, final } = error;
  return { reason, message, final };
}
