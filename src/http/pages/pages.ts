import { readFile } from 'node:fs/promises';
import { paths } from '../../domain/doors/paths.js';
import { type ErrorCode, errorKinds, type GatewayError, notFound } from '../../domain/errors.js';
import type { HttpResponse } from '../../web/response.js';
import { prefersPage } from '../request/request.js';
import { withVary } from '../responses/response.js';
import type { Endpoint, MethodHandler } from '../routing/endpoint.js';
import { type Asset, asset, assetFolder, fileAsset, sendAsset } from './assets.js';

/** Features of a gateway that its pages link to or mention. */
export interface PageMode {
  /** True if browsers get a working editor. */
  readonly editor: boolean;
  /** True if people sign in at the console. */
  readonly console: boolean;
}

/** GraphQL query for the caller of a token. The editor and the reference send it first. */
export const callerQuery = 'query Caller { me { id name role } }';

/** Addresses of the files that a page loads. */
export interface PageFiles {
  /** The script that sets the theme before anything is shown. */
  readonly theme: string;
  readonly styles: readonly string[];
  /** Loaded in this order: third-party scripts as they are; our own as modules. */
  readonly scripts?: readonly string[];
  readonly modules?: readonly string[];
}

interface Page extends PageFiles {
  readonly title: string;
  /** The path of its link in the bar. */
  readonly path?: string;
  /** CSS class that sets the width. */
  readonly layout: 'reading' | 'tool';
  /** The element around the body. A body with a main landmark of its own needs a `div`. */
  readonly main?: 'main' | 'div';
  /** HTML beside the links in the bar. */
  readonly session?: string;
  readonly body: string;
}

const links = ({ editor }: PageMode): [path: string, text: string][] => [
  [paths.start, 'Start'],
  ...(editor ? [[paths.graphql, 'GraphQL'] as [string, string]] : []),
  [paths.docs, 'REST'],
];

const logo =
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" class="logo-ground"/><path d="M16 7a9 9 0 1 0 9 9" class="logo-line"/><path d="M16 11v5l3.5 3" class="logo-line"/><circle cx="23" cy="9" r="2.6" class="logo-dot"/></svg>';

interface Document extends Pick<Page, 'title' | 'styles' | 'layout' | 'body'> {
  readonly language?: string;
  /** Elements of the head before the styles. */
  readonly head?: readonly string[];
}

/** Renders an HTML document. */
export const htmlDocument = ({ head = [], styles, ...page }: Document) => `<!doctype html>
<html lang="${page.language ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title}</title>
${[...head, ...styles.map((style) => `<link rel="stylesheet" href="${style}">`)].join('\n')}
</head>
<body class="${page.layout}">
${page.body}
</body>
</html>
`;

/** Renders a page with the navigation bar. */
export function render(
  mode: PageMode,
  { title, path, layout, main = 'main', session = '', body, ...files }: Page,
): string {
  const items = links(mode).map(
    ([to, text]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ''}>${text}</a>`,
  );
  const head = [
    `<script src="${files.theme}"></script>`,
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    ...(files.scripts ?? []).map((script) => `<script src="${script}" defer></script>`),
    ...(files.modules ?? []).map((module) => `<script src="${module}" type="module"></script>`),
  ];
  const content = `<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/">${logo}<span>Expiration gateway</span></a>
<nav aria-label="Pages">${items.join('')}</nav>
${session}</header>
<${main} id="main" tabindex="-1">
${body}
</${main}>`;
  return htmlDocument({ title, head, styles: files.styles, layout, body: content });
}

/**
 * Renders who is signed in, and the way to sign in. That is a link to the console or, without a console, a field for a
 * token. The module tool.js finds the parts by their ids.
 */
const session = (mode: PageMode) => `<div class="session" id="session" data-caller="${callerQuery}">
<p id="sign-in-problem" role="alert"></p>
${
  mode.console
    ? `<a class="button" id="sign-in" href="${paths.start}" hidden>Sign in</a>`
    : `<form id="sign-in" hidden>
<label for="token">Access token</label>
<input id="token" name="token" type="password" required autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="sign-in-problem" placeholder="egw_…">
<button>Sign in</button>
</form>`
}
<div id="caller" hidden><span id="caller-name"></span><button type="button" class="quiet" id="sign-out">Sign out</button></div>
<dialog id="other-token" aria-labelledby="other-token-title">
<form method="dialog">
<h2 id="other-token-title">Sign in with this link?</h2>
<p id="other-token-text"></p>
<p class="choice"><button autofocus>Cancel</button><button class="quiet" value="use">Use the token</button></p>
</form>
</dialog>
</div>
`;

const withoutScripts =
  '<noscript><p class="note">This page needs JavaScript. The gateway itself does not: see the links above.</p></noscript>';

const waitingNote = `<p class="note">Sign in with an access token to load the schema. Nothing is sent until then. <a href="${paths.start}">Where a token comes from</a></p>`;

/** Renders the start page of a gateway without a console: a page of links. */
function startPage(mode: PageMode, files: PageFiles): string {
  const entries = [
    mode.editor && ['GraphQL editor', paths.graphql, 'Write and run queries, with the schema beside them.'],
    ['REST reference', paths.docs, 'Read about every endpoint, and try it.'],
    [
      'OpenAPI document',
      paths.openapi,
      `The REST API for programs; also <a href="${paths.openapiYaml}">as YAML</a>.`,
    ],
    ['Health', paths.ready, 'Whether the gateway can take requests.'],
  ].filter((entry) => entry !== false);
  const list = entries.map(([name, to, text]) => `<dt><a href="${to}">${name}</a></dt><dd>${text}</dd>`);
  return render(mode, {
    ...files,
    title: 'Expiration gateway',
    path: paths.start,
    layout: 'reading',
    body: `<h1>Expiration gateway</h1>
<p class="lead">This server keeps track of things that expire, such as licences, insurance and vehicle papers.</p>
<dl class="links">
${list.join('\n')}
</dl>
<p>Both APIs need an access token. The gateway's first start shows one; this command, run in its folder, makes another:</p>
<pre><code>node dist/main.js token create --name me --role admin</code></pre>`,
  });
}

/** Addresses of the GraphQL editor's web workers. */
interface EditorWorkers {
  readonly editor: string;
  readonly graphql: string;
  readonly json: string;
}

/** Renders the page of the GraphQL editor (GraphiQL), which starts after sign-in. */
function editorPage(mode: PageMode, files: PageFiles, workers: EditorWorkers): string {
  const data = Object.entries(workers).map(([name, address]) => ` data-${name}="${address}"`);
  return render(mode, {
    ...files,
    title: 'GraphQL · Expiration gateway',
    path: paths.graphql,
    layout: 'tool',
    session: session(mode),
    body: `<h1 class="unseen">GraphQL editor</h1>
${withoutScripts}
<div id="editor"${data.join('')}></div>
${mode.console ? '' : waitingNote}`,
  });
}

/** Renders the page of the REST reference. */
function referencePage(mode: PageMode, files: PageFiles): string {
  return render(mode, {
    ...files,
    title: 'REST · Expiration gateway',
    path: paths.docs,
    layout: 'tool',
    main: 'div',
    session: session(mode),
    body: `${withoutScripts}
<div id="reference" data-document="${paths.openapi}"></div>`,
  });
}

/** Texts of an HTML error page. */
interface ErrorPageTexts {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

/** Renders an error page that links to the start page. It shows nothing that the client sent. */
function refusalPage({ status, title, text }: ErrorPageTexts, files: PageFiles): string {
  return render(
    { editor: false, console: false },
    {
      ...files,
      title: `${title} · Expiration gateway`,
      layout: 'reading',
      body: `<div class="refusal">
<p class="status">${status}</p>
<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a class="button" href="/">Go to the start page</a></p>
</div>`,
    },
  );
}

const contract = (extension: string) =>
  fileAsset(new URL(`../../../schema/v1.openapi.${extension}`, import.meta.url));
const ownFile = (name: string) => new URL(`../../../public/${name}`, import.meta.url);
const own = (name: string) => fileAsset(ownFile(name));

/** Matches a pair of colours. The first is that of the light theme. */
const colorPair = /light-dark\(((?:[^(),]|\([^()]*\))+), (?:[^(),]|\([^()]*\))+\)/g;

/** Adds the light theme for browsers before 2024. They know no pairs of colours. */
function withPlainColors(css: string): string {
  const pairs = css.match(/^ *--.*light-dark\(.*$/gm) ?? [];
  const plain = pairs.map((line) => line.replace(colorPair, '$1')).join('\n');
  return `${css}
@supports not (color: light-dark(#fff, #000)) {
  :root {
  color-scheme: light;
${plain}
  }
}
`;
}

const tokens = asset('css', async () => withPlainColors(await readFile(ownFile('tokens.css'), 'utf8')));

/**
 * Loads a file of GraphiQL. It has megabytes of text, so it is imported only when somebody opens the editor.
 */
const graphiql = (
  extension: string,
  part: 'css' | 'js' | 'editorWorkerService' | 'graphqlWorker' | 'jsonWorker',
) => asset(extension, async () => (await import('@graphql-yoga/render-graphiql/graphiql'))[part]);

const ownNames = [
  'asked.js',
  'corners.css',
  'crop.js',
  'docs.css',
  'docs.js',
  'graphql.js',
  'page-picture.js',
  'reading.css',
  'session.js',
  'start.js',
  'style.css',
  'theme.js',
  'tool.css',
  'tool.js',
];

const files = assetFolder(paths.assets.replace('{id}', ''), {
  ...Object.fromEntries(ownNames.map((name) => [name, own(name)])),
  'tokens.css': tokens,
  'swagger-ui.css': fileAsset(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
  'swagger-ui-bundle.js': fileAsset(new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'))),
  'graphiql.css': graphiql('css', 'css'),
  'graphiql.js': graphiql('js', 'js'),
  'graphiql-editor-worker.js': graphiql('js', 'editorWorkerService'),
  'graphiql-graphql-worker.js': graphiql('js', 'graphqlWorker'),
  'graphiql-json-worker.js': graphiql('js', 'jsonWorker'),
});

const addresses = (names: readonly string[]) => Promise.all(names.map(files.address));

/** Resolves the addresses of a page's files by their names. */
export async function resolveFiles(
  styles: string[],
  scripts: string[] = [],
  modules: string[] = [],
): Promise<PageFiles> {
  return {
    theme: await files.address('theme.js'),
    styles: await addresses(styles),
    scripts: await addresses(scripts),
    modules: await addresses(modules),
  };
}

const html = (write: () => Promise<string>) => asset('html', write);

const showing = (page: Asset): MethodHandler => ({
  access: 'public',
  handle: ({ header }) => sendAsset(page, header('if-none-match')),
});

/** Serves a page at an address where programs get another answer. */
const showingBrowsers = (page: Asset): MethodHandler => ({
  access: 'public',
  handle: async ({ header }) => withVary('Accept', await sendAsset(page, header('if-none-match'))),
});

/**
 * Creates the handler of the GraphQL editor's page. It shares the path `/graphql` with the GraphQL endpoint.
 */
export function editorHandler(mode: PageMode): MethodHandler {
  const page = html(async () => {
    const loaded = await resolveFiles(
      ['style.css', 'tool.css', 'graphiql.css'],
      ['graphiql.js'],
      ['graphql.js'],
    );
    const [editor = '', graphql = '', json = ''] = await addresses(
      ['editor', 'graphql', 'json'].map((name) => `graphiql-${name}-worker.js`),
    );
    return editorPage(mode, loaded, { editor, graphql, json });
  });
  return showingBrowsers(page);
}

/**
 * Creates the endpoints of the web pages, their files and the OpenAPI document.
 * @param console the console's page, which replaces the plain start page in browsers
 */
export function pageEndpoints(mode: PageMode, console?: MethodHandler): Endpoint[] {
  const startAsset = html(async () =>
    startPage(mode, await resolveFiles(['style.css', 'reading.css'], [], ['start.js'])),
  );
  const start: Endpoint['methods']['GET'] = console
    ? ({ header }) => (prefersPage(header('accept')) ? console : showingBrowsers(startAsset))
    : showing(startAsset);
  const pages: Readonly<Record<string, Asset>> = {
    [paths.docs]: html(async () =>
      referencePage(
        mode,
        await resolveFiles(
          ['swagger-ui.css', 'style.css', 'tool.css', 'docs.css'],
          ['swagger-ui-bundle.js'],
          ['docs.js'],
        ),
      ),
    ),
    '/favicon.ico': own('favicon.ico'),
    '/favicon.svg': own('favicon.svg'),
    [paths.openapi]: contract('json'),
    [paths.openapiAtRoot]: contract('json'),
    [paths.openapiYaml]: contract('yaml'),
  };
  const fixed = Object.entries(pages).map(
    ([path, page]): Endpoint => ({ path, door: 'page', methods: { GET: showing(page) } }),
  );
  const file: MethodHandler = {
    access: 'public',
    handle: async ({ id = '', header }) => {
      const answer = await files.answer(id, header('if-none-match'));
      if (!answer) throw notFound('file', id);
      return answer;
    },
  };
  return [
    { path: paths.start, door: 'page', methods: { GET: start } },
    ...fixed,
    { path: paths.assets, door: 'page', methods: { GET: file } },
  ];
}

/** Titles and texts of the HTML pages that browsers get in place of JSON errors. */
const refusals: Partial<Record<ErrorCode, readonly [title: string, text: string]>> = {
  NOT_FOUND: ['There is nothing here', 'The address may be mistyped, or what was here is gone.'],
  UNAUTHORIZED: [
    'This needs an access token',
    'Programs send it in the header <code>Authorization</code>, which the address bar of a browser cannot.',
  ],
};

const refusalPages: Readonly<Record<string, Asset>> = Object.fromEntries(
  Object.entries(refusals).map(([code, [title, text]]) => {
    const { status } = errorKinds[code as ErrorCode];
    return [
      code,
      html(async () =>
        refusalPage({ status, title, text }, await resolveFiles(['style.css', 'reading.css'])),
      ),
    ];
  }),
);

/** Returns whether there is an HTML page for an error. */
export const hasRefusalPage = (code: ErrorCode): boolean => Object.hasOwn(refusalPages, code);

/**
 * Answers with the HTML page for an error.
 * @throws Error if there is none for this error
 */
export async function refusalPageResponse({ code, status, headers }: GatewayError): Promise<HttpResponse> {
  const page = refusalPages[code];
  if (!page) throw new Error(`There is no page for ${code}.`);
  const { headers: caching, ...answer } = await sendAsset(page, null, 'no-store');
  // An error does not represent the resource, so it has no entity tag.
  const { ETag: _, ...shown } = caching;
  return { ...answer, status, headers: { ...headers, ...shown } };
}
