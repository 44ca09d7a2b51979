import { Upload, type UploadOptions } from 'tus-js-client';
import type { TestGateway } from '../support/gateway.js';

/** What a client of tus sends to, and as whom. */
export type Receiver = Pick<TestGateway, 'url'> & { readonly token: string };

export const endpointOf = ({ url }: Pick<Receiver, 'url'>) => `${url}/v1/resumable-uploads`;

/** Sends bytes with the usual client of tus; resolves with the upload's address. */
export function sendByTus(
  receiver: Receiver,
  bytes: Buffer,
  options: UploadOptions & { readonly cutAt?: number } = {},
): Promise<string> {
  const { cutAt = Number.POSITIVE_INFINITY, ...others } = options;
  return new Promise((resolve, reject) => {
    const upload = new Upload(bytes, {
      endpoint: endpointOf(receiver),
      headers: { Authorization: `Bearer ${receiver.token}` },
      chunkSize: 1024 * 1024,
      retryDelays: [],
      ...others,
      onChunkComplete: (_size, accepted) => {
        if (accepted < cutAt) return;
        void upload.abort();
        resolve(upload.url ?? '');
      },
      onSuccess: () => resolve(upload.url ?? ''),
      onError: reject,
    });
    upload.start();
  });
}

/** Returns the id in the address of an upload. */
export const idOf = (address: string): string => address.split('/').at(-1) ?? '';
