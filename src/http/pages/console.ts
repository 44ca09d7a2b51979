import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type Config, hasEditor } from '../../config/config.js';
import { consoleScreens, paths } from '../../domain/doors/paths.js';
import { notFound } from '../../domain/errors.js';
import { languages } from '../../domain/rules.js';
import { version } from '../../version.js';
import { withVary } from '../responses/response.js';
import type { Endpoint, MethodHandler } from '../routing/endpoint.js';
import { type Asset, asset, fileAsset, immutableCaching, pageHeaders, sendAsset } from './assets.js';

/** The built console: a page, its files, and its operations. */
interface Console {
  /** Documents of its operations by their ids. */
  readonly operations: ReadonlyMap<string, string>;
  /** Serves its page at the start and at the addresses of its screens. */
  readonly page: MethodHandler;
  readonly endpoints: readonly Endpoint[];
}

/** Folder that a build writes the console to. */
const builtFolder = new URL('../../../dist/console/', import.meta.url);

/** Builds the security headers of the console. Neither inline styles nor inline scripts are allowed. */
function consoleHeaders(issuer: string | undefined): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Pictures and documents that were fetched with the token are shown from memory.
    "img-src 'self' data: blob:",
    'frame-src blob:',
    "font-src 'self'",
    // The page itself fetches the issuer's configuration and tokens when people sign in.
    `connect-src 'self'${issuer === undefined ? '' : ` ${new URL(issuer).origin}`}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { ...pageHeaders, 'Content-Security-Policy': policy.join('; ') };
}

/** Creates an asset from a built file, with the compressed file beside it. */
function builtAsset(folder: URL, name: string): Asset {
  const compressed = new URL(`${name}.br`, folder);
  const isCompressed = existsSync(compressed);
  return {
    ...fileAsset(new URL(name, folder)),
    readCompressed: (coding) => (coding === 'br' && isCompressed ? readFile(compressed) : undefined),
  };
}

/** Lists the settings that the page needs before anybody has signed in. None of them is secret. */
function settingsOf(config: Config) {
  const { issuer, consoleClient: clientId, scope } = config.oidc ?? {};
  return {
    version,
    languages,
    editor: hasEditor(config),
    oidc: clientId === undefined ? null : { issuer, clientId, scope },
  };
}

/** Lets the service worker answer at all screens, whose addresses are above its own. */
const workerHeaders = { 'Service-Worker-Allowed': paths.start };

/** Creates the service worker. Its text names the files of this version, so browsers notice another one. */
function workerOf(names: readonly string[]): Asset {
  const files = [...names].sort().map((name) => paths.consoleAssets.replace('{id}', name));
  const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 16);
  const settings = JSON.stringify({ version, screens: [paths.start, ...consoleScreens], files });
  const source = new URL('../../../public/console-worker.js', import.meta.url);
  return asset('js', async () => `self.settings = ${settings};\n${await readFile(source, 'utf8')}`);
}

/**
 * Loads the console from the folder of the build.
 * @returns undefined if it is off, or was not built
 */
export function loadConsole(config: Config, log: Logger, folder = builtFolder): Console | undefined {
  if (!config.console) return undefined;
  if (!existsSync(new URL('operations.json', folder))) {
    log.warn('There is no console, because it was not built (npm run build)');
    return undefined;
  }
  const headers = consoleHeaders(config.oidc?.consoleClient && config.oidc.issuer);
  const showing = (shown: Asset, cacheControl?: string, more = {}): MethodHandler => ({
    access: 'public',
    handle: ({ header }) => sendAsset(shown, header('if-none-match'), cacheControl, { ...headers, ...more }),
  });
  const index = showing(builtAsset(folder, 'index.html'));
  const page: MethodHandler = {
    ...index,
    handle: async (...request) => {
      const answer = await index.handle(...request);
      return answer && withVary('Accept', answer);
    },
  };
  const assetsFolder = new URL('assets/', folder);
  // Look names up among the existing files, so that no name leads out of the folder.
  const files = new Map(
    readdirSync(assetsFolder)
      .filter((name) => !/\.(br|map)$/.test(name))
      .map((name) => [name, showing(builtAsset(assetsFolder, name), immutableCaching)]),
  );
  const file: MethodHandler = {
    access: 'public',
    handle: async (request, ...rest) => {
      const { id = '' } = request;
      const known = files.get(id);
      if (!known) throw notFound('file', id);
      return known.handle(request, ...rest);
    },
  };
  const toPasswords: MethodHandler = {
    access: 'public',
    handle: async () => ({ status: 302, headers: { Location: '/settings/sign-in' }, body: null }),
  };
  const worker = workerOf([...files.keys()]);
  const settings = showing(asset('json', async () => JSON.stringify(settingsOf(config))));
  const operations: Record<string, string> = JSON.parse(
    readFileSync(new URL('operations.json', folder), 'utf8'),
  );
  return {
    operations: new Map(Object.entries(operations)),
    page,
    endpoints: [
      { path: paths.consoleAssets, door: 'page', methods: { GET: file } },
      { path: paths.consoleConfig, door: 'page', methods: { GET: settings } },
      {
        path: paths.consoleWorker,
        door: 'page',
        methods: { GET: showing(worker, undefined, workerHeaders) },
      },
      { path: paths.changePassword, door: 'page', methods: { GET: toPasswords } },
      ...consoleScreens.map(
        (path): Endpoint => ({ path, door: 'page', forPages: true, methods: { GET: page } }),
      ),
    ],
  };
}
