import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

/** Pixels across a page of A4 between its margins. */
const paper = 718;

describeInBrowser('a screen on paper', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  const findItem = () =>
    at.gateway.database.prisma.expirationItem.findFirstOrThrow({
      where: { isActive: true, attachments: { some: {} } },
    });

  test.each([
    ['the list', async () => '/items', 'tbody th a'],
    ['an item', async () => `/items/${(await findItem()).id}`, '.standing'],
    ['the calendar', async () => '/calendar', '.month'],
  ])('%s has all columns, and nothing to press', async (name, address, ready) => {
    await at.inConsole(
      await address(),
      async (page) => {
        await page.waitForSelector(ready);
        const columns = await page.locator('thead th:visible').count();
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
        await page.setViewportSize({ width: paper, height: 1000 });
        expect(await page.locator('thead th:visible').count()).toBe(columns);
        const pressed = ':is(.top, .side, .bottom, .toolbar, .button, textarea, [type=checkbox]):visible';
        expect(await page.locator(pressed).count()).toBe(0);
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
        expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toContain(
          'light',
        );
        await picture(page, `paper-${name.split(' ').at(-1)}`);
      },
      { width: 1440 },
    );
  });

  test('one date reads the same in all rows, whatever the time zones of workspaces are', async () => {
    const { database, teamId, otherTeamId } = at.gateway;
    const zones = [
      [teamId, 'Pacific/Kiritimati'],
      [otherTeamId, 'Pacific/Niue'],
    ] as const;
    for (const [id, timezone] of zones) {
      await database.prisma.team.update({ where: { id }, data: { timezone } });
      const input = { name: `Zoned ${timezone}`, expirationDate: '2031-05-05', teamId: id };
      await at.gateway.graphql(
        'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }',
        { input },
      );
    }
    const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
    await database.prisma.expirationItem.updateMany({
      where: { name: { startsWith: 'Zoned' } },
      data: { expirationDate: new Date(soon) },
    });
    await at.inConsole('/items?q=Zoned', async (page) => {
      await page.waitForSelector('tbody tr:nth-child(2) .rowline');
      const distances = await page.locator('tbody .datecell .rowline').allInnerTexts();
      expect(distances).toHaveLength(2);
      expect(new Set(distances).size).toBe(1);
    });
  });
});
