import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build } from '../../../scripts/build.mjs';
import { audience } from '../../clients/issuer.js';
import { clientId, type LoginIssuer, startLoginIssuer } from '../../clients/login-issuer.js';
import { startFirstTime } from '../../support/first-start.js';
import type { TestGateway } from '../../support/gateway.js';
import { inPage, type Opening, openBrowser } from './browser.js';

/** Options for opening a page of the console. */
export interface ConsoleOpening extends Opening {
  /** The token in the address; null for none. Defaults to the administrator's. */
  readonly token?: string | null;
  /** Origins besides the gateway's that the page may request. */
  readonly origins?: readonly string[];
}

/** The console of a gateway with the demo, in a browser. */
export interface ConsoleBrowser {
  readonly gateway: TestGateway;
  readonly browser: Browser;
  /**
   * Opens an address of the console, and runs work there. It fails if the page reports errors, violates its
   * policy, requests other hosts, gets answers of 500 and above, or has tokens in addresses.
   */
  inConsole(path: string, work: (page: Page) => Promise<void>, opening?: ConsoleOpening): Promise<void>;
  close(): Promise<void>;
}

/** Collects violations of the page from now on. */
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
  // It becomes an error in the page's console, which fails the test.
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('The policy refuses', event.violatedDirective, event.blockedURI, event.sourceFile))`);
  // Browsers have it on https and localhost only, and the console is also used over plain HTTP. Their PDF viewer needs it.
  await page.addInitScript("if (location.protocol === 'http:') delete Crypto.prototype.randomUUID");
  return faults;
}

/**
 * Starts a gateway with the built console, building it if needed, and a browser.
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
        const told = () => [...new Set(faults)].join('\n');
        try {
          await page.goto(`${gateway.url}${path}${token === null ? '' : `#token=${token}`}`);
          await work(page);
        } catch (error) {
          if (error instanceof Error && faults.length > 0) error.message += `\n${told()}`;
          throw error;
        }
        if (faults.length > 0) throw new Error(told());
      }),
    close: async () => {
      await browser.close();
      await gateway.close();
    },
  };
}

/** A console whose people sign in at an issuer. */
export interface IssuerConsole {
  readonly at: ConsoleBrowser;
  readonly issuer: LoginIssuer;
  /** The first user's e-mail address, which the issuer knows. */
  readonly email: string;
  close(): Promise<void>;
}

/**
 * Starts a console and an issuer of tokens for it.
 * @param role role of the first user
 * @param env further settings of the gateway
 */
export async function openIssuerConsole(
  role: 'ADMIN' | 'MEMBER',
  env: Record<string, string> = {},
): Promise<IssuerConsole> {
  const issuer = await startLoginIssuer();
  const at = await openConsole({
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
    OIDC_CONSOLE_CLIENT_ID: clientId,
    OIDC_ROLE_CLAIM: 'role',
    ...env,
  });
  const { url, database, userId } = at.gateway;
  await issuer.serve(url);
  const { email } = await database.prisma.user.update({ where: { id: userId }, data: { role } });
  return {
    at,
    issuer,
    email,
    close: async () => {
      await at.close();
      await issuer.close();
    },
  };
}

/** Waits for the page that asks people to sign in. */
export const signInForm = (page: Page) => page.waitForSelector('.door form input[type="password"]');

/** Signs in with a token, which the page has folded away. */
export async function enterToken(page: Page, token: string): Promise<void> {
  const field = page.locator('.door details input');
  if (!(await field.isVisible())) await page.click('.door summary');
  await field.fill(token);
  await field.press('Enter');
}

/** Goes from the page that asks people to sign in to the issuer, and signs in there. */
export async function signInAtIssuer(page: Page, email: string): Promise<void> {
  await page.click('button:has-text("Sign in with your account")');
  await page.fill('input[name=login]', email);
  await page.click('button');
}

/** Stores a screenshot in `test-results/`, which CI keeps and Git ignores. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = fileURLToPath(new URL('../../../test-results/console/', import.meta.url));
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** Gives a page's browser an authenticator, which answers at once as if a person had used a fingerprint. */
export async function addAuthenticator(page: Page): Promise<void> {
  // Otherwise it would sign in by itself, because the browser suggests passkeys in the field for the address.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const verified = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true };
  await devices.send('WebAuthn.addVirtualAuthenticator', { options: { ...options, ...verified } });
}
