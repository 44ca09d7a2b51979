import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Response } from '@whatwg-node/fetch';
import type { GatewayPlugin } from './exchange.js';

/** A file that is served as it is. */
interface Asset {
  readonly type: string;
  readonly read: () => Promise<string>;
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

/** The paths of the pages; the editor is at the path of the GraphQL door. */
export const pagePaths: ReadonlySet<string> = new Set(Object.keys(assets));

/** The GraphQL editor: megabytes of page, loaded only for those who open it. */
const editor: Asset = {
  type: html,
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
      endResponse(new Response(await asset.read(), { headers: { 'Content-Type': asset.type } }));
    },
  };
}
