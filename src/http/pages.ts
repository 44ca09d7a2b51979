import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Response } from '@whatwg-node/fetch';
import type { GatewayPlugin } from './exchange.js';

/** A file that is served as it is. */
interface Asset {
  readonly type: string;
  readonly read: () => Promise<string>;
  /** Whether scripts stand in it, and not in files of their own. */
  readonly inline?: true;
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
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': policyFor([]),
  'Referrer-Policy': 'no-referrer',
  // For browsers that know no frame-ancestors.
  'X-Frame-Options': 'DENY',
} as const;

const policies = new WeakMap<Asset, string>();

/** The policy of a page with scripts in it; found out once, as the editor's takes a tenth of a second. */
function policyOf(asset: Asset, body: string): string {
  const known = policies.get(asset);
  if (known !== undefined) return known;
  const scripts = [...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
  const policy = policyFor(scripts);
  policies.set(asset, policy);
  return policy;
}

/** A page with the headers that it is sent with. */
function answerWith(asset: Asset, body: string): Response {
  const own = asset.inline && { 'Content-Security-Policy': policyOf(asset, body) };
  return new Response(body, { headers: { ...pageHeaders, 'Content-Type': asset.type, ...own } });
}

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

const reference = page(
  'REST reference',
  '<link rel="stylesheet" href="/docs/swagger-ui.css">',
  '<div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>',
);

// No validator: it would be asked at an outside host.
const start =
  "SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#ui', deepLinking: true, validatorUrl: null });\n";

const html = 'text/html; charset=utf-8';
const javascript = 'text/javascript; charset=utf-8';
const text = (type: string, content: string): Asset => ({ type, read: async () => content });

const assets: Readonly<Record<string, Asset>> = {
  '/': text(html, home),
  '/docs': text(html, reference),
  '/docs/start.js': text(javascript, start),
  '/docs/swagger-ui.css': { type: 'text/css; charset=utf-8', read: swagger('swagger-ui.css') },
  '/docs/swagger-ui-bundle.js': { type: javascript, read: swagger('swagger-ui-bundle.js') },
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

/** A browser that opens `/graphql` wants the editor; a program there asks for JSON. */
function wantsEditor(request: Request, url: URL): boolean {
  return url.pathname === '/graphql' && !!request.headers.get('accept')?.includes('text/html');
}

/**
 * The pages for people, and the printed REST contract: all from this package, none from another host.
 * @param graphiql whether the GraphQL editor is one of them
 */
export function usePages(graphiql: boolean): GatewayPlugin {
  return {
    async onRequest({ request, url, endResponse }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      const page = Object.hasOwn(assets, url.pathname) ? assets[url.pathname] : undefined;
      const asset = page ?? (graphiql && wantsEditor(request, url) ? editor : undefined);
      if (!asset) return;
      endResponse(answerWith(asset, await asset.read()));
    },
  };
}
