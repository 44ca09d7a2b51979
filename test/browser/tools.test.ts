import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../src/domain/doors/route.js';
import { routes } from '../../src/rest/routes.js';
import { startFirstTime } from '../support/first-start.js';
import type { TestGateway } from '../support/gateway.js';
import { operationOf, successOf } from '../support/openapi.js';
import {
  barriers,
  browserTimeout,
  describeInBrowser,
  inPage,
  type Opening,
  openBrowser,
} from './support/browser.js';
import { picture } from './support/console-browser.js';

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

describeInBrowser('pages without a console', { timeout: browserTimeout }, () => {
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
  const signIn = async (page: Page, token: string) => {
    await page.fill('#token', token);
    await page.press('#token', 'Enter');
  };
  const kept = (page: Page) =>
    page.evaluate(() => [sessionStorage, localStorage].map((one) => one.getItem('expiration-gateway.token')));
  const fits = async (page: Page, width: number) =>
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  const isAsset = (line: string) => /^GET \/(assets|docs|favicon|graphql|v1\/openapi\.json)/.test(line);
  const lightness = (page: Page, selector: string) =>
    page.evaluate<number>(
      `Number(getComputedStyle(document.querySelector('${selector}')).backgroundColor.match(/\\d+/)[0])`,
    );

  test.each([
    ['light', 1200],
    ['dark', 320],
  ] as const)('the start is a page of links, %s, on %d pixels', (scheme, width) =>
    open(
      '/',
      async (page) => {
        const links = page.locator('main a');
        expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
          '/graphql',
          '/docs',
          '/v1/openapi.json',
          '/v1/openapi.yaml',
          '/health/ready',
        ]);
        expect(await page.locator('form, input, button, table').count()).toBe(0);
        expect(await barriers(page)).toEqual([]);
        expect((await lightness(page, 'body')) > 128).toBe(scheme === 'light');
        await fits(page, width);
      },
      { scheme, width },
    ),
  );

  test('a wrong address leads to the start', () =>
    open('/nothing', async (page) => {
      expect(await page.innerText('h1')).toBe('There is nothing here');
      expect(await barriers(page)).toEqual([]);
      await page.click('text=Go to the start page');
      await page.waitForSelector('main dl');
    }));

  test('a link that signs in does so at the reference, and no address has its token', () =>
    open(`/#token=${gateway.viewer}`, async (page, sent) => {
      await signedIn(page);
      expect(page.url()).toBe(`${gateway.url}/docs`);
      expect(await page.innerText('#caller-name')).toBe('Administrator · viewer');
      expect(await kept(page)).toEqual([gateway.viewer, null]);
      expect(sent.filter((line) => line.includes(gateway.viewer))).toEqual([]);
    }));

  test('the GraphQL editor only asks for a session before somebody signs in, and refuses what is no token', () =>
    open('/graphql', async (page, sent) => {
      await asked(page);
      await page.waitForLoadState('networkidle');
      expect(sent.length).toBeGreaterThan(3);
      expect(sent.filter((line) => !isAsset(line))).toEqual(['GET /session/options ']);
      expect(await barriers(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await fits(page, 320);
      await signIn(page, 'egw_mistyped');
      await page.waitForSelector('#token[aria-invalid]');
      expect(await page.innerText('#sign-in-problem')).toMatch(/not valid/);
      expect(await barriers(page)).toEqual([]);
      expect(await kept(page)).toEqual([null, null]);
      await page.context().setOffline(true);
      await signIn(page, gateway.viewer);
      await expect.poll(() => page.innerText('#sign-in-problem')).toMatch(/does not answer/);
      await page.context().setOffline(false);
      await signIn(page, gateway.viewer);
      await signedIn(page);
      await fits(page, 320);
      await page.click('#editor [aria-label*="Documentation"]');
      await page.waitForSelector('#editor >> text=ExpirationItemFilter');
    }));

  test('the GraphQL editor runs operations, and follows the theme', () =>
    open(`/graphql#token=${gateway.admin}`, async (page, sent) => {
      await page.click('#editor .graphiql-execute-button');
      await page.waitForSelector('#editor .result-window >> text=Administrator');
      expect(page.url()).toBe(`${gateway.url}/graphql`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect
          .poll(async () => (await lightness(page, '.graphiql-container')) > 128)
          .toBe(colorScheme === 'light');
        expect(await barriers(page, { theirs: graphiql })).toEqual([]);
      }
      expect(sent.filter((line) => /https?:/.test(line.split(' ')[1] ?? ''))).toEqual([]);
    }));

  test('who signs out in one tab is signed out in the others', () =>
    open(`/graphql#token=${gateway.admin}`, async (page) => {
      await signedIn(page);
      const other = await page.context().newPage();
      await other.goto(`${gateway.url}/docs`);
      // The tab that has the token lends it.
      await signedIn(other);
      expect(await kept(other)).toEqual([null, null]);
      await other.click('#sign-out');
      await asked(page);
      expect(await page.locator('#editor > *').count()).toBe(0);
      expect(await kept(page)).toEqual([null, null]);
      await asked(other);
    }));

  /** Creates another person, and returns a token of theirs. */
  const tokenOfMax = async () => {
    const asked =
      'mutation { inviteUser(email: "max@example.com", name: "Max", role: MEMBER) { user { id } } }';
    const { id: userId } = (await gateway.graphql(asked)).data.inviteUser.user;
    const { data } = await gateway.graphql(
      'mutation ($userId: ID!) { createAccessToken(input: { name: "Max", role: MEMBER, userId: $userId }) { token } }',
      { userId },
    );
    return data.createAccessToken.token as string;
  };

  test('a link with the token of somebody else asks first, in each tab', () =>
    open(`/docs#token=${gateway.admin}`, async (page) => {
      await signedIn(page);
      const token = await tokenOfMax();
      const follow = (on: Page, fragment: string) =>
        on.evaluate((to) => {
          location.hash = to;
        }, `#token=${fragment}`);
      const asks = (on: Page) => on.waitForSelector('#other-token[open]');
      const shows = (on: Page, name: string) => on.waitForSelector(`#caller-name:has-text("${name}")`);
      await follow(page, token);
      await asks(page);
      expect(page.url()).toBe(`${gateway.url}/docs`);
      expect(await page.innerText('#other-token-text')).toBe(
        'You are signed in as Administrator. Use the token of this link instead?',
      );
      for (const [width, scheme] of [[1200, 'light'] as const, [320, 'dark'] as const]) {
        await page.setViewportSize({ width, height: 640 });
        await page.emulateMedia({ colorScheme: scheme });
        expect(await barriers(page, { theirs: swagger })).toEqual([]);
        await fits(page, width);
        await picture(page, `other-token-${scheme}`);
      }
      // Cancel has the focus.
      await page.keyboard.press('Enter');
      await page.waitForSelector('#other-token:not([open])', { state: 'attached' });
      expect(await kept(page)).toEqual([gateway.admin, null]);
      await follow(page, token);
      await asks(page);
      await page.keyboard.press('Escape');
      await page.waitForSelector('#other-token:not([open])', { state: 'attached' });
      await shows(page, 'Administrator · admin');
      // A token of the same person, and one of nobody.
      await follow(page, gateway.viewer);
      await shows(page, 'Administrator · viewer');
      await follow(page, 'egw_mistyped');
      await page.waitForSelector('#sign-in-problem:has-text("not valid")');
      await shows(page, 'Administrator · viewer');
      // Another tab, which has no token of its own.
      const other = await page.context().newPage();
      await other.goto(`${gateway.url}/graphql#token=${token}`);
      await asks(other);
      expect(other.url()).toBe(`${gateway.url}/graphql`);
      await shows(other, 'Administrator · viewer');
      await other.click('#other-token button[value=use]');
      await shows(other, 'Max · member');
      expect(await kept(other)).toEqual([token, null]);
      await shows(page, 'Administrator · viewer');
      // The start page leads to the reference, also if it is open already.
      await other.goto(`${gateway.url}/`);
      await follow(other, gateway.admin);
      await asks(other);
      expect(other.url()).toBe(`${gateway.url}/docs`);
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
  const another = routes.find(({ method, path }) => method === 'GET' && path === '/v1/vehicles') as Route;
  const promised = (route: Route) => `${route.method} ${route.path} ${successOf(route)}`;

  test('the examples of the reference work at the first click, until the token is revoked', () =>
    open('/docs', async (page) => {
      const { data } = await gateway.graphql(
        'mutation { createAccessToken(input: { name: "short", role: MEMBER }) { token accessToken { id } } }',
      );
      const { token, accessToken } = data.createAccessToken;
      await signIn(page, token);
      await signedIn(page);
      const answers: string[] = [];
      for (const route of ofContacts) answers.push(await tryOut(page, route));
      expect(answers).toEqual(ofContacts.map(promised));
      expect(answers).toHaveLength(tried.length);
      await gateway.graphql('mutation($id: ID!) { revokeAccessToken(id: $id) { id } }', accessToken);
      expect(await tryOut(page, another)).toMatch(/ 401$/);
      await asked(page);
      expect(await page.innerText('#sign-in-problem')).toBe('Your sign-in has ended.');
      await signIn(page, gateway.viewer);
      await signedIn(page);
    }));

  test('the reference offers all media types of a body, also those that the document has beside `content`', () =>
    open('/docs', async (page) => {
      const block = page.locator('[id$="-addUpload"]');
      await block.locator('.opblock-summary-control').click();
      const types = block.locator('.opblock-section-request-body .body-param-content-type option');
      await expect.poll(() => types.allInnerTexts()).toEqual(['application/json', 'multipart/form-data']);
    }));

  test('the reference is without barriers, and fits a phone', () =>
    open('/docs', async (page) => {
      await page.locator('.opblock-post .opblock-summary-control').first().click();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect.poll(async () => (await lightness(page, 'body')) > 128).toBe(colorScheme === 'light');
        expect(await barriers(page, { theirs: swagger })).toEqual([]);
      }
      await page.setViewportSize({ width: 320, height: 640 });
      await fits(page, 320);
    }));
});
