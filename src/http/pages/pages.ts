import { paths } from '../../domain/doors/paths.js';
import { type ErrorCode, errorKinds, type GatewayError, notFound } from '../../domain/errors.js';
import type { Answer } from '../../web/answer.js';
import { withVary } from '../answers/answer.js';
import { prefersPage } from '../request/request.js';
import type { Endpoint, MethodHandler } from '../routing/endpoint.js';
import { type Asset, answerAsset, asset, assetFolder, fileAsset } from './assets.js';
import {
  editorPage,
  type PageFiles,
  type PageMode,
  referencePage,
  refusalPage,
  startPage,
} from './page-texts.js';

const contract = (extension: string) =>
  fileAsset(new URL(`../../../schema/v1.openapi.${extension}`, import.meta.url));
const own = (name: string) => fileAsset(new URL(`../../../public/${name}`, import.meta.url));

/**
 * Loads a file of GraphiQL. It has megabytes of text, so it is imported only when somebody opens the editor.
 */
const graphiql = (
  extension: string,
  part: 'css' | 'js' | 'editorWorkerService' | 'graphqlWorker' | 'jsonWorker',
) => asset(extension, async () => (await import('@graphql-yoga/render-graphiql/graphiql'))[part]);

const ownNames = [
  'docs.css',
  'docs.js',
  'graphql.js',
  'reading.css',
  'session.js',
  'start.js',
  'style.css',
  'theme.js',
  'tokens.css',
  'tool.css',
  'tool.js',
];

const files = assetFolder(paths.assets.replace('{id}', ''), {
  ...Object.fromEntries(ownNames.map((name) => [name, own(name)])),
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
  handle: ({ header }) => answerAsset(page, header('if-none-match')),
});

/** Serves a page at an address where programs get another answer. */
const showingBrowsers = (page: Asset): MethodHandler => ({
  access: 'public',
  handle: async ({ header }) => withVary('Accept', await answerAsset(page, header('if-none-match'))),
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
export async function refusalPageAnswer({ code, status, headers }: GatewayError): Promise<Answer> {
  const page = refusalPages[code];
  if (!page) throw new Error(`There is no page for ${code}.`);
  const { headers: caching, ...answer } = await answerAsset(page, null, 'no-store');
  // An error does not represent the resource, so it has no entity tag.
  const { ETag: _, ...shown } = caching;
  return { ...answer, status, headers: { ...headers, ...shown } };
}
