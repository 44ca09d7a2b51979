import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from '../../scripts/build.mjs';
import { inPage, type Opening, openBrowser } from './browser.js';
import { startFirstTime } from './first-start.js';
import type { TestGateway } from './gateway.js';

/** How a page of the console is opened. */
export interface ConsoleOpening extends Opening {
  /** The token that the address brings; null for none. The administrator's unless told. */
  readonly token?: string | null;
  /** Origins beside the gateway's that the page may ask. */
  readonly origins?: readonly string[];
}

/** The console of a gateway with the demo, in a browser. */
export interface ConsoleBrowser {
  readonly gateway: TestGateway;
  readonly browser: Browser;
  /**
   * Opens an address of the console, and does something there. It fails for errors that the page tells of, for what its
   * policy refuses, for requests to other hosts, for answers of 500 and above, and for tokens in addresses.
   */
  inConsole(path: string, work: (page: Page) => Promise<void>, opening?: ConsoleOpening): Promise<void>;
  close(): Promise<void>;
}

/** Collects what a page must not do, from now on. */
async function watch(page: Page, gateway: TestGateway, origins: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  const known = new Set([gateway.url, ...origins]);
  const tokens = [gateway.admin, gateway.member, gateway.viewer, gateway.uploader];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && !known.has(url.origin)) faults.push(`It asks ${url.origin}.`);
    const told = `${request.url()} ${request.headers().referer ?? ''}`;
    if (tokens.some((token) => told.includes(token)))
      faults.push('An address that is asked for has a token.');
  });
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.url()} is answered with ${response.status()}.`);
  });
  // It becomes an error of the page's console, which fails the test.
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('The policy refuses', event.violatedDirective, event.blockedURI, event.sourceFile))`);
  return faults;
}

/**
 * Starts a gateway with the console as it is built, building it if need be, and a browser.
 * @param env settings of the gateway
 */
export async function openConsole(env: Record<string, string> = {}): Promise<ConsoleBrowser> {
  await build();
  const [gateway, browser] = await Promise.all([startFirstTime({ CONSOLE: 'on', ...env }), openBrowser()]);
  // Browsers count days by the machine's clock.
  gateway.clock.now = new Date();
  return {
    gateway,
    browser,
    inConsole: (path, work, { token = gateway.admin, origins = [], ...opening } = {}) =>
      inPage(browser, opening, async (page) => {
        const faults = await watch(page, gateway, origins);
        await page.goto(`${gateway.url}${path}${token === null ? '' : `#token=${token}`}`);
        await work(page);
        if (faults.length > 0) throw new Error([...new Set(faults)].join('\n'));
      }),
    close: async () => {
      await browser.close();
      await gateway.close();
    },
  };
}

/** Keeps a picture of the page in `test-results/`, which CI keeps and Git does not. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = fileURLToPath(new URL('../../test-results/console/', import.meta.url));
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
