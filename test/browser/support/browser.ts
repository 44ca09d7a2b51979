import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
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

/** Runs work in a new tab with its own storage, and fails if the page reports errors. */
export async function inPage(
  browser: Browser,
  { scheme = 'light', width = 1200 }: Opening,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 800 } });
  try {
    context.setDefaultTimeout(browserTimeout / 3);
    const page = await context.newPage();
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
  } finally {
    await context.close();
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The part of a page to check. */
export interface Look {
  /** Rules that third-party markup violates, below an element. */
  readonly theirs?: { readonly below: string; readonly rules: readonly string[] };
  /** The only rules to check; all by default. */
  readonly rules?: readonly string[];
}

/** Returns accessibility problems that axe finds: the violated rules and their places. */
export async function barriers(page: Page, { theirs, rules }: Look = {}): Promise<string[]> {
  const { below, rules: broken } = theirs ?? { below: 'none', rules: [] };
  const options = { resultTypes: ['violations'], elementRef: true, ...(rules && { runOnly: rules }) };
  // Through the debugger, because the page's policy blocks injected scripts.
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => !(${JSON.stringify(broken)}.includes(id) && element.closest('${below}')))
        .map(({ html, target }) => id + ': ' + target.join(' ') + ': ' + html)))`);
}
