import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, enterToken, openConsole, picture } from '../support/console-browser.js';

const key = 'expiration-gateway.token';
const kept = (page: Page) =>
  page.evaluate((name) => [sessionStorage.getItem(name), localStorage.getItem(name)], key);

const addToken = `mutation($role: Role!, $signed: Boolean) {
  createAccessToken(input: { name: "console test", role: $role, signed: $signed }) { token accessToken { id } }
}`;

describeInBrowser('signing in to the console', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  const makeToken = async (role: string, signed = false) => {
    const { data } = await at.gateway.graphql(addToken, { role, signed });
    return data.createAccessToken as { token: string; accessToken: { id: string } };
  };

  test('takes a token from the address, and keeps it only in the tab', async () => {
    await at.inConsole('/items?due=30', async (page) => {
      await page.waitForSelector('tbody th a');
      expect(page.url()).toBe(`${at.gateway.url}/items?due=30`);
      expect(await kept(page)).toEqual([at.gateway.admin, null]);
      await page.reload();
      await page.waitForSelector('tbody th a');
    });
  });

  test('accepts a typed token, and keeps it only in the tab', async () => {
    await at.inConsole(
      '/',
      async (page) => {
        await page.waitForSelector('h1');
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'sign-in');
        await enterToken(page, 'egw_mistyped');
        await page.waitForSelector('[role=alert]');
        expect(await page.innerText('[role=alert]')).toMatch(/not valid/);
        expect(await kept(page)).toEqual([null, null]);
        await enterToken(page, at.gateway.admin);
        await page.waitForSelector('.tile');
        expect(await kept(page)).toEqual([at.gateway.admin, null]);
        await page.click('.side .foot button');
        await page.click('.menu:popover-open button:has-text("Sign out")');
        await page.waitForSelector('.door');
        expect(await kept(page)).toEqual([null, null]);
      },
      { token: null },
    );
  });

  test('comes in by itself once the gateway answers again', () =>
    at.inConsole('/', async (page) => {
      await page.waitForSelector('.tile');
      await page.route('**/graphql', (route) =>
        route.fulfill({ status: 429, headers: { 'Retry-After': '1' } }),
      );
      await page.reload();
      await page.waitForSelector('.door [role=alert]');
      expect(await kept(page)).toEqual([at.gateway.admin, null]);
      await page.waitForRequest('**/graphql');
      await page.unroute('**/graphql');
      await page.waitForSelector('.tile');
    }));

  test('refuses tokens that only send files in, with a sentence', async () => {
    const signed = await makeToken('UPLOADER', true);
    for (const token of [at.gateway.uploader, signed.token]) {
      await at.inConsole(
        '/items',
        async (page) => {
          await page.waitForSelector('[role=alert]');
          expect(await page.innerText('[role=alert]')).toMatch(/only send files|not valid/);
          expect(await kept(page)).toEqual([null, null]);
        },
        { token },
      );
    }
  });

  test('asks to sign in again when the token is revoked meanwhile', async () => {
    const { token, accessToken } = await makeToken('MEMBER');
    await at.inConsole(
      '/items',
      async (page) => {
        await page.waitForSelector('tbody th a');
        await at.gateway.graphql('mutation($id: ID!) { revokeAccessToken(id: $id) { id } }', accessToken);
        await page.click('tbody th a');
        await page.waitForSelector('[role=alert]');
        expect(await page.innerText('[role=alert]')).toMatch(/expired or was revoked/);
        expect(await kept(page)).toEqual([null, null]);
      },
      { token },
    );
  });

  test('speaks six languages, and keeps the choice', async () => {
    await at.inConsole('/', async (page) => {
      for (const [language, word] of Object.entries({
        de: 'Einträge',
        fr: 'Échéances',
        es: 'Elementos',
        it: 'Scadenze',
        nl: 'Items',
      })) {
        await page.waitForSelector('.tile');
        await page.click('.side .foot button');
        await page.selectOption('.menu:popover-open select >> nth=0', language);
        await page.waitForSelector(`html[lang=${language}]`);
        await page.reload();
        await page.waitForSelector('.tile');
        expect(await page.innerText('.side nav a[href="/items"]')).toBe(word);
      }
    });
  });
});
