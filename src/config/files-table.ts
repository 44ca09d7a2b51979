import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import type { S3Bucket } from '../db/files/s3.js';
import { isOrigin } from '../domain/text/formats.js';

/** A folder, or a bucket without the key pair for it. */
export type StorePlace =
  | { readonly kind: 'FOLDER'; readonly folder: string }
  | ({ readonly kind: 'S3' } & S3Bucket);

const expected =
  'database, a folder such as /srv/files, or s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1';

/** Parses the address of a bucket. What a request or a key could be confused with is refused. */
function parseBucket(text: string): StorePlace | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname: bucket, username, port, hash, pathname, searchParams } = new URL(text);
  const parts = pathname.split('/').filter(Boolean);
  const region = searchParams.get('region') ?? 'us-east-1';
  const endpoint = searchParams.get('endpoint')?.replace(/\/$/, '') ?? `https://s3.${region}.amazonaws.com`;
  const isValid =
    [bucket, region, ...parts].every((part) => /^\w[\w.-]{0,99}$/.test(part)) &&
    [...searchParams.keys()].every((name) => name === 'endpoint' || name === 'region') &&
    [username, port, hash].every((part) => part === '') &&
    isOrigin(endpoint);
  if (!isValid) return undefined;
  return { kind: 'S3', bucket, prefix: parts.map((part) => `${part}/`).join(''), endpoint, region };
}

/** Parses the place of files; null is the database, undefined is none. */
function parsePlace(text: string): StorePlace | null | undefined {
  if (/^database$/i.test(text)) return null;
  if (/^s3:/i.test(text)) return parseBucket(text);
  if (/^file:\/\/\//i.test(text) && URL.canParse(text))
    return { kind: 'FOLDER', folder: fileURLToPath(text) };
  if (isAbsolute(text) || /^\.{1,2}[/\\]/.test(text)) return { kind: 'FOLDER', folder: resolve(text) };
  return undefined;
}

const place = z.string().transform((text, context) => {
  const parsed = parsePlace(text);
  if (parsed !== undefined) return parsed;
  context.addIssue(expected);
  return z.NEVER;
});

/** Settings of where files are kept, a part of the table of settings. */
export const filesTable = {
  FILES: {
    default: 'database',
    description:
      'Where new files are kept: database, a folder, or a bucket as s3://bucket/prefix?endpoint=https://host&region=name.',
    schema: place,
  },
  FILES_FROM: {
    otherwise: 'none',
    description: 'Folder or bucket that still has files until `files move` has moved them to FILES.',
    schema: place.optional(),
  },
  FILES_ACCESS_KEY_ID: {
    otherwise: 'none; required for a bucket',
    description: 'Id of the access key for the bucket of FILES or FILES_FROM.',
    schema: z
      .string()
      .regex(/^[\w.-]{1,128}$/, 'the id of an access key')
      .optional(),
  },
  FILES_SECRET_ACCESS_KEY: {
    otherwise: 'none; required for a bucket',
    description: 'Secret of the access key for the bucket of FILES or FILES_FROM.',
    secret: true,
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,256}$/, 'the secret of an access key')
      .optional(),
  },
};
