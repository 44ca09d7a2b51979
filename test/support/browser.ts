import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { describe, type TestOptions } from 'vitest';
import { onlyIf } from './skipping.js';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const isThere = existsSync(executablePath);

/** Describes what a browser shows. On a machine without one it is skipped; CI has one, and fails without. */
export const describeInBrowser = (name: string, options: TestOptions, tests: () => void) =>
  describe(
    name,
    { ...options, ...onlyIf(isThere || process.env.CI !== undefined, `Chromium at ${executablePath}`) },
    tests,
  );

/** Milliseconds for a test in a browser: megabytes of script take their time on a busy machine. */
export const browserTimeout = 180_000;

/** Starts Chromium with a profile of its own, and without what it would ask other hosts. */
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

/** How a page is opened. */
export interface Opening {
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
}

/** Runs work in a page of its own tab, with a storage of its own, and fails for what the page complains of. */
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
      // A status that is an error is told here as well.
      const isOurs = line.type() === 'error' && !/^Failed to load resource/.test(line.text());
      if (isOurs) complaints.push(line.text());
    });
    await work(page);
    if (complaints.length > 0) throw new Error(`The page complains: ${complaints.join('\n')}`);
  } finally {
    await context.close();
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A part of a page that is looked at. */
export interface Look {
  /** Rules that markup which is not ours breaks, below an element. */
  readonly theirs?: { readonly below: string; readonly rules: readonly string[] };
  /** The only rules that are asked for; all of them without. */
  readonly rules?: readonly string[];
}

/** Says what makes a page hard to use for some people, as axe finds it: the rules that are broken, and where. */
export async function barriers(page: Page, { theirs, rules }: Look = {}): Promise<string[]> {
  const { below, rules: broken } = theirs ?? { below: 'none', rules: [] };
  const options = { resultTypes: ['violations'], elementRef: true, ...(rules && { runOnly: rules }) };
  // By the debugger: the page's policy lets no script of a test in.
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) =>
      nodes
        .filter(({ element }) => !(${JSON.stringify(broken)}.includes(id) && element.closest('${below}')))
        .map(({ html, target }) => id + ': ' + target.join(' ') + ': ' + html)))`);
}
