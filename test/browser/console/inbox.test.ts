import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pdf, stream } from '../../uploads/pdf.support.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const scan = readFileSync(new URL('../../../prisma/demo-licence.png', import.meta.url));

/** Suggestions of two dates, as the reader of pictures makes them. */
const suggestions = [
  ['2031-07-15', 93, 0.4],
  ['2030-01-20', 61, 0.6],
].map(([value, confidence, y]) => ({
  ...{ field: 'expiration_date', value, confidence, source: 'OCR', page: 1 },
  ...{ box: { x: 0.3, y, width: 0.25, height: 0.08 }, words: `Valid until ${value}`, reason: 'Recognized.' },
}));

/** Suggestions of what the workspace has: two equally near contacts, and a document type. */
const mentioned = [
  ['contact', 'carla@example.com', 'CARLX ROSSI', 77],
  ['contact', 'carlo@example.com', 'CARLX ROSSI', 77],
  ['document_type', 'Trade licence', 'TRADE LICENCE', 90],
].map(([field, value, words, confidence], at) => ({
  ...{
    field,
    value,
    words,
    confidence,
    source: 'WORKSPACE',
    page: 1,
    reason: `It stands there as “${words}”.`,
  },
  box: { x: 0.05, y: 0.05 + 0.1 * at, width: 0.2, height: 0.05 },
}));

describeInBrowser('a document with two dates in the inbox', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  const createHolders = async () => {
    const { organizationId, teamId, database } = at.gateway;
    const own = { organizationId, teamId, created: new Date(), modified: new Date() };
    const [truck, person] = [randomUUID(), randomUUID()];
    await database.prisma.vehicle.create({ data: { id: truck, name: 'Truck 101', ...own } });
    await database.prisma.contact.create({
      data: { id: person, email: 'ana@example.com', name: 'Ana', ...own },
    });
    return { truck, person };
  };

  /** Stores a document in which dates were found. */
  async function store(
    name: string,
    itemId?: string,
    content = scan,
    content_type = 'image/png',
    page = 1,
  ): Promise<string> {
    const about = { file_name: name, content_type, ...(itemId && { expiration_item_id: itemId }) };
    const body = { ...about, content: content.toString('base64') };
    const { json } = await at.gateway.send('POST', '/v1/uploads', { body });
    const dates = suggestions.map((date) => ({ ...date, page }));
    const data = { suggestions: [...dates, ...mentioned], needsReview: true, dueAt: null };
    await at.gateway.database.prisma.uploadNotification.update({ where: { id: json.id }, data });
    return json.id;
  }

  const itemOf = async (id: string) =>
    at.gateway.database.prisma.expirationItem.findFirstOrThrow({
      where: { uploadNotifications: { some: { id } } },
    });

  test('waits for somebody', async () => {
    const id = await store('listed.png');
    await at.inConsole('/inbox', async (page) => {
      await page.waitForSelector(`a[href="/inbox/${id}"]`);
    });
  });

  test('shows where each date stands; arrow keys choose, and Enter takes the chosen one', async () => {
    const id = await store('keys.png');
    await at.inConsole(`/inbox/${id}`, async (page) => {
      await page.waitForSelector('.frame[aria-pressed=true]');
      expect(await page.locator('.frame').count()).toBe(2);
      const [image, frame] = [
        await page.locator('.framed img').boundingBox(),
        await page.locator('.frame').first().boundingBox(),
      ];
      if (!image || !frame) throw new Error('Nothing is drawn.');
      expect((frame.x - image.x) / image.width).toBeCloseTo(0.3, 2);
      expect((frame.y - image.y) / image.height).toBeCloseTo(0.4, 2);
      expect(frame.width / image.width).toBeCloseTo(0.25, 2);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.inputValue('input[type=date]')).toBe('2030-01-20');
      await page.keyboard.press('Enter');
      await expect
        .poll(async () => (await itemOf(id)).expirationDate?.toISOString().slice(0, 10))
        .toBe('2030-01-20');
    });
  });

  test('takes a date by a click on its frame', async () => {
    const id = await store('click.png');
    await at.inConsole(`/inbox/${id}`, async (page) => {
      await page.locator('.frame').nth(1).click();
      await expect.poll(() => page.inputValue('input[type=date]')).toBe('2030-01-20');
      expect(await page.locator('input[name=found-EXPIRATION_DATE]').nth(1).isChecked()).toBe(true);
    });
  });

  test('shows frames on a later page of a PDF, whose pages are turned by keys', async () => {
    const pages = [1, 2, 3].map((page) => stream(`72 700 ${20 * page} 20 re f`));
    const id = await store('pages.pdf', undefined, Buffer.from(pdf(pages)), 'application/pdf', 2);
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [320, 1200])
        await at.inConsole(
          `/inbox/${id}`,
          async (page) => {
            await page.waitForSelector('.frame[aria-pressed=true]');
            expect(await page.getAttribute('.framed img', 'alt')).toBe('pages.pdf, page 2 of 3');
            expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
            const folder = process.env.KEEP_PICTURES;
            if (folder) await page.screenshot({ path: `${folder}/pages-${scheme}-${width}.png` });
            await page.getByRole('button', { name: 'Next page' }).press('Enter');
            await page.waitForSelector('.framed img[alt="pages.pdf, page 3 of 3"]');
            expect(await page.locator('.frame').count()).toBe(0);
            await page.locator('input[name=found-EXPIRATION_DATE]').first().focus();
            await page.keyboard.press('ArrowDown');
            await page.waitForSelector('.framed img[alt="pages.pdf, page 2 of 3"]');
            await page.waitForSelector('.frame[aria-pressed=true]');
          },
          { width, scheme },
        );
  });

  test('shows contacts and document types of the workspace, and takes none of them unchosen', async () => {
    const [left, chosen] = [await store('left.png'), await store('chosen.png')];
    const contactsOf = async (id: string) =>
      (
        await at.gateway.database.prisma.expirationItemContact.findMany({
          where: { item: { uploadNotifications: { some: { id } } } },
          select: { contact: { select: { email: true } }, item: { select: { category: true } } },
        })
      ).map(({ contact, item }) => [contact.email, item.category.name]);
    const reviewed = async (id: string) =>
      (await at.gateway.database.prisma.uploadNotification.findUniqueOrThrow({ where: { id } })).needsReview;
    await at.inConsole(`/inbox/${left}`, async (page) => {
      await page.waitForSelector('input[name=found-CONTACT]');
      expect(await page.locator('input[name=found-CONTACT]').count()).toBe(2);
      expect(await page.locator('input[name=found-CONTACT]:checked').count()).toBe(0);
      await page.locator('input[type=date]').press('Enter');
      await expect.poll(() => reviewed(left)).toBe(false);
    });
    expect(await contactsOf(left)).toEqual([]);
    await at.inConsole(`/inbox/${chosen}`, async (page) => {
      await page.locator('input[name=found-DOCUMENT_TYPE]').check();
      await page.locator('input[name=found-CONTACT]').first().focus();
      await page.keyboard.press('ArrowDown');
      expect(await page.inputValue('input[type=email]')).toBe('carlo@example.com');
      await page.keyboard.press('Enter');
      await expect.poll(() => contactsOf(chosen)).toEqual([['carlo@example.com', 'Trade licence']]);
    });
  });

  test('offers the vehicles and people whose document it may be, each with one click', async () => {
    const { truck, person } = await createHolders();
    const [id, tagged] = [await store('holders.png'), await store('tagged.png')];
    const found = [
      ['vehicle', truck, 'Truck 101', 'BT 1014'],
      ['person', person, 'Ana', 'ANA'],
    ].map(([field, value, name, words]) => ({ ...mentioned[0], field, value, name, words }));
    const data = { suggestions: [...suggestions, ...found] };
    await at.gateway.database.prisma.uploadNotification.updateMany({
      where: { id: { in: [id, tagged] } },
      data,
    });
    const holders = async (upload: string) =>
      (
        await at.gateway.database.prisma.itemHolder.findMany({
          where: { item: { uploadNotifications: { some: { id: upload } } } },
          orderBy: { position: 'asc' },
        })
      ).map(({ holderId }) => holderId);
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 1440])
        await at.inConsole(
          `/inbox/${tagged}`,
          async (page) => {
            await page.getByRole('checkbox', { name: 'Truck 101' }).check();
            await page.getByText('“BT 1014”').waitFor();
            expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
            const folder = process.env.KEEP_PICTURES;
            if (folder)
              await page.screenshot({ path: `${folder}/holders-${scheme}-${width}.png`, fullPage: true });
          },
          { width, scheme },
        );
    await at.inConsole(`/inbox/${id}`, async (page) => {
      const [vehicle, ana] = ['Truck 101', 'Ana'].map((name) => page.getByRole('checkbox', { name }));
      await vehicle?.waitFor();
      expect(await page.locator('input[type=checkbox]:checked').count()).toBe(0);
      await ana?.check();
      await vehicle?.check();
      await ana?.uncheck();
      await page.locator('.filing [type=submit]').click();
      await expect.poll(() => holders(id)).toEqual([truck]);
    });
    expect(await holders(tagged)).toEqual([]);
  });

  /** Creates an item that a document may renew. */
  const createRenewable = async (name: string, expirationDate: string | null = '2030-06-01') => {
    const { organizationId, teamId, database } = at.gateway;
    const { id } = await database.prisma.category.findFirstOrThrow({ where: { teamId } });
    return database.prisma.expirationItem.create({
      data: {
        ...{ id: randomUUID(), organizationId, teamId, name, categoryId: id },
        ...{ created: new Date(), modified: new Date() },
        expirationDate: expirationDate && new Date(expirationDate),
      },
    });
  };

  const dateOf = async (id: string) =>
    (await at.gateway.database.prisma.expirationItem.findUniqueOrThrow({ where: { id } })).expirationDate
      ?.toISOString()
      .slice(0, 10);

  test('suggests the item that it renews, and one click renews it and moves the file there', async () => {
    const [renewed, later] = [
      await createRenewable('Crane licence'),
      await createRenewable('Newer already', '2035-01-01'),
    ];
    const id = await store('renews.png');
    const made = await itemOf(id);
    const found = [renewed, later].map(({ id: value, name }) => ({
      ...{ ...mentioned[2], field: 'expiration_item', value, name, words: 'CRANE LICENCE' },
    }));
    await at.gateway.database.prisma.uploadNotification.update({
      where: { id },
      data: { suggestions: [...suggestions, ...found] },
    });
    for (const scheme of ['light', 'dark'] as const)
      for (const width of [390, 1440])
        await at.inConsole(
          `/inbox/${id}`,
          async (page) => {
            await page.waitForSelector('.renewals:has-text("Until now Jun 1, 2030")');
            expect(await page.locator('.renewals li').count()).toBe(1);
            expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
            expect(await barriers(page)).toEqual([]);
            await picture(page, `renews-${scheme}-${width}`);
          },
          { width, scheme },
        );
    await at.inConsole(`/inbox/${id}`, async (page) => {
      await page.click('.renewals button:has-text("Renew until Jul 15, 2031")');
      const toast = page.locator('.toast:has-text("Crane licence was renewed until Jul 15, 2031")');
      await toast.waitFor();
      expect(await dateOf(renewed.id)).toBe('2031-07-15');
      expect((await itemOf(id)).id).toBe(renewed.id);
      expect(await at.gateway.database.prisma.expirationItem.count({ where: { id: made.id } })).toBe(0);
      // The file stays, so the button says what it does.
      expect(await toast.getByRole('button', { name: 'Undo' }).count()).toBe(0);
      await picture(page, 'renewed-toast');
      await toast.getByRole('button', { name: 'Take the date back' }).click();
      await page.waitForSelector(
        '.toast:has-text("Crane licence expires on Jun 1, 2030 again; the file stays there")',
      );
      expect(await dateOf(renewed.id)).toBe('2030-06-01');
      expect((await itemOf(id)).id).toBe(renewed.id);
    });
  });

  test('is proposed at its item, to renew it with one click or in the dialog', async () => {
    const item = await createRenewable('With a photo');
    const id = await store('photo.png', item.id);
    await at.inConsole(`/items/${item.id}`, async (page) => {
      await page.waitForSelector('.readdate:has-text("“photo.png” says Jul 15, 2031")');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'read-date');
      await page.click('.standing button:text-is("Renew")');
      expect(await page.inputValue('dialog input[type=date]')).toBe('2031-07-15');
      await page.keyboard.press('Escape');
      await page.click('.readdate button:has-text("Renew until Jul 15, 2031")');
      await expect.poll(() => dateOf(item.id)).toBe('2031-07-15');
      await page.locator('.readdate').waitFor({ state: 'detached' });
    });
    expect((await itemOf(id)).id).toBe(item.id);
  });

  test('keeps what somebody types while the upload changes, and tells what concerns the form', async () => {
    const id = await store('typed.png');
    const change = (data: object) =>
      at.gateway.database.prisma.uploadNotification.update({
        where: { id },
        data: { ...data, modified: new Date() },
      });
    await at.inConsole(`/inbox/${id}`, async (page) => {
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('Typed by hand');
      // A further attempt concerns nobody who files it.
      await change({ error: 'Tried once more.' });
      await page.waitForSelector('details:has-text("Tried once more.")', { state: 'attached' });
      expect(await name.inputValue()).toBe('Typed by hand');
      expect(await page.locator('main [role=alert]').count()).toBe(0);
      await change({ suggestions: [] });
      const note = page.locator('main .note:has-text("Somebody else has changed this")');
      await note.waitFor();
      expect(await name.inputValue()).toBe('Typed by hand');
      await note.locator('button:has-text("Keep mine")').click();
      await note.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Typed by hand');
      expect(await page.locator('.frame').count()).toBe(0);
      await change({ suggestions });
      await note.locator('button:has-text("Use theirs")').click();
      await expect.poll(() => name.inputValue()).toBe('typed');
      await page.waitForSelector('.frame');
    });
  });

  test.each(['light', 'dark'] as const)('fits on a phone, in %s', async (scheme) => {
    const id = await store(`${scheme}.png`);
    for (const width of [320, 1200])
      await at.inConsole(
        `/inbox/${id}`,
        async (page) => {
          await page.waitForSelector('.frame');
          const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
          expect(wide).toBe(false);
          const [form, button] = [
            await page.locator('.filing').boundingBox(),
            await page.locator('.filing [type=submit]').boundingBox(),
          ];
          if (!form || !button) throw new Error('There is no form.');
          expect(button.x + button.width).toBeLessThanOrEqual(form.x + form.width);
          const folder = process.env.KEEP_PICTURES;
          if (folder)
            await page.screenshot({ path: `${folder}/inbox-${scheme}-${width}.png`, fullPage: true });
        },
        { width, scheme },
      );
  });
});
