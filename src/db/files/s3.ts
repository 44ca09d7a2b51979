import { webcrypto } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { type CheckStep, checkStore } from './check.js';
import { missingObject, storeUnavailable } from './failures.js';
import {
  defaultStoreTimeouts,
  type StoreAnswer,
  type StoreRequest,
  type StoreTimeouts,
  sendToStore,
} from './request.js';
import type { FileStore } from './store.js';

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
const mostTold = 64 * 1024;

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
    { body, headers = {}, most = mostTold }: Partial<Pick<StoreRequest, 'body' | 'headers' | 'most'>>,
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
      const most = Math.max(length, mostTold);
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
