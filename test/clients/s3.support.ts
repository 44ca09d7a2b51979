import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sign } from 'aws4';
import S3rver from 's3rver';
import { createS3Store, type S3Address, type StoreTimeouts } from '../../src/db/files/s3.js';
import type { FileStore } from '../../src/db/files/store.js';
import { filesBelow } from '../support/files-below.js';

/** How requests to a service are answered: by the service, or in another way. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => void;

/** An S3-compatible service with the bucket `files`, which checks signatures. */
export interface S3Service {
  readonly address: S3Address;
  readonly store: FileStore;
  /** Lists the keys of all objects. */
  keys(): Promise<string[]>;
  /** Answers the next requests, or those of one method, in another way; undefined ends that. */
  fail(fault: Fault | undefined, method?: string): void;
  close(): Promise<void>;
}

const listen = (server: Server) =>
  new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

/** Returns whether a request is signed as AWS's documents say (Signature Version 4), by a second implementation. */
function isSigned({ method, url, headers }: IncomingMessage, body: Buffer): boolean {
  const given = headers.authorization ?? '';
  const names = /SignedHeaders=([^,]*)/.exec(given)?.[1]?.split(';') ?? [];
  const signed = Object.fromEntries(names.map((name) => [name, headers[name] as string]));
  const again = sign(
    {
      ...{ method, path: url, body, service: 's3', region: 'us-east-1' },
      headers: signed,
      extraHeadersToIgnore: { 'content-length': true, 'content-type': true },
    } as Parameters<typeof sign>[0],
    key,
  );
  const hash = createHash('sha256').update(body).digest('hex');
  return again.headers?.Authorization === given && headers['x-amz-content-sha256'] === hash;
}

const key = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** Answers like S3 with an error. */
export const answerCode =
  (status: number, code: string): Fault =>
  (_request, response) =>
    void response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);

/**
 * Starts an S3-compatible service. The service itself accepts any signature, so what stands in front of it
 * checks them; it can also fail.
 */
export async function startS3(timeouts?: StoreTimeouts): Promise<S3Service> {
  const folder = await mkdtemp(join(tmpdir(), 'egw-s3-'));
  const service = new S3rver({
    directory: folder,
    silent: true,
    configureBuckets: [{ name: 'files', configs: [] }],
  });
  await service.configureBuckets();
  const inner = createServer(service.callback());
  const innerUrl = new URL(await listen(inner));
  let fault: Fault | undefined;
  let method: string | undefined;
  const outer = createServer(async (incoming, answer) => {
    if (fault && (method === undefined || incoming.method === method)) return fault(incoming, answer);
    const body = Buffer.concat(await incoming.toArray());
    if (!isSigned(incoming, body)) return answerCode(403, 'SignatureDoesNotMatch')(incoming, answer);
    const { url, headers } = incoming;
    const passed = request(
      new URL(url ?? '/', innerUrl),
      { method: incoming.method, headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 500, response.headers);
        response.pipe(answer);
      },
    );
    passed.on('error', () => answer.destroy());
    passed.end(body);
  });
  const endpoint = await listen(outer);
  const address = { bucket: 'files', prefix: 'gateway/', endpoint, region: 'us-east-1', ...key };
  return {
    address,
    store: createS3Store(address, timeouts),
    keys: async () => (await filesBelow(folder)).filter((path) => path.endsWith('_object')),
    fail: (next, only) => {
      fault = next;
      method = only;
    },
    close: async () => {
      for (const server of [outer, inner]) {
        server.closeAllConnections();
        server.close();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
