import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Page } from 'playwright-core';
import { getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

/** Creates a photo that JPEG cannot make small. */
function photo(name: string, width: number, height: number) {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const noise = context.createImageData(width, height);
  for (let at = 0; at < noise.data.length; at++)
    noise.data[at] = at % 4 === 3 ? 255 : (Math.imul(at, 2654435761) >>> 15) & 255;
  context.putImageData(noise, 0, 0);
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(canvas.toBuffer('image/jpeg', 80)) };
}

/** Creates a photo of a camera held upright: red above blue, stored lying with the EXIF orientation 6. */
async function lyingPhoto() {
  const canvas = createCanvas(600, 400);
  const context = canvas.getContext('2d');
  for (const [color, left] of [
    ['#f00', 0],
    ['#00f', 300],
  ] as const) {
    context.fillStyle = color;
    context.fillRect(left, 0, 300, 400);
  }
  const jpeg = Buffer.from(canvas.toBuffer('image/jpeg', 90));
  // Intel's byte order; one entry: tag 0x112, one 16-bit number, 6.
  const tiff = Buffer.from('49492a0008000000010012010300010000000600000000000000', 'hex');
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2]);
  return {
    name: 'lying.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]),
  };
}

/** Returns width by height of each page of a PDF. */
async function shapesOf(pdf: Uint8Array): Promise<number[]> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const shapes = [];
  for (let number = 1; number <= document.numPages; number++) {
    const [, , width = 0, height = 0] = (await document.getPage(number)).view;
    shapes.push(width / height);
  }
  return shapes;
}

/** Returns the corners of a page whose left part is cut off. */
const cornersFrom = (x: number) => [
  { x, y: 0 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x, y: 1 },
];

/** Creates a photo of a red page, askew on a dark table, with blue in its upper left corner. */
function pageOnTable() {
  const canvas = createCanvas(800, 600);
  const context = canvas.getContext('2d');
  context.fillStyle = '#222';
  context.fillRect(0, 0, 800, 600);
  const fill = (color: string, points: readonly (readonly [number, number])[]) => {
    context.fillStyle = color;
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    context.fill();
  };
  fill('#f8d0d0', [
    [200, 100],
    [640, 140],
    [600, 520],
    [160, 480],
  ]);
  fill('#b0c8ff', [
    [200, 100],
    [288, 108],
    [280, 184],
    [192, 176],
  ]);
  return {
    name: 'table.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from(canvas.toBuffer('image/jpeg', 95)),
  };
}

/** Ways in which a browser keeps nothing. */
const unusable = {
  'a browser without storage': `for (const name of ['open', 'deleteDatabase'])
    IDBFactory.prototype[name] = () => { throw new DOMException('It is blocked.', 'SecurityError'); };`,
  'a full device': `IDBObjectStore.prototype.put = () => {
    throw new DOMException('It is full.', 'QuotaExceededError'); };`,
};

describeInBrowser('the camera', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  /** Takes two pictures, turns the first, and crops the second. */
  async function arrange(page: Page): Promise<void> {
    await page.waitForSelector('button:enabled:has-text("Take a picture")');
    await page
      .locator('input[capture]')
      .first()
      .setInputFiles(photo('one.jpg', 1600, 1200));
    await page.locator('dialog canvas').first().waitFor();
    await page.locator('dialog input[capture]').setInputFiles(photo('two.jpg', 1600, 1200));
    await page.locator('dialog canvas').nth(1).waitFor();
    await page.getByLabel('Rotate page 1').click();
    await page.locator('summary').nth(1).press('Enter');
    for (const name of ['Corner at the top left', 'Corner at the bottom left']) {
      const corner = page.getByRole('button', { name });
      for (let step = 0; step < 5; step++) await corner.press('Shift+ArrowRight');
    }
  }

  const send = (page: Page) => page.click('button:has-text("Send as one PDF")');

  async function take(page: Page): Promise<void> {
    await arrange(page);
    await send(page);
  }

  const count = () => at.gateway.database.prisma.uploadNotification.count();

  const findEmptyItem = () =>
    at.gateway.database.prisma.expirationItem.findFirstOrThrow({ where: { attachments: { none: {} } } });

  /** Fetches the only file of an item. */
  async function fileOf(itemId: string): Promise<Uint8Array> {
    const [file, ...others] = await at.gateway.database.prisma.attachment.findMany({ where: { itemId } });
    expect(others).toEqual([]);
    const headers = { Authorization: `Bearer ${at.gateway.admin}` };
    const response = await fetch(`${at.gateway.url}/attachments/${file?.id}`, { headers });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** Lists what is on the device, without photos and PDFs. */
  const kept = (page: Page) =>
    page.evaluate<Record<string, unknown>[]>(
      `new Promise((resolve) => {
        indexedDB.open('camera').onsuccess = ({ target: { result } }) => {
          const transaction = result.transaction(result.objectStoreNames);
          const reading = [...result.objectStoreNames].map((name) => transaction.objectStore(name).getAll());
          transaction.oncomplete = () => {
            result.close();
            const records = reading.flatMap((read) => read.result);
            resolve(records.map(({ photo, pdf, owner, id, ...rest }) => rest));
          };
        };
      })`,
    );

  test('a photo waits for somebody, and does not expire on the day on which it was taken', () =>
    at.inConsole('/inbox', async (page) => {
      await take(page);
      const row = page.locator('tr:has-text("Photo")').last();
      await row.waitFor();
      expect(await page.getAttribute('.tabs button:has-text("Waiting for you")', 'aria-pressed')).toBe(
        'true',
      );
      const { prisma } = at.gateway.database;
      const upload = await prisma.uploadNotification.findFirstOrThrow({
        where: { filename: { startsWith: 'Photo' } },
        include: { expirationItem: true },
      });
      expect(upload.filename).toMatch(/^Photo [^:]*\b\d{2}\.\d{2}\.pdf$/);
      expect(upload).toMatchObject({ state: 'FILED', needsReview: true, suggestedExpirationDate: null });
      expect(upload.expirationItem).toMatchObject({ expirationDate: null, notifyOn: null });
      const folder = process.env.KEEP_PICTURES;
      if (folder) await page.screenshot({ path: `${folder}/waiting.png` });
      await row.locator('a').first().click();
      await page.locator('.filing input[type=date]').fill('2028-01-18');
      if (folder) await page.screenshot({ path: `${folder}/waiting-one.png`, fullPage: true });
      await page.keyboard.press('Enter');
      await expect
        .poll(() => prisma.uploadNotification.findUniqueOrThrow({ where: { id: upload.id } }))
        .toMatchObject({ needsReview: false });
    }));

  test('sends two pages as one PDF once, although the connection breaks and the page is reloaded', () =>
    at.inConsole('/inbox', async (page) => {
      const before = await count();
      let pieces = 0;
      await page.route('**/v1/resumable-uploads/*', (route) =>
        route.request().method() === 'PATCH' && ++pieces > 1 ? route.abort() : route.continue(),
      );
      await take(page);
      await page.waitForSelector('text=Kept on this device until it is sent');
      await expect.poll(() => pieces).toBeGreaterThan(1);
      await page.unroute('**/v1/resumable-uploads/*');
      const begun: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/v1/resumable-uploads'))
          begun.push(`${request.method()} ${request.headers()['upload-offset'] ?? ''}`);
      });
      await page.reload();
      await expect.poll(count).toBe(before + 1);
      await page.waitForSelector('text=Kept on this device', { state: 'detached' });
      expect(begun.slice(0, 2)).toEqual(['HEAD ', `PATCH ${512 * 1024}`]);
      // A reload afterwards sends nothing.
      begun.length = 0;
      await page.reload();
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      expect(await kept(page)).toEqual([]);
      expect(begun).toEqual([]);
      expect(await count()).toBe(before + 1);
    }));

  test('discards a document that cannot be sent', () =>
    at.inConsole('/inbox', async (page) => {
      await page.route('**/v1/resumable-uploads', (route) => route.abort());
      await take(page);
      await page.click('button:has-text("Discard")');
      await page.waitForSelector('text=Kept on this device', { state: 'detached' });
      expect(await kept(page)).toEqual([]);
    }));

  test('attaches a PDF of the turned and the cropped page to an item', async () => {
    const { id } = await findEmptyItem();
    await at.inConsole(`/items/${id}`, async (page) => {
      await take(page);
      await page.waitForSelector('.rowlink button:has-text(".pdf")');
    });
    // 1200 by 1600 is turned, and a quarter of 1600 is cut off.
    expect(await shapesOf(await fileOf(id))).toEqual([expect.closeTo(0.75, 2), expect.closeTo(1, 2)]);
  });

  test('keeps pages that are being edited, at their place, until they are sent', async () => {
    const { id } = await findEmptyItem();
    await at.inConsole(`/items/${id}`, async (page) => {
      await arrange(page);
      await page.getByLabel('Move page 1 back').click();
      const arranged = [
        expect.objectContaining({ itemId: id, turns: 0, corners: cornersFrom(0.25) }),
        expect.objectContaining({ itemId: id, turns: 1, corners: cornersFrom(0) }),
      ];
      const pages = async () => {
        const records = (await kept(page)).filter(({ at: place }) => place !== undefined);
        return records.sort((one, other) => Number(one.at) - Number(other.at));
      };
      await expect.poll(pages).toEqual(arranged);
      await page.goto(`${at.gateway.url}/inbox`);
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      await page.goto(`${at.gateway.url}/items/${id}`);
      await page.click('button:has-text("Continue with 2 pages")');
      // Closing the dialog keeps them, too.
      await page.locator('dialog canvas').nth(1).waitFor();
      await page.keyboard.press('Escape');
      await page.click('button:has-text("Continue with 2 pages")');
      await page.locator('summary').first().click();
      const place = await page.getByRole('button', { name: 'Corner at the top left' }).getAttribute('style');
      expect(place).toMatch(/left: 25%; top: 0%/);
      await send(page);
      await page.waitForSelector('.rowlink button:has-text(".pdf")');
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      await expect.poll(() => kept(page)).toEqual([]);
    });
    expect(await shapesOf(await fileOf(id))).toEqual([expect.closeTo(1, 2), expect.closeTo(0.75, 2)]);
  });

  test('discards pages, and brings them back', () =>
    at.inConsole('/inbox', async (page) => {
      await arrange(page);
      await page.click('dialog button:has-text("Discard")');
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      await expect.poll(() => kept(page)).toEqual([]);
      await page.click('.toast button:has-text("Undo")');
      await page.waitForSelector('button:has-text("Continue with 2 pages")');
      // Two pages with their photos.
      await expect.poll(async () => (await kept(page)).length).toBe(4);
    }));

  test.each(Object.entries(unusable))('works in %s, and says what is lost', (_name, script) =>
    at.inConsole('/inbox', async (page) => {
      // The tab has stored its sign-in by now.
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      await page.addInitScript(script);
      await page.reload();
      const before = await count();
      const warning = 'text=They are lost if you close or reload this page';
      await page.route('**/v1/resumable-uploads', (route) => route.abort());
      await arrange(page);
      await page.waitForSelector(`dialog >> ${warning}`);
      await page.keyboard.press('Escape');
      await page.click('button:has-text("Continue with 2 pages")');
      await page.locator('dialog canvas').nth(1).waitFor();
      await send(page);
      await page.waitForSelector(`.rowlink >> ${warning}`);
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      await page.unroute('**/v1/resumable-uploads');
      await page.click('button:has-text("Try again")');
      await page.waitForSelector(warning, { state: 'detached' });
      expect(await count()).toBe(before + 1);
      await arrange(page);
      await page.reload();
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      await page.click('.side .foot button');
      await page.click('.menu:popover-open button:has-text("Sign out")');
      await page.waitForSelector('.door');
    }),
  );

  test('stores photos upright that the camera stored lying', async () => {
    const { id } = await findEmptyItem();
    const lying = await lyingPhoto();
    await at.inConsole(`/items/${id}`, async (page) => {
      await page.waitForSelector('button:enabled:has-text("Take a picture")');
      await page.locator('input[capture]').first().setInputFiles(lying);
      await page.locator('dialog canvas').waitFor();
      await send(page);
      await page.waitForSelector('.rowlink button:has-text(".pdf")');
    });
    const pdf = Buffer.from(await fileOf(id));
    expect(await shapesOf(pdf)).toEqual([expect.closeTo(400 / 600, 2)]);
    const stored = pdf.subarray(pdf.indexOf('ffd8ff', 'hex'), pdf.lastIndexOf('ffd9', 'hex') + 2);
    const image = await loadImage(stored);
    const context = createCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const colorAt = (part: number) =>
      [...context.getImageData(image.width / 2, image.height * part, 1, 1).data].map((value) => value > 127);
    expect([colorAt(0.25), colorAt(0.75)]).toEqual([
      [true, false, false, true],
      [false, false, true, true],
    ]);
  });

  test('finds the corners of a page, which a finger moves, and straightens it', async () => {
    const { id } = await findEmptyItem();
    const corner = (page: Page, name: string) => page.getByRole('button', { name: `Corner at the ${name}` });
    const placeOf = async (page: Page, name: string) => {
      const style = (await corner(page, name).getAttribute('style')) ?? '';
      return [...style.matchAll(/([\d.]+)%/g)].map(([, part]) => Number(part));
    };
    await at.inConsole(
      `/items/${id}`,
      async (page) => {
        await page.waitForSelector('button:enabled:has-text("Take a picture")');
        await page.locator('input[capture]').first().setInputFiles(pageOnTable());
        await page.locator('dialog canvas').waitFor();
        await page.locator('dialog summary').click();
        await corner(page, 'top left').waitFor();
        const found = [];
        for (const name of ['top left', 'top right', 'bottom right', 'bottom left'])
          found.push(await placeOf(page, name));
        const real = [
          [25, 16.7],
          [80, 23.3],
          [75, 86.7],
          [20, 80],
        ];
        for (const [at, [x = 0, y = 0]] of found.entries()) {
          expect(Math.abs(x - (real[at]?.[0] ?? 0))).toBeLessThan(1.5);
          expect(Math.abs(y - (real[at]?.[1] ?? 0))).toBeLessThan(1.5);
        }
        expect(await barriers(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
        await picture(page, 'corners');
        await corner(page, 'bottom right').scrollIntoViewIfNeeded();
        const [box, whole] = [
          await corner(page, 'bottom right').boundingBox(),
          await page.locator('.cornerbox').boundingBox(),
        ];
        if (!box || !whole) throw new Error('Nothing is drawn.');
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x - 0.1 * whole.width, y, { steps: 4 });
        await page.mouse.up();
        const [moved = 0] = await placeOf(page, 'bottom right');
        expect(Math.abs(moved - (found[2]?.[0] ?? 0) + 10)).toBeLessThan(1);
        await page.mouse.move(x - 0.1 * whole.width, y);
        await page.mouse.down();
        await page.mouse.move(x, y, { steps: 4 });
        await page.mouse.up();
        await send(page);
        await page.waitForSelector('.rowlink button:has-text(".pdf")');
      },
      { width: 390 },
    );
    const pdf = Buffer.from(await fileOf(id));
    const stored = pdf.subarray(pdf.indexOf('ffd8ff', 'hex'), pdf.lastIndexOf('ffd9', 'hex') + 2);
    const image = await loadImage(stored);
    expect(image.width / image.height).toBeCloseTo(442 / 382, 1);
    const context = createCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const colorAt = (x: number, y: number) => {
      const [red = 0, , blue = 0] = context.getImageData(image.width * x, image.height * y, 1, 1).data;
      return blue > red ? 'blue' : red > 200 ? 'red' : 'dark';
    };
    const places = [
      [0.05, 0.05],
      [0.95, 0.05],
      [0.95, 0.95],
      [0.05, 0.95],
      [0.5, 0.5],
    ] as const;
    expect(places.map(([x, y]) => colorAt(x, y))).toEqual(['blue', 'red', 'red', 'red', 'red']);
  });

  test('begins anew if the upload has expired at the gateway, and arrives once', () =>
    at.inConsole('/inbox', async (page) => {
      const { prisma } = at.gateway.database;
      const before = await count();
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/v1/resumable-uploads')) asked.push(request.method());
      });
      let pieces = 0;
      await page.route('**/v1/resumable-uploads/*', async (route) => {
        if (route.request().method() !== 'PATCH' || ++pieces > 2) return route.continue();
        // After the first piece the upload is gone. The next fails, and asking for the offset says so.
        if (pieces === 1) return route.continue();
        await prisma.resumableUpload.deleteMany({});
        return route.abort();
      });
      await take(page);
      await page.waitForSelector('button:has-text("Discard")');
      await page.evaluate(`dispatchEvent(new Event('online'))`);
      await expect.poll(count).toBe(before + 1);
      await page.waitForSelector('text=Kept on this device', { state: 'detached' });
      const anew = asked.slice(asked.indexOf('HEAD'));
      expect(anew.slice(0, 3)).toEqual(['HEAD', 'POST', 'PATCH']);
      expect(anew.filter((method) => method === 'POST')).toHaveLength(1);
      expect(await kept(page)).toEqual([]);
      expect(await count()).toBe(before + 1);
    }));

  test('begins anew at once if a piece finds its upload gone', () =>
    at.inConsole('/inbox', async (page) => {
      const before = await count();
      let pieces = 0;
      let begun = 0;
      await page.route('**/v1/resumable-uploads', (route) => {
        begun++;
        return route.continue();
      });
      await page.route('**/v1/resumable-uploads/*', (route) =>
        route.request().method() === 'PATCH' && ++pieces === 2
          ? route.fulfill({ status: 410 })
          : route.continue(),
      );
      await take(page);
      await expect.poll(count).toBe(before + 1);
      await page.waitForSelector('text=Kept on this device', { state: 'detached' });
      expect(begun).toBe(2);
    }));

  test('fits on a phone in the dark, and signing out removes what is kept', () =>
    at.inConsole(
      '/inbox',
      async (page) => {
        await page.route('**/v1/resumable-uploads', (route) => route.abort());
        await take(page);
        await page.waitForSelector('text=Kept on this device until it is sent');
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
        const names = () =>
          page.evaluate<string[]>('indexedDB.databases().then((all) => all.map(({ name }) => name))');
        expect(await names()).toContain('camera');
        await page.setViewportSize({ width: 1200, height: 800 });
        await page.click('.side .foot button');
        await page.click('.menu:popover-open button:has-text("Sign out")');
        await expect.poll(names).not.toContain('camera');
      },
      { width: 320, scheme: 'dark' },
    ));
});
