import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { notFound } from '../domain/errors.js';
import { matchesNone } from '../rest/etag.js';
import type { Answer, Coding } from './answer.js';
import type { Endpoint, Handle, Operation } from './router.js';

/** A file that is served as it is. */
interface Asset {
  readonly type: string;
  readonly read: () => Promise<string>;
  /** Whether scripts stand in it, and not in files of their own. */
  readonly inline?: true;
}

/** A file that was read: what is sent of it, each made once. */
interface Loaded {
  readonly body: Buffer;
  /** A part of the hash of its bytes, which names it for good. */
  readonly hash: string;
  readonly policy: string;
  readonly compressed: (coding: Coding) => Promise<Uint8Array>;
}

/**
 * What a page may load and run: what this server sends, and none of it inside another site's frame. Styles may stand
 * in a page, as those of both editors do; scripts may not, but for the ones that are named by their hashes.
 */
function policyFor(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => ` 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self'${hashes.join('')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Said of every page, whatever it is. */
const pageHeaders = {
  'Referrer-Policy': 'no-referrer',
  // For browsers that know no frame-ancestors.
  'X-Frame-Options': 'DENY',
} as const;

/** The policy of a page: of one with scripts in it, it names them by their hashes. */
function policyOf({ inline }: Asset, body: string): string {
  const scripts = inline ? [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)] : [];
  return policyFor(scripts.map(([, script = '']) => script));
}

const compressors = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
};

/** Gives what a function makes of an argument, which it is asked for once. */
function once<Argument, Result>(make: (argument: Argument) => Promise<Result>) {
  const made = new Map<Argument, Promise<Result>>();
  return (argument: Argument): Promise<Result> => {
    const known = made.get(argument) ?? make(argument);
    made.set(argument, known);
    known.catch(() => made.delete(argument));
    return known;
  };
}

const load = once(async (asset: Asset): Promise<Loaded> => {
  const text = await asset.read();
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return {
    body,
    hash,
    policy: policyOf(asset, text),
    compressed: once((coding: Coding) => compressors[coding](body)),
  };
});

const require = createRequire(import.meta.url);
const swagger = (name: string) => () =>
  readFile(join(dirname(require.resolve('swagger-ui-dist/package.json')), name), 'utf8');
const contract = new URL('../../schema/', import.meta.url);

const page = (title: string, head: string, body: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${head}</head>
<body>${body}</body>
</html>
`;

const home = page(
  'Expiration gateway',
  '<style>body{font:1rem/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>',
  `<h1>Expiration gateway</h1>
<p>Tracks things that expire: documents, licences, vehicles' papers.</p>
<ul>
<li><a href="/graphql">GraphQL</a>, with an editor in the browser</li>
<li><a href="/docs">REST reference</a>, and its <a href="/v1/openapi.json">OpenAPI document</a></li>
<li><a href="/health/ready">Health</a></li>
</ul>
<p>Requests carry <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>.</p>`,
);

// No validator: it would be asked at an outside host.
const start =
  "SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null });\n";

const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const text = (type: string, content: string): Asset => ({ type, read: async () => content });

/** The files of the REST reference, by their names below `/docs/`. */
const files: Readonly<Record<string, Asset>> = {
  'start.js': text(javascript, start),
  'swagger-ui.css': { type: 'text/css; charset=utf-8', read: swagger('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: javascript, read: swagger('swagger-ui-bundle.js') },
};

/** The name under which a file may be kept for good: with the hash of its bytes before the ending. */
const hashedName = (name: string, hash: string) => name.replace(/(\.\w+)$/, `.${hash}$1`);

async function reference(): Promise<string> {
  const [style, bundle, starter] = await Promise.all(
    ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'].map(async (name) => {
      const asset = files[name];
      return asset ? `/docs/${hashedName(name, (await load(asset)).hash)}` : '';
    }),
  );
  return page(
    'REST reference',
    `<link rel="stylesheet" href="${style}">`,
    `<div id="ui"></div><script src="${bundle}"></script><script src="${starter}"></script>`,
  );
}

const pages: Readonly<Record<string, Asset>> = {
  '/': text(html, home),
  '/docs': { type: html, read: reference },
  '/v1/openapi.json': {
    type: 'application/json; charset=utf-8',
    read: () => readFile(new URL('v1.openapi.json', contract), 'utf8'),
  },
};

/** The GraphQL editor: megabytes of page, loaded only for those who open it. */
const editor: Asset = {
  type: html,
  inline: true,
  read: async () => {
    const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
    return renderGraphiQL({ title: 'Expiration gateway', defaultQuery: '{ me { name role } }' });
  },
};

/** Cached for good: another content has another name. */
const forGood = 'public, max-age=31536000, immutable';

/** Answers a file, or that the caller has it already. */
async function answerWith(
  asset: Asset,
  ifNoneMatch: string | null,
  cacheControl = 'no-cache',
): Promise<Answer> {
  const { body, hash, policy, compressed } = await load(asset);
  const headers = {
    ...pageHeaders,
    'Cache-Control': cacheControl,
    'Content-Security-Policy': policy,
    ETag: `"${hash}"`,
  };
  if (matchesNone(ifNoneMatch, headers.ETag)) return { status: 304, headers, body: null };
  return { status: 200, headers: { ...headers, 'Content-Type': asset.type }, body, compressed };
}

const showing = (asset: Asset): Operation => ({
  access: 'public',
  handle: ({ header }) => answerWith(asset, header('if-none-match')),
});

/** Answers a file of the reference, by its own name or by the hashed one. */
const answerFile: Handle = async ({ id = '', header }) => {
  const plain = id.replace(/\.[0-9a-f]{16}(?=\.\w+$)/, '');
  const asset = Object.hasOwn(files, plain) ? files[plain] : undefined;
  if (!asset) throw notFound('file', id);
  const isHashed = id !== plain;
  if (isHashed && id !== hashedName(plain, (await load(asset)).hash)) throw notFound('file', id);
  return answerWith(asset, header('if-none-match'), isHashed ? forGood : undefined);
};

/** The page of the GraphQL editor, at the path of the GraphQL door. */
export const editorPage: Operation = showing(editor);

/** The endpoints of the pages for people, and of the printed REST contract: all from this package. */
export function pageEndpoints(): Endpoint[] {
  const fixed = Object.entries(pages).map(
    ([path, asset]): Endpoint => ({ path, door: 'page', methods: { GET: showing(asset) } }),
  );
  const file: Operation = { access: 'public', handle: answerFile };
  return [...fixed, { path: '/docs/{id}', door: 'page', methods: { GET: file } }];
}
