import { createCanvas } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserTimeout, describeInBrowser } from '../../support/browser.js';
import { type ConsoleBrowser, openConsole } from '../../support/console-browser.js';

/** Creates a photo that JPEG cannot make small. */
function photo(name: string, width: number, height: number) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const noise = context.createImageData(width, height);
  for (let at = 0; at < noise.data.length; at++)
    noise.data[at] = at % 4 === 3 ? 255 : (Math.imul(at, 2654435761) >>> 15) & 255;
  context.putImageData(noise, 0, 0);
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(canvas.toBuffer('image/jpeg', 80)) };
}

describeInBrowser('the camera', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  /** Takes two pictures, turns the first, crops the second, and sends both. */
  async function take(page: Page): Promise<void> {
    await page.waitForSelector('button:enabled:has-text("Take a picture")');
    await page
      .locator('input[capture]')
      .first()
      .setInputFiles(photo('one.jpg', 1600, 1200));
    await page.locator('dialog canvas').first().waitFor();
    await page.locator('dialog input[capture]').setInputFiles(photo('two.jpg', 1600, 1200));
    await page.locator('dialog canvas').nth(1).waitFor();
    await page.getByLabel('Rotate page 1').click();
    await page.locator('summary').nth(1).press('Enter');
    const slider = page.getByLabel('Cut off on the left').nth(1);
    for (let step = 0; step < 25; step++) await slider.press('ArrowRight');
    await page.click('button:has-text("Send as one PDF")');
  }

  /** Counts the documents on the device. */
  const kept = (page: Page) =>
    page.evaluate<number>(
      `new Promise((resolve) => {
        indexedDB.open('camera').onsuccess = ({ target: { result } }) => {
          const counting = result.transaction('documents').objectStore('documents').count();
          counting.onsuccess = () => {
            result.close();
            resolve(counting.result);
          };
        };
      })`,
    );

  test('sends two pages as one PDF once, although the connection breaks and the page is reloaded', () =>
    at.inConsole('/inbox', async (page) => {
      const { prisma } = at.gateway.database;
      const before = await prisma.uploadNotification.count();
      let pieces = 0;
      await page.route('**/v1/resumable-uploads/*', (route) =>
        route.request().method() === 'PATCH' && ++pieces > 1 ? route.abort() : route.continue(),
      );
      await take(page);
      await page.waitForSelector('text=Kept on this device until it is sent');
      await expect.poll(() => pieces).toBeGreaterThan(1);
      await page.unroute('**/v1/resumable-uploads/*');
      const begun: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/v1/resumable-uploads'))
          begun.push(`${request.method()} ${request.headers()['upload-offset'] ?? ''}`);
      });
      await page.reload();
      await expect.poll(() => prisma.uploadNotification.count()).toBe(before + 1);
      await page.waitForSelector('text=Kept on this device', { state: 'detached' });
      expect(begun.slice(0, 2)).toEqual(['HEAD ', `PATCH ${512 * 1024}`]);
      // A reload afterwards sends nothing.
      begun.length = 0;
      await page.reload();
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      expect(await kept(page)).toBe(0);
      expect(begun).toEqual([]);
      expect(await prisma.uploadNotification.count()).toBe(before + 1);
    }));

  test('discards a document that cannot be sent', () =>
    at.inConsole('/inbox', async (page) => {
      await page.route('**/v1/resumable-uploads', (route) => route.abort());
      await take(page);
      await page.click('button:has-text("Discard")');
      await page.waitForSelector('text=Kept on this device', { state: 'detached' });
      expect(await kept(page)).toBe(0);
    }));

  test('attaches a PDF of the turned and the cropped page to an item', async () => {
    const { prisma } = at.gateway.database;
    const { id: itemId } = await prisma.expirationItem.findFirstOrThrow({
      where: { attachments: { none: {} } },
    });
    await at.inConsole(`/items/${itemId}`, async (page) => {
      await take(page);
      await page.waitForSelector('.rowlink button:has-text(".pdf")');
    });
    const [file, ...others] = await prisma.attachment.findMany({ where: { itemId } });
    expect(others).toEqual([]);
    const headers = { Authorization: `Bearer ${at.gateway.admin}` };
    const response = await fetch(`${at.gateway.url}/attachments/${file?.id}`, { headers });
    const document = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
    const shapes = [];
    for (let number = 1; number <= document.numPages; number++) {
      const [, , width = 0, height = 0] = (await document.getPage(number)).view;
      shapes.push(width / height);
    }
    // 1200 by 1600 is turned, and a quarter of 1600 is cut off.
    expect(shapes).toEqual([expect.closeTo(0.75, 2), expect.closeTo(1, 2)]);
  });

  test('fits on a phone in the dark, and signing out removes what is kept', () =>
    at.inConsole(
      '/inbox',
      async (page) => {
        await page.route('**/v1/resumable-uploads', (route) => route.abort());
        await take(page);
        await page.waitForSelector('text=Kept on this device until it is sent');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
        const names = () =>
          page.evaluate<string[]>('indexedDB.databases().then((all) => all.map(({ name }) => name))');
        expect(await names()).toContain('camera');
        await page.setViewportSize({ width: 1200, height: 800 });
        await page.click('.side .foot button');
        await page.click('.menu:popover-open button:has-text("Sign out")');
        await expect.poll(names).not.toContain('camera');
      },
      { width: 320, scheme: 'dark' },
    ));
});
