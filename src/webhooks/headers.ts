import * as z from 'zod';
import type { Secrets } from '../db/secrets/secrets.js';

/** A header that an administrator adds to the messages of an endpoint. */
export interface OwnHeader {
  readonly name: string;
  readonly value: string;
}

/** The most headers of an endpoint. */
const mostHeaders = 5;

/** Headers that the gateway sets itself, or that would change how a request is sent. */
const reserved =
  /^(webhook-.*|content-.*|host|connection|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|user-agent|accept-encoding|cookie)$/i;

/** Rule of the headers of an endpoint. */
export const headerRules = z
  .array(
    z.object({
      name: z
        .string()
        .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'must be the name of an HTTP header')
        .refine((name) => !reserved.test(name), 'is set by the gateway'),
      value: z.string().regex(/^[\x20-\x7e]{0,1000}$/, 'must have at most 1000 printable ASCII characters'),
    }),
  )
  .max(mostHeaders, `must have at most ${mostHeaders} entries`)
  .refine(
    (headers) => new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length,
    'must name each header once',
  );

/** Returns what the further headers of an endpoint are encrypted for. */
export const webhookHeadersOwner = (endpointId: string) => `webhook headers ${endpointId}`;

/** Encrypts the headers of an endpoint. Without any, there is nothing to store. */
export const sealHeaders = async (
  secrets: Pick<Secrets, 'seal'> | undefined,
  endpointId: string,
  headers: readonly OwnHeader[],
): Promise<Uint8Array<ArrayBuffer> | null> => {
  if (headers.length === 0) return null;
  if (!secrets) throw new Error('This session cannot keep secrets.');
  return secrets.seal(JSON.stringify(headers), webhookHeadersOwner(endpointId));
};

/** Decrypts the headers of an endpoint, as an object. */
export async function openHeaders(
  secrets: Pick<Secrets, 'open'>,
  { id, sealedHeaders }: { readonly id: string; readonly sealedHeaders: Uint8Array | null },
): Promise<Record<string, string>> {
  if (!sealedHeaders) return {};
  const headers: OwnHeader[] = JSON.parse(await secrets.open(sealedHeaders, webhookHeadersOwner(id)));
  return Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}
