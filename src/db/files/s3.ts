import { webcrypto } from 'node:crypto';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { type CheckStep, checkStore, type FileStore, missingObject, storeUnavailable } from './store.js';

/** A signed request to a store. */
interface StoreRequest {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer> | undefined;
  /** The most bytes of an answer; a longer one is an error. */
  readonly most: number;
}

/** Answer of a store. */
interface StoreAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** Time limits of requests to a store, in milliseconds. */
export interface StoreTimeouts {
  /** Limit for a silence of the connection. */
  readonly silence: number;
  /** Limit for a whole request with its repetition. */
  readonly whole: number;
}

const defaultStoreTimeouts: StoreTimeouts = { silence: 5_000, whole: 15_000 };

/** Milliseconds before a request is repeated. */
const pause = 100;

/** Connections stay open for the next request. */
const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

async function readBody(response: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > most) throw new Error('The answer of the store is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}

function sendOnce(request: StoreRequest, silence: number, signal: AbortSignal): Promise<StoreAnswer> {
  const { method, url, headers, body, most } = request;
  const protocol = url.protocol === 'http:' ? 'http:' : 'https:';
  const { request: start } = protocol === 'http:' ? http : https;
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal, agent: agents[protocol], timeout: silence };
    const sent = start(url, options, (response) => {
      readBody(response, most).then(
        (read) => resolve({ status: response.statusCode ?? 0, body: read }),
        (error) => {
          sent.destroy();
          reject(error);
        },
      );
    });
    sent.on('timeout', () =>
      sent.destroy(Object.assign(new Error('The store does not answer.'), { code: 'ETIMEDOUT' })),
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Statuses of a store that has a fault or is busy. */
const isFault = ({ status }: StoreAnswer) => status >= 500 || status === 429;

/**
 * Sends a request to a store, and repeats it once after a fault. All requests to stores can be repeated.
 * @throws {Error} if there is no answer in time, or one that is too long
 */
async function sendToStore(request: StoreRequest, { silence, whole }: StoreTimeouts): Promise<StoreAnswer> {
  const signal = AbortSignal.timeout(whole);
  try {
    const answer = await sendOnce(request, silence, signal);
    if (!isFault(answer)) return answer;
  } catch (error) {
    // A connection that was kept open may have been closed at this moment.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
  }
  await sleep(pause, undefined, { signal });
  return sendOnce(request, silence, signal);
}

/** A bucket of an S3-compatible service. */
export interface S3Bucket {
  readonly bucket: string;
  /** Beginning of all keys; empty, or with a slash at its end. */
  readonly prefix: string;
  /** Origin of the service. */
  readonly endpoint: string;
  readonly region: string;
}

/** A bucket, and the key pair for it. */
export interface S3Address extends S3Bucket {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The most bytes of an answer without an object. */
const maxTold = 64 * 1024;

/** Error of an S3 service. It names the service's code, such as `AccessDenied`. */
class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code: string;

  constructor({ status, body }: StoreAnswer) {
    const code = /<Code>(\w{1,64})<\/Code>/.exec(body.toString('latin1'))?.[1] ?? `HTTP ${status}`;
    super(`The store of files has answered ${code}.`);
    this.code = code;
  }
}

/** Codes of a key pair that the service does not accept. */
const wrongKeys = ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'AuthorizationHeaderMalformed'];

const rights: Readonly<Record<CheckStep, string>> = {
  write: 's3:PutObject',
  read: 's3:GetObject',
  remove: 's3:DeleteObject',
};

function explain({ bucket, prefix, endpoint, region }: S3Bucket, cause: unknown, step: CheckStep): string {
  const { code, message } = cause as Error & { code?: string };
  const place = `The bucket ${bucket} of FILES`;
  if (code === 'NoSuchBucket') return `${place} does not exist at ${endpoint}: create it, or correct FILES.`;
  if (wrongKeys.includes(code ?? '')) {
    return `${endpoint} does not accept the requests (${code}): correct FILES_ACCESS_KEY_ID, FILES_SECRET_ACCESS_KEY or the region ${region} of FILES.`;
  }
  if (code === 'PermanentRedirect' || code === 'HTTP 301') {
    return `${place} is not in the region ${region}: correct \`region\` in FILES.`;
  }
  if (cause instanceof S3Error && (code === 'AccessDenied' || code === 'HTTP 403')) {
    return `${place} does not allow this key to ${step} objects (${code}): grant it ${rights[step]} on ${bucket}/${prefix}*.`;
  }
  return `${place} cannot be used at ${endpoint} (${code ?? message}): make sure that the service runs and that this machine can reach it.`;
}

/** Creates the store that keeps files in a bucket of an S3-compatible service. */
export function createS3Store(address: S3Address, timeouts: StoreTimeouts = defaultStoreTimeouts): FileStore {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = address;

  async function send(
    method: StoreRequest['method'],
    key: string,
    { body, headers = {}, most = maxTold }: Partial<Pick<StoreRequest, 'body' | 'headers' | 'most'>>,
  ): Promise<StoreAnswer> {
    // The service compares the digest with what it receives. It is computed beside the event loop.
    const digest = await webcrypto.subtle.digest('SHA-256', body ?? new Uint8Array());
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}/${bucket}/${prefix}${key}`,
      headers: { ...headers, 'x-amz-content-sha256': Buffer.from(digest).toString('hex') },
      ...{ accessKeyId, secretAccessKey, region, service: 's3' },
    });
    const { url, headers: signed } = await signer.sign();
    const length = body && { 'content-length': String(body.length) };
    const request = { method, url, headers: { ...Object.fromEntries(signed), ...length }, body, most };
    return sendToStore(request, timeouts).catch((error) => {
      throw storeUnavailable(error);
    });
  }

  const refused = (answer: StoreAnswer) => storeUnavailable(new S3Error(answer));
  const store: FileStore = {
    kind: 'S3',
    address: `s3://${bucket}/${prefix}`,
    async write(key, body) {
      const answer = await send('PUT', key, { body });
      if (answer.status !== 200) throw refused(answer);
    },
    async read(key, first, length) {
      const range = `bytes=${first}-${first + length - 1}`;
      const most = Math.max(length, maxTold);
      const answer = await send('GET', key, { headers: { range }, most });
      // Some services send an object that is shorter than its range as a whole.
      const isWhole = answer.status === 200 && first === 0 && answer.body.length <= length;
      if (answer.status === 206 || isWhole) return answer.body;
      // The range begins behind the end, so the object is shorter than it was.
      if (answer.status === 416) return Buffer.alloc(0);
      if (answer.status === 404 && new S3Error(answer).code !== 'NoSuchBucket') {
        throw missingObject(store, key);
      }
      if (answer.status === 200)
        throw storeUnavailable(new Error('The store of files does not support ranges.'));
      throw refused(answer);
    },
    async remove(key) {
      const answer = await send('DELETE', key, {});
      // AWS answers 204 if there is no such object, others 404.
      const isGone = answer.status === 404 && new S3Error(answer).code !== 'NoSuchBucket';
      if (answer.status !== 204 && answer.status !== 200 && !isGone) throw refused(answer);
    },
    check: () => checkStore(store, (cause, step) => explain(address, cause, step)),
  };
  return store;
}
