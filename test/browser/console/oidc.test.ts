import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoginIssuer } from '../../clients/login-issuer.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import {
  type ConsoleBrowser,
  openIssuerConsole,
  signInAtIssuer,
  signInForm,
} from '../support/console-browser.js';

describeInBrowser('signing in to the console at an issuer', { timeout: browserTimeout }, () => {
  let issuer: LoginIssuer;
  let at: ConsoleBrowser;
  let email: string;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    ({ at, issuer, email, close } = await openIssuerConsole('MEMBER'));
  }, browserTimeout);
  afterAll(() => close?.());

  test.each([
    ['with a session that lasts', undefined],
    ['with a token only in memory, if it states rights', 'MEMBER'],
  ])('returns to the address that the person wanted, %s', async (_name, role) => {
    issuer.gives.role = role;
    await at.inConsole(
      '/items?due=90',
      async (page) => {
        await page.click('button:has-text("Sign in with your account")');
        await page.fill('input[name=login]', email);
        await page.click('button');
        await page.waitForSelector('tbody th a');
        expect(page.url()).toBe(`${at.gateway.url}/items?due=90`);
        const kept = await page.evaluate(() =>
          JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
        );
        expect(kept).toBe('[[],[]]');
        await page.reload();
        if (role) {
          await signInForm(page);
          await signInAtIssuer(page, email);
        }
        await page.click('.side .foot button');
        expect(await page.innerText('.menu:popover-open')).toContain(email);
        await page.click('.menu:popover-open button:has-text("Sign out")');
        await signInForm(page);
        await page.reload();
        await signInForm(page);
      },
      { token: null, origins: [issuer.url] },
    );
  });

  const signIn = async (page: Page) => {
    await signInAtIssuer(page, email);
    await page.waitForSelector('h1');
  };
  /** Lets the gateway's time pass until a token of a minute has ended. */
  const endToken = () => {
    at.gateway.clock.now = new Date(Date.now() + 150_000);
  };

  test('continues with a refresh token when the first token has expired', async () => {
    Object.assign(issuer.gives, { seconds: 60, role: 'MEMBER' });
    issuer.gives.refreshToken = true;
    at.gateway.clock.now = new Date();
    await at.inConsole(
      '/items',
      async (page) => {
        await signIn(page);
        await page.waitForSelector('tbody th a');
        const asked: string[] = [];
        page.on('request', (request) => {
          if (request.url().startsWith(issuer.url)) asked.push(request.postData() ?? '');
        });
        issuer.gives.seconds = 300;
        endToken();
        await page.click('.side nav a[href="/contacts"]');
        await page.waitForSelector('tbody th a');
        expect(asked.filter((body) => body.includes('grant_type=refresh_token')).length).toBe(1);
        expect(await page.locator('dialog').count()).toBe(0);
      },
      { token: null, origins: [issuer.url] },
    );
  });

  test('lets people sign in again in place, without losing unsaved input', async () => {
    Object.assign(issuer.gives, { seconds: 60, role: 'MEMBER' });
    issuer.gives.refreshToken = false;
    at.gateway.clock.now = new Date();
    await at.inConsole(
      '/items/new',
      async (page) => {
        await signIn(page);
        await page.getByLabel('Name', { exact: true }).fill('Typed before');
        await page.getByLabel('Expires').fill('2031-05-01');
        await page.getByRole('combobox', { name: 'Document type' }).fill('driver');
        // The form reads the document type that is chosen: with a token that has ended, it would ask to sign in by itself.
        const isRead = page.waitForResponse((answer) => /"id":/.test(answer.request().postData() ?? ''));
        await page.click('[role=option]:has-text("Driver licence")');
        await isRead;
        issuer.gives.seconds = 300;
        endToken();
        await page.click('.formend button[type=submit]');
        await page.waitForSelector('dialog [role=alert]:has-text("expired")');
        expect(await barriers(page)).toEqual([]);
        const opened = page.waitForEvent('popup');
        await page.click('dialog button:has-text("Sign in with your account")');
        const window = await opened;
        await window.fill('input[name=login]', email);
        const closed = window.waitForEvent('close');
        await window.click('button');
        await closed;
        await page.waitForSelector('dialog', { state: 'detached' });
        expect(page.url()).toBe(`${at.gateway.url}/items/new`);
        await page.click('.formend button[type=submit]');
        await page.waitForSelector('h1:has-text("Typed before")');
      },
      { token: null, origins: [issuer.url] },
    );
  });

  test('refuses an answer that nobody has asked for', async () => {
    await at.inConsole(
      '/callback?code=made-up&state=made-up&iss=elsewhere',
      async (page) => {
        await page.waitForSelector('input[type=password]');
        expect(page.url()).toBe(`${at.gateway.url}/`);
      },
      { token: null, origins: [issuer.url] },
    );
  });

  test('says why it did not work', async () => {
    await at.inConsole(
      '/',
      async (page) => {
        await page.click('button:has-text("Sign in with your account")');
        await page.waitForSelector('input[name=login]');
        await page.goto(`${at.gateway.url}/callback?code=made-up&state=made-up&iss=elsewhere`);
        await page.waitForSelector('[role=alert]:has-text("Signing in failed")');
      },
      { token: null, origins: [issuer.url] },
    );
  });
});
