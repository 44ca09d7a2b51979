import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

describeInBrowser('the console of a restored database', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
    await at.gateway.database.sql('INSERT INTO restored_backup (made_at, restored_at) VALUES (now(), now())');
  }, browserTimeout);
  afterAll(() => at?.close());
  const note = (page: Page) => page.getByText('Nothing is sent: this database was restored from a backup');
  const rows = () => at.gateway.database.sql('SELECT FROM restored_backup');

  test('says on each screen that nothing is sent, and an administrator ends it', async () => {
    for (const path of ['/items', '/settings/people'])
      await at.inConsole(path, (page) => note(page).first().waitFor());
    await at.inConsole('/', async (page) => {
      await note(page).waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'silence');
      const button = page.getByRole('button', { name: 'This is the real one' });
      await button.click();
      const dialog = page.locator('dialog');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await rows()).toHaveLength(1);
      await button.click();
      expect(await barriers(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'This is the real one' }).click();
      await note(page).waitFor({ state: 'detached' });
      expect(await rows()).toEqual([]);
    });
  });
});
