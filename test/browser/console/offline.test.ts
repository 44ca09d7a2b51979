import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePassword, max, password } from '../../sign-in/support.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const create = 'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
const change =
  'mutation($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }';
const read =
  'query($id: ID!) { expirationItem(id: $id) { name details expirationDate notes { nodes { bodyText } } } }';
const email = 'ada@example.com';

/** Returns all that the page's database has, by table; undefined if it is not there. */
const kept = (page: Page) =>
  page.evaluate(async () => {
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === 'kept')) return undefined;
    const opened = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('kept');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const found: Record<string, { key: string; at: number; text: string }[]> = {};
    for (const table of opened.objectStoreNames) {
      found[table] = await new Promise((resolve) => {
        const request = opened.transaction(table).objectStore(table).getAll();
        request.onsuccess = () => resolve(request.result);
      });
    }
    opened.close();
    return found;
  });

/** Counts the records that the page's database has. */
const countKept = async (page: Page) => Object.values((await kept(page)) ?? {}).flat().length;

/** Waits until the service worker answers for the page. */
const whenReady = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

const banner = '.offline[role=status]';

describeInBrowser('the console without a connection', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let itemId: string;
  beforeAll(async () => {
    at = await openConsole();
    const { database, userId } = at.gateway;
    await database.prisma.user.update({ where: { id: userId }, data: { email, role: 'ADMIN' } });
    await givePassword(at.gateway, userId);
    const invited = await at.gateway.graphql(
      `mutation { inviteUser(name: "Max", email: "${max}", role: MEMBER) { user { id } } }`,
    );
    await givePassword(at.gateway, invited.data.inviteUser.user.id);
    itemId = await add('Xylophone licence', { details: 'Behind the door' });
  }, browserTimeout);
  afterAll(() => at?.close());

  const add = async (name: string, more = {}) => {
    const { data } = await at.gateway.graphql(create, {
      input: { name, expirationDate: '2028-01-31', ...more },
    });
    return data.createExpirationItem.id as string;
  };
  const now = async (id: string) => (await at.gateway.graphql(read, { id })).data.expirationItem;
  async function signIn(page: Page, as = email): Promise<void> {
    await page.fill('input[type=email]', as);
    await page.fill('input[autocomplete=current-password]', password);
    await page.press('input[autocomplete=current-password]', 'Enter');
  }
  /** Opens an address as Ada, with a service worker. */
  const open = (path: string, work: (page: Page) => Promise<void>, width = 1200) =>
    at.inConsole(
      path,
      async (page) => {
        await page.waitForSelector('input[type=email]');
        await signIn(page);
        await page.waitForSelector('.shell h1');
        await whenReady(page);
        await work(page);
      },
      { token: null, hasWorker: true, width },
    );
  const list = '/items?q=xylophone';
  /** Opens the list and the item, as far as to be kept. */
  async function see(page: Page): Promise<void> {
    await page.goto(`${at.gateway.url}${list}`);
    await page.waitForSelector('tbody th a:has-text("Xylophone licence")');
    await page.click('tbody th a:has-text("Xylophone licence")');
    await page.waitForSelector('text=Behind the door');
    await expect
      .poll(
        async () =>
          (await kept(page))?.answers?.filter(({ text }) => text.includes('Behind the door')).length,
      )
      .toBeGreaterThan(0);
  }
  const signOut = async (page: Page) => {
    await page.click('.side .foot button');
    await page.click('.menu:popover-open button:has-text("Sign out")');
    await page.waitForSelector('.door');
  };

  test.each([1440, 390])(
    'shows what was seen after a reload, and what is new afterwards, at %i pixels',
    (width) =>
      open(
        '/',
        async (page) => {
          await see(page);
          await page.context().setOffline(true);
          await page.reload();
          await page.waitForSelector('text=Behind the door');
          await page.waitForSelector(
            `${banner}:has-text("You are offline. This is what you saw last, as of")`,
          );
          expect(await page.locator(banner).count()).toBe(1);
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            expect(await barriers(page)).toEqual([]);
            await picture(page, `offline-item-${width}-${colorScheme}`);
          }
          await page.goto(`${at.gateway.url}${list}`);
          await page.waitForSelector('tbody th a:has-text("Xylophone licence")');
          await picture(page, `offline-list-${width}`);
          await page.goto(`${at.gateway.url}/settings/people`);
          await page.waitForSelector('main [role=alert]:has-text("it is not kept on this device")');
          await page.waitForSelector(`${banner}:has-text("You are offline.")`);
          await page.goto(`${at.gateway.url}/items/${itemId}`);
          await page.waitForSelector('text=Behind the door');
          await at.gateway.graphql(change, { id: itemId, input: { details: 'In the hall' } });
          await page.context().setOffline(false);
          await page.waitForSelector('text=In the hall');
          await page.waitForSelector(banner, { state: 'detached' });
          await at.gateway.graphql(change, { id: itemId, input: { details: 'Behind the door' } });
          await page.waitForSelector('text=Behind the door');
        },
        width,
      ),
  );

  test('shows what was seen if the network breaks while the session is checked', () =>
    open('/', async (page) => {
      await see(page);
      // The gateway says that there is a session, and nothing after that.
      await page.route('**/graphql', (route) => route.abort());
      await page.reload();
      await page.waitForSelector('text=Behind the door');
      await page.waitForSelector(`${banner}:has-text("This is what you saw last, as of")`);
      await page.unroute('**/graphql');
      await page.waitForSelector(banner, { state: 'detached' });
      await page.waitForSelector('text=Behind the door');
    }));

  test('says why a button that writes does nothing, and sends nothing', () =>
    open('/', async (page) => {
      await see(page);
      await page.context().setOffline(true);
      await page.reload();
      await page.click('.standing button:has-text("Renew")');
      await page.fill('dialog input[type=date]', '2029-01-31');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector(
        'dialog [role=alert]:has-text("Nothing was saved, because there is no connection.")',
      );
      await picture(page, 'offline-renew');
      await page.context().setOffline(false);
      await page.waitForSelector(banner, { state: 'detached' });
      expect((await now(itemId)).expirationDate).toBe('2028-01-31');
    }));

  test('saves without any network, if the gateway is on this machine', () =>
    open('/', async (page) => {
      const id = await add('Ladder');
      // So do browsers of a laptop say it on the way, also of what runs on it.
      await page.addInitScript("Object.defineProperty(navigator, 'onLine', { get: () => false })");
      await page.goto(`${at.gateway.url}/items/${id}`);
      await page.fill('.card:has(h2:text-is("Notes")) textarea', 'Written on the train');
      await page.click('.card:has(h2:text-is("Notes")) button[type=submit]');
      await page.waitForSelector('.itemnote:has-text("Written on the train")');
    }));

  test('keeps nothing of settings, and nothing that lets anybody in', () =>
    open('/settings/tokens', async (page) => {
      await page.waitForSelector('tbody');
      await page.click('main button:has-text("Create a token")');
      await page.fill('dialog input', 'For the scanner');
      await page.click('dialog button[type=submit]');
      const secret = await page.innerText('dialog .secret code');
      expect(secret).toMatch(/^egw_/);
      await page.goto(`${at.gateway.url}/settings/sign-in`);
      await page.waitForSelector('.card');
      await see(page);
      const all = JSON.stringify(await kept(page));
      expect(all).toContain('Behind the door');
      expect(all).not.toContain('egw_');
      expect(all).not.toContain('For the scanner');
      const cached = await page.evaluate(async () => {
        const names = await caches.keys();
        const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
        return keys.flat().map(({ url }) => new URL(url).pathname);
      });
      const others = cached.filter((path) => !path.startsWith('/console/assets/'));
      expect(others.sort()).toEqual(['/', '/console/config.json', '/favicon.svg']);
    }));

  test('erases it at signing out, also where another page of the gateway signs out', () =>
    open('/', async (page) => {
      await see(page);
      await expect.poll(() => countKept(page)).toBeGreaterThan(2);
      await signOut(page);
      await expect.poll(() => countKept(page)).toBe(0);
      await page.context().setOffline(true);
      await page.reload();
      await page.waitForSelector('.door');
      expect(await page.locator('text=Behind the door').count()).toBe(0);
      await page.context().setOffline(false);
      await page.reload();
      await page.waitForSelector('input[type=email]');
      await signIn(page);
      await page.waitForSelector('.shell h1');
      await see(page);
      await page.goto(`${at.gateway.url}/docs`);
      await page.waitForSelector('#caller:not([hidden])');
      await page.click('#sign-out');
      await page.waitForSelector('#sign-in:not([hidden])');
      await expect.poll(() => countKept(page)).toBe(0);
    }));

  test('erases it when somebody else signs in', () =>
    open('/', async (page) => {
      await see(page);
      await page.evaluate(
        async (sent) => {
          const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'console' };
          await fetch('/session/password', { method: 'POST', headers, body: JSON.stringify(sent) });
        },
        { email: max, password },
      );
      await page.goto(`${at.gateway.url}/contacts`);
      await page.waitForSelector('.side .foot button:has-text("Max")');
      await expect
        .poll(async () => (await kept(page))?.person?.map(({ text }) => JSON.parse(text).me.email))
        .toEqual([max]);
      expect(JSON.stringify(await kept(page))).not.toContain('Behind the door');
    }));

  test('erases it when the session is revoked, with the page open and before it is opened', () =>
    open('/', async (page) => {
      const revoke = () => at.gateway.database.prisma.signInSession.deleteMany({});
      await see(page);
      await revoke();
      await page.click('.nav a[href="/contacts"]');
      await page.waitForSelector('dialog:has-text("Sign in again")');
      await expect.poll(() => countKept(page)).toBe(0);
      await page.reload();
      await signIn(page);
      await page.waitForSelector('.shell h1');
      await see(page);
      await page.context().setOffline(true);
      await page.reload();
      await page.waitForSelector('text=Behind the door');
      await revoke();
      await page.context().setOffline(false);
      await page.waitForSelector('.door input[type=email]');
      expect(await page.locator('text=Behind the door').count()).toBe(0);
      await expect.poll(() => countKept(page)).toBe(0);
    }));

  test('forgets what is older than a session, and all but the last answers', () =>
    open('/', async (page) => {
      await see(page);
      await page.evaluate(async () => {
        const opened = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open('kept');
          request.onsuccess = () => resolve(request.result);
        });
        const transaction = opened.transaction(['answers', 'person'], 'readwrite');
        const [person] = await new Promise<{ key: string }[]>((resolve) => {
          const request = transaction.objectStore('person').getAll();
          request.onsuccess = () => resolve(request.result);
        });
        const owner = person?.key.split(' ').slice(0, 2).join(' ');
        const store = transaction.objectStore('answers');
        const old = Date.now() - 15 * 86_400_000;
        store.put({ key: `${owner} too old`, at: old, length: 2, text: '{}' });
        for (let n = 0; n < 600; n++)
          store.put({ key: `${owner} other ${n}`, at: old + 2 * 86_400_000, length: 2, text: '{}' });
        await new Promise((resolve) => transaction.addEventListener('complete', resolve));
        opened.close();
      });
      await page.goto(`${at.gateway.url}/vehicles`);
      await page.waitForSelector('tbody');
      await expect.poll(async () => (await kept(page))?.answers?.length).toBe(500);
      const keys = (await kept(page))?.answers?.map(({ key }) => key) ?? [];
      expect(keys.some((key) => key.endsWith('too old'))).toBe(false);
    }));

  test('offers what was typed before the tab was closed, and sends it when asked', () =>
    open('/items/new', async (page) => {
      await page.locator('form input').first().fill('Half a ladder');
      await expect.poll(async () => (await kept(page))?.drafts?.length).toBe(1);
      const again = await page.context().newPage();
      await page.close({ runBeforeUnload: false });
      await again.goto(`${at.gateway.url}/items/new`);
      await again.waitForSelector('text=You had typed this on');
      for (const width of [390, 1440])
        for (const colorScheme of ['light', 'dark'] as const) {
          await again.setViewportSize({ width, height: 900 });
          await again.emulateMedia({ colorScheme });
          expect(await barriers(again)).toEqual([]);
          await picture(again, `draft-offered-${width}-${colorScheme}`);
        }
      await again.click('button:has-text("Restore")');
      expect(await again.inputValue('form input')).toBe('Half a ladder');
      await again.fill('form input[type=date]', '2028-05-05');
      await again.click('form button[type=submit]');
      await again.waitForSelector('h1:has-text("Half a ladder")');
      await expect.poll(async () => (await kept(again))?.drafts).toEqual([]);
    }));

  test('keeps the words of two tabs, and offers those of a closed one', () =>
    open('/items/new', async (page) => {
      const name = (tab: Page) => tab.locator('form input').first();
      const offer = 'form .note:has-text("You had typed this on")';
      await name(page).fill('Half a ladder');
      await expect.poll(async () => (await kept(page))?.drafts?.length).toBe(1);
      const other = await page.context().newPage();
      await other.goto(`${at.gateway.url}/items/new`);
      await name(other).fill('Half a crane');
      await expect.poll(async () => (await kept(page))?.drafts?.length).toBe(2);
      // The first tab still has its words, so that nobody is asked about them.
      const again = await page.context().newPage();
      await other.close({ runBeforeUnload: false });
      await again.goto(`${at.gateway.url}/items/new`);
      await again.waitForSelector(`${offer}:has-text("Half a crane")`);
      await again.click('button:has-text("Discard")');
      await expect.poll(async () => (await kept(page))?.drafts?.length).toBe(1);
      expect(await again.locator(offer).count()).toBe(0);
      await name(again).fill('Half a crane');
      await expect.poll(async () => (await kept(page))?.drafts?.length).toBe(2);
      const last = await page.context().newPage();
      await page.close({ runBeforeUnload: false });
      await again.close({ runBeforeUnload: false });
      await last.goto(`${at.gateway.url}/items/new`);
      // The newest is offered first.
      await last.waitForSelector(`${offer}:has-text("Half a crane")`);
      await last.click('button:has-text("Discard")');
      await last.waitForSelector(`${offer}:has-text("Half a ladder")`);
      await last.click('button:has-text("Restore")');
      expect(await name(last).inputValue()).toBe('Half a ladder');
      await last.fill('form input[type=date]', '2028-05-05');
      await last.click('form button[type=submit]');
      await last.waitForSelector('h1:has-text("Half a ladder")');
      await expect.poll(async () => (await kept(last))?.drafts).toEqual([]);
    }));

  test('discards a draft when asked, and the note and the renewal keep theirs', () =>
    open('/', async (page) => {
      const id = await add('Crane');
      await page.goto(`${at.gateway.url}/items/${id}`);
      await page.fill('.card:has(h2:text-is("Notes")) textarea', 'Ask Otto about the hook');
      await page.click('.standing button:has-text("Renew")');
      await page.fill('dialog input[type=date]', '2030-02-03');
      await expect.poll(async () => (await kept(page))?.drafts?.length).toBe(2);
      const again = await page.context().newPage();
      await page.close({ runBeforeUnload: false });
      await at.gateway.graphql(change, { id, input: { details: 'Changed meanwhile' } });
      await again.goto(`${at.gateway.url}/items/${id}`);
      await again.click('.card:has(h2:text-is("Notes")) button:has-text("Restore")');
      await again.click('button:has-text("Keep note"), .card:has(h2:text-is("Notes")) button[type=submit]');
      await expect
        .poll(async () => (await now(id)).notes.nodes)
        .toEqual([{ bodyText: 'Ask Otto about the hook' }]);
      await again.click('.standing button:has-text("Renew")');
      await again.click('dialog button:has-text("Restore")');
      await again.waitForSelector('dialog [role=alert]:has-text("Somebody else has changed this")');
      expect(await again.inputValue('dialog input[type=date]')).toBe('2030-02-03');
      await again.click('dialog button:has-text("Cancel")');
      await expect.poll(async () => (await kept(again))?.drafts).toEqual([]);
      expect((await now(id)).expirationDate).toBe('2028-01-31');
    }));

  test('shows what somebody else has changed since a draft was typed', () =>
    open('/', async (page) => {
      const id = await add('Boiler', { details: 'In the cellar' });
      await page.goto(`${at.gateway.url}/items/${id}?edit=1`);
      await page.waitForSelector('form textarea');
      const details = page.locator('form textarea').first();
      await details.fill('In the attic');
      await expect.poll(async () => (await kept(page))?.drafts?.length).toBe(1);
      const again = await page.context().newPage();
      await page.close({ runBeforeUnload: false });
      await at.gateway.graphql(change, { id, input: { details: 'In the garage' } });
      await again.goto(`${at.gateway.url}/items/${id}?edit=1`);
      await again.click('button:has-text("Restore")');
      await again.waitForSelector('[role=alert]:has-text("now “In the garage”")');
      await again.click('button:has-text("Keep mine")');
      await again.click('form button[type=submit]');
      await expect.poll(async () => (await now(id)).details).toBe('In the attic');
      await again.goto(`${at.gateway.url}/items/${id}?edit=1`);
      await again.locator('form textarea').first().fill('Somewhere');
      await expect.poll(async () => (await kept(again))?.drafts?.length).toBe(1);
      const last = await again.context().newPage();
      await again.close({ runBeforeUnload: false });
      await last.goto(`${at.gateway.url}/items/${id}?edit=1`);
      await last.click('button:has-text("Discard")');
      await expect.poll(async () => (await kept(last))?.drafts).toEqual([]);
      expect(await last.locator('form textarea').first().inputValue()).toBe('In the attic');
    }));
});
