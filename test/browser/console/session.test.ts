import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givePassword, password } from '../../sign-in/support.js';
import { barriers, browserTimeout, describeInBrowser } from '../../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../../support/console-browser.js';

describeInBrowser('signing in to the console with a session', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let email: string;
  beforeAll(async () => {
    at = await openConsole();
    const { database, userId } = at.gateway;
    ({ email } = await database.prisma.user.update({
      where: { id: userId },
      data: { email: 'ada@example.com', role: 'ADMIN' },
    }));
    await givePassword(at.gateway, userId);
  }, browserTimeout);
  afterAll(() => at?.close());

  const open = (path: string, work: (page: Page) => Promise<void>) =>
    at.inConsole(path, work, { token: null });
  async function signIn(page: Page, sent = password): Promise<void> {
    await page.fill('input[type=email]', email);
    await page.fill('input[autocomplete=current-password]', sent);
    await page.press('input[autocomplete=current-password]', 'Enter');
  }
  async function signOut(page: Page): Promise<void> {
    await page.click('.side .foot button');
    await page.click('.menu:popover-open button:has-text("Sign out")');
    await page.waitForSelector('.door');
  }
  /** Everything of a sign-in that a script of the page could read. */
  const readable = (page: Page) =>
    page.evaluate(() => [
      document.cookie,
      ...[sessionStorage, localStorage].flatMap((storage) => Object.keys(storage)),
    ]);

  test('takes an address and a password, also after a wrong one', () =>
    open('/items?due=30', async (page) => {
      await page.waitForSelector('input[type=email]');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'sign-in-password');
      await signIn(page, 'a wrong guess at it');
      await page.waitForSelector('[role=alert]');
      expect(await page.innerText('[role=alert]')).toBe('The e-mail address or the password is wrong.');
      await signIn(page);
      await page.waitForSelector('tbody th a');
      expect(page.url()).toBe(`${at.gateway.url}/items?due=30`);
      expect(await readable(page)).toEqual(['']);
      await page.reload();
      await page.waitForSelector('tbody th a');
      await signOut(page);
      await page.reload();
      await page.waitForSelector('input[type=email]');
    }));
});
