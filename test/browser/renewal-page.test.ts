import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathOfLink, readLinkKey, secretKeyOfLinks } from '../http/mail-links.support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';

describeInBrowser('the page that renews an item', { timeout: browserTimeout }, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let link: string;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startGateway({ SECRET_KEY: secretKeyOfLinks }), openBrowser()]);
    const { organizationId, teamId, database } = gateway;
    const { prisma } = database;
    const [categoryId, itemId] = [randomUUID(), randomUUID()];
    const times = { created: testTime, modified: testTime };
    const place = { organizationId, teamId, ...times };
    const autoRenew = { every: 1, unit: 'MONTHS', requireAcknowledgement: false, byPeople: true };
    await prisma.category.create({ data: { ...place, id: categoryId, name: 'Permit', autoRenew } });
    const item = { id: itemId, categoryId, name: 'Trade licence', expirationDate: new Date('2026-12-20') };
    await prisma.expirationItem.create({ data: { ...place, ...item } });
    const purpose = { action: 'renew', organizationId, itemId, date: '2026-12-20' } as const;
    const key = await readLinkKey();
    link = gateway.url + pathOfLink(key, { ...purpose, recipientKey: 'mail:max@example.com' }, testTime);
  });
  afterAll(async () => {
    await browser.close();
    await gateway.close();
  });

  test('is used with the keyboard', async () => {
    await inPage(browser, {}, async (page) => {
      await page.goto(link);
      expect(await page.inputValue('#date')).toBe('2027-01-20');
      await page.evaluate(() => document.querySelector('form')?.setAttribute('novalidate', ''));
      await page.fill('#date', '2026-12-01');
      await page.press('#date', 'Enter');
      await page.waitForSelector('#wrong');
      expect(await page.innerText('#wrong')).toBe('The new date must be later than 20 December 2026.');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('date');
      await page.fill('#date', '2027-01-31');
      await page.focus('main button');
      await page.keyboard.press('Enter');
      await page.waitForSelector('form', { state: 'detached' });
      expect(await page.innerText('main')).toContain('Noted: it was renewed until 31 January 2027.');
      await page.goto(link);
      expect(await page.innerText('main')).toContain('It was renewed already.');
    });
  });
});
