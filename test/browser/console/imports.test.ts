import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import texts from '../../../console/src/i18n/texts/imports.js';
import { fleetList, fleetPlates, fleetWords } from '../../csv/fleet-lists.js';
import { textRows, xlsxOf } from '../../csv/workbooks.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture as takePicture } from '../support/console-browser.js';
import { readImports } from './records.support.js';

const picture = async (page: Page, name: string) => {
  await page.setViewportSize({ width: page.viewportSize()?.width ?? 1200, height: 1600 });
  await takePicture(page, name);
};

const file = (text: string, name = 'items.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
});

/** Returns a text of the console in a language. */
function wordIn(
  language: 'en' | 'de' | 'es',
  key: keyof typeof texts,
  values: Readonly<Record<string, string | number>>,
): string {
  const text = texts[key][['en', 'de', 'fr', 'es'].indexOf(language)] ?? '';
  const [one = '', other = one] = text.split('|');
  return (values.n === 1 ? one : other).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

describeInBrowser('the import of a file', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    at = await openConsole();
    stop = readImports(at.gateway);
  }, browserTimeout);
  afterAll(async () => {
    await stop?.();
    await at?.close();
  });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  const text =
    'Bezeichnung;Bis wann;Farbe\nGewerbeschein;31.12.2027;rot\nPrüfung;31.02.2027;\nKran;01.03.2028;gelb\n';

  test('imports rows without a date, and leaves out those that look alike, as is chosen', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const rows = 'name,expires,plate\nEndless,unbefristet,\nTwice,2027-01-01,\nTwice,2027-02-02,\n';
      await page.setInputFiles('input[type=file]', file(rows, 'endless.csv'));
      await button(page, 'Import 2 rows').waitFor();
      expect(await page.innerText('main')).toContain('looks like line 3');
      await page.getByLabel('Import 1 row without a date as an item without one').check();
      await page.getByLabel('Leave out rows that look like one before them').check();
      await page.getByText('is the same record as line 3').waitFor();
      await button(page, 'Import 2 rows').waitFor();
      expect(await page.getByLabel('plate').inputValue()).toBe('holder_vehicle');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-5-undated');
      await page.setViewportSize({ width: 390, height: 1600 });
      await picture(page, 'import-5-undated-narrow');
      await button(page, 'Import 2 rows').click();
      await button(page, 'Download the result').waitFor();
      const { data } = await at.gateway.graphql(
        '{ expirationItems(filter: { term: "Endless" }) { nodes { expirationDate } } }',
      );
      expect(data.expirationItems.nodes).toEqual([{ expirationDate: null }]);
    }));

  test.each(['de', 'en', 'es'] as const)('imports forty of forty papers in one round (%s)', (language) =>
    at.inConsole('/imports?kind=items', async (page) => {
      const word = (key: keyof typeof texts, values: Record<string, string | number> = {}) =>
        wordIn(language, key, values);
      // Then the person has signed in, and stays it.
      await page.waitForSelector('.importfile');
      await page.evaluate((chosen) => localStorage.setItem('expiration-gateway.language', chosen), language);
      await page.reload();
      await button(page, word('choose')).waitFor();
      const me = (await at.gateway.graphql('{ me { name } }')).data.me.name;
      // The first vehicle is there, and nine of the list are new.
      const [known, ...fresh] = fleetPlates(language);
      await at.gateway.send('POST', '/v1/vehicles', { body: { license_plate: known } });
      const { wrong, right } = fleetWords[language];
      const buffer = await fleetList(language, { colleague: 'Anna Weber', me });
      let clicks = 0;
      const act = async (done: Promise<unknown>) => {
        clicks++;
        await done;
      };
      await act(page.setInputFiles('input[type=file]', { ...file('', `${language}.xlsx`), buffer }));
      await page.getByText(word('people')).waitFor();
      await picture(page, `import-9-forty-${language}-begun`);
      const person = page.getByLabel(word('person', { name: 'Anna Weber', n: 20 }));
      await act(person.selectOption({ label: word('person_me') }));
      expect(await page.getByLabel(word('person', { name: fresh[0] ?? '', n: 4 })).count()).toBe(1);
      await act(page.getByLabel(word('make_all_VEHICLE')).check());
      await page.getByText(word('count_VEHICLE', { n: 9 })).waitFor();
      await act(page.getByLabel(word('allow_no_date', { n: 2 })).check());
      const grid = page.getByRole('grid', { name: word('mend') });
      await grid.getByText(wrong).waitFor();
      await button(page, word('run', { n: 39 })).waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, `import-9-forty-${language}`);
      await act(grid.getByText(wrong).dblclick());
      await page.keyboard.press('Control+A');
      await page.keyboard.type(right);
      await page.keyboard.press('Enter');
      await page.getByText(word('would_created', { n: 40 })).waitFor();
      await act(button(page, word('run', { n: 40 })).click());
      await page.getByText(word('created', { n: 40 })).waitFor();
      expect(clicks).toBe(6);
      await picture(page, `import-9-forty-${language}-done`);
      // The records are those of this import alone, and two vehicles with one inspection have two papers.
      await page.getByRole('link', { name: word('see') }).click();
      await page.getByText(word('of_import')).waitFor();
      await page.getByRole('link', { name: fleetWords[language].papers[0] }).first().waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, `import-9-forty-${language}-records`);
      const importId = new URL(page.url()).searchParams.get('import');
      const { data } = await at.gateway.graphql(
        `query ($importId: ID) { expirationItems(first: 50, filter: { importId: $importId }) {
          totalCount nodes { name expirationDate holders { totalCount } assignedTo { name } category { name } } } }`,
        { importId },
      );
      const { totalCount, nodes } = data.expirationItems;
      expect(totalCount).toBe(40);
      const dates = nodes.map((item: { expirationDate: string | null }) => item.expirationDate);
      expect(dates.filter((date: string | null) => date === null)).toHaveLength(2);
      expect(dates).toContain('2027-02-28');
      for (const { holders, assignedTo } of nodes)
        expect([holders.totalCount, assignedTo?.name]).toEqual([1, me]);
      await page.evaluate(() => localStorage.removeItem('expiration-gateway.language'));
    }),
  );

  test('asks about vehicles that are not there yet, and makes, replaces or leaves out each', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      for (const [path, body] of [
        ['/v1/vehicles', { name: 'Old van', license_plate: 'NH-OLD 1' }],
        ['/v1/vehicles', { name: 'Night truck', license_plate: 'NH-TR 2' }],
      ] as const)
        await at.gateway.send('POST', path, { body });
      const rows = ['A,NH-AA 1,', 'B,NH-BB 2,', 'C,NH-TR2x,', 'D,NH-DD 4,Eve Holder', 'E,NH-EE 5,'];
      const text = rows.map((row) => `Holder ${row.replace(',', ',2027-01-01,')}\n`).join('');
      const header = 'name,expires,plate,driver\n';
      await page.setInputFiles('input[type=file]', file(header + text, 'plates.csv'));
      await page.getByRole('heading', { name: 'Not here yet' }).waitFor();
      const asked = (name: string) => page.getByLabel(`${name}, 1 row`);
      await asked('NH-AA 1').selectOption('A new vehicle');
      await asked('NH-BB 2').selectOption('Import the rows without it');
      await asked('NH-TR2x').selectOption('One that is here already');
      await page.getByLabel('Which one NH-TR2x is').fill('Night');
      await page.getByRole('option', { name: /Night truck/ }).click();
      await asked('NH-DD 4').selectOption('A new vehicle');
      // A person is made by an address.
      await asked('Eve Holder').selectOption('A new contact');
      await page.getByLabel('E-mail address of Eve Holder').fill('eve@holder.test');
      await asked('NH-EE 5').selectOption('Leave out the rows');
      await page.getByText('2 vehicles').waitFor();
      await page.getByText('1 contact', { exact: true }).waitFor();
      await page.getByText('is left out, as you chose for NH-EE 5').waitFor();
      await button(page, 'Import 4 rows').waitFor();
      for (const [width, height] of [
        [1440, 1600],
        [390, 3000],
      ] as const)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          expect(await barriers(page)).toEqual([]);
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(wide).toBeLessThanOrEqual(0);
          await takePicture(page, `import-12-holders-${width}-${colorScheme}`);
        }
      await button(page, 'Import 4 rows').click();
      await page.getByText('4 added').waitFor();
      const { data } = await at.gateway.graphql(
        '{ vehicles(filter: { term: "NH-" }) { nodes { name licensePlate papers { totalCount } } } }',
      );
      const found = data.vehicles.nodes.map((one: Record<string, unknown>) => [
        ...[one.licensePlate, one.name, (one.papers as { totalCount: number }).totalCount],
      ]);
      expect(found.sort()).toEqual([
        ['NH-AA 1', null, 1],
        ['NH-DD 4', null, 1],
        ['NH-OLD 1', 'Old van', 0],
        ['NH-TR 2', 'Night truck', 1],
      ]);
    }));

  test('two tabs with one preview do not overwrite each other, and run what they show', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      // With these headers, no other test takes up the order of dates that is remembered here.
      const rows = 'name,valid until\nTabs 1,01.02.2027\nTabs 2,03.04.2027\n';
      await page.setInputFiles('input[type=file]', file(rows, 'tabs.csv'));
      await page.getByLabel('Dates', { exact: true }).selectOption('DMY');
      // A row of the preview appears after the choice. The possible dates are shown before it.
      const row = (tab: Page, date: string) => tab.getByText(`Expires: ${date}`);
      await row(page, 'February 1, 2027').waitFor();
      const other = await page.context().newPage();
      await other.goto(page.url());
      await row(other, 'February 1, 2027').waitFor();
      const mode = (tab: Page) => tab.getByLabel('Existing records');
      // The first tab changes something that the other one has not seen.
      await page.getByLabel('Dates', { exact: true }).selectOption('MDY');
      await row(page, 'January 2, 2027').waitFor();
      await mode(other).selectOption('UPSERT');
      const told = other.getByText('This import was changed in another tab');
      await told.waitFor();
      expect(await barriers(other)).toEqual([]);
      await takePicture(other, 'import-13-two-tabs');
      const options = async () => {
        const { data } = await at.gateway.graphql('{ imports { fileName mode dateFormat state } }');
        return data.imports.find(({ fileName }: { fileName: string }) => fileName === 'tabs.csv');
      };
      expect(await options()).toMatchObject({ mode: 'CREATE_ONLY', dateFormat: 'MDY' });
      await button(other, 'Show what was changed there').click();
      await told.waitFor({ state: 'detached' });
      await row(other, 'January 2, 2027').waitFor();
      expect(await mode(other).inputValue()).toBe('CREATE_ONLY');
      // Then it is the first tab whose preview is old. What it would import is not what it shows.
      await mode(other).selectOption('UPSERT');
      await button(other, 'Import 2 rows').and(other.locator(':enabled')).waitFor();
      await expect.poll(options).toMatchObject({ mode: 'UPSERT', state: 'READY' });
      await button(page, 'Import 2 rows').click();
      await page.getByText('Somebody else has changed this').waitFor();
      expect(await options()).toMatchObject({ mode: 'UPSERT', state: 'READY' });
      await expect.poll(() => mode(page).inputValue()).toBe('UPSERT');
      await button(page, 'Import 2 rows').click();
      await page.getByText('2 added').waitFor();
      await other.close();
    }));

  test('says that a file has changed since it was chosen, and imports nothing of it', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const folder = await mkdtemp(join(tmpdir(), 'changed-'));
      const path = join(folder, 'changing.csv');
      await writeFile(path, 'name,expires\nChanging,2027-01-01\n');
      await page.route('**/v1/imports?*', async (route) => {
        await writeFile(path, `name,expires\n${'Changed,2027-01-01\n'.repeat(1_000)}`);
        await route.continue();
      });
      await page.waitForSelector('.importfile');
      await page.setInputFiles('input[type=file]', path);
      const told = page.getByRole('alert').getByText('The file was changed, moved or deleted');
      await told.waitFor();
      expect(await barriers(page)).toEqual([]);
      await takePicture(page, 'import-14-changed-file');
      const { data } = await at.gateway.graphql('{ imports { fileName } }');
      expect(data.imports.map(({ fileName }: { fileName: string }) => fileName)).not.toContain(
        'changing.csv',
      );
      // The file as it is now can be chosen.
      await page.unroute('**/v1/imports?*');
      await page.setInputFiles('input[type=file]', path);
      await page.waitForSelector('h1:has-text("changing.csv")');
      await rm(folder, { recursive: true });
    }));

  test('is done from the file to taking it back with the keyboard alone', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const tabTo = async (target: ReturnType<Page['locator']>) => {
        await target.waitFor();
        for (let steps = 0; steps < 120; steps++) {
          if (await target.evaluate((element) => element === document.activeElement)) return;
          await page.keyboard.press('Tab');
        }
        throw new Error('The keyboard does not reach it.');
      };
      const rows = ['A,28.02.2027,Berta Kurz', 'B,31.02.2027,Berta Kurz', 'C,n/a,'].map(
        (row) => `Keys ${row}\n`,
      );
      // Chromium opens its own dialog, which nobody answers, until it has learned that the test waits for it.
      const choosing = page.waitForEvent('filechooser');
      await page.waitForSelector('.importfile');
      await tabTo(button(page, 'Choose a file'));
      await page.keyboard.press('Enter');
      await (await choosing).setFiles(file(`name,expires,responsible\n${rows.join('')}`, 'keys.csv'));
      await tabTo(page.getByLabel('Berta Kurz, 2 rows'));
      await page.keyboard.press('M');
      await tabTo(page.getByLabel('Import 1 row without a date as an item without one'));
      await page.keyboard.press('Space');
      await button(page, 'Import 2 rows').waitFor();
      await page.keyboard.press('Shift+Tab');
      const grid = page.getByRole('grid', { name: 'Cells with errors' });
      await tabTo(grid.or(grid.locator('[tabindex="0"]')).first());
      await page.keyboard.press('F2');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('28.02.2027');
      await page.keyboard.press('Enter');
      await page.getByText('3 would be added').waitFor();
      await tabTo(button(page, 'Import 3 rows'));
      await page.keyboard.press('Enter');
      await page.getByText('3 added').waitFor();
      await tabTo(button(page, 'Take the import back'));
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await tabTo(dialog.getByRole('button', { name: 'Take the import back' }));
      await page.keyboard.press('Enter');
      await page.getByText('3 in the bin').waitFor();
      expect(await barriers(page)).toEqual([]);
    }));

  test('takes copied cells, and offers a template of each kind', () =>
    at.inConsole('/imports?kind=vehicles', async (page) => {
      const place = page.getByLabel('Or paste cells that you copied');
      await place.waitFor();
      for (const [width, height] of [
        [1200, 900],
        [390, 900],
      ] as const)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          expect(await barriers(page)).toEqual([]);
          await takePicture(page, `import-11-new-${width}-${colorScheme}`);
        }
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(page, 'Download a template').click(),
      ]);
      expect(download.suggestedFilename()).toBe('vehicles.xlsx');
      const rows = Array.from({ length: 20_000 }, (_, n) => `Pasted ${n}\tPASTE ${n}`).join('\r\n');
      const copied = await page.evaluateHandle((cells) => {
        const data = new DataTransfer();
        data.setData('text/plain', cells);
        return data;
      }, `Name\tNumber plate\r\n${rows}`);
      await place.evaluate(
        (element, clipboardData) =>
          element.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
          ),
        copied,
      );
      await page.waitForSelector('h1:has-text("Pasted cells")');
      await button(page, /Import 20[,.]000 rows/).waitFor({ timeout: 60_000 });
      expect(await page.getByLabel('Number plate').inputValue()).toBe('license_plate');
      expect(await barriers(page)).toEqual([]);
      await button(page, 'Cancel the import').click();
      await page.waitForSelector('h2:has-text("Cancelled")');
    }));

  test('a column mapped to the main contact makes it that, and lists show it in a column', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const rows =
        'name,expires,Whom to call,contacts\nDerrick,2031-01-01,main@crane.example,one@crane.example; main@crane.example\n';
      await page.setInputFiles('input[type=file]', file(rows, 'derrick.csv'));
      await page.getByLabel('Whom to call').selectOption({ label: 'Main contact' });
      await button(page, 'Import 1 row').waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-main-contact');
      await button(page, 'Import 1 row').click();
      await button(page, 'Download the result').waitFor();
      const { data } = await at.gateway.graphql(
        '{ expirationItems(filter: { term: "Derrick" }) { nodes { contact { email } contacts { email } } } }',
      );
      const [first, second] = ['main@crane.example', 'one@crane.example'].map((email) => ({ email }));
      expect(data.expirationItems.nodes).toEqual([{ contact: first, contacts: [first, second] }]);
      await page.goto(`${at.gateway.url}/items?q=Derrick`);
      await page.waitForSelector('tbody th a');
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByLabel('Main contact').check();
      await page.waitForSelector('thead :text-is("Main contact")');
      expect(await page.innerText('tbody tr')).toContain('main@crane.example');
      await page.keyboard.press('Escape');
      await picture(page, 'items-main-contact');
      await page.evaluate(() => localStorage.removeItem('expiration-gateway.columns'));
    }));

  test('remembers how a file is read, uses a column twice, and takes one value for all rows', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const send = (value: string) =>
        page.setInputFiles('input[type=file]', file(`Paper;Until when\n${value};\n`, 'layout.csv'));
      await send('Permit');
      await page.getByLabel('Paper', { exact: true }).selectOption('name');
      await page.getByText('Still missing').waitFor();
      expect(await page.innerText('main')).toMatch(/Paper\s[\s\S]*Permit/);
      await button(page, 'Use twice').first().click();
      await page.getByLabel('Paper, also as').selectOption('details');
      await button(page, 'Expires: one value for all rows').click();
      await page.getByLabel('Expires', { exact: true }).fill('2031-01-31');
      await page.getByText('Details: Permit').waitFor();
      await page.getByText('1 would be added').waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-10-layout');
      await page.setViewportSize({ width: 390, height: 1600 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, 'import-10-layout-narrow-dark');
      await button(page, 'Import 1 row').click();
      await page.getByRole('link', { name: 'Import another file' }).click();
      await page.waitForSelector('.importfile');
      await send('Licence');
      await page.getByText('Read like your last file with these columns').waitFor();
      await page.getByText('Details: Licence').waitFor();
      await button(page, 'Import 1 row').click();
      await page.getByText('1 added').waitFor();
    }));

  test('takes the remembered order of dates only where a file proves none', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const dates = page.getByLabel('Dates', { exact: true });
      const send = async (name: string, date: string, due: string) => {
        const rows = `Order name,ends,lasts until\n${name},${date},${due}\n`;
        await page.setInputFiles('input[type=file]', file(rows, `${name}.csv`));
      };
      const run = async () => {
        await button(page, 'Import 1 row').click();
        await page.getByText('1 added').waitFor();
        await page.getByRole('link', { name: 'Import another file' }).click();
        await page.waitForSelector('.importfile');
      };
      await send('First', '01/02/2031', '');
      await page.getByLabel('Order name', { exact: true }).selectOption('name');
      await page.getByLabel('ends', { exact: true }).selectOption('expiration_date');
      await page.getByLabel('lasts until', { exact: true }).selectOption('notice_date');
      await dates.selectOption('MDY');
      await page.getByText('Expires: January 2, 2031').waitFor();
      await run();
      // This one says which order it has, so that the remembered one waits.
      await send('Second', '31.12.2031', '30.11.2031');
      await page.getByText('Read like your last file with these columns').waitFor();
      await page.getByText('Expires: December 31, 2031').waitFor();
      expect(await dates.inputValue()).toBe('');
      await button(page, 'Import 1 row').waitFor();
      // Of another column it would be an error.
      await page.goto(`${at.gateway.url}/imports?kind=items`);
      await send('Third', '01/02/2031', '30.11.2030');
      await page.getByText('Read like your last file with these columns').waitFor();
      await page.getByText('Choose how they are written').waitFor();
      expect(await dates.inputValue()).toBe('');
      await page.goto(`${at.gateway.url}/imports?kind=items`);
      await send('Fourth', '03/04/2031', '');
      await page.getByText('Expires: March 4, 2031').waitFor();
      expect(await dates.inputValue()).toBe('MDY');
      await run();
    }));

  test('mends all cells alike, and saves the mended file', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const rows = Array.from({ length: 4 }, (_, n) => `Alike ${n};31.02.2027`).join('\n');
      await page.setInputFiles('input[type=file]', file(`name;expires\n${rows}\n`, 'alike.csv'));
      const grid = page.getByRole('grid', { name: 'Cells with errors' });
      await grid.getByText('31.02.2027').first().waitFor();
      await grid.focus();
      await page.keyboard.press('F2');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('28.02.2027');
      await page.keyboard.press('Enter');
      await button(page, 'The same for 3 more with “31.02.2027”').click();
      await page.getByText('4 would be added').waitFor();
      expect(await barriers(page)).toEqual([]);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(page, 'Download the mended file').click(),
      ]);
      expect(download.suggestedFilename()).toBe('alike-result.csv');
    }));

  test('takes an import back, once that is confirmed', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      await page.setInputFiles('input[type=file]', file('name,expires\nMistake,2027-01-01\n', 'mistake.csv'));
      await button(page, 'Import 1 row').click();
      await button(page, 'Take the import back').click();
      await page.getByRole('dialog').getByText('goes into the bin').waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-7-undo');
      await page.getByRole('dialog').getByRole('button', { name: 'Take the import back' }).click();
      await page.getByText('1 in the bin').waitFor();
      expect(await page.innerText('main')).toContain('Taken back');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-8-undone');
    }));

  test('imports a workbook, of which another sheet can be chosen', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const rows = (name: string, header: string) =>
        textRows([
          ['name', header],
          [name, '2027-01-01'],
        ]);
      const buffer = await xlsxOf([
        { name: 'Vans', rows: rows('First sheet', 'expires') },
        { name: 'Trucks', rows: rows('Second sheet', 'valid until') },
      ]);
      const accept = await page.getAttribute('input[type=file]', 'accept');
      expect(accept).toContain('.xlsx');
      await page.setInputFiles('input[type=file]', { ...file('', 'fleet.xlsx'), buffer });
      await page.getByText('Name: First sheet').waitFor();
      await page.getByLabel('Sheet').selectOption('Trucks');
      await page.getByText('Name: Second sheet').waitFor();
      expect(await page.getByLabel('valid until').inputValue()).toBe('expiration_date');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-6-sheets');
      await button(page, 'Import 1 row').click();
      await button(page, 'Download the result').waitFor();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(page, 'Download the result').click(),
      ]);
      expect(download.suggestedFilename()).toBe('fleet-result.csv');
    }));

  test('maps columns, reads dates as their column proves them, and shows the preview and the result', () =>
    at.inConsole('/items', async (page) => {
      await page.getByRole('link', { name: 'Import', exact: true }).first().click();
      await page.waitForSelector('.importfile');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-1-choose');
      await page.setInputFiles('input[type=file]', file(text));
      await page.waitForSelector('h1:has-text("items.csv")');
      await page.getByLabel('Bis wann').waitFor();
      expect(await page.getByLabel('Bezeichnung').inputValue()).toBe('name');
      await page.getByLabel('Bis wann').selectOption('expiration_date');
      await page.getByLabel('Farbe').selectOption({ label: 'As a custom field' });
      await page.getByText('Farbe: rot').waitFor();
      await button(page, 'Import 2 rows').waitFor();
      // Coming back later continues where it was.
      await page.reload();
      await button(page, 'Import 2 rows').waitFor();
      expect(await page.getByLabel('Bis wann').inputValue()).toBe('expiration_date');
      expect(await page.innerText('main')).toMatch(/31\.02\.2027[\s\S]*is not a day of the calendar/);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-3-preview');
      await button(page, 'Import 2 rows').focus();
      await page.keyboard.press('Enter');
      await button(page, 'Download the result').waitFor();
      expect(await page.innerText('main')).toMatch(/2 added[\s\S]*1 with errors/);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-4-result');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(page, 'Download the result').click(),
      ]);
      expect(download.suggestedFilename()).toBe('items-result.csv');
      const { data } = await at.gateway.graphql(
        '{ expirationItems(filter: { term: "Kran" }) { nodes { expirationDate customFields { name value } } } }',
      );
      expect(data.expirationItems.nodes).toEqual([
        { expirationDate: '2028-03-01', customFields: [{ name: 'Farbe', value: 'gelb' }] },
      ]);
    }));

  test('shows what values become, and leaves out what a spreadsheet has damaged unless it is chosen', () =>
    at.inConsole('/imports?kind=items', async (page) => {
      const { data } = await at.gateway.graphql(`mutation { createExpirationItem(input: {
        name: "Shown", expirationDate: "2026-12-31", customFields: [{ name: "No", value: "0012" }] }) { id } }`);
      const { id } = data.createExpirationItem;
      await page.waitForSelector('.importfile');
      const changed = `id,name,expiration_date,custom:No\n${id},Shown,01/02/2027,12\n,Odd,25/04/2570,\n`;
      await page.setInputFiles('input[type=file]', file(changed, 'changed.csv'));
      await page.getByLabel('Dates', { exact: true }).selectOption('DMY');
      await page.getByLabel('Existing records').selectOption('UPSERT');
      await button(page, 'Import 2 rows').waitFor();
      const shown = async () => (await page.innerText('main')).replace(/\s+/g, ' ');
      expect(await shown()).toMatch(/December 31, 2026 → February 1, 2027 · No: stays 0012 \(file: 12\)/);
      expect(await shown()).toMatch(/Unusual values.*25\/04\/2570.*becomes 2570-04-25: is the year right\?/);
      const damaged = page.getByLabel('No: 0012 → 12 (lost leading zeros, 1×)');
      expect(await damaged.isChecked()).toBe(false);
      for (const [width, height] of [
        [1200, 1600],
        [320, 2400],
      ] as const)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme });
          expect(await barriers(page)).toEqual([]);
          await takePicture(page, `import-6-changes-${width}-${colorScheme}`);
        }
      await damaged.check();
      await page.getByLabel('Dates', { exact: true }).selectOption('MDY');
      await page.getByText('→ January 2, 2027').waitFor();
      expect(await shown()).toMatch(/December 31, 2026 → January 2, 2027 · No: 0012 → 12/);
    }));

  test('takes a dropped file, shows how far it has come, and is cancelled', () =>
    at.inConsole('/imports?kind=vehicles', async (page) => {
      await page.waitForSelector('.importfile');
      const rows = Array.from({ length: 8_000 }, (_, n) => `van ${n},VIN${n}`).join('\n');
      const transfer = await page.evaluateHandle((csv) => {
        const dropped = new DataTransfer();
        dropped.items.add(new File([csv], 'vans.csv', { type: 'text/csv' }));
        return dropped;
      }, `name,vin\n${rows}\n`);
      await page.dispatchEvent('.importfile', 'drop', { dataTransfer: transfer });
      await button(page, /Import 8[,.]000 rows/).click({ timeout: 60_000 });
      await page.waitForSelector('progress[value]');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'import-5-running');
      await button(page, 'Cancel the import').click();
      await page.waitForSelector('h2:has-text("Cancelled")');
      await page.goto(`${at.gateway.url}/imports`);
      await page.getByText('vans.csv').first().waitFor();
    }));

  test('sends a large file in pieces, continues after a lost one, and is cancelled', () =>
    at.inConsole('/imports?kind=workspace', async (page) => {
      const { prisma } = at.gateway.database;
      const zip = { name: 'all.zip', mimeType: 'application/zip', buffer: Buffer.alloc(9 * 1024 * 1024) };
      const begun = await prisma.resumableUpload.count();
      const pieces: string[] = [];
      await page.route('**/v1/resumable-uploads/*', (route) => {
        const request = route.request();
        if (request.method() !== 'PATCH') return route.continue();
        pieces.push(request.headers()['upload-offset'] ?? '');
        if (pieces.length === 2) return route.abort();
        // The last piece waits until the person cancels.
        return pieces.length < 4 ? route.continue() : undefined;
      });
      await page.waitForSelector('.importfile');
      await page.setInputFiles('input[type=file]', zip);
      const piece = 4 * 1024 * 1024;
      await expect.poll(() => pieces).toEqual([0, piece, piece, 2 * piece].map(String));
      expect(await page.locator('progress').getAttribute('value')).toBe(String(2 * piece));
      expect(await prisma.resumableUpload.count()).toBe(begun + 1);
      await button(page, 'Cancel').click();
      await page.waitForSelector('progress', { state: 'detached' });
      expect(await page.locator('[role=alert]').count()).toBe(0);
      await expect.poll(() => prisma.resumableUpload.count()).toBe(begun);
    }));

  test('says what is wrong with a file, and how to go on', () =>
    at.inConsole('/imports', async (page) => {
      await page.setInputFiles('input[type=file]', file('name\n"x', 'broken.csv'));
      await page.waitForSelector('[role=alert]:has-text("not CSV")');
      await page.getByRole('link', { name: 'Import another file' }).click();
      await page.waitForSelector('.importfile');
    }));

  test.each([
    ['phone', { width: 320 }],
    ['dark', { scheme: 'dark' as const }],
  ])('asks for the format of dates that prove none, and fits the %s', (name, opening) =>
    at.inConsole(
      '/imports',
      async (page) => {
        await page.waitForSelector('.importfile');
        await picture(page, `import-${name}-choose`);
        const unproven = text.replace('31.12.', '11.12.').replace('31.02.', '10.02.');
        await page.setInputFiles('input[type=file]', file(unproven, `${name}.csv`));
        await page.getByLabel('Bis wann').selectOption('expiration_date');
        await page.getByText('Choose how they are written').waitFor();
        await page.getByText(/“11\.12\.2027” would be \w+ 1[12], 2027 or \w+ 1[12], 2027/).waitFor();
        expect(await barriers(page)).toEqual([]);
        await picture(page, `import-${name}-dates`);
        await page.getByLabel('Dates', { exact: true }).selectOption('DMY');
        await button(page, /Import \d+ row/)
          .or(page.getByText('Cells with errors'))
          .first()
          .waitFor();
        expect(await barriers(page)).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide).toBeLessThanOrEqual(0);
        await picture(page, `import-${name}-preview`);
      },
      opening,
    ),
  );

  test('viewers see no import', () =>
    at.inConsole(
      '/items',
      async (page) => {
        await page.waitForSelector('h1');
        expect(await page.getByRole('link', { name: 'Import', exact: true }).count()).toBe(0);
      },
      { token: at.gateway.viewer },
    ));
});
