import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoginIssuer } from '../../clients/login-issuer.js';
import { browserTimeout, describeInBrowser } from '../support/browser.js';
import {
  type ConsoleBrowser,
  enterToken,
  openIssuerConsole,
  picture,
  signInAtIssuer,
  signInForm,
} from '../support/console-browser.js';

describeInBrowser('the editor and the reference, beside the console', { timeout: browserTimeout }, () => {
  let issuer: LoginIssuer;
  let at: ConsoleBrowser;
  let email: string;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    ({ at, issuer, email, close } = await openIssuerConsole('ADMIN'));
  }, browserTimeout);
  afterAll(() => close?.());

  const open = (path: string, work: (page: Page) => Promise<void>, token: string | null = null) =>
    at.inConsole(path, work, { token, origins: [issuer.url] });
  const signedIn = (page: Page) => page.waitForSelector('#caller:not([hidden])');
  /** All that the page keeps, less what the editor notes of itself. */
  const kept = (page: Page) =>
    page.evaluate(() =>
      [sessionStorage, localStorage].flatMap((one) =>
        Object.entries(one).filter(([name]) => name.startsWith('expiration-gateway')),
      ),
    );
  const query = async (page: Page) => {
    await page.click('#editor .graphiql-execute-button');
    await page.waitForSelector('#editor .result-window >> text=ADMIN');
  };
  /** Opens a tool by its link in the console, in another tab. */
  const follow = async (page: Page, path: string) => {
    await page.click('.side .foot button');
    const opened = page.context().waitForEvent('page');
    await page.click(`.menu:popover-open a[href="${path}"]`);
    return opened;
  };

  test('who is signed in to the console is signed in there, and signs out everywhere at once', () =>
    open(
      '/',
      async (page) => {
        await page.waitForSelector('.shell h1');
        await page.evaluate("localStorage.setItem('expiration-gateway.theme', 'dark')");
        const editor = await follow(page, '/graphql');
        await query(editor);
        await editor.waitForSelector('html.dark-mode[data-theme=dark]');
        await picture(editor, 'editor-dark');
        // Within the tab, and with a token that it does not keep.
        await editor.click('nav >> text=REST');
        await signedIn(editor);
        await editor.waitForSelector('html.dark-mode .swagger-ui .info');
        expect(editor.url()).toBe(`${at.gateway.url}/docs`);
        await editor.click('nav >> text=Start');
        await editor.waitForSelector('.shell h1');
        expect(await kept(editor)).toEqual([['expiration-gateway.theme', 'dark']]);
        const reference = await follow(editor, '/docs');
        await signedIn(reference);
        await reference.click('#sign-out');
        for (const tab of [page, editor]) await signInForm(tab);
        expect(await kept(page)).toEqual([['expiration-gateway.theme', 'dark']]);
        await reference.waitForSelector('a#sign-in:not([hidden])');
      },
      at.gateway.admin,
    ));

  test('who signs in at the issuer for the editor comes back to it, with a session and no token', () =>
    open('/graphql?query={me{role}}', async (page) => {
      await signInForm(page);
      await signInAtIssuer(page, email);
      await query(page);
      expect(page.url()).toMatch(/\/graphql\?query=/);
      expect(await kept(page)).toEqual([]);
      const console = await page.context().newPage();
      await console.goto(`${at.gateway.url}/items`);
      await console.waitForSelector('tbody th a');
      await page.reload();
      await query(page);
    }));

  test('the editor goes on with the token that the console gets in place of one that has ended', async () => {
    Object.assign(issuer.gives, { seconds: 60, refreshToken: true, role: 'ADMIN' });
    at.gateway.clock.now = new Date();
    await open('/items', async (page) => {
      await signInForm(page);
      await signInAtIssuer(page, email);
      await page.waitForSelector('tbody th a');
      const editor = await follow(page, '/graphql');
      await query(editor);
      issuer.gives.seconds = 300;
      at.gateway.clock.now = new Date(Date.now() + 150_000);
      await page.click('.side nav a[href="/contacts"]');
      await page.waitForSelector('main h1:has-text("Contacts")');
      await page.waitForSelector('tbody th a');
      const answered = editor.waitForResponse((response) => response.request().method() === 'POST');
      await editor.click('#editor .graphiql-execute-button');
      expect((await answered).status()).toBe(200);
    });
  });

  test('the reference can be read without signing in, which leads back to the same place', () =>
    open('/docs#/Contacts/contacts', async (page) => {
      await page.click('a#sign-in');
      await signInForm(page);
      await enterToken(page, at.gateway.viewer);
      await signedIn(page);
      expect(page.url()).toBe(`${at.gateway.url}/docs#/Contacts/contacts`);
      expect(await kept(page)).toEqual([['expiration-gateway.token', at.gateway.viewer]]);
    }));

  test('a token that does not hold is refused by the console', () =>
    open('/docs', async (page) => {
      await page.evaluate("localStorage.setItem('expiration-gateway.token', 'egw_mistyped')");
      await page.goto(`${at.gateway.url}/graphql`);
      await page.waitForSelector('.door [role=alert]:has-text("not valid")');
      expect(await kept(page)).toEqual([]);
    }));

  test('nobody is sent on to anything else', () =>
    open(
      '/',
      async (page) => {
        await page.waitForSelector('.shell h1');
        for (const address of [
          'https://example.com/docs',
          '//example.com/graphql',
          'javascript:alert(1)',
          'http://',
          '/docs/../health/ready',
        ]) {
          await page.goto(`${at.gateway.url}/?return=${encodeURIComponent(address)}`);
          await page.waitForSelector('.shell h1');
          expect(new URL(page.url()).pathname).toBe('/');
        }
      },
      at.gateway.admin,
    ));
});
