import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../src/domain/doors/route.js';
import { routes } from '../../src/rest/routes.js';
import {
  barriers,
  browserTimeout,
  describeInBrowser,
  inPage,
  type Opening,
  openBrowser,
} from '../support/browser.js';
import { startFirstTime } from '../support/first-start.js';
import type { TestGateway } from '../support/gateway.js';
import { operationOf, successOf } from '../support/openapi.js';

/** What the editor's own markup breaks: its logo is too pale in the light theme, its tabs hold buttons. */
const graphiql = { below: '#editor', rules: ['color-contrast', 'nested-interactive'] };

/**
 * What Swagger UI's own markup breaks. Colours of its badges, code and examples; a title of level 1 before headings of
 * level 3; a main landmark around the operations alone; buttons in buttons; long examples that no key scrolls.
 */
const swagger = {
  below: '#reference',
  rules: ['color-contrast', 'heading-order', 'nested-interactive', 'region', 'scrollable-region-focusable'],
};

describeInBrowser('pages for developers', { timeout: browserTimeout }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startFirstTime(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  const open = (path: string, work: (page: Page, sent: string[]) => Promise<void>, opening: Opening = {}) =>
    inPage(browser, opening, async (page) => {
      const sent: string[] = [];
      page.on('request', (request) => {
        const { pathname, origin } = new URL(request.url());
        const where = origin === gateway.url ? pathname : request.url();
        if (!where.startsWith('data:')) sent.push(`${request.method()} ${where} ${request.postData() ?? ''}`);
      });
      await page.goto(gateway.url + path);
      await work(page, sent);
    });
  const signedIn = (page: Page) => page.waitForSelector('#caller:not([hidden])');
  const asked = (page: Page) => page.waitForSelector('#sign-in:not([hidden])');
  const isAsset = (line: string) => /^GET \/(assets|docs|favicon|graphql|v1\/openapi\.json)/.test(line);

  test('the GraphQL editor sends nothing by itself, and loads its schema as soon as a token is typed', () =>
    open('/graphql', async (page, sent) => {
      await asked(page);
      await page.waitForSelector('#waiting:not([hidden])');
      await page.waitForLoadState('networkidle');
      expect(sent.length).toBeGreaterThan(3);
      expect(sent.filter((line) => !isAsset(line))).toEqual([]);
      expect(await barriers(page)).toEqual([]);
      // No key is pressed after the token's last character, and nothing is clicked.
      await page.type('#token', gateway.viewer);
      await page.waitForSelector('#editor .graphiql-container');
      await expect.poll(() => sent.some((line) => line.includes('IntrospectionQuery'))).toBe(true);
      await page.click('#editor [aria-label*="Documentation"]');
      await page.waitForSelector('#editor >> text=ExpirationItemFilter');
    }));

  test('the GraphQL editor runs operations, and follows the theme', () =>
    open(`/graphql#token=${gateway.admin}`, async (page, sent) => {
      await page.click('#editor .graphiql-execute-button');
      await page.waitForSelector('#editor .result-window >> text=Administrator');
      expect(page.url()).toBe(`${gateway.url}/graphql`);
      const lightness = () =>
        page.evaluate<number>(
          `Number(getComputedStyle(document.querySelector('.graphiql-container')).backgroundColor.match(/\\d+/)[0])`,
        );
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect.poll(async () => (await lightness()) > 128).toBe(colorScheme === 'light');
        expect(await barriers(page, { theirs: graphiql })).toEqual([]);
      }
      await page.click('#sign-out');
      await page.waitForSelector('#waiting:not([hidden])');
      expect(await page.isVisible('#editor')).toBe(false);
      expect(sent.filter((line) => /https?:/.test(line.split(' ')[1] ?? ''))).toEqual([]);
    }));

  test('theme and token that the console keeps hold here, too, and signing out forgets the token', () =>
    open('/graphql', async (page) => {
      await asked(page);
      await page.evaluate(`localStorage.setItem('expiration-gateway.theme', 'dark')`);
      await page.evaluate(`localStorage.setItem('expiration-gateway.token', '${gateway.viewer}')`);
      await page.reload();
      await signedIn(page);
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
      await page.waitForSelector('#editor .graphiql-container');
      const lightness = (selector: string) =>
        page.evaluate<string>(
          `getComputedStyle(document.querySelector('${selector}')).backgroundColor.match(/\\d+/)[0]`,
        );
      expect(Number(await lightness('.graphiql-container'))).toBeLessThan(64);
      expect(Number(await lightness('body'))).toBeLessThan(64);
      await page.click('#sign-out');
      await asked(page);
      expect(await page.evaluate(`localStorage.getItem('expiration-gateway.token')`)).toBeNull();
      await page.goto(`${gateway.url}/docs`);
      await page.waitForSelector('html.dark-mode[data-theme="dark"] .swagger-ui .info');
      expect(Number(await lightness('.swagger-ui'))).toBeLessThan(64);
    }));

  /** Sends an operation's example: opens it, and clicks Try it out and Execute. */
  const tryOut = async (page: Page, { method, path }: Route) => {
    const { operationId } = operationOf(method, path);
    const block = page.locator(`[id$="-${operationId}"]`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    await block.locator('.execute').click();
    const status = await block.locator('.live-responses-table .response .response-col_status').innerText();
    await block.locator('.opblock-summary-control').click();
    return `${method} ${path} ${status.trim().slice(0, 3)}`;
  };
  /** Operations whose examples are in the query, in the path, and in a body. test/contract/examples.test.ts sends all. */
  const tried = ['GET /v1/contacts', 'GET /v1/contacts/{id}', 'POST /v1/contacts'];
  const ofContacts = routes.filter(({ method, path }) => tried.includes(`${method} ${path}`));
  const promised = (route: Route) => `${route.method} ${route.path} ${successOf(route)}`;

  test('the reference has the token of the tab, and its examples work at the first click', () =>
    open(`/#token=${gateway.admin}`, async (page) => {
      await signedIn(page);
      await page.click('nav >> text=REST');
      await signedIn(page);
      await page.waitForSelector('.authorize.locked');
      const answers: string[] = [];
      for (const route of ofContacts) answers.push(await tryOut(page, route));
      expect(answers).toEqual(ofContacts.map(promised));
      expect(answers).toHaveLength(tried.length);
    }));

  test("the reference's dialog and the bar know of each other, and it follows the theme", () =>
    open('/docs', async (page) => {
      await asked(page);
      await page.locator('.opblock-post .opblock-summary-control').first().click();
      for (const [colorScheme, shown] of [
        ['light', 'html:not(.dark-mode)'],
        ['dark', 'html.dark-mode'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.waitForSelector(shown);
        expect(await barriers(page, { theirs: swagger })).toEqual([]);
      }
      const dialog = async (button: string) => {
        await page.click('.btn.authorize');
        if (button === 'Apply credentials') await page.fill('.auth-container input', gateway.viewer);
        await page.click(`.auth-btn-wrapper [aria-label="${button}"]`);
      };
      await dialog('Apply credentials');
      await signedIn(page);
      expect(await page.innerText('#caller-name')).toBe('Administrator · viewer');
      await page.click('.close-modal');
      await page.waitForSelector('.btn.authorize.locked');
      await page.click('#sign-out');
      await page.waitForSelector('.btn.authorize.unlocked');
      expect(await page.evaluate('sessionStorage.length')).toBe(0);
    }));
});
