import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

describeInBrowser('how somebody gets reminder mails', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  type Page = Parameters<Parameters<ConsoleBrowser['inConsole']>[1]>[0];

  /** Returns the card of a setting. */
  const cardOf = (page: Page, title = 'Reminder mails') =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

  async function show(page: Page, name: string, title?: string): Promise<void> {
    for (const [width, height] of [
      [1440, 1000],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await barriers(page)).toEqual([]);
        await cardOf(page, title).scrollIntoViewIfNeeded();
        await picture(page, `digests-${name}-${width}-${colorScheme}`);
      }
    }
    await page.setViewportSize({ width: 1440, height: 1000 });
  }

  const settings = async () =>
    (await at.gateway.database.prisma.recipientSetting.findMany({ orderBy: { recipientKey: 'asc' } })).map(
      ({ recipientKey, mode, weekday, digestTime, allIsWell }) =>
        [recipientKey.replace(/^mail:.*/, 'mail'), mode, weekday, digestTime, allIsWell].join(' '),
    );

  test('people set their own on their profile, and take it back', () =>
    at.inConsole('/settings', async (page) => {
      const card = cardOf(page);
      const mode = card.getByLabel('How often');
      await mode.waitFor();
      expect(await mode.locator('option:checked').textContent()).toBe('The default: A mail for each item');
      expect(await card.getByLabel('Time').count()).toBe(0);
      await mode.selectOption('One mail a week');
      await card.getByText('What is due before waits for this mail.').waitFor();
      await card.getByLabel('Day of the weekly mail').selectOption('Friday');
      await card.getByLabel('Time').fill('17:30');
      await card.getByLabel('A mail each week even if nothing was due').check();
      await show(page, 'profile');
      await card.getByRole('button', { name: 'Save' }).click();
      await expect.poll(settings).toEqual(['mail WEEKLY 5 17:30 true']);
      await page.reload();
      await expect.poll(() => mode.inputValue()).toBe('WEEKLY');
      expect(await card.getByLabel('Time').inputValue()).toBe('17:30');
      await mode.selectOption('The default');
      await card.getByRole('button', { name: 'Save' }).click();
      await expect.poll(settings).toEqual([]);
    }));

  test('administrators set the defaults, and that of a contact', async () => {
    const { organizationId, teamId, database } = at.gateway;
    const id = '3f1f9a38-4d0c-4f0a-8d0e-1f3f2f6f7a10';
    const contact = { id, organizationId, teamId, name: 'Bert Winter', email: 'bert@example.org' };
    await database.prisma.contact.create({ data: contact });
    await at.inConsole('/settings/organization', async (page) => {
      const card = cardOf(page, 'Reminder mails: default for contacts');
      await card.getByLabel('How often').selectOption('One mail a day');
      await card.getByLabel('Time').fill('');
      await card.getByRole('button', { name: 'Save' }).click();
      await expect.poll(settings).toEqual(['default:contacts DAILY 1 08:00 false']);
      await show(page, 'organization', 'Reminder mails: default for contacts');
    });
    await at.inConsole(`/contacts/${id}`, async (page) => {
      const mode = cardOf(page).getByLabel('How often');
      await mode.waitFor();
      expect(await mode.locator('option:checked').textContent()).toBe('The default: One mail a day');
      await mode.selectOption('A mail for each item');
      await show(page, 'contact');
      await cardOf(page).getByRole('button', { name: 'Save' }).click();
      await expect
        .poll(settings)
        .toEqual(['default:contacts DAILY 1 08:00 false', 'mail SINGLE 1 08:00 false']);
    });
    await database.prisma.recipientSetting.deleteMany();
  });

  test('members see no setting of a contact', async () => {
    const id = '3f1f9a38-4d0c-4f0a-8d0e-1f3f2f6f7a10';
    await at.inConsole(
      `/contacts/${id}`,
      async (page) => {
        await page.getByRole('heading', { name: 'Bert Winter' }).waitFor();
        await page.getByText('There are no items here.').waitFor();
        expect(await cardOf(page).count()).toBe(0);
      },
      { token: at.gateway.member },
    );
  });

  test('the link of a mail lists exactly its items', async () => {
    const { organizationId, teamId, database } = at.gateway;
    const { prisma } = database;
    const categoryId = '7b1d8a3e-6a51-4f3e-9b53-5f1d7a0c2e11';
    await prisma.category.create({ data: { id: categoryId, organizationId, teamId, name: 'Licence' } });
    const deliveryId = '5d3f8f0e-2f6a-4c58-9d2b-0f6d0b0e7a11';
    for (const [n, name] of ['Told', 'Archived since', 'Left out', 'Other'].entries()) {
      const item = { organizationId, teamId, categoryId, name, isActive: n !== 1 };
      const id = `00000000-0000-4000-8000-0000000000a${n}`;
      await prisma.expirationItem.create({ data: { ...item, id, expirationDate: new Date('2030-01-31') } });
      if (name === 'Other') continue;
      const reminder = { organizationId, teamId, itemId: id, itemName: name, stepKey: id, slot: new Date() };
      await prisma.reminder.create({
        data: {
          ...{ ...reminder, expirationDate: new Date('2030-01-31'), state: 'TOLD', decidedAt: new Date() },
          targets: {
            create: {
              ...{ recipientKey: 'mail:a@example.org', address: 'a@example.org', deliveryId },
              reason: name === 'Left out' ? 'archived' : null,
            },
          },
        },
      });
    }
    await at.inConsole(`/items?mail=${deliveryId}&status=all`, async (page) => {
      await page.getByRole('link', { name: 'Told' }).waitFor();
      await page.getByRole('link', { name: 'Archived since' }).waitFor();
      expect(await page.getByText('Left out').count()).toBe(0);
      expect(await page.getByText('Other', { exact: true }).count()).toBe(0);
      await page.getByText('Items of this mail').waitFor();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'digests-list');
      await page.getByRole('button', { name: 'Remove Items of this mail' }).click();
      await page.getByRole('link', { name: 'Other' }).waitFor();
    });
  });
});
