import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

describeInBrowser('files for the console', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  const uploads = (filename: string) =>
    at.gateway.database.prisma.uploadNotification.findMany({ where: { filename } });

  const findItem = () =>
    at.gateway.database.prisma.expirationItem.findFirstOrThrow({
      where: { isActive: true, teamId: at.gateway.teamId },
    });

  /** Drags a file over an element, and drops it there. */
  async function drop(page: Page, selector: string, name: string, isDropped = true): Promise<void> {
    const dataTransfer = await page.evaluateHandle((filename) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['Not a date'], filename, { type: 'text/plain' }));
      return transfer;
    }, name);
    await page.dispatchEvent(selector, 'dragover', { dataTransfer });
    if (isDropped) await page.dispatchEvent(selector, 'drop', { dataTransfer });
  }

  test('are chosen in the inbox, which says where they are', () =>
    at.inConsole('/inbox', async (page) => {
      await page.waitForSelector('button:enabled:has-text("Choose files")');
      await page.locator('input[type=file][multiple]').setInputFiles([
        { name: 'chosen.txt', mimeType: 'text/plain', buffer: Buffer.from('Something') },
        { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
      ]);
      await page.waitForSelector('.toast.bad:has-text("“empty.txt” is empty")');
      const told = page.locator('.sentfile:has-text("“chosen.txt” is in the inbox")');
      await told.waitFor();
      await page.locator('tbody a:has-text("chosen.txt")').waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'inbox-sent');
      await told.getByRole('link', { name: 'Look at it' }).click();
      await page.waitForSelector('h1:has-text("chosen.txt")');
      const [sent] = await uploads('chosen.txt');
      expect(new URL(page.url()).pathname).toBe(`/inbox/${sent?.id}`);
      expect(sent).toMatchObject({ type: 'text/plain' });
      expect(await uploads('empty.txt')).toEqual([]);
    }));

  test('are caught wherever they are dropped, and the page stays', () =>
    at.inConsole('/contacts', async (page) => {
      await page.waitForSelector('tbody th a');
      await drop(page, 'main h1', 'anywhere.txt', false);
      await page.waitForSelector('.droptold:has-text("Drop to send to the inbox")');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'dropping');
      await drop(page, 'main h1', 'anywhere.txt');
      await page.locator('.droptold').waitFor({ state: 'detached' });
      const toast = page.locator('.toast:has-text("“anywhere.txt” is in the inbox")');
      await toast.waitFor();
      expect(new URL(page.url()).pathname).toBe('/contacts');
      await toast.getByRole('link', { name: 'Look at it' }).click();
      await page.waitForSelector('h1:has-text("anywhere.txt")');
      await page.goto(`${at.gateway.url}/contacts`);
      await page.waitForSelector('tbody th a');
      await page.keyboard.press('/');
      await page.waitForSelector('dialog:modal');
      // What is open takes no files, so nothing is sent, and the page stays.
      expect(
        await page.evaluate(() => {
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File(['x'], 'covered.txt'));
          const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
          document.querySelector('dialog')?.dispatchEvent(event);
          return event.defaultPrevented;
        }),
      ).toBe(true);
      expect(await uploads('covered.txt')).toEqual([]);
    }));

  test('are added to the item on which they are dropped: of a row, or of the screen', async () => {
    const { id, name } = await findItem();
    const filesOf = async () =>
      (await at.gateway.database.prisma.attachment.findMany({ where: { itemId: id } })).map(
        (file) => file.name,
      );
    await at.inConsole(`/items?q=${encodeURIComponent(name)}`, async (page) => {
      const row = `tr:has(a[href="/items/${id}"]) td:last-child`;
      await page.waitForSelector(row);
      await drop(page, row, 'row.txt', false);
      await page.waitForSelector(`.droptold:has-text("Drop to add to ${name}")`);
      await drop(page, row, 'row.txt');
      await page.waitForSelector(`.toast:has-text("“row.txt” was added to ${name}")`);
      await page.goto(`${at.gateway.url}/items/${id}`);
      await page.waitForSelector('.standing');
      await drop(page, '.standing', 'screen.txt');
      await page.waitForSelector('.sentfile:has-text("“screen.txt” was added")');
      await page.waitForSelector('.rowlink:has-text("screen.txt") button[aria-label="Download"]');
    });
    expect(await filesOf()).toEqual(expect.arrayContaining(['row.txt', 'screen.txt']));
  });

  test('have small pictures in the list of files and in the inbox', async () => {
    const content = readFileSync(new URL('../../../prisma/demo-licence.png', import.meta.url));
    const { id } = await findItem();
    const body = { file_name: 'small.png', content_type: 'image/png', content: content.toString('base64') };
    await at.gateway.send('POST', '/v1/uploads', { body: { ...body, expiration_item_id: id } });
    await at.gateway.send('POST', '/v1/uploads', { body });
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.waitForSelector('li:has-text("small.png") .thumb img[src^="blob:"]');
      await page.goto(`${at.gateway.url}/inbox`);
      await page.waitForSelector('tr:has-text("small.png") .thumb img[src^="blob:"]');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'thumbnails');
    });
  });

  test('are not taken from people who may not change items', () =>
    at.inConsole(
      '/items',
      async (page) => {
        await page.waitForSelector('tbody th a');
        await drop(page, 'tbody tr', 'viewer.txt');
        await page.waitForSelector('.toast:has-text("Only people who can edit items can add files")');
        expect(await uploads('viewer.txt')).toEqual([]);
      },
      { token: at.gateway.viewer },
    ));
});
