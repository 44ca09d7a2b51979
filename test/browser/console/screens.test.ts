import { readFileSync } from 'node:fs';
import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTenant, type Tenant } from '../../support/gateway.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';
import { addDeliveries, addHostile, type HostileIds, readImports } from './records.support.js';

/** A screen and what it has to show. */
interface Shown {
  readonly path: string;
  /** It has a word for there being nothing. */
  readonly isList?: true;
  /** It asks the gateway for nothing but who is signed in. */
  readonly isOwn?: true;
  /** It shows no names. */
  readonly isNameless?: true;
  readonly isFor?: 'ADMIN';
  /** Its button opens a form for everybody, which creates what is only theirs. */
  readonly hasOwnForm?: true;
}

/** All screens; `:kind` stands for the id of a record of it. */
const screens: Readonly<Record<string, Shown>> = {
  start: { path: '/' },
  items: { path: '/items', isList: true },
  item: { path: '/items/:item' },
  calendar: { path: '/calendar', hasOwnForm: true },
  compliance: { path: '/compliance', isList: true },
  inbox: { path: '/inbox', isList: true },
  upload: { path: '/inbox/:upload' },
  requests: { path: '/requests', isList: true },
  request: { path: '/requests/:request' },
  contacts: { path: '/contacts', isList: true },
  contact: { path: '/contacts/:contact' },
  companies: { path: '/companies', isList: true },
  company: { path: '/companies/:company' },
  locations: { path: '/locations', isList: true },
  location: { path: '/locations/:location' },
  vehicles: { path: '/vehicles', isList: true },
  vehicle: { path: '/vehicles/:vehicle' },
  types: { path: '/types', isList: true },
  type: { path: '/types/:type' },
  requirements: { path: '/requirements', isList: true },
  requirement: { path: '/requirements/:requirement' },
  reminders: { path: '/reminders' },
  policy: { path: '/reminders/:policy' },
  deliveries: { path: '/deliveries', isList: true },
  newImport: { path: '/imports', isNameless: true },
  import: { path: '/imports/:import' },
  settings: { path: '/settings', isOwn: true },
  signIn: { path: '/settings/sign-in', isNameless: true },
  people: { path: '/settings/people', isFor: 'ADMIN' },
  workspaces: { path: '/settings/workspaces' },
  tokens: { path: '/settings/tokens', isFor: 'ADMIN' },
  organization: { path: '/settings/organization', isFor: 'ADMIN', isOwn: true },
  mail: { path: '/settings/mail', isFor: 'ADMIN', isNameless: true },
  mailTexts: { path: '/settings/mail-texts', isFor: 'ADMIN', isNameless: true },
  channels: { path: '/settings/channels', isFor: 'ADMIN', isNameless: true },
  webhooks: { path: '/settings/webhooks', isFor: 'ADMIN', isNameless: true },
  health: { path: '/settings/health', isNameless: true },
};

/** Finds texts in a file of the console's sources. */
const inSource = (path: string, pattern: RegExp) => {
  const text = readFileSync(new URL(`../../../console/src/${path}`, import.meta.url), 'utf8');
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
};

test('all screens that the console has are walked', () => {
  const paths = inSource('app/screens.ts', /^ +(?:\{ )?path: '([^']+)'/gm);
  const folders = inSource('app/addresses.ts', /folder: '([^']+)'/g);
  const ofRecords = folders.flatMap((folder) => [folder, `${folder}/:id`]);
  const parts = inSource('app/settings.ts', /^ +\{ id: '([\w-]*)'/gm);
  const known = [...paths, ...ofRecords].flatMap((path) =>
    path === '/settings/:id' ? parts.filter((id) => id !== '').map((id) => `/settings/${id}`) : [path],
  );
  const walked = Object.values(screens).map(({ path }) => path.replace(/:\w+/, ':id'));
  expect(known.length).toBeGreaterThan(20);
  expect(walked.toSorted()).toEqual(known.toSorted());
});

describeInBrowser("the console's screens", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let ids: HostileIds;
  let empty: Tenant;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    at = await openConsole();
    stop = readImports(at.gateway);
    await addDeliveries(at.gateway);
    ids = await addHostile(at.gateway);
    empty = await createTenant(at.gateway.database, 'Empty');
  }, browserTimeout);
  afterAll(async () => {
    await stop?.();
    await at?.close();
  });

  const addressOf = ({ path }: Shown) => path.replace(/:(\w+)/, (_, kind) => ids[kind as keyof HostileIds]);
  const isStill = (page: Page) =>
    page.waitForFunction(
      () => document.querySelector('main h1, main h2') && !document.querySelector('[aria-busy=true]'),
    );

  /** Goes to an address as a link of the console does, without loading the page anew. */
  async function go(page: Page, address: string) {
    await page.evaluate((to) => {
      const link = document.createElement('a');
      link.href = to;
      document.body.append(link);
      link.click();
      link.remove();
    }, address);
    await isStill(page);
  }

  /**
   * Returns what is wider than its place: the page, or what a card or a table cuts off. Some scroll, which is
   * no fault.
   */
  const beyond = (page: Page) =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main .card, main .tablebox')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
        .filter((one) => getComputedStyle(one).overflowX !== 'auto')
        .map(({ tagName, className, scrollWidth, clientWidth }) =>
          [tagName, className, scrollWidth, clientWidth].join(' '),
        ),
    );

  /** Looks at a screen by its address: light, dark, in three widths, with large text, and from right to left. */
  async function lookAt(page: Page, name: string, screen: Shown) {
    await page.goto(at.gateway.url + addressOf(screen));
    await page.waitForSelector('.shell h1');
    await isStill(page);
    expect(page.url()).toBe(at.gateway.url + addressOf(screen));
    const texts = await page.evaluate(() => [
      document.querySelector('main')?.textContent,
      ...[...document.querySelectorAll('input')].map(({ value }) => value),
    ]);
    if (!screen.isNameless) expect(texts.join('\n'), name).toContain('<img src=x onerror=alert(1)>');
    expect(await barriers(page), name).toEqual([]);
    await picture(page, `${name}-light`);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers(page, { rules: ['color-contrast'] }), name).toEqual([]);
    await picture(page, `${name}-dark`);
    // The last are 1280 by 1024 pixels at 400 %.
    for (const size of [[1200, 800] as const, [768, 1024] as const, [320, 256] as const]) {
      const [width, height] = size;
      await page.setViewportSize({ width, height });
      expect(await beyond(page), `${name} ${width}`).toEqual([]);
      await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
      expect(await beyond(page), `${name} ${width} rtl`).toEqual([]);
      await page.evaluate(() => document.documentElement.removeAttribute('dir'));
    }
    await picture(page, `${name}-narrow`);
    // A phone whose owner reads text of twice the size.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    expect(await beyond(page), `${name} with large text`).toEqual([]);
    await picture(page, `${name}-large`);
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
  }

  test('each opens by its address, for everybody, at each width', { timeout: 3 * browserTimeout }, () =>
    at.inConsole('/', async (page) => {
      await page.waitForSelector('.shell h1');
      for (const [name, screen] of Object.entries(screens)) await lookAt(page, name, screen);
    }),
  );

  const sameZone = 'Same as the workspace: UTC';
  test.each([
    ['/settings', { 'E-mail language': 'Same as the organization: English', 'Time zone': sameZone }],
    ['/contacts/new', { 'Time zone': sameZone, 'Assigned to': 'Nobody', Location: 'None' }],
    ['/types/new', { Reminders: 'Same as the workspace: Standard' }],
    ['/locations/new', { 'Part of': 'Nothing (top level)' }],
    [
      '/items/new',
      { 'Document type': 'Generic (if left empty)', 'Reminder policy': 'Same as the workspace: Standard' },
    ],
  ])('%s says what holds where a field is left empty', (path, fields) =>
    at.inConsole(
      path,
      async (page) => {
        await page.waitForSelector('main form');
        for (const [label, placeholder] of Object.entries(fields)) {
          const field = page.getByLabel(label, { exact: true });
          expect([label, await field.getAttribute('placeholder')]).toEqual([label, placeholder]);
        }
      },
      { token: empty.admin },
    ),
  );

  test('those with nothing in them say so, and what to do', () =>
    at.inConsole(
      '/',
      async (page) => {
        await page.waitForSelector('.shell h1');
        for (const [name, screen] of Object.entries(screens)) {
          if (screen.path.includes(':')) continue;
          await go(page, screen.path);
          if (screen.isList) await page.waitForSelector('main .empty h2');
          expect([name, await barriers(page)]).toEqual([name, []]);
          expect([name, await beyond(page)]).toEqual([name, []]);
        }
      },
      { token: empty.admin, width: 320, scheme: 'dark' },
    ));

  test('say what fails, and go on', () =>
    at.inConsole('/settings/health', async (page) => {
      await page.waitForSelector('.shell h1');
      let state: 'fails' | 'offline' | 'works' = 'works';
      await page.route('**/graphql', (route) => {
        if (state === 'works') return route.continue();
        if (state === 'offline') return route.abort('internetdisconnected');
        return route.fulfill({
          json: { data: null, errors: [{ message: 'Boom.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
        });
      });
      const told = (text: string) => page.waitForSelector(`main [role=alert]:has-text("${text}")`);
      const tryAgain = () =>
        page.evaluate(() => {
          for (const button of document.querySelectorAll<HTMLElement>('main [role=alert] button'))
            button.click();
        });
      for (const [name, screen] of Object.entries(screens)) {
        if (screen.isOwn) continue;
        state = 'fails';
        await go(page, addressOf(screen));
        await told('has failed');
        if (name === 'contacts') expect(await barriers(page)).toEqual([]);
        state = 'offline';
        await tryAgain();
        await told('cannot be reached');
        state = 'works';
        await tryAgain();
        await page.waitForSelector('main [role=alert]', { state: 'detached' });
        await isStill(page);
      }
    }));

  test.each(['viewer', 'member'] as const)('show a %s nothing that is refused', (role) =>
    at.inConsole(
      '/',
      async (page) => {
        await page.waitForSelector('.shell h1');
        const refused: string[] = [];
        const open = new Set<Request>();
        page.on('request', (request) => {
          if (request.url().endsWith('/graphql')) open.add(request);
        });
        page.on('requestfailed', (request) => open.delete(request));
        page.on('requestfinished', async (request) => {
          const text = open.has(request) ? await (await request.response())?.text() : '';
          if (/"FORBIDDEN"/.test(text ?? '')) refused.push(`${page.url()} ${text}`);
          open.delete(request);
        });
        for (const [name, screen] of Object.entries(screens)) {
          await go(page, addressOf(screen));
          if (screen.isFor) {
            expect([name, await page.locator('main .empty').count()]).toEqual([name, 1]);
            continue;
          }
          if (role === 'viewer') {
            const writes =
              'main a[href$="/new"], main a[href*="edit"], main textarea, main input[type=file]:not([hidden])';
            expect([
              name,
              await page.locator(writes).evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)),
            ]).toEqual([name, []]);
          }
          // All that a person could press, at once, but for what signs them out.
          await page.evaluate(() => {
            for (const button of document.querySelectorAll<HTMLElement>('main button:not([data-leaves])'))
              button.click();
          });
          await isStill(page);
          await expect.poll(() => open.size).toBe(0);
          if (role === 'viewer') {
            const forms = page.locator('dialog[open] form');
            expect([name, await forms.count()]).toEqual([name, screen.hasOwnForm ? 1 : 0]);
          }
          if (!screen.path.startsWith('/settings') && screen.path.includes(':') && role === 'viewer') {
            for (const address of [`${addressOf(screen)}?edit=1`, screen.path.replace(/:.*/, 'new')]) {
              await go(page, address);
              expect([address, await page.locator('main form').count()]).toEqual([address, 0]);
            }
          }
        }
        expect(refused).toEqual([]);
      },
      { token: at.gateway[role] },
    ),
  );

  test('say that a record is not there', () =>
    at.inConsole('/', async (page) => {
      await page.waitForSelector('.shell h1');
      for (const { path } of Object.values(screens)) {
        if (!path.includes(':')) continue;
        for (const id of ['00000000-0000-4000-8000-000000000000', '%3Cimg%20src=x%3E', '%']) {
          await go(page, path.replace(/:.*/, id));
          await page.waitForSelector('main [role=alert], main .empty');
        }
      }
      expect(await barriers(page)).toEqual([]);
    }));
});
