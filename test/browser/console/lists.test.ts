import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const many = 5_000;
const sorted = '/items?q=Long&sort=name';

describeInBrowser("the console's lists", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let type: string;
  let addItems: (name: string, count: number) => Promise<void>;
  beforeAll(async () => {
    at = await openConsole();
    const { database, organizationId, clock } = at.gateway;
    const stored = { created: clock.now, modified: clock.now };
    const { id: categoryId, teamId } = await database.prisma.category.findFirstOrThrow({
      where: { organizationId },
    });
    type = categoryId;
    addItems = async (name, count) => {
      const data = Array.from({ length: count }, (_, n) => ({
        ...{ id: randomUUID(), organizationId, teamId, categoryId },
        ...{ name: `${name} ${String(n).padStart(4, '0')}`, details: `Shelf ${n}` },
        ...{ expirationDate: new Date('2031-01-01'), ...stored },
      }));
      await database.prisma.expirationItem.createMany({ data });
    };
    await addItems('Long', many);
  }, browserTimeout);
  afterAll(() => at?.close());

  const names = (page: Page) => page.locator('tbody th a').allInnerTexts();
  const isStill = (page: Page) => page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));

  /** Selects all that match, which loads them. */
  async function selectAll(page: Page) {
    await page.waitForSelector('tbody th a');
    await page.click('thead .tick input');
    await page.click('.bulkbar button:has-text("Select all 5,000 that match")');
    await page.waitForSelector('.bulkbar :text("5,000 selected")');
  }

  test('a list of 5,000 rows has few of them on the page, and all on paper', () =>
    at.inConsole(sorted, async (page) => {
      await selectAll(page);
      expect(await page.innerText('.listfoot')).toBe('5,000 of 5,000');
      const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
      expect(await nodes()).toBeLessThan(3_000);
      expect(await page.getAttribute('main table', 'aria-rowcount')).toBe('5001');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'lists-all');

      // The last row is where the page ends.
      await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForSelector('tr[aria-rowindex="5001"] a:has-text("Long 4999")');
      expect(await nodes()).toBeLessThan(3_000);
      await page.evaluate(() => window.scrollTo(0, 0));
      await page.waitForSelector('tr[aria-rowindex="2"] a:has-text("Long 0000")');

      // Keys lead to rows that the page does not have yet.
      const times = await page.evaluate(async () => {
        const taken: number[] = [];
        for (let turn = 0; turn < 60; turn++) {
          const started = performance.now();
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
          // The rows are rendered in a microtask, and the browser lays them out when it is asked for a size.
          await Promise.resolve().then(() => Promise.resolve());
          void document.body.offsetHeight;
          taken.push(performance.now() - started);
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        }
        return taken.sort((a, b) => a - b);
      });
      process.stdout.write(
        `A key among 5,000 rows: ${times[30]?.toFixed(1)} ms, at most ${times[59]?.toFixed(1)} ms\n`,
      );
      await page.waitForSelector('tr.at[aria-rowindex="61"]');
      // 16 ms on a machine that has nothing else to do.
      expect(times[30]).toBeLessThan(160);

      const printed = await page.evaluate(() => {
        window.dispatchEvent(new Event('beforeprint'));
        const rows = document.querySelectorAll('tbody th a').length;
        window.dispatchEvent(new Event('afterprint'));
        return rows;
      });
      expect(printed).toBe(many);
      await expect.poll(nodes).toBeLessThan(3_000);

      // What the browser finds in the page is not all, so its key leads to the search once.
      await page.keyboard.press('Control+f');
      await page.waitForSelector('.termfield input:focus');
      await page.waitForSelector('.toast:has-text("whole list")');
    }));

  test.each([
    ['a phone', 390, 100],
    ['text of twice the size', 1440, 200],
  ])('a list of 5,000 rows fits %s', (_what, width, percent) =>
    at.inConsole(sorted, async (page) => {
      await selectAll(page);
      await page.setViewportSize({ width, height: 844 });
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = `${size}%`;
      }, percent);
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      await expect.poll(overflow).toBeLessThanOrEqual(0);
      const nodes = () => page.evaluate(() => document.querySelectorAll('*').length);
      await expect.poll(nodes).toBeLessThan(3_000);
      // Heights that are measured on the way move the end.
      await expect
        .poll(async () => {
          await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
          return page.locator('tr[aria-rowindex="5001"] a:has-text("Long 4999")').count();
        })
        .toBe(1);
      expect(await overflow()).toBeLessThanOrEqual(0);
      expect(await nodes()).toBeLessThan(3_000);
      await picture(page, `lists-end-${width}-${percent}`);
    }),
  );

  test('a change of a row outside the window moves nothing, and is there when somebody gets to it', () =>
    at.inConsole(sorted, async (page) => {
      await selectAll(page);
      await page.evaluate(() => window.scrollTo(0, 2_000));
      await page.waitForFunction(() => window.scrollY === 2_000);
      await isStill(page);
      const place = () =>
        page.evaluate(() => {
          const shown = [...document.querySelectorAll('tbody tr')];
          const first = shown.find((row) => row.getBoundingClientRect().top > 200);
          return [window.scrollY, first?.querySelector('a')?.textContent];
        });
      // The rows there are drawn after the page was scrolled.
      await expect.poll(async () => (await place())[1]).toBeTruthy();
      const before = await place();
      let read = 0;
      page.on('response', (response) => {
        if (response.request().postDataJSON()?.variables?.first === 500) read++;
      });
      const { database, organizationId } = at.gateway;
      const rename = (from: string, name: string) =>
        database.prisma.expirationItem.updateMany({
          where: { organizationId, name: from },
          data: { name, modified: new Date() },
        });
      await rename('Long 4998', 'Long 4998 anew');
      await expect.poll(() => read).toBeGreaterThanOrEqual(10);
      await isStill(page);
      expect(await place()).toEqual(before);
      await expect
        .poll(async () => {
          await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
          return page.locator('tbody th a:has-text("Long 4998 anew")').count();
        })
        .toBe(1);
      await rename('Long 4998 anew', 'Long 4998');
    }));

  test('a change whose answer comes after that of the next one does not come back', async () => {
    const { gateway } = at;
    await gateway.graphql('mutation { createTeam(input: { name: "Second" }) { id } }');
    const { data } = await gateway.graphql(
      'mutation { inviteUser(email: "late@example.com", name: "Late", role: MEMBER) { user { id } } }',
    );
    const userId: string = data.inviteUser.user.id;
    await at.inConsole('/settings/people', async (page) => {
      await page.click('tr:has-text("Late") button[aria-label^="Edit"]');
      const box = page.locator('dialog').getByLabel('Second');
      await box.waitFor();
      const [taken, released] = [new EventEmitter(), new EventEmitter()];
      const [isTaken, isReleased] = [once(taken, 'now'), once(released, 'now')];
      let isFirst = true;
      await page.route('**/graphql', async (route) => {
        const isWrite = route.request().postDataJSON()?.variables?.userId === userId;
        if (!isWrite || !isFirst) return route.continue();
        isFirst = false;
        const response = await route.fetch();
        taken.emit('now');
        await isReleased;
        await route.fulfill({ response });
      });
      await box.click();
      await isTaken;
      await box.click();
      await page.waitForSelector('.toast:has-text("Saved")');
      const late = page.waitForResponse(
        (response) => response.request().postDataJSON()?.variables?.userId === userId,
      );
      released.emit('now');
      await late;
      await isStill(page);
      expect(await box.isChecked()).toBe(false);
      const query = 'query($id: ID!) { user(id: $id) { teams { name } } }';
      const stored = (await gateway.graphql(query, { id: userId })).data.user.teams;
      expect(stored.map(({ name }: { name: string }) => name)).not.toContain('Second');
      await page.reload();
      await page.click('tr:has-text("Late") button[aria-label^="Edit"]');
      expect(await page.locator('dialog').getByLabel('Second').isChecked()).toBe(false);
    });
  });

  test('a list is as long as before when somebody comes back to it', () =>
    at.inConsole(sorted, async (page) => {
      await page.waitForSelector('tbody th a');
      for (const shown of [100, 150]) {
        await page.click('button:has-text("Show more")');
        await expect.poll(async () => (await names(page)).length).toBe(shown);
      }
      await page.locator('tbody th a').nth(140).scrollIntoViewIfNeeded();
      const top = await page.evaluate(() => window.scrollY);
      await page.locator('tbody th a').nth(140).click();
      await page.waitForSelector('h1:has-text("Long 0140")');
      await page.goBack();
      await expect.poll(async () => (await names(page)).length).toBe(150);
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(top);
      await isStill(page);
      expect(await names(page)).toHaveLength(150);
    }));

  test('columns are chosen, fetched only then, and kept', () =>
    at.inConsole(`${sorted}&until=2032-01-01`, async (page) => {
      await page.waitForSelector('tbody th a');
      const asked: unknown[] = [];
      page.on('request', (request) => {
        const body = request.url().endsWith('/graphql') ? request.postDataJSON() : undefined;
        if (body?.variables?.filter) asked.push(body.variables.details);
      });
      await page.reload();
      await page.waitForSelector('tbody th a');
      await isStill(page);
      expect(asked).not.toContain(true);
      await page.click('.toolbar button[aria-label=Columns]');
      await page.click('.menu:popover-open label:has-text("Details")');
      await page.waitForSelector('td:has-text("Shelf 0")');
      expect(asked).toContain(true);
      await page.keyboard.press('Escape');
      expect(await barriers(page)).toEqual([]);
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await picture(page, `lists-columns-${width}-${colorScheme}`);
        }
      }
      await page.goto(`${at.gateway.url}/items?q=Long+0007`);
      await page.waitForSelector('td:has-text("Shelf 7")');
      await page.click('.toolbar button[aria-label=Columns]');
      await page.click('.menu:popover-open button:has-text("Usual columns")');
      await page.waitForSelector('td:has-text("Shelf 7")', { state: 'detached' });
    }));

  test('what was chosen here before is told if there is no such column any more', () =>
    at.inConsole(sorted, async (page) => {
      await page.waitForSelector('tbody th a');
      const stored = JSON.stringify({ items: 'name,colour,details' });
      await page.evaluate((columns) => localStorage.setItem('expiration-gateway.columns', columns), stored);
      await page.reload();
      const note = page.locator('main .note:has-text("colour")');
      await note.locator('button').click();
      await note.waitFor({ state: 'detached' });
      await page.waitForSelector('td:has-text("Shelf 0")');
      await page.reload();
      await page.waitForSelector('td:has-text("Shelf 0")');
      expect(await note.count()).toBe(0);
    }));

  test('changes that come quickly stop neither what is read nor what somebody asks for', () =>
    at.inConsole('/items?q=Long+49&sort=name', async (page) => {
      await page.waitForSelector('tbody th a');
      // Each answer takes longer than the time from one change to the next.
      await page.route('**/graphql', async (route) => {
        const isList = route.request().postDataJSON()?.variables?.first !== undefined;
        if (isList) await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      });
      const { database, organizationId } = at.gateway;
      const last = await database.prisma.expirationItem.findFirstOrThrow({
        where: { organizationId, name: 'Long 4999' },
      });
      let isOver = false;
      let turn = 0;
      const changing = (async () => {
        while (!isOver) {
          const data = { details: `Turn ${turn++}`, modified: new Date() };
          await database.prisma.expirationItem.update({ where: { id: last.id }, data });
        }
      })();
      try {
        await expect.poll(() => turn).toBeGreaterThan(10);
        await page.click('button:has-text("Show more")');
        await expect.poll(async () => (await names(page)).length).toBe(100);
        await database.prisma.expirationItem.updateMany({
          where: { organizationId, name: 'Long 4900' },
          data: { name: 'Long 4900 anew', modified: new Date() },
        });
        await page.waitForSelector('tbody th a:has-text("Long 4900 anew")');
      } finally {
        isOver = true;
        await changing;
      }
    }));

  test('selected rows that leave the list are told, and nothing is done with them', () =>
    at.inConsole('/items?q=Long+48&sort=name', async (page) => {
      await page.click('tbody tr:nth-child(1) .tick input');
      await page.click('tbody tr:nth-child(2) .tick input');
      await page.waitForSelector('.bulkbar :text("2 selected")');
      const { database, organizationId } = at.gateway;
      await database.prisma.expirationItem.updateMany({
        where: { organizationId, name: 'Long 4801' },
        data: { isActive: false, modified: new Date() },
      });
      await page.waitForSelector('.bulkbar :text("1 more is no longer in this list")');
      await page.waitForSelector('.bulkbar :text("1 selected")');
      expect(await barriers(page)).toEqual([]);
      await page.click('.bulkbar button:has-text("Archive")');
      await page.waitForSelector('.bulkbar', { state: 'detached' });
      await page.waitForSelector('.toast:has-text("1 item archived")');
    }));

  test('a screen that somebody comes back to is there at once', () =>
    at.inConsole('/items?q=Long+47&sort=name', async (page) => {
      await page.locator('tbody th a').first().click();
      await page.waitForSelector('h1:has-text("Long 4700")');
      await page.route('**/graphql', () => {});
      await page.goBack();
      expect((await names(page))[0]).toBe('Long 4700');
      await page.goForward();
      await page.waitForSelector('h1:has-text("Long 4700")');
    }));

  /** Opens the menu of views. */
  async function openViews(page: Page) {
    await page.click('.toolbar .viewsmenu > button');
    await page.waitForSelector('.menu:popover-open .views');
  }
  const inMenu = (text: string) => `.menu:popover-open ${text}`;

  async function saveView(page: Page, name: string) {
    await openViews(page);
    await page.fill(inMenu('input'), name);
    await page.click(inMenu('button[type=submit]'));
    await page.waitForSelector(`.toast:has-text("${name}")`);
  }

  test('a view is saved, chosen, renamed, shared and deleted', () =>
    at.inConsole('/items?q=Long+46&sort=-name&columns=name,details', async (page) => {
      await page.waitForSelector('td:has-text("Shelf 4699")');
      await saveView(page, 'Shelves');
      await page.goto(`${at.gateway.url}/items`);
      await openViews(page);
      await page.click(inMenu('a:has-text("Shelves")'));
      await page.waitForSelector('td:has-text("Shelf 4699")');
      await page.waitForSelector('.toolbar button:has-text("Shelves")');
      // What is chosen in a view is no choice for the list without it.
      await page.click('.toolbar button[aria-label=Columns]');
      await page.click(inMenu('label:has-text("Status")'));
      await page.keyboard.press('Escape');
      await openViews(page);
      await picture(page, 'lists-views');
      expect(await barriers(page)).toEqual([]);
      await page.click(inMenu('button:has-text("Save the changes of")'));
      await page.waitForSelector('.toast:has-text("Shelves")');
      await page.keyboard.press('Escape');

      await openViews(page);
      await page.click(inMenu('button[aria-label^="Edit"]'));
      await page.fill('dialog input', 'Racks');
      await page.selectOption('dialog select', 'all');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'lists-view-dialog');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.toolbar button:has-text("Racks")');

      // All tokens here are of one person.
      const { organizationId, teamId, database } = at.gateway;
      const colleague = { id: randomUUID(), name: 'Colleague', email: 'colleague@demo.example' };
      await database.prisma.user.create({ data: { ...colleague, organizationId, teamId } });
      const data = { userId: colleague.id };
      await database.prisma.savedView.updateMany({ where: { name: 'Racks' }, data });
      await at.inConsole(
        '/items',
        async (other) => {
          await openViews(other);
          await other.click(inMenu('a:has-text("Racks")'));
          await other.waitForSelector('td:has-text("Shelf 4699")');
          await other.waitForSelector('td .badge');
          await openViews(other);
          await other.waitForSelector(inMenu('a:has-text("Racks"):has-text("Colleague")'));
          expect(await other.locator(inMenu('button[aria-label^="Edit"]')).count()).toBe(0);
          expect(await other.locator(inMenu('button:has-text("Save the changes")')).count()).toBe(0);
          await other.keyboard.press('Escape');
          // A viewer has views of their own, and shares none.
          await saveView(other, 'Of a viewer');
          await openViews(other);
          await other.click(inMenu('button[aria-label="Edit: Of a viewer"]'));
          await other.waitForSelector('dialog input');
          expect(await other.locator('dialog select').count()).toBe(0);
        },
        { token: at.gateway.viewer },
      );

      await openViews(page);
      await page.click(inMenu('button[aria-label="Edit: Racks"]'));
      await page.click('dialog button:has-text("Delete")');
      await page.waitForSelector('dialog', { state: 'detached' });
      await page.click('.toast:has-text("Racks") button:has-text("Undo")');
      await openViews(page);
      await page.waitForSelector(inMenu('a:has-text("Racks")'));
    }));

  test('of two tabs that change a view, the second is told', () =>
    at.inConsole('/items?q=Long+45', async (page) => {
      await page.waitForSelector('tbody th a');
      await saveView(page, 'Contested');
      await page.goto(`${at.gateway.url}/items?q=Long+45`);
      await openViews(page);
      await page.click(inMenu('a:has-text("Contested")'));
      await page.waitForSelector('.toolbar button:has-text("Contested")');
      const { database } = at.gateway;
      await database.prisma.savedView.updateMany({
        where: { name: 'Contested' },
        data: { sort: '-name', modified: new Date(Date.now() + 1000) },
      });
      await page.click('thead button:has-text("Status")');
      await openViews(page);
      await page.click(inMenu('button:has-text("Save the changes of")'));
      await page.waitForSelector('.toast:has-text("Somebody else has changed this")');
      const stored = () => database.prisma.savedView.findFirstOrThrow({ where: { name: 'Contested' } });
      expect((await stored()).sort).toBe('-name');
      await page.click(inMenu('button:has-text("Save the changes of")'));
      await expect.poll(async () => (await stored()).sort).toBe('status');
    }));

  test('a view that names what no longer exists says so', () =>
    at.inConsole('/items', async (page) => {
      const { database, organizationId, userId } = at.gateway;
      await page.waitForSelector('tbody th a');
      const filters = [
        { name: 'q', value: 'Long 44' },
        { name: 'colour', value: 'red' },
      ];
      await database.prisma.savedView.create({
        data: {
          ...{ id: randomUUID(), organizationId, userId, list: 'items', name: 'Of another version' },
          ...{ columns: ['name', 'details', 'shade'], filters, sort: '-height' },
        },
      });
      await openViews(page);
      await page.click(inMenu('a:has-text("Of another version")'));
      await page.waitForSelector('main .note:has-text("colour, height, shade")');
      await page.waitForSelector('td:has-text("Shelf 4400")');
      await page.click('main .note button');
      await page.waitForSelector('main .note:has-text("colour")', { state: 'detached' });
      await page.waitForSelector('td:has-text("Shelf 4400")');
    }));

  test('views that only the browser has are handed over', () =>
    at.inConsole('/contacts', async (page) => {
      await page.waitForSelector('tbody th a');
      const kept = [
        { name: 'Kept', list: 'contacts', search: 'q=Aisha&sort=name' },
        { name: 'Of items', search: 'q=van' },
      ];
      await page.evaluate(
        (views) => localStorage.setItem('expiration-gateway.views', JSON.stringify(views)),
        kept,
      );
      await openViews(page);
      await page.click(inMenu('a:has-text("Kept")'));
      await expect.poll(() => names(page)).toEqual(['Aisha Rahman']);
      const left = await page.evaluate(() => localStorage.getItem('expiration-gateway.views'));
      expect(JSON.parse(left ?? '')).toEqual(kept.slice(1));
    }));

  test('lists of records have the filters and orders that the gateway declares', () =>
    at.inConsole('/vehicles', async (page) => {
      await page.waitForSelector('tbody th a');
      const { contact } = (
        await at.gateway.graphql('{ contacts(filter: { term: "Elena" }) { nodes { id } } }')
      ).data.contacts.nodes.map(({ id }: { id: string }) => ({ contact: id }))[0];
      await page.click('.toolbar button[aria-label=Filter]');
      expect(await page.locator(inMenu('.filterform label')).allInnerTexts()).toEqual(
        expect.arrayContaining(['Driver', 'Assigned to', 'Location']),
      );
      await page.fill(inMenu('label:has-text("Driver") >> xpath=.. >> input'), 'Elena');
      await page.click(inMenu('[role=option]:has-text("Elena")'));
      await expect.poll(() => names(page)).toEqual(['Truck 101']);
      expect(new URL(page.url()).search).toBe(`?assignedToContact=${contact}`);
      await page.goto(`${at.gateway.url}/vehicles?assignedTo=none`);
      await page.waitForSelector('.toolbar > .line > .tag:has-text("Assigned to nobody")');
      await page.goto(`${at.gateway.url}/contacts`);
      await page.click('thead button:has-text("Contact type")');
      expect(new URL(page.url()).search).toBe('?sort=type_name');
      await isStill(page);
      expect(await page.locator('main .note').count()).toBe(0);
    }));

  test('filters and columns that do not exist are told, not dropped', () =>
    at.inConsole(`${sorted}&due=someday&columns=name,colour,details`, async (page) => {
      const note = page.locator('main .note:has-text("When it expires, colour")');
      await note.waitFor();
      await page.waitForSelector('td:has-text("Shelf 0")');
      await note.locator('button').click();
      await note.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?q=Long&sort=name');
    }));

  test('a total says if there may be more', async () => {
    await addItems('Broad', 10_001);
    const client = new pg.Client({ connectionString: at.gateway.databaseUrl });
    await client.connect();
    try {
      await client.query('ANALYZE expiration_items');
      // As if there were more rows than are worth making.
      await client.query(`UPDATE pg_class SET reltuples = 1000000 WHERE relname = 'expiration_items'`);
      at.gateway.database.statistics.clear();
      await at.inConsole('/items?q=Broad', async (page) => {
        await page.waitForSelector('.head :text-is("10,000+")');
        expect(await page.getAttribute('main table', 'aria-rowcount')).toBe('-1');
        expect(await page.innerText('.listfoot')).toContain('50 of 10,000+');
        await page.goto(`${at.gateway.url}/types/${type}`);
        await page.waitForSelector('a:has-text("See all 10,000+")');
      });
    } finally {
      await client.query('ANALYZE expiration_items');
      at.gateway.database.statistics.clear();
      await client.end();
    }
  });
});
