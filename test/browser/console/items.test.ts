import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';
import { addHostile, hideNames } from './records.support.js';

const create =
  'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id version } }';
const read = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on ExpirationItem {
  id name isActive expirationDate assignedTo { name } } } }`;

describeInBrowser("the console's list of items", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let ids: string[];
  let me: string;
  beforeAll(async () => {
    at = await openConsole();
    ids = [];
    for (let number = 0; number < 60; number++) {
      const name = `Bulk ${String(number).padStart(2, '0')}`;
      const input = { name: number === 0 ? '=1+1 <img src=x onerror=alert(1)>' : name, details: 'Bulk' };
      const expirationDate = `2030-01-${String((number % 28) + 1).padStart(2, '0')}`;
      const { data } = await at.gateway.graphql(create, { input: { ...input, expirationDate } });
      ids.push(data.createExpirationItem.id);
    }
    const { data } = await at.gateway.graphql('{ me { id } }', {});
    me = data.me.id;
    await at.gateway.graphql(
      'mutation($id: ID!, $input: UpdateExpirationItemInput!) { updateExpirationItem(id: $id, input: $input) { id } }',
      { id: ids[50], input: { assignedTo: { id: me } } },
    );
  }, browserTimeout);
  afterAll(() => at?.close());

  const rows = (page: Page) => page.locator('tbody th a').allInnerTexts();
  const read3 = async () => (await at.gateway.graphql(read, { ids: ids.slice(1, 4) })).data.nodes;
  const choose3 = async (page: Page) => {
    await page.waitForSelector('tbody th a');
    for (let turn = 0; turn < 3; turn++) {
      await page.keyboard.press('j');
      await page.keyboard.press('x');
    }
    await page.waitForSelector('.bulkbar');
  };

  test('every number of the start page is that of the list it leads to', async () => {
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('.tile .figure:not(:has(.bone))');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'start');
      const brand = page.locator('.side .brandname');
      expect(await brand.innerText()).toBe('Default organization');
      expect(await brand.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(false);
      expect(await brand.evaluate((one) => one.scrollHeight > one.clientHeight + 1)).toBe(false);
      const links = await page
        .locator('.tile, .bar')
        .evaluateAll((all) =>
          all.map((one) => [
            (one as HTMLAnchorElement).href,
            one.querySelector('.figure, .count')?.textContent,
          ]),
        );
      expect(links.length).toBeGreaterThan(15);
      for (const [href = '', count] of links) {
        await page.goto(String(href));
        await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
        await expect.poll(() => page.innerText('.head .num'), { message: String(href) }).toBe(count);
      }
    });
  });

  test('the start page shows what is assigned to oneself, and remembers that', async () => {
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('.tile .figure:not(:has(.bone))');
      await page.click('main .tabs button:has-text("Mine")');
      await page.waitForSelector('.rowlink:has-text("Bulk 50")');
      expect(await barriers(page)).toEqual([]);
      await page.reload();
      await page.waitForSelector('main .tabs button[aria-pressed=true]:has-text("Mine")');
      const more = page.locator('.card:has-text("Bulk 50") a:has-text("all")').first();
      expect(new URL(String(await more.getAttribute('href')), page.url()).searchParams.get('assigned')).toBe(
        me,
      );
      await page.click('main .tabs button:has-text("All")');
      expect(await page.evaluate(() => localStorage.getItem('egw-start'))).toBeNull();
    });
  });

  test('the start page tells first steps and the demo apart, and offers to remove it', async () => {
    await at.inConsole(
      '/',
      async (page) => {
        const steps = page.locator('.card', { hasText: 'First steps' });
        await steps.getByRole('link', { name: 'Invite your colleagues' }).waitFor();
        expect(await steps.getByRole('listitem').count()).toBe(4);
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'start-first-steps');
        await steps.getByRole('button', { name: 'Put away' }).click();
        await expect.poll(() => steps.count()).toBe(0);
        const own = page.getByRole('link', { name: 'Show only your own' });
        expect(await own.getAttribute('href')).toBe(`/items?team=${at.gateway.teamId}`);
        await page.getByRole('link', { name: 'Show only the demo' }).click();
        await page.waitForSelector('.toolbar > .line > .tag:has-text("Demo")');
        expect(await page.locator('tbody th a:has-text("Bulk")').count()).toBe(0);
        await page.goto(`${at.gateway.url}/`);
        await page.getByRole('button', { name: 'Remove the demo' }).click();
        expect(await barriers(page)).toEqual([]);
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      },
      { width: 390 },
    );
  });

  test('a filter takes several values, oneself and nobody', async () => {
    await at.inConsole('/items?q=Bulk&assigned=me&sort=name', async (page) => {
      await expect.poll(() => rows(page)).toEqual(['Bulk 50']);
      await page.waitForSelector('.toolbar > .line > .tag:has-text("Me")');
      await page.click('.toolbar button:has-text("Filter")');
      await page.locator('.filterform').getByRole('combobox', { name: 'Assigned to', exact: true }).click();
      await page.click('.filterform [role=option]:has-text("Assigned to nobody")');
      await expect.poll(() => page.innerText('.head .num')).toBe('60');
      expect(new URL(page.url()).searchParams.get('assigned')).toBe('me,none');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'items-filter');
      await page.goto(`${at.gateway.url}/items?assigned=me,you`);
      await page.waitForSelector('[role=status]:has-text("does not exist here")');
    });
  });

  test('lists are filtered by a custom field, with its value or without', async () => {
    const input = { name: 'Painted van', customFields: [{ name: 'Colour', value: 'red' }] };
    await at.gateway.graphql(
      'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }',
      { input },
    );
    await at.inConsole('/vehicles?custom=Colour', async (page) => {
      await expect.poll(() => rows(page)).toEqual(['Painted van']);
      await page.click('.toolbar button:has-text("Filter")');
      const field = page.locator('.filterform').getByLabel('Custom field');
      await field.fill('colour = RED');
      await expect.poll(() => new URL(page.url()).searchParams.get('custom')).toBe('colour = RED');
      await expect.poll(() => rows(page)).toEqual(['Painted van']);
      expect(await barriers(page)).toEqual([]);
      await field.fill('colour = blue');
      await expect.poll(() => rows(page)).toEqual([]);

      await page.goto(`${at.gateway.url}/vehicles?custom=Colour`);
      await page.click('.toolbar button:has-text("Columns")');
      const menu = page.locator('.menu:popover-open');
      await menu.getByRole('textbox', { name: 'Custom field' }).fill('colour');
      expect(await barriers(page)).toEqual([]);
      await menu.getByRole('button', { name: 'Show as a column' }).click();
      await page.waitForSelector('thead th:has-text("colour")');
      await page.waitForSelector('tbody td:has-text("red")');
      await picture(page, 'items-custom');
      await page.reload();
      await page.waitForSelector('tbody td:has-text("red")');
    });
  });

  test('is filtered and ordered in the address, and grows by pages', async () => {
    await at.inConsole('/items?q=Bulk&sort=-name', async (page) => {
      await page.waitForSelector('tbody th a');
      expect((await rows(page)).slice(0, 2)).toEqual(['Bulk 59', 'Bulk 58']);
      expect(await rows(page)).toHaveLength(50);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'items');
      await page.click('button:has-text("Show more")');
      await expect.poll(() => rows(page)).toHaveLength(60);
      // A name is text, whatever it looks like.
      expect((await rows(page)).at(-1)).toBe('=1+1 <img src=x onerror=alert(1)>');
      await page.click('thead button:has-text("Name")');
      await expect.poll(() => page.url()).toMatch(/sort=name/);
      await page.goBack();
      await page.goto(`${at.gateway.url}/items`);
      await page.fill('main input[type=search]', 'Bulk 07');
      await expect.poll(() => rows(page)).toEqual(['Bulk 07']);
      expect(page.url()).toMatch(/q=Bulk\+07/);
      await page.fill('main input[type=search]', 'no such thing');
      await page.waitForSelector('text=No items match these filters');
      expect(await barriers(page)).toEqual([]);
    });
  });

  test('renews, archives and assigns items selected with keys, and undoes it', async () => {
    const before = await read3();
    await at.inConsole('/items?q=Bulk&sort=name', async (page) => {
      // The first is the one whose name is no word.
      await page.waitForSelector('tbody th a');
      await page.keyboard.press('j');
      await choose3(page);
      expect(await barriers(page)).toEqual([]);
      await page.click('.bulkbar button:has-text("Archive")');
      await page.click('.toast:has-text("archived") button:has-text("Undo")');
      await page.waitForSelector('.toast:has-text("Undone")');
      expect(await read3()).toEqual(before);

      await page.reload();
      await page.waitForSelector('tbody th a');
      await page.keyboard.press('j');
      await choose3(page);
      await page.click('.bulkbar button:has-text("Renew")');
      expect(await barriers(page)).toEqual([]);
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.toast:has-text("3 items renewed")');
      expect((await read3()).map((item: { expirationDate: string }) => item.expirationDate)).toEqual([
        '2031-01-02',
        '2031-01-03',
        '2031-01-04',
      ]);
      await page.click('.toast:has-text("renewed") button:has-text("Undo")');
      await page.waitForSelector('.toast:has-text("Undone")');
      expect(await read3()).toEqual(before);

      await page.reload();
      await page.waitForSelector('tbody th a');
      await page.keyboard.press('j');
      await choose3(page);
      await page.click('.bulkbar button:has-text("Assign")');
      await page.fill('dialog [role=combobox]', 'Adm');
      await page.waitForSelector('dialog [role=option]');
      await page.press('dialog [role=combobox]', 'Enter');
      await page.click('dialog button:has-text("Assign")');
      await page.waitForSelector('.toast:has-text("assigned to Administrator")');
      expect((await read3())[0].assignedTo).toEqual({ name: 'Administrator' });
      await page.click('.toast:has-text("assigned") button:has-text("Undo")');
      await page.waitForSelector('.toast:has-text("Undone")');
      expect(await read3()).toEqual(before);
    });
  });

  test('changes, saves and deletes selected items, and the focus stays there', async () => {
    const before = await read3();
    await at.inConsole('/items?q=Bulk&sort=name', async (page) => {
      await page.waitForSelector('tbody th a');
      await page.keyboard.press('j');
      await choose3(page);
      const download = page.waitForEvent('download');
      await page.click('.bulkbar button:has-text("Save as CSV")');
      const file = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
      expect(file.slice(1).map((line) => /Bulk \d\d/.exec(line)?.[0])).toEqual([
        'Bulk 01',
        'Bulk 02',
        'Bulk 03',
      ]);

      await page.click('.bulkbar button:has-text("Change")');
      await page.selectOption('dialog select', { label: 'Contact' });
      await page.fill('dialog [role=combobox]', 'a');
      await page.waitForSelector('dialog [role=option]');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'items-change');
      // The list is longer than the dialog, whose edge does not cut it off.
      const [isLonger, isSeen] = await page.locator('dialog [role=listbox]').evaluate((list) => {
        const { bottom, left, width } = list.getBoundingClientRect();
        const edge = list.closest('dialog')?.getBoundingClientRect().bottom ?? 0;
        return [bottom > edge, list.contains(document.elementFromPoint(left + width / 2, bottom - 4))];
      });
      expect([isLonger, isSeen]).toEqual([true, true]);
      await page.press('dialog [role=combobox]', 'Enter');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.toast:has-text("3 items changed")');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.getAttribute('type')))
        .toBe('checkbox');
      expect(
        await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-index')),
      ).toBe('1');
      await page.click('.toast:has-text("changed") button:has-text("Undo")');
      await page.waitForSelector('.toast:has-text("Undone")');

      await page.reload();
      await page.waitForSelector('tbody th a');
      await page.keyboard.press('j');
      await choose3(page);
      await page.click('.bulkbar button:has-text("Delete")');
      await expect.poll(() => rows(page)).not.toContain('Bulk 02');
      await page.click('.toast:has-text("3 items deleted") button:has-text("Undo")');
      await page.waitForSelector('.toast:has-text("Undone")');
      expect(await read3()).toEqual(before);
    });
  });

  test.each([
    ['de', 'light'],
    ['es', 'dark'],
    ['de', 'dark'],
    ['es', 'light'],
  ] as const)('what is done with selected items is one row on a phone (%s, %s)', (language, scheme) =>
    at.inConsole(
      '/items?q=Bulk&sort=name',
      async (page) => {
        await page.waitForSelector('.shell h1');
        await page.evaluate(
          (chosen) => localStorage.setItem('expiration-gateway.language', chosen),
          language,
        );
        await page.reload();
        await choose3(page);
        const bar = page.locator('.bulkbar');
        expect((await bar.boundingBox())?.height).toBeLessThan(64);
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
        expect(await barriers(page)).toEqual([]);
        await picture(page, `bulk-${language}-${scheme}`);
        const words = language === 'de' ? ['Mehr', 'Archivieren'] : ['Más', 'Archivar'];
        await bar.getByRole('button', { name: words[0], exact: true }).click();
        await bar.locator('.menu:popover-open').waitFor();
        await picture(page, `bulk-menu-${language}-${scheme}`);
        // The keyboard leads through it as through all menus.
        await page.keyboard.press('ArrowDown');
        expect(await page.evaluate(() => document.activeElement?.closest('.menu') !== null)).toBe(true);
        const before = await read3();
        await bar.locator(`.menu button:has-text("${words[1]}")`).click();
        await bar.waitFor({ state: 'detached' });
        await page.locator('.toast button:not(.square)').first().click();
        await expect.poll(read3).toEqual(before);
        await page.evaluate(() => localStorage.removeItem('expiration-gateway.language'));
      },
      { width: 390, scheme },
    ),
  );

  test('no word of the bottom navigation breaks on a phone', () =>
    at.inConsole(
      '/items',
      async (page) => {
        await page.waitForSelector('.shell h1');
        for (const language of ['en', 'de', 'fr', 'es', 'it', 'nl']) {
          await page.evaluate(
            (chosen) => localStorage.setItem('expiration-gateway.language', chosen),
            language,
          );
          await page.reload();
          await page.waitForSelector(`html[lang=${language}] .bottom [aria-current]`);
          const broken = await page.locator('.bottom span').evaluateAll((labels) =>
            labels.flatMap((label) => {
              const words = document.createRange();
              words.selectNodeContents(label);
              return words.getClientRects().length > (label.textContent ?? '').split(' ').length
                ? [label.textContent]
                : [];
            }),
          );
          expect(broken).toEqual([]);
        }
        await page.evaluate(() => localStorage.removeItem('expiration-gateway.language'));
      },
      { width: 390 },
    ));

  test.each([390, 1200])('links have room for a finger on a screen of %d px', (width) =>
    at.inConsole(
      '/items',
      async (page) => {
        await page.waitForSelector('.shell h1');
        for (const path of ['/items', `/items/${ids[1]}`, '/contacts', '/deliveries', '/locations']) {
          await page.goto(`${at.gateway.url}${path}`);
          await page.waitForSelector('main :is(th, td, dd, .leaf) > a');
          await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
          expect(await barriers(page, { rules: ['target-size'] }), path).toEqual([]);
          const low = await page
            .locator('main :is(th, td, dd, .leaf, .line, .crumb) > a:visible')
            .evaluateAll((links) =>
              links.flatMap((link) => {
                const { height } = link.getBoundingClientRect();
                return height < 23.9 ? `${link.textContent}: ${height}` : [];
              }),
            );
          expect(low, path).toEqual([]);
        }
      },
      { width },
    ),
  );

  test('stores views, and saves the complete result as a file', async () => {
    await at.inConsole('/items?q=Bulk&sort=name', async (page) => {
      await page.waitForSelector('tbody th a');
      await page.click('.toolbar button[aria-label=Views]');
      await page.fill('.menu:popover-open input', 'Mine');
      await page.click('.menu:popover-open button[type=submit]');
      await page.goto(`${at.gateway.url}/items`);
      await page.waitForSelector('tbody th a');
      await page.click('.toolbar button[aria-label=Views]');
      await page.click('.menu:popover-open a:has-text("Mine")');
      await expect.poll(() => page.url()).toContain(`${at.gateway.url}/items?q=Bulk&sort=name&view=`);
      const download = page.waitForEvent('download');
      await page.click('.toolbar button[aria-label=More]');
      await page.click('.menu:popover-open button:has-text("Save as CSV")');
      const text = await readFile(await (await download).path(), 'utf8');
      const lines = text.trim().split('\r\n');
      expect(lines).toHaveLength(61);
      expect(lines[0]).toMatch(/^\ufeff?Name,Document type,Expires,Last day to give notice,Status/);
      // A table program would take it for a formula.
      expect(lines[1]).toMatch(/^'=1\+1 <img/);
      expect(lines[2]).toMatch(/^Bulk 01,Generic,2030-01-02,,Current,/);
    });
  });

  test('other lists are saved as files as well', async () => {
    for (const [path, head, row] of [
      ['/settings/people', /^\ufeff?Name,E-mail,Role,Workspaces,Invitation,Active$/, /^Administrator,/],
      ['/settings/tokens', /^\ufeff?[^,]+,Role,/, /ADMIN|Admin/],
      ['/deliveries', /^\ufeff?To,.*,Reason,/, undefined],
      [
        '/inbox',
        /^\ufeff?Name,.*,Item,/,
        /The sender named an item that does not exist.*upload_Tags\.expiration_item_id/,
      ],
    ] as const) {
      await at.inConsole(path, async (page) => {
        const download = page.waitForEvent('download');
        await page.click('.toolbar button[aria-label="More"]');
        await page.click('.menu:popover-open button:has-text("Save as CSV")');
        const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
        expect(lines[0]).toMatch(head);
        if (row) expect(lines.slice(1).filter((line) => row.test(line))).not.toEqual([]);
      });
    }
  });

  test('files have values that programs read: a column for each custom field, true and false', async () => {
    const create = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
    const customFields = [
      { name: 'Axles', value: '3' },
      { name: 'Note, long', value: '=1+1' },
    ];
    for (const input of [
      { name: 'File 1', customFields },
      { name: 'File 2', isArchived: true },
    ])
      expect((await at.gateway.graphql(create, { input })).errors).toBe(undefined);
    await at.inConsole('/vehicles?q=File&all=1', async (page) => {
      await page.waitForSelector('tbody th a');
      const download = page.waitForEvent('download');
      await page.click('.toolbar button[aria-label="More"]');
      await page.click('.menu:popover-open button:has-text("Save as CSV")');
      const text = await readFile(await (await download).path(), 'utf8');
      const [head = '', ...lines] = text.trim().split('\r\n');
      expect(head).toMatch(/,Archived \(no longer in use\),custom:Axles,"custom:Note, long"$/);
      expect(lines[0]).toMatch(/^File 1,.*,false,3,'=1\+1$/);
      expect(lines[1]).toMatch(/^File 2,.*,true,,$/);
    });
  });

  test('finds everything from anywhere, and tells records of one name apart', async () => {
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('.tile');
      await page.keyboard.press('/');
      await page.waitForSelector('.finder input:focus');
      await page.keyboard.type('Truck 103');
      await page.waitForSelector('.finder [role=option]:has-text("Registration")');
      const hits = await page.locator('.finder .hit').allInnerTexts();
      expect(hits.filter((hit) => hit.startsWith('Truck 103\n'))).toEqual([
        'Truck 103\nVehicle · BT 1035 · Demo',
        'Truck 103\nNote · Annual inspection Truck 103, Truck 103 · Demo',
      ]);
      await page.fill('.finder input', 'Bulk 33');
      await page.waitForSelector('.finder [role=option]:has-text("Bulk 33")');
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.waitForSelector('h1:has-text("Bulk 33")');
    });
  });

  test('names that nobody can see are shown as words, and lead to their records', async () => {
    const ids = await addHostile(at.gateway);
    await hideNames(at.gateway, ids);
    const noName = '(no name)';
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('.shell h1');
      /** Shows a screen, on which every heading, link and button must have a name. */
      const show = async (path: string) => {
        await page.goto(at.gateway.url + path);
        await page.waitForSelector('.shell h1');
        await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
        const unnamed = await page.locator('main :is(h1, a, button)').evaluateAll((all) =>
          all
            .filter((one) => {
              const text = `${(one as HTMLElement).innerText}${one.getAttribute('aria-label') ?? ''}`;
              return !/[\p{L}\p{N}…–]/u.test(text.replaceAll('\u3164', ''));
            })
            .map(({ outerHTML }) => outerHTML),
        );
        expect(unnamed, path).toEqual([]);
      };
      const records = [
        ['/items', `/items/${ids.item}`],
        ['/calendar', `/items/${ids.item}`],
        ['/companies', `/companies/${ids.company}`],
        ['/locations', `/locations/${ids.location}`],
        ['/vehicles', `/vehicles/${ids.vehicle}`],
        ['/types', `/types/${ids.type}`],
        ['/reminders', `/reminders/${ids.policy}`],
      ] as const;
      for (const [list, record] of records) {
        await show(list);
        await page.click(`main a[href^="${record}"]:has-text("${noName}")`);
        await page.waitForSelector(`h1:has-text("${noName}")`);
        expect(new URL(page.url()).pathname).toBe(record);
        // The title follows the heading in an effect.
        await expect.poll(() => page.title()).toBe(`${noName} · Expiration gateway`);
        await show(record);
      }
      for (const path of ['/', '/inbox', `/inbox/${ids.upload}`, '/deliveries', `/contacts/${ids.contact}`])
        await show(path);
      await show(`/items/${ids.item}`);
      expect(await page.locator('.facts .tag').innerText()).toBe(noName);
      await page.click(`button.plainlink:has-text("${noName}")`);
      await page.waitForSelector(`dialog h2:has-text("${noName}")`);
      await picture(page, 'no-name');
      // A name in another order than its letters have, as that of a picture that is a program.
      const data = { name: 'photo\u202egpj.exe' };
      await at.gateway.database.prisma.expirationItem.update({ where: { id: ids.item }, data });
      await show('/items');
      expect(await page.innerText(`main a[href="/items/${ids.item}"]`)).toBe('photogpj.exe');
    });
  });
});
