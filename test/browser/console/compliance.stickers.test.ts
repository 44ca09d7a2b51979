import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { evaluateTurns } from '../../../src/compliance/turns.js';
import { eventually } from '../../support/eventually.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const wasm = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });

/** Reads the QR codes of a picture. */
async function codesIn(png: Buffer): Promise<string[]> {
  const image = await loadImage(png);
  const context = createCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, image.width, image.height);
  const codes = await readBarcodes(pixels as unknown as ImageData, { formats: ['QRCode'] });
  return codes.map(({ text }) => text);
}

describeInBrowser("the console's stickers", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  const ids: string[] = [];
  beforeAll(async () => {
    at = await openConsole();
    const send = async (path: string, body: object) => {
      const { status, text, json } = await at.gateway.send('POST', `/v1/${path}`, { body });
      expect(status, text).toBe(201);
      return json.id as string;
    };
    const type = await send('categories', { name: 'Insurance of trucks' });
    await send('requirements', { name: 'Trucks are insured', holder_kind: 'vehicle', any_of: [type] });
    for (let n = 1; n <= 12; n++)
      ids.push(await send('vehicles', { name: `Gate truck ${n}`, license_plate: `GT ${100 + n}` }));
    await evaluateTurns(at.gateway.database, () => at.gateway.clock.now);
  }, browserTimeout);
  afterAll(() => at.close());

  const linksOf = async (id: string) => {
    const query = `query ($id: ID!) { complianceLinks(filter: { vehicleId: $id }) {
      nodes { id name url uses revokedAt } } }`;
    return (await at.gateway.graphql(query, { id })).data.complianceLinks.nodes;
  };
  /** Looks at a dialog in both sizes and themes. */
  async function pictures(page: Page, name: string): Promise<void> {
    for (const [width, height] of [
      [390, 844],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await barriers(page)).toEqual([]);
        await picture(page, `${name}-${width}-${colorScheme}`);
      }
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  test('a sticker is made on the page of a vehicle, its code opens its page, and it is revoked', () =>
    at.inConsole(`/vehicles/${ids[0]}`, async (page) => {
      await page.click('button:has-text("Sticker")');
      await page.getByLabel('Where it will be').fill('Door');
      await page.click('dialog button:has-text("Make a sticker")');
      await page.waitForSelector('dialog .sticker path:not([d=""])');
      const [link] = await linksOf(ids[0] ?? '');
      expect(link).toMatchObject({ name: 'Door', uses: 0 });
      expect(await codesIn(await page.locator('dialog .sticker').screenshot())).toEqual([link.url]);
      expect(await page.innerText('dialog .sticker')).toMatch(/Gate truck 1\s+GT 101\s+Scan to see/);
      await pictures(page, 'sticker-dialog');
      const said = await fetch(link.url, { headers: { 'Accept-Language': 'en' } });
      expect(await said.text()).toContain('Not compliant');
      await eventually(async () => expect((await linksOf(ids[0] ?? ''))[0].uses).toBe(1));
      await page.click('dialog button:has-text("Make another sticker")');
      await page.click('dialog button:has-text("Make a sticker")');
      await page.waitForSelector('dialog .entrylist li >> nth=1');
      await page.waitForSelector('dialog .entrylist li:has-text("Door"):has-text("Opened 1 time")');
      await page.click('dialog button[aria-label="Show to print: Door"]');
      await page.waitForSelector('dialog .sticker:has-text("Door")');
      await page.click('dialog button[aria-label="Revoke: Door"]');
      await page.click('dialog button:text-is("Revoke")');
      await page.waitForSelector('.toast:has-text("The sticker is revoked")');
      await page.waitForSelector('dialog .entrylist li:has-text("Door") .badge:has-text("Revoked")');
      expect((await fetch(link.url)).status).toBe(404);
      await page.waitForSelector('dialog .sticker:not(:has-text("Door"))');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      expect(await page.locator('.stickersheet').count()).toBe(0);
    }));

  test('a sheet of many is printed on A4 and Letter, ten on a page', () =>
    at.inConsole('/compliance?kind=VEHICLE&q=Gate', async (page) => {
      await page.waitForSelector('[role=row] .matrixcell:has-text("Gate truck 12")');
      for (let n = 1; n <= 12; n++) await page.check(`input[aria-label="Select Gate truck ${n}"]`);
      await page.click('.bulkbar button:has-text("Stickers")');
      await page.click('dialog button:has-text("Make the stickers")');
      await page.waitForSelector('dialog p:has-text("and 9 more")');
      await pictures(page, 'sticker-sheet');
      const folder = new URL('../../../test-results/console/', import.meta.url);
      mkdirSync(folder, { recursive: true });
      for (const format of ['A4', 'Letter'] as const) {
        const pdf = await page.pdf({ format });
        writeFileSync(new URL(`sticker-sheet-${format}.pdf`, folder), pdf);
        expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(2);
      }
      // What is printed is the sheet alone, and each code leads to its record.
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.stickersheet .sticker').count()).toBe(12);
      expect(await page.locator('.shell').isVisible()).toBe(false);
      for (const n of [0, 11]) {
        const face = page.locator('.stickersheet .sticker').nth(n);
        const number = /Gate truck (\d+)/.exec(await face.innerText())?.[1];
        const open = (await linksOf(ids[Number(number) - 1] ?? '')).filter(
          ({ revokedAt }: { revokedAt: string | null }) => revokedAt === null,
        );
        expect(open).toHaveLength(1);
        expect(await codesIn(await face.screenshot())).toEqual([open[0].url]);
      }
    }));

  test('viewers make no stickers', () =>
    at.inConsole(
      `/vehicles/${ids[1]}`,
      async (page) => {
        await page.waitForSelector('.checkline');
        expect(await page.locator('button:has-text("Sticker")').count()).toBe(0);
      },
      { token: at.gateway.viewer },
    ));
});
