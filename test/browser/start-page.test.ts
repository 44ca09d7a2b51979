import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  barriers,
  browserTimeout,
  describeInBrowser,
  inPage,
  type Opening,
  openBrowser,
} from '../support/browser.js';
import { execute } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { postgresUrl } from '../support/postgres.js';

const day = 86_400_000;
/** Returns the date so many days after today, where the day begins at midnight of a time zone. */
const dateIn = (days: number, timeZone = 'UTC') =>
  new Date(Date.now() + days * day).toLocaleDateString('sv', { timeZone });

const key = 'expiration-gateway.token';
const kept = (page: Page) =>
  page.evaluate((name) => [sessionStorage.getItem(name), localStorage.length], key);

/** Lets a gateway's database take no connections any more. */
async function refuseConnections({ databaseUrl }: TestGateway): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await execute(postgresUrl, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await execute(
    postgresUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

describeInBrowser('the start page', { timeout: browserTimeout }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(), openBrowser()]);
    // The page counts by the date of the answers, which is the machine's.
    gateway.clock.now = new Date();
    const create = `mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }`;
    const inputs = [
      { name: '<img src=x onerror=alert(1)>', expirationDate: dateIn(-12), categoryName: 'Licence' },
      { name: 'Van 1 inspection', expirationDate: dateIn(5), categoryName: 'Inspection' },
      { name: 'Lease', expirationDate: dateIn(60) },
      ...Array.from({ length: 11 }, (_, at) => ({
        name: `Permit ${at}`,
        expirationDate: dateIn(-100 - at),
      })),
    ];
    for (const input of inputs) {
      const { errors } = await gateway.graphql(create, { input });
      expect(errors).toBeUndefined();
    }
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  const open = (work: (page: Page) => Promise<void>, path = '/', opening: Opening = {}, from = gateway) =>
    inPage(browser, opening, async (page) => {
      await page.goto(from.url + path);
      await work(page);
    });
  const link = (token = gateway.admin) => `/#token=${token}`;
  const shown = (page: Page) => page.waitForSelector('#items:not([hidden])');
  const asked = (page: Page) => page.waitForSelector('#welcome:not([hidden]) #sign-in:not([hidden])');
  const refused = async (page: Page) => {
    await page.waitForSelector('#token[aria-invalid]');
    return page.textContent('#sign-in-problem');
  };
  const signIn = async (page: Page, token: string) => {
    await page.fill('#token', token);
    await page.press('#token', 'Enter');
  };

  test('says where the token comes from, and sends nothing without one', () =>
    inPage(browser, {}, async (page) => {
      const methods = new Set<string>();
      page.on('request', (request) => methods.add(request.method()));
      await page.goto(gateway.url);
      await asked(page);
      expect(await page.innerText('#welcome')).toMatch(
        /first start.*link that signs in.*(node dist\/main\.js|npx expiration-gateway) token create --name me/s,
      );
      expect([...methods]).toEqual(['GET']);
      expect(await kept(page)).toEqual([null, 0]);
    }));

  test('signs in with a link, without its token in requests, address or history', () =>
    inPage(browser, {}, async (page) => {
      const told: string[] = [];
      page.on('request', (request) => told.push(request.url(), request.headers().referer ?? ''));
      await page.goto(gateway.url + link());
      await shown(page);
      expect(page.url()).toBe(`${gateway.url}/`);
      expect(told.length).toBeGreaterThan(4);
      expect(told.filter((text) => text.includes(gateway.admin))).toEqual([]);
      expect(await page.evaluate('history.length')).toBe(2);
      expect(await kept(page)).toEqual([gateway.admin, 0]);
    }));

  test('signs in by a link while it is open, too', () =>
    open(async (page) => {
      await asked(page);
      await page.evaluate(`location.hash = 'token=${gateway.viewer}'`);
      await shown(page);
      expect(page.url()).toBe(`${gateway.url}/`);
      expect(await page.innerText('#caller-name')).toBe('Max Member · viewer');
    }));

  test('describes in words what has expired and what expires soon', () =>
    open(async (page) => {
      await shown(page);
      const rows = (id: string) => page.locator(`#${id} tbody tr`).allInnerTexts();
      const [first = ''] = await rows('expired');
      expect(first).toMatch(/<img src=x onerror=alert\(1\)>/);
      expect(first).toMatch(/Licence\s.*20\d\d\s+expired 12 days ago/s);
      expect(await page.getAttribute('#expired tbody time >> nth=0', 'datetime')).toBe(dateIn(-12));
      const soon = await rows('expiring');
      expect(soon).toHaveLength(1);
      expect(soon[0]).toMatch(/Van 1 inspection.*in 5 days/s);
      expect(await page.innerText('#counts div:first-child')).toMatch(/12\s*Expired|Expired\s*12/);
      await page.selectOption('#days', '90');
      await expect.poll(() => rows('expiring')).toHaveLength(2);
      expect(await rows('expired')).toHaveLength(10);
      await page.click('#expired > button');
      await expect.poll(() => rows('expired')).toHaveLength(12);
      expect(await page.isVisible('#expired > button')).toBe(false);
    }, link()));

  test('counts days by the day of each workspace', async () => {
    // They are 25 hours apart, so their dates always differ.
    const zones = { [gateway.teamId]: 'Pacific/Kiritimati', [gateway.otherTeamId]: 'Pacific/Pago_Pago' };
    const expirationDate = dateIn(3, 'Pacific/Kiritimati');
    for (const [teamId, timezone] of Object.entries(zones)) {
      const { errors } = await gateway.graphql(
        `mutation($id: ID!, $timezone: String!, $input: CreateExpirationItemInput!) {
          updateTeam(id: $id, input: { timezone: $timezone }) { id }
          createExpirationItem(input: $input) { id }
        }`,
        { id: teamId, timezone, input: { name: timezone, expirationDate, teamId } },
      );
      expect(errors).toBeUndefined();
    }
    await open(async (page) => {
      await shown(page);
      const left = (zone: string) =>
        page.locator('#expiring tr', { hasText: zone }).locator('.badge').innerText();
      expect(await left('Pacific/Kiritimati')).toBe('in 3 days');
      expect(await left('Pacific/Pago_Pago')).toMatch(/^in [45] days$/);
    }, link());
  });

  test('forgets the token when one signs out', () =>
    open(async (page) => {
      await shown(page);
      await page.click('#sign-out');
      await asked(page);
      expect(await kept(page)).toEqual([null, 0]);
      expect(await page.innerText('body')).not.toContain('Van 1');
      await page.reload();
      await asked(page);
    }, link()));

  test('keeps the token for the tab, and for no other one', () =>
    open(async (page) => {
      await shown(page);
      await page.reload();
      await shown(page);
      const other = await page.context().newPage();
      await other.goto(gateway.url);
      await asked(other);
    }, link()));

  test('says that a token is not valid, and keeps none', () =>
    open(async (page) => {
      await signIn(page, 'egw_mistyped');
      expect(await refused(page)).toMatch(/not valid/);
      expect(await page.evaluate('document.activeElement.id')).toBe('token');
      expect(await kept(page)).toEqual([null, 0]);
    }));

  test('says that a role may not read', () =>
    open(async (page) => {
      expect(await refused(page)).toMatch(/UPLOADER/);
    }, link(gateway.uploader)));

  test('says that the gateway is unreachable, and continues with the token when it is back', () =>
    open(async (page) => {
      await shown(page);
      await page.context().setOffline(true);
      await page.click('#refresh');
      await page.waitForSelector('#problem:not([hidden])');
      expect(await page.innerText('#problem')).toMatch(/cannot be reached/);
      expect(await page.isVisible('#items')).toBe(true);
      await page.context().setOffline(false);
      await page.click('#refresh');
      await page.waitForSelector('#problem', { state: 'hidden' });
    }, link()));

  test('says that the database is away', async () => {
    const away = await startGateway();
    try {
      await open(
        async (page) => {
          await shown(page);
          expect(await page.innerText('#expiring .hint')).toMatch(/no items yet/);
          await refuseConnections(away);
          await page.click('#refresh');
          await page.waitForSelector('#problem:not([hidden])');
          expect(await page.innerText('#problem')).toMatch(/not available now/);
        },
        link(away.admin),
        {},
        away,
      );
    } finally {
      await away.close();
    }
  });

  test('links to an editor only where there is one, and needs none itself', async () => {
    const bare = await startGateway({
      PERSISTED_OPERATIONS: new URL('../../schema/operations', import.meta.url).pathname,
      PERSISTED_OPERATIONS_ONLY: 'on',
    });
    try {
      const links = (page: Page) =>
        page.locator('nav a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
      await open(async (page) => expect(await links(page)).toEqual(['/', '/graphql', '/docs']));
      await open(
        async (page) => {
          await shown(page);
          expect(await links(page)).toEqual(['/', '/docs']);
        },
        link(bare.admin),
        {},
        bare,
      );
    } finally {
      await bare.close();
    }
  });

  test.each([320, 360, 1200])('fits a screen of %d pixels', (width) =>
    open(
      async (page) => {
        await shown(page);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      },
      link(),
      { width },
    ),
  );

  test.each(['light', 'dark'] as const)('is without barriers in all its states, %s', async (scheme) => {
    await open(
      async (page) => {
        await asked(page);
        expect(await barriers(page)).toEqual([]);
        await signIn(page, 'egw_mistyped');
        await refused(page);
        expect(await barriers(page)).toEqual([]);
        await signIn(page, gateway.admin);
        await shown(page);
        expect(await barriers(page)).toEqual([]);
        const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        expect(ground).toBe(scheme === 'dark' ? 'rgb(15, 21, 20)' : 'rgb(244, 247, 246)');
        await page.context().setOffline(true);
        await page.click('#refresh');
        await page.waitForSelector('#problem:not([hidden])');
        expect(await barriers(page)).toEqual([]);
      },
      '/',
      { scheme },
    );
  });

  test('a wrong address leads home', () =>
    open(async (page) => {
      expect(await page.innerText('h1')).toBe('There is nothing here');
      expect(await barriers(page)).toEqual([]);
      await page.click('text=Go to the start page');
      await asked(page);
    }, '/nothing'));
});
