import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stickersOf } from '../http/compliance-links.support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { barriers, browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';

const folder = new URL('../../test-results/pages/', import.meta.url);

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname, fullPage: true });
}

describeInBrowser('the page of a sticker', { timeout: browserTimeout }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  /** Addresses by what they show. */
  const links: Record<string, string> = {};
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(), openBrowser()]);
    const stickers = stickersOf(gateway);
    const type = await stickers.require();
    const link = async (values: object, ...paper: [string, string | null] | []) => {
      const id = await stickers.vehicle(values);
      const [expires, notifyOn = null] = paper;
      if (expires) await stickers.paper(id, type, expires, notifyOn);
      return stickers.link(id);
    };
    links.complete = await link({}, '2027-03-31', null);
    links.due = await link({}, '2026-11-30', '2026-11-01');
    links.missing = await link({ name: `Donaudampfschifffahrts${'elektrizitäten'.repeat(4)}` });
    links.retired = await link({ isArchived: true });
    links.unknown = `${gateway.url}/gate/${'A'.repeat(43)}`;
  }, browserTimeout);
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  for (const width of [320, 390, 1440])
    for (const scheme of ['light', 'dark'] as const)
      test(`is readable at ${width} px, ${scheme}, also with text of twice the size`, () =>
        inPage(browser, { width, scheme }, async (page) => {
          for (const [name, link] of Object.entries(links)) {
            await page.goto(`${link}?lang=de`);
            await page.waitForSelector('.languages');
            for (const size of ['100%', '200%']) {
              await page.evaluate(
                (size) => document.documentElement.style.setProperty('font-size', size),
                size,
              );
              expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(
                false,
              );
              await picture(page, `sticker-${name}-${width}-${scheme}-${size.replace('%', '')}`);
            }
            expect(await barriers(page, { preload: false })).toEqual([]);
          }
        }));

  test('speaks another language with a click, without scripts', () =>
    inPage(browser, {}, async (page) => {
      await page.goto(`${links.complete}?lang=en`);
      expect(await page.innerText('.verdict strong')).toBe('Complete');
      await page.click('.languages a:has-text("Nederlands")');
      await page.waitForSelector('html[lang=nl]');
      expect(await page.innerText('.verdict strong')).toBe('Volledig');
      expect(await page.locator('script').count()).toBe(0);
    }));
});
