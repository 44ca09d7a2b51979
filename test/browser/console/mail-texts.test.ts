import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../../mail/logo.support.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

/** What a mail says of its item, by the language. English comes last, and stays. */
const inDays: Readonly<Record<string, string>> = {
  Deutsch: 'läuft in 7 Tagen ab',
  Français: 'expire dans 7 jours',
  Español: 'caduca dentro de 7 días',
  Italiano: 'scade tra 7 giorni',
  Nederlands: 'verloopt over 7 dagen',
  English: 'expires in 7 days',
};

describeInBrowser('the settings of mail texts', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  test('an administrator writes words, sees the mail, and takes them back', () =>
    at.inConsole('/settings/mail-texts', async (page) => {
      const preview = page.getByRole('region', { name: 'Preview' });
      const mail = preview.frameLocator('iframe');
      await mail.getByText('expires in 7 days').first().waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Subject').focus();
      await page.keyboard.type('Soon: ');
      await page.getByRole('button', { name: 'item.name' }).press('Enter');
      await preview.getByText('Soon: Trade licence of the north branch').waitFor();
      await page.getByLabel('Opening lines').fill('Dear {{reader}},');
      await page.getByText('unknown field {{reader}} at character 6').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel('Opening lines').fill('Dear {{recipient.name}},\nplease <b>renew</b>.');
      await mail.getByText('please <b>renew</b>.').waitFor();
      await page.getByLabel('Sender’s name').fill('Fleet office');
      const logo = { name: 'logo.png', mimeType: 'image/png', buffer: png(240, 64) };
      await page.locator('input[type=file]').setInputFiles(logo);
      await mail.locator('img').waitFor();
      // It looks as in a mail program, and its links lead nowhere.
      const background = mail.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor);
      expect(await background).toBe('rgb(243, 245, 247)');
      expect(await mail.locator('a[href]').count()).toBe(0);
      for (const [language, words] of Object.entries(inDays)) {
        await page.getByRole('button', { name: language }).click();
        await mail.getByText(words).first().waitFor();
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await picture(page, `mail-of-texts-${language}-${colorScheme}`);
        }
      }
      await page.getByText('As plain text').click();
      await preview.locator('pre').getByText('expires in 7 days').waitFor();
      expect(await barriers(page)).toEqual([]);
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
