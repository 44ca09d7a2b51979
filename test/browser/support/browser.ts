import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { describe, type TestOptions } from 'vitest';
import { onlyIf } from '../../support/skipping.js';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const isThere = existsSync(executablePath);

/** Describes the tests of a browser. On a machine without one they are skipped, which fails in CI. */
export const describeInBrowser = (name: string, options: TestOptions, tests: () => void) =>
  describe(
    name,
    { ...options, ...onlyIf(isThere || process.env.CI !== undefined, `Chromium at ${executablePath}`) },
    tests,
  );

/** Timeout of a browser test in milliseconds: megabytes of script take long on a busy machine. */
export const browserTimeout = 180_000;

/** Starts Chromium with a new profile, and without its requests to other hosts. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Options for opening a page. */
export interface Opening {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  /** True if the page may start its service worker, whose requests no test can answer in its place. */
  readonly hasWorker?: boolean;
}

/** Adds to an error what the page shows, which an expired wait does not say. */
async function withPage(error: unknown, page: Page, complaints: readonly string[]): Promise<unknown> {
  if (!(error instanceof Error)) return error;
  const shown = await page
    .innerText('body', { timeout: 5_000 })
    .catch(({ message }: Error) => `nothing that can be read: ${message}`);
  error.message += `\nThe page ${page.url()} shows: ${shown.slice(0, 2_000)}`;
  if (complaints.length > 0) error.message += `\nIt complains: ${complaints.join('\n')}`;
  return error;
}

/** A browser's context, which tests use one after another. */
interface Profile {
  readonly context: BrowserContext;
  /** Origins that pages have requested, which may have stored something. */
  readonly origins: Set<string>;
}

/**
 * Contexts that no test is using, by browser and by look. Their cache has the pages' scripts, compiled, without
 * which opening a page takes most of a test's time.
 */
const idle = new WeakMap<Browser, Map<string, Profile[]>>();

/** Returns the contexts of a browser and a look that no test is using. */
function idleOf(browser: Browser, look: string): Profile[] {
  const looks = idle.get(browser) ?? new Map<string, Profile[]>();
  idle.set(browser, looks);
  const profiles = looks.get(look) ?? [];
  looks.set(look, profiles);
  return profiles;
}

/** Creates a context. */
async function createProfile(
  browser: Browser,
  { scheme, width, hasWorker }: Required<Opening>,
): Promise<Profile> {
  const context = await browser.newContext({
    colorScheme: scheme,
    viewport: { width, height: 800 },
    serviceWorkers: hasWorker ? 'allow' : 'block',
  });
  context.setDefaultTimeout(browserTimeout / 3);
  const origins = new Set<string>();
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (/^https?:$/.test(protocol)) origins.add(origin);
  });
  return { context, origins };
}

/** Opens the first tab of a context, after deleting what earlier tests have stored in it. */
async function openTab({ context, origins }: Profile): Promise<Page> {
  const page = await context.newPage();
  if (origins.size === 0) return page;
  const session = await context.newCDPSession(page);
  for (const origin of origins) {
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  }
  await session.detach();
  await context.clearCookies();
  origins.clear();
  return page;
}

/** Runs work in a new tab with empty storage that no other tab shares, and fails if the page reports errors. */
export async function inPage(
  browser: Browser,
  { scheme = 'light', width = 1200, hasWorker = false }: Opening,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const free = idleOf(browser, `${scheme} ${width} ${hasWorker}`);
  const profile = free.pop() ?? (await createProfile(browser, { scheme, width, hasWorker }));
  const { context } = profile;
  try {
    const page = await openTab(profile);
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (line) => {
      // Error statuses are reported here as well.
      const isOurs = line.type() === 'error' && !/^Failed to load resource/.test(line.text());
      if (isOurs) complaints.push(line.text());
    });
    try {
      await work(page);
    } catch (error) {
      throw await withPage(error, page, complaints);
    }
    if (complaints.length > 0) throw new Error(`The page complains: ${complaints.join('\n')}`);
    await Promise.all(context.pages().map((open) => open.close()));
  } catch (error) {
    await context.close();
    throw error;
  }
  free.push(profile);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The part of a page to check. */
export interface Look {
  /** Rules that third-party markup violates, below an element. */
  readonly theirs?: { readonly below: string; readonly rules: readonly string[] };
  /** The only rules to check; all by default. */
  readonly rules?: readonly string[];
  /** False if the page's policy lets scripts load nothing, not even its styles, which one rule reads. */
  readonly preload?: false;
}

/** Returns accessibility problems that axe finds: the violated rules and their places. */
export async function barriers(page: Page, { theirs, rules, preload }: Look = {}): Promise<string[]> {
  const { below, rules: broken } = theirs ?? { below: 'none', rules: [] };
  const options = {
    resultTypes: ['violations'],
    elementRef: true,
    ...(rules && { runOnly: rules }),
    preload,
  };
  // Through the debugger, because the page's policy blocks injected scripts.
  if (await page.evaluate('window.axe === undefined')) await page.evaluate(axe);
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => !(${JSON.stringify(broken)}.includes(id) && element.closest('${below}')))
        .map(({ html, target }) => id + ': ' + target.join(' ') + ': ' + html)))`);
}
