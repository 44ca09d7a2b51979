import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { matchesNone } from '../../web/etag.js';
import type { Coding, HttpResponse } from '../../web/response.js';

/** A file that is served unchanged. */
export interface Asset {
  /** The media type. */
  readonly type: string;
  readonly read: () => Promise<string | Uint8Array>;
  /** Reads the file that the build has compressed, if there is one. */
  readonly readCompressed?: (coding: Coding) => Promise<Uint8Array> | undefined;
}

/** A loaded file with its derived values, each of which is computed once. */
interface Loaded {
  readonly body: Buffer;
  /** A part of the hash of its bytes. Names with it can be cached for good. */
  readonly hash: string;
  readonly compressed: (coding: Coding) => Promise<Uint8Array>;
}

/**
 * Headers of every page and its files. Pages load and run only what this server sends, and cannot be framed
 * by another site. Inline styles are allowed, because the GraphQL editor and the REST reference use them;
 * inline scripts are not.
 */
export const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  // For browsers that do not support frame-ancestors.
  'X-Frame-Options': 'DENY',
} as const;

/** Headers of a page whose address is a secret. It must not be stored. */
export const secretPageHeaders = {
  ...pageHeaders,
  // The form may be submitted only to this page.
  'Content-Security-Policy': pageHeaders['Content-Security-Policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
} as const;

/** Headers of a page at a secret address that only shows something. It loads styles, and runs no scripts. */
export const quietPageHeaders = {
  ...secretPageHeaders,
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
} as const;

/** Headers of a page that submits a form to itself. It loads styles, and runs no scripts. */
export const formPageHeaders = {
  ...quietPageHeaders,
  'Content-Security-Policy': quietPageHeaders['Content-Security-Policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
} as const;

/** Headers of a page with a form whose script shows and sends pictures. It is whole without the script. */
export const tellingPageHeaders = {
  ...formPageHeaders,
  'Content-Security-Policy': `${formPageHeaders['Content-Security-Policy']}; script-src 'self'; connect-src 'self'; img-src blob:`,
} as const;

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  yaml: 'application/yaml; charset=utf-8',
};

/**
 * Creates an asset from a function that reads it.
 * @param extension determines the media type
 */
export function asset(extension: string, read: Asset['read']): Asset {
  const type = types[extension];
  if (type === undefined) throw new Error(`Files *.${extension} have no media type.`);
  return { type, read };
}

/** Creates an asset from a file on disk. */
export function fileAsset(file: string | URL): Asset {
  return asset(String(file).replace(/^.*\./, ''), () => readFile(file));
}

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
};

/** Memoizes an asynchronous function by its argument. */
function once<Argument, Result>(make: (argument: Argument) => Promise<Result>) {
  const made = new Map<Argument, Promise<Result>>();
  return (argument: Argument): Promise<Result> => {
    const known = made.get(argument) ?? make(argument);
    made.set(argument, known);
    known.catch(() => made.delete(argument));
    return known;
  };
}

const load = once(async ({ read, readCompressed }: Asset): Promise<Loaded> => {
  const content = await read();
  const body =
    typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  const compress = (coding: Coding) => readCompressed?.(coding) ?? compressors[coding](body);
  return { body, hash, compressed: once(compress) };
});

/** Cached for good: other contents get another name. */
export const immutableCaching = 'public, max-age=31536000, immutable';

/**
 * Answers with an asset, or 304 if the caller has it (RFC 9110 section 13.1.2).
 * @param own headers of its page
 */
export async function sendAsset(
  asset: Asset,
  ifNoneMatch: string | null,
  cacheControl = 'no-cache',
  own: Readonly<Record<string, string>> = pageHeaders,
): Promise<HttpResponse> {
  const { body, hash, compressed } = await load(asset);
  const caching = { 'Cache-Control': cacheControl, ETag: `"${hash}"`, Vary: 'Accept-Encoding' };
  const headers = { ...own, ...caching };
  if (matchesNone(ifNoneMatch, headers.ETag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, 'Content-Type': asset.type }, body, compressed };
}

/** A folder of assets, each also served under a name with its hash. */
interface AssetFolder {
  /**
   * Returns an asset's address that may be cached for good. It has the hash of its bytes before the
   * extension.
   * @throws Error for an unknown name
   */
  address(name: string): Promise<string>;
  /** Answers with the asset of a plain or hashed name; undefined if there is none. */
  answer(name: string, ifNoneMatch: string | null): Promise<HttpResponse | undefined>;
}

/** Creates a folder of assets below a path that ends in a slash. */
export function assetFolder(path: string, assets: Readonly<Record<string, Asset>>): AssetFolder {
  const find = (name: string) => (Object.hasOwn(assets, name) ? assets[name] : undefined);
  const hashedName = async (name: string, asset: Asset) =>
    name.replace(/(\.\w+)$/, `.${(await load(asset)).hash}$1`);
  return {
    async address(name) {
      const asset = find(name);
      if (!asset) throw new Error(`There is no asset ${name}.`);
      return path + (await hashedName(name, asset));
    },
    async answer(name, ifNoneMatch) {
      const plain = name.replace(/\.[0-9a-f]{16}(?=\.\w+$)/, '');
      const asset = find(plain);
      if (!asset) return undefined;
      if (name === plain) return sendAsset(asset, ifNoneMatch);
      return name === (await hashedName(plain, asset))
        ? sendAsset(asset, ifNoneMatch, immutableCaching)
        : undefined;
    },
  };
}
