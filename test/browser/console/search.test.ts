import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const createVehicle = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }';
const createItem =
  'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';

describeInBrowser("the console's search", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
    await at.gateway.graphql(createVehicle, { input: { name: 'Tipper', licensePlate: 'HH-NX 1730' } });
    for (const name of ['Inspection HH-NX 1730', 'Fee 49,00'])
      await at.gateway.graphql(createItem, { input: { name, expirationDate: '2031-05-01' } });
  }, browserTimeout);
  afterAll(() => at?.close());

  const options = (page: Page) =>
    page.locator('.finder [role=option] .hit > span:first-child').allInnerTexts();
  const type = async (page: Page, text: string) => {
    if (!(await page.isVisible('.finder'))) await page.keyboard.press('Control+k');
    await page.fill('.finder input', text);
  };

  test('finds numbers and licence plates as people type them', async () => {
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('main h1');
      const both = ['Inspection HH-NX 1730', 'Tipper'];
      for (const [text, names] of [
        ['HH-NX', both],
        ['hhnx1730', both],
        ['HH NX 17', both],
        ['49,00', ['Fee 49,00']],
      ] as const) {
        await type(page, text);
        await expect.poll(async () => (await options(page)).sort(), { timeout: 10_000 }).toEqual(names);
      }
      await picture(page, 'search');
      // Less of a number finds nothing more, but less of a word may.
      const hint = page.locator('.finder .finderhint');
      await type(page, '49,01');
      await expect.poll(() => hint.innerText()).toBe('Nothing matches “49,01”.');
      await type(page, 'inspektion');
      await expect.poll(() => hint.innerText()).toContain('Try a shorter part');
    });
  });

  test('knows all screens, and what people do from anywhere', async () => {
    await at.inConsole('/', async (page) => {
      await page.waitForSelector('main h1');
      await type(page, 'webhooks');
      await expect.poll(() => options(page)).toEqual(['Webhooks']);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/settings/webhooks');
      await type(page, 'import');
      await expect.poll(() => options(page)).toContain('Import');
      expect(await barriers(page)).toEqual([]);
      await type(page, 'invite');
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open]:has-text("Invite") textarea');
      expect(new URL(page.url()).search).toBe('');
      await page.keyboard.press('Escape');
      await type(page, 'renew fee 49');
      await expect.poll(() => options(page), { timeout: 10_000 }).toEqual(['Renew: Fee 49,00']);
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog[open] input[type=date]');
      expect(await page.inputValue('dialog[open] input[type=date]')).toBe('2032-05-01');
    });
  });

  test('offers nobody what they may not do', async () => {
    await at.inConsole(
      '/',
      async (page) => {
        await page.waitForSelector('main h1');
        await type(page, 'inv');
        await page.waitForSelector('.finder .finderhint:not(:has-text("Loading"))');
        expect(await options(page)).not.toContain('Invite somebody');
        await type(page, 'add');
        expect(await options(page)).toEqual([]);
      },
      { token: at.gateway.viewer },
    );
  });
});
