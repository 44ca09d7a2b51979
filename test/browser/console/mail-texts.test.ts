import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../../mail/logo.support.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

describeInBrowser('the settings of mail texts', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  test('an administrator writes words, sees the mail, and takes them back', () =>
    at.inConsole('/settings/mail-texts', async (page) => {
      const preview = page.getByRole('region', { name: 'Preview' });
      await preview.getByText('expires in 7 days').first().waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Subject').focus();
      await page.keyboard.type('Soon: ');
      await page.getByRole('button', { name: 'item.name' }).press('Enter');
      await preview.getByText('Soon: Trade licence of the north branch').waitFor();
      await page.getByLabel('Opening lines').fill('Dear {{reader}},');
      await page.getByText('unknown field {{reader}} at character 6').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Opening lines').fill('Dear {{recipient.name}},\nplease <b>renew</b>.');
      await preview.getByText('please <b>renew</b>.').waitFor();
      await page.getByLabel('Sender’s name').fill('Fleet office');
      const logo = { name: 'logo.png', mimeType: 'image/png', buffer: png(240, 64) };
      await page.locator('input[type=file]').setInputFiles(logo);
      await preview.locator('img').waitFor();
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await preview.getByText('läuft in 7 Tagen ab').first().waitFor();
      await page.getByRole('button', { name: 'English' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Use the built-in words' }).waitFor();
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await barriers(page)).toEqual([]);
          await picture(page, `mail-texts-${width}-${colorScheme}`);
        }
      }
      const stored = await at.gateway.database.prisma.mailText.findMany();
      expect(stored).toMatchObject([
        { scope: 'ORGANIZATION', senderName: 'Fleet office', words: [{ subject: 'Soon: {{item.name}}' }] },
      ]);
      await page.getByRole('button', { name: 'Use the built-in words' }).click();
      await page.locator('dialog').getByRole('button', { name: 'Use the built-in words' }).click();
      await expect.poll(() => at.gateway.database.prisma.mailText.count()).toBe(0);
      await expect.poll(() => page.getByLabel('Subject').inputValue()).toBe('');
    }));
});
