import { mkdirSync, readFileSync } from 'node:fs';
import { loadImage } from '@napi-rs/canvas';
import type { Browser, Page } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkTo, look, type Office, openOffice, request } from '../requests/support.js';
import { barriers, browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';

const folder = new URL('../../test-results/pages/', import.meta.url);

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname, fullPage: true });
}

const sendButton = 'form.files > button:not(.camera)';

/** A picture of a card, as a camera would make it. */
const drawn = `(async () => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [640, 400];
  const pen = canvas.getContext('2d');
  pen.fillStyle = '#e8eef7'; pen.fillRect(0, 0, 640, 400);
  pen.fillStyle = '#123'; pen.font = '40px sans-serif'; pen.fillText('LICENCE ' + Math.random().toString(36), 30, 90);
  return canvas.toDataURL('image/jpeg').split(',')[1];
})()`;

test('browsers of 2018 run the scripts of the page', () => {
  for (const name of ['asked.js', 'crop.js', 'page-picture.js']) {
    const script = readFileSync(new URL(`../../public/${name}`, import.meta.url), 'utf8');
    const written = (target: ts.ScriptTarget) =>
      ts.transpileModule(script, { compilerOptions: { target, removeComments: true } }).outputText;
    // Nothing has to be written in another way for them.
    expect(written(ts.ScriptTarget.ES2018), name).toBe(written(ts.ScriptTarget.ESNext));
    expect(written(ts.ScriptTarget.ESNext), name).not.toMatch(/\bimport\s*\(/);
  }
});

describeInBrowser('the page of a request for a document', { timeout: browserTimeout }, () => {
  let office: Office;
  let browser: Browser;
  let categoryId: string;
  beforeAll(async () => {
    [office, browser] = await Promise.all([openOffice(), openBrowser()]);
    const { gateway } = office;
    const made = await gateway.graphql(
      'mutation { createCategory(input: { name: "Driving licence" }) { id } }',
    );
    categoryId = made.data.createCategory.id;
  }, browserTimeout);
  afterAll(async () => {
    await browser.close();
    await office.close();
  });

  /** Asks somebody for documents, and returns their ids and the address of the page. */
  async function asked(email: string, ...more: object[]) {
    const ids: string[] = [];
    for (const values of [{}, ...more])
      ids.push((await request(office, { categoryId, email, ...values })).id);
    const link = await linkTo(office, email);
    const [id = ''] = ids;
    return { id, ids, link: link.replace('https://expiry.example.com', office.gateway.url) };
  }

  /** Draws a file that a camera or a folder could have. */
  const file = async (page: Page, name: string) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: Buffer.from(String(await page.evaluate(drawn)), 'base64'),
  });

  /** Runs work in a phone, which has a camera and fingers. */
  async function onPhone(link: string, work: (page: Page) => Promise<void>, javaScriptEnabled = true) {
    const viewport = { width: 390, height: 844 };
    const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true, javaScriptEnabled });
    context.setDefaultTimeout(browserTimeout / 3);
    try {
      const page = await context.newPage();
      await page.goto(link);
      await work(page);
    } finally {
      await context.close();
    }
  }

  for (const [width, scheme] of [
    [320, 'light'],
    [390, 'light'],
    [390, 'dark'],
    [1440, 'dark'],
  ] as const)
    test(`is readable at ${width} px, ${scheme}, in German and French, also with text of twice the size`, async () => {
      const { link } = await asked(`look${width}${scheme}@example.org`, {
        message: 'Vorder- und Rückseite, bitte. '.repeat(3),
        dueOn: '2026-12-24',
        categoryId: (
          await office.gateway.graphql(
            `mutation { createCategory(input: { name: "Berufskraftfahrerqualifikationsnachweis ${width} ${scheme}" }) { id } }`,
          )
        ).data.createCategory.id,
      });
      await inPage(browser, { width, scheme }, async (page) => {
        for (const lang of ['de', 'fr']) {
          await page.goto(`${link}?lang=${lang}`);
          const photo = await file(page, `Führerschein-${'sehr-'.repeat(12)}lang.jpg`);
          await page.locator('input[type=file]').first().setInputFiles([photo]);
          await page.waitForSelector('.chosen img');
          for (const size of ['100%', '200%']) {
            await page.evaluate(
              (size) => document.documentElement.style.setProperty('font-size', size),
              size,
            );
            expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
            await picture(page, `asked-${lang}-${width}-${scheme}-${size.replace('%', '')}`);
          }
          expect(await barriers(page, { preload: false })).toEqual([]);
          await page.locator('.chosen button').last().click();
          await expect.poll(() => page.locator('.chosen li').count()).toBe(0);
        }
      });
    });

  test('takes pictures, turns one, and goes on after the connection broke', async () => {
    const { id, link } = await asked('camera@example.org');
    await onPhone(link, async (page) => {
      const shoot = async (name: string) => {
        const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('button.camera')]);
        expect(await chooser.element().getAttribute('capture')).toBe('environment');
        await chooser.setFiles([await file(page, name)]);
      };
      await shoot('front.jpg');
      await shoot('back.jpg');
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([await file(page, 'wrong.jpg')]);
      await expect.poll(() => page.locator('.chosen li').count()).toBe(3);
      await picture(page, 'asked-phone');
      await page.click('button[aria-label="Remove: wrong.jpg"]');
      const before = await page.locator('.chosen img').first().getAttribute('src');
      await page.click('button[aria-label="Turn: front.jpg"]');
      await expect.poll(() => page.locator('.chosen img').first().getAttribute('src')).not.toBe(before);
      // The files are cut off, and then what they were answered never arrives.
      let posts = 0;
      await page.route('**/asked/*', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        posts += 1;
        if (posts === 1) return route.abort();
        if (posts === 2) {
          await route.fetch();
          return route.abort();
        }
        return route.continue();
      });
      await page.fill('textarea[name=words]', 'Both sides.');
      await page.click(sendButton);
      await page.waitForSelector('.done');
      expect(await page.innerText('.done')).toContain('2 file(s) received');
      expect(posts).toBeGreaterThanOrEqual(3);
      expect(await page.locator('.chosen li').count()).toBe(0);
    });
    const { state, answer, heldItem } = await look(office, id);
    expect([state, answer]).toEqual(['RECEIVED', 'Both sides.']);
    expect(heldItem.attachments.nodes.map(({ name }: { name: string }) => name)).toEqual([
      'front.jpg',
      'back.jpg',
    ]);
  });

  test('keeps what was chosen when the page is loaded again, and says what is refused', async () => {
    const { id, link } = await asked('again@example.org');
    await onPhone(link, async (page) => {
      const input = page.locator('input[type=file]').first();
      await input.setInputFiles([await file(page, 'kept.jpg')]);
      await page.waitForSelector('.chosen img');
      await expect
        .poll(async () => {
          await page.reload();
          await page.waitForSelector('.languages');
          return page.locator('.chosen .name').allInnerTexts();
        })
        .toEqual(['kept.jpg']);
      await input.setInputFiles([
        { name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<!doctype html>') },
      ]);
      await page.click(sendButton);
      await expect.poll(() => page.innerText('.said')).toContain('Only PDF');
      // Nothing is lost, and what is wrong can be taken away.
      expect(await page.locator('.chosen .name').allInnerTexts()).toEqual(['kept.jpg', 'page.html']);
      await page.click('button[aria-label="Remove: page.html"]');
      await page.click(sendButton);
      await page.waitForSelector('.done');
    });
    const { state, heldItem } = await look(office, id);
    expect([state, heldItem.attachments.nodes.length]).toEqual(['RECEIVED', 1]);
  });

  test('takes what is sent from two tabs, each file once', async () => {
    const { id, link } = await asked('tabs@example.org');
    await onPhone(link, async (page) => {
      const other = await page.context().newPage();
      await other.goto(link);
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles([await file(page, 'front.jpg')]);
      await page.waitForSelector('.chosen img');
      const back = await file(page, 'back.jpg');
      await other.locator('input[type=file]').first().setInputFiles([back]);
      await other.waitForSelector('.chosen img');
      await Promise.all([page.click(sendButton), other.click(sendButton)]);
      await Promise.all([page.waitForSelector('.done'), other.waitForSelector('.done')]);
      await page.reload();
      expect(await page.innerText('.done')).toContain('2 file(s) received');
      expect(await page.locator('.chosen li').count()).toBe(0);
    });
    const { state, heldItem } = await look(office, id);
    const names = heldItem.attachments.nodes.map(({ name }: { name: string }) => name);
    expect([state, names.sort()]).toEqual(['RECEIVED', ['back.jpg', 'front.jpg']]);
  });

  /** Draws a photo of a page, askew on a dark table. */
  const photoOfPage = `(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [800, 600];
    const pen = canvas.getContext('2d');
    pen.fillStyle = '#222'; pen.fillRect(0, 0, 800, 600);
    pen.fillStyle = '#f4f4f4'; pen.beginPath();
    for (const [x, y] of [[200, 100], [640, 140], [600, 520], [160, 480]]) pen.lineTo(x, y);
    pen.fill();
    return canvas.toDataURL('image/jpeg', 0.95).split(',')[1];
  })()`;

  test('finds the corners of a page in a photo, which a finger moves, and sends the page alone', async () => {
    const { id, link } = await asked('crop@example.org');
    const seen: string[] = [];
    await onPhone(link, async (page) => {
      page.on('request', (sent) => seen.push(sent.url()));
      const buffer = Buffer.from(String(await page.evaluate(photoOfPage)), 'base64');
      const photo = { name: 'table.jpg', mimeType: 'image/jpeg', buffer };
      await page.locator('input[type=file]').first().setInputFiles([photo]);
      await page.waitForSelector('.chosen img');
      // Whoever crops nothing loads nothing for it.
      expect(seen.filter((url) => /crop|corner|page-picture/.test(url))).toEqual([]);
      await page.route('**/page-picture.js', (route) => route.abort());
      await page.click('button[aria-label="Crop: table.jpg"]');
      await expect.poll(() => page.innerText('.said')).toContain('cannot be cropped now');
      await page.unroute('**/page-picture.js');
      // With a connection, the next click works.
      await page.click('button[aria-label="Crop: table.jpg"]');
      const corner = (name: string) =>
        page.getByRole('button', { name: `Corner at the ${name}`, exact: true });
      await corner('top left').waitFor();
      for (const [name, left, top] of [
        ['top left', 25, 16.7],
        ['bottom right', 75, 86.7],
      ] as const) {
        const style = (await corner(name).getAttribute('style')) ?? '';
        const [x = 0, y = 0] = [...style.matchAll(/([\d.]+)%/g)].map(([, part]) => Number(part));
        expect([Math.abs(x - left) < 1.5, Math.abs(y - top) < 1.5], style).toEqual([true, true]);
      }
      expect(await barriers(page, { preload: false })).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
      await picture(page, 'asked-crop');
      await corner('top left').press('ArrowLeft');
      const box = await corner('bottom right').boundingBox();
      if (!box) throw new Error('Nothing is drawn.');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 20, y, { steps: 3 });
      await page.mouse.up();
      await page.click('.cropping button:has-text("Done")');
      const sizeOf = () =>
        page.locator('.chosen img').evaluate(async (shown) => {
          await (shown as HTMLImageElement).decode();
          return [(shown as HTMLImageElement).naturalWidth, (shown as HTMLImageElement).naturalHeight];
        });
      const isCut = async () => {
        const [width = 0, height = 0] = await sizeOf();
        return width < 500 && height < 450;
      };
      await expect.poll(isCut).toBe(true);
      expect(await page.locator('.cornerbox').count()).toBe(0);
      // The whole picture comes back, and is cropped anew as it is sent.
      await page.click('button[aria-label="Crop: table.jpg"]');
      await page.click('.cropping button:has-text("Whole picture")');
      await expect.poll(sizeOf).toEqual([800, 600]);
      await page.click('button[aria-label="Crop: table.jpg"]');
      await corner('top left').waitFor();
      await page.click(sendButton);
      await page.waitForSelector('.done');
    });
    const { heldItem } = await look(office, id);
    const { prisma } = office.gateway.database;
    const [file] = await prisma.attachment.findMany({ where: { itemId: heldItem.id } });
    const headers = { Authorization: `Bearer ${office.gateway.admin}` };
    const stored = await fetch(`${office.gateway.url}/attachments/${file?.id}`, { headers });
    const image = await loadImage(Buffer.from(await stored.arrayBuffer()));
    expect(image.width).toBeLessThan(500);
  });

  /** Answers what the page sends with a status, instead of the gateway. */
  const answerWith = (page: Page, status: number) =>
    page.route('**/asked/*', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status, body: 'no' }) : route.continue(),
    );

  /** Makes a PDF file of some bytes. */
  const pdfOf = (name: string, bytes: number) => ({
    name,
    mimeType: 'application/pdf',
    buffer: Buffer.concat([Buffer.from(`%PDF-1.4\n% ${name}\n`), Buffer.alloc(bytes)]),
  });

  test('loses no file when it is refused, and sends it afterwards', async () => {
    const { id, link } = await asked('refused@example.org');
    await onPhone(link, async (page) => {
      const names = () => page.locator('.chosen .name').allInnerTexts();
      await page.locator('input[multiple]').setInputFiles([pdfOf('a.pdf', 1), pdfOf('b.pdf', 2)]);
      for (const [status, said] of [
        [413, 'still here'],
        [400, 'still here'],
        [404, 'not asked for any more'],
      ] as const) {
        await answerWith(page, status);
        await page.click(sendButton);
        await expect.poll(() => page.innerText('.said')).toContain(said);
        expect(await names()).toEqual(['a.pdf', 'b.pdf']);
        await page.unroute('**/asked/*');
      }
      // One that came too late is sent again by itself.
      await answerWith(page, 408);
      await page.click(sendButton);
      await expect.poll(() => page.innerText('.said')).toContain('by itself');
      await page.unroute('**/asked/*');
      await page.waitForSelector('.done');
      expect(await names()).toEqual([]);
    });
    expect((await look(office, id)).heldItem.attachments.nodes).toHaveLength(2);
  });

  test('refuses a file that is too large, and sends many large ones in parts of one answer', async () => {
    const { id, link } = await asked('parts@example.org');
    const mebibyte = 1024 * 1024;
    await onPhone(link, async (page) => {
      const input = page.locator('input[multiple]');
      await input.setInputFiles([pdfOf('huge.pdf', 16 * mebibyte)]);
      await page.click(sendButton);
      await expect.poll(() => page.innerText('.said')).toContain('huge.pdf: Larger than 16 MB');
      await page.click('button[aria-label="Remove: huge.pdf"]');
      await input.setInputFiles([1, 2, 3].map((n) => pdfOf(`${n}.pdf`, 7 * mebibyte)));
      const states: string[] = [];
      await page.route('**/asked/*', async (route) => {
        if (route.request().method() === 'POST') states.push((await look(office, id)).state);
        return route.continue();
      });
      await page.click(sendButton);
      await page.waitForSelector('.done');
      // The page then says that it was opened again.
      expect(states.slice(0, 2)).toSatisfy((two: string[]) => two.length === 2 && !two.includes('RECEIVED'));
    });
    expect((await look(office, id)).heldItem.attachments.nodes).toHaveLength(3);
  });

  test('does not send what is taken away while it is sent', async () => {
    const { id, link } = await asked('away@example.org');
    await onPhone(link, async (page) => {
      await page.locator('input[multiple]').setInputFiles([pdfOf('a.pdf', 1), pdfOf('b.pdf', 2)]);
      // The first attempt hangs.
      let posts = 0;
      await page.route('**/asked/*', (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        posts += 1;
        return posts === 1 ? undefined : route.continue();
      });
      await page.click(sendButton);
      await expect.poll(() => posts).toBe(1);
      await page.click('button[aria-label="Remove: a.pdf"]');
      await page.waitForSelector('.done');
    });
    const { heldItem } = await look(office, id);
    expect(heldItem.attachments.nodes.map(({ name }: { name: string }) => name)).toEqual(['b.pdf']);
  });

  test('has the light theme in browsers that know no pairs of colours', async () => {
    const { link } = await asked('old@example.org');
    await inPage(browser, { width: 390, scheme: 'dark' }, async (page) => {
      await page.route('**/tokens.css', async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replaceAll('light-dark(', 'not-yet(');
        await route.fulfill({ response, body });
      });
      await page.goto(link);
      const look = (selector: string) =>
        page.locator(selector).evaluate((element) => {
          const { color, backgroundColor } = getComputedStyle(element);
          return [color, backgroundColor];
        });
      expect(await look(sendButton)).toEqual(['rgb(255, 255, 255)', 'rgb(15, 107, 102)']);
      expect(await look('body')).toEqual(['rgb(22, 32, 31)', 'rgb(244, 247, 246)']);
      await picture(page, 'asked-old');
    });
  });

  test('is whole without scripts', async () => {
    const { id, link } = await asked('plain@example.org');
    await onPhone(
      link,
      async (page) => {
        const buffer = Buffer.from('%PDF-1.4\n%%EOF\n');
        await page.setInputFiles('input[type=file]', [
          { name: 'a.pdf', mimeType: 'application/pdf', buffer },
        ]);
        await page.fill('input[name=date]', '2031-05-01');
        await page.click('form >> text=Send');
        await page.waitForSelector('.done');
        expect(await page.locator('button.camera').count()).toBe(0);
      },
      false,
    );
    expect(await look(office, id)).toMatchObject({ state: 'RECEIVED', statedDate: '2031-05-01' });
  });
});
