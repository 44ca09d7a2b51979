import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inviteOne } from '../graphql/people.support.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { barriers, browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';

describeInBrowser('the page of an invitation', { timeout: browserTimeout }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway(), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  test('makes a token by its button, shows it once, and signs in with it', async () => {
    const { link } = await inviteOne(gateway, 'bo@example.com', { name: 'Bo <i>', role: 'VIEWER' });
    await inPage(browser, {}, async (page) => {
      await page.goto(link);
      expect(await page.innerText('main')).toMatch(
        /Acme has invited you to use this gateway as Bo <i> \(bo@example\.com\)/,
      );
      expect(await barriers(page)).toEqual([]);
      await page.click('main button');
      await page.waitForSelector('#made-token');
      expect(await page.innerText('#made-token')).toMatch(/^egw_[\w-]{43}$/);
      expect(await barriers(page)).toEqual([]);
      await page.click('main a.button');
      await page.waitForSelector('#caller:not([hidden])');
      expect(await page.innerText('#caller-name')).toBe('Bo <i> · viewer');
      await page.goto(link);
      expect(await page.innerText('h1')).toBe('This link has been used');
      expect(await barriers(page)).toEqual([]);
    });
  });
});
