import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
      await button(page, 'Update the preview').click();
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
      await button(page, 'Update the preview').click();
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
      await button(page, 'Update the preview').click();
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
      await button(page, 'Update the preview').click();
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
      await button(page, 'Update the preview').click();
      await page.getByText('January 2, 2027').waitFor();
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
        await button(page, 'Update the preview').click();
        await page.getByText('Choose how they are written').waitFor();
        expect(await barriers(page)).toEqual([]);
        await picture(page, `import-${name}-dates`);
        await page.getByLabel('Dates', { exact: true }).selectOption('DMY');
        await button(page, 'Update the preview').click();
        await button(page, /Import \d+ row/)
          .or(page.getByText('Rows with errors'))
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
