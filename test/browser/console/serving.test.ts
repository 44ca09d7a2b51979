import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoginIssuer } from '../../clients/login-issuer.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import {
  type ConsoleBrowser,
  openIssuerConsole,
  picture,
  signInAtIssuer,
  signInForm,
} from '../support/console-browser.js';

describeInBrowser('the console as it is served', { timeout: browserTimeout }, () => {
  let issuer: LoginIssuer;
  let opened: ConsoleBrowser;
  let email: string;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    ({
      at: opened,
      issuer,
      email,
      close,
    } = await openIssuerConsole('ADMIN', {
      PERSISTED_OPERATIONS: new URL('../../../schema/operations', import.meta.url).pathname,
      PERSISTED_OPERATIONS_ONLY: 'on',
    }));
  }, browserTimeout);
  afterAll(() => close?.());

  const signedIn = (page: Page) => page.waitForSelector('.shell h1');
  /** Returns all that the page keeps. */
  const kept = (page: Page) =>
    page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])');

  test('a document is shown from memory, and nothing else is let in', async () => {
    await opened.inConsole('/', async (page) => {
      await signedIn(page);
      expect(page.url()).toBe(`${opened.gateway.url}/`);
      expect(await page.evaluate('history.length')).toBe(2);
      await page.evaluate(`(() => {
        const frame = document.createElement('iframe');
        frame.src = URL.createObjectURL(new Blob(['%PDF-1.4\\n'], { type: 'application/pdf' }));
        document.body.append(frame);
        return new Promise((resolve) => frame.addEventListener('load', resolve));
      })()`);
    });
    const attempts = [
      "fetch('https://example.com/').catch(() => {})",
      "document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.com/x.png' }))",
      // Browsers look at a handler when it is written, or when it is to run.
      "(document.body.insertAdjacentHTML('beforeend', '<b onclick=alert(1)>x</b>'), document.body.lastChild.click())",
      "document.body.insertAdjacentHTML('beforeend', '<b style=\\'color:red\\'>x</b>')",
      "document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))",
    ];
    for (const attempt of attempts) {
      const work = opened.inConsole('/', async (page) => {
        await signedIn(page);
        const refused = page.waitForEvent('console', (line) => line.text().startsWith('The policy refuses'));
        await page.evaluate(`void ${attempt}`);
        await refused;
      });
      await expect(work, attempt).rejects.toThrow(/The policy refuses|It asks/);
    }
  });

  test.each(['light', 'dark'] as const)('asks who it is, %s', (scheme) =>
    opened.inConsole(
      '/',
      async (page) => {
        await signInForm(page);
        expect(await barriers(page)).toEqual([]);
        await picture(page, `sign-in-${scheme}`);
        expect(await kept(page)).not.toMatch(/egw_|eyJ/);
      },
      { token: null, scheme, origins: [issuer.url] },
    ),
  );

  test('people sign in at the issuer, come back to what they wanted, and stay signed in without a token', () =>
    opened.inConsole(
      '/items?status=EXPIRED',
      async (page) => {
        await signInForm(page);
        await signInAtIssuer(page, email);
        await signedIn(page);
        expect(page.url()).toBe(`${opened.gateway.url}/items?status=EXPIRED`);
        expect(await kept(page)).not.toMatch(/eyJ|verifier/);
        await page.reload();
        await signedIn(page);
      },
      { token: null, origins: [issuer.url] },
    ));

  test('somebody whom only the issuer knows gets an explanation', () =>
    opened.inConsole(
      '/',
      async (page) => {
        await signInForm(page);
        await signInAtIssuer(page, 'stranger@example.com');
        await signInForm(page);
        await page.waitForSelector('[role="alert"]');
        expect(await kept(page)).not.toMatch(/eyJ|verifier/);
      },
      { token: null, origins: [issuer.url] },
    ));

  test.each([
    '/callback',
    '/callback?code=x&state=y',
    '/callback?error=access_denied&error_description=%3Cimg%20src=x%20onerror=alert(1)%3E',
  ])('%s, which nobody has asked for, leads to signing in', (path) =>
    opened.inConsole(path, (page) => signInForm(page).then(() => {}), { token: null, origins: [issuer.url] }),
  );
});
