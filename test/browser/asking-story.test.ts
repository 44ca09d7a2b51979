import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { type Office, openOffice } from '../requests/support.js';
import { drawLines } from '../uploads/pictures.support.js';
import { pictureFinder, settled, withWorker } from '../uploads/support.js';
import { type Receiver, settleMessages, startReceiver, startSending } from '../webhooks/support.js';
import { evaluateCompliance } from './support/background.js';
import { barriers, browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';
import { measureEffort } from './support/hand.js';

const folder = new URL('../../test-results/pages/', import.meta.url);

async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: new URL(`${name}.png`, folder).pathname, fullPage: true });
}

/** What the camera of the phone sees. */
const paper = drawLines(
  ['Motor insurance certificate', 'Vehicle: BT 1014', 'Policy number 55-1014', 'Valid until: 15 July 2031'],
  'image/jpeg',
);

/** Starts to measure the gateway and the browser. People take longer. @returns a function that prints the seconds */
function stopwatch() {
  const began = performance.now();
  return (what: string) =>
    process.stdout.write(`It ${what}: ${((performance.now() - began) / 1000).toFixed(2)} s\n`);
}

describeInBrowser('a document that is asked for', { timeout: 3 * browserTimeout }, () => {
  let office: Office;
  let browser: Browser;
  let receiver: Receiver;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    await build();
    receiver = await startReceiver();
    const env = { CONSOLE: 'on', WEBHOOK_PRIVATE_HOSTS: receiver.host, SECRET_KEY: '5a'.repeat(32) };
    [office, browser] = await Promise.all([openOffice(env), openBrowser()]);
    // Browsers count days by the machine's clock.
    office.gateway.clock.now = new Date(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`);
    stop = startSending(office.gateway, receiver);
  }, browserTimeout);
  afterAll(async () => {
    await stop?.();
    await browser?.close();
    await office?.close();
    receiver?.close();
  });

  async function made(path: string, body: object): Promise<string> {
    const { status, text, json } = await office.gateway.send('POST', `/v1/${path}`, { body });
    expect(status, text).toBe(201);
    return json.id;
  }

  const ask = async () => {
    const { json } = await office.gateway.send('GET', '/v1/compliance/vehicles?license_plate=BT%201014');
    return json;
  };

  /** Opens a page of the console, signed in. */
  const inOffice = (path: string, work: (page: Page) => Promise<void>) =>
    inPage(browser, { width: 1440 }, async (page) => {
      await page.goto(`${office.gateway.url}${path}#token=${office.gateway.admin}`);
      await work(page);
    });

  test('is photographed by whoever holds it, and accepted by one key', async () => {
    const { gateway } = office;
    const { prisma } = gateway.database;
    const categoryId = await made('categories', { name: 'Insurance' });
    const contact = await made('contacts', { name: 'Ann Lee', email: 'ann@example.org' });
    const vehicleId = await made('vehicles', { name: 'Truck 101', license_plate: 'BT 1014' });
    await prisma.vehicle.update({ where: { id: vehicleId }, data: { assignedToContactId: contact } });
    await made('requirements', { name: 'Insured', holder_kind: 'vehicle', any_of: [categoryId] });
    await evaluateCompliance(gateway);
    const listening = await gateway.graphql(
      `mutation ($url: String!) { createWebhookEndpoint(input: { name: "Dispatch", url: $url,
        eventTypes: ["document_request.accepted", "document_request.received", "compliance.changed"] }) { secret } }`,
      { url: `http://${receiver.host}/dispatch` },
    );
    expect(listening.errors).toBeUndefined();
    expect(await ask()).toMatchObject({ compliant: false, gaps: [{ state: 'missing' }] });

    // The office sees the gap, and asks.
    const cell = '[role=row]:has-text("Truck 101") [aria-colindex="2"]';
    await inOffice('/compliance?kind=VEHICLE', async (page) => {
      await page.waitForSelector(`${cell}:has-text("Missing")`);
      await page.goto(`${gateway.url}/vehicles/${vehicleId}`);
      await page.click('.itemline:has-text("Insured") button:has-text("Ask for it")');
      await page.waitForSelector('dialog .askedpreview:has-text("ann@example.org")');
      await page.click('dialog button[type=submit]');
      await page.waitForSelector('.toast:has-text("Asked for 1 document")');
    });
    const [link = ''] = await office.mailAfter(2);
    expect(link).toMatch(/\/asked\/[\w-]{43}$/);
    const { mail } = office.post.sink.taken.at(-1) ?? {};
    expect(mail?.subject).toContain('Insurance');

    // Whoever holds it has a phone, and no account.
    const context = await browser.newContext({
      ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    context.setDefaultTimeout(browserTimeout / 3);
    try {
      const page = await context.newPage();
      const shown = stopwatch();
      await page.goto(link.replace('https://expiry.example.com', gateway.url));
      await page.waitForSelector('button.camera');
      shown('shows the page');
      expect(await page.getAttribute('button.camera + input', 'capture')).toBe('environment');
      // The camera itself has a shutter, and asks whether the picture is good.
      const effort = await measureEffort(page, async (hand) => {
        const photo = { name: 'IMG_0001.jpg', mimeType: 'image/jpeg', buffer: paper };
        await hand.choose('button.camera', photo);
        await page.waitForSelector('.chosen img');
        await picture(page, 'asked-story-phone');
        const sent = stopwatch();
        await hand.click('form.files > button:not(.camera)');
        await page.waitForSelector('.done');
        sent('takes the picture and says so');
      });
      expect(effort).toEqual({ clicks: 2, keys: 0, texts: 0 });
      expect(await barriers(page, { preload: false })).toEqual([]);
      await picture(page, 'asked-story-phone-done');
    } finally {
      await context.close();
    }

    // A worker reads the picture.
    const read = stopwatch();
    const { id: uploadId } = await prisma.uploadNotification.findFirstOrThrow();
    await withWorker(gateway, pictureFinder(gateway), () => settled(gateway, uploadId));
    read('reads the date');

    // The office presses Enter.
    await inOffice('/inbox', async (page) => {
      await page.click(`a[href="/inbox/${uploadId}"]`);
      await expect.poll(() => page.inputValue('input[type=date]')).toBe('2031-07-15');
      expect(await page.innerText('main')).toMatch(/Truck 101[\s\S]*From Ann Lee/);
      await picture(page, 'asked-story-inbox');
      const accepted = stopwatch();
      const effort = await measureEffort(page, (hand) => hand.press('Enter'));
      await expect.poll(async () => (await prisma.documentRequest.findFirstOrThrow()).state).toBe('ACCEPTED');
      accepted('accepts it');
      expect(effort).toEqual({ clicks: 0, keys: 1, texts: 0 });
      await evaluateCompliance(gateway);
      await page.goto(`${gateway.url}/compliance?kind=VEHICLE`);
      await page.waitForSelector(`${cell}:has-text("2031")`);
      expect(await page.innerText(cell)).not.toMatch(/Missing|Received|Asked/);
      await picture(page, 'asked-story-matrix');
    });

    // The dispatch system was told, and asks.
    await settleMessages(gateway);
    const types = receiver.at('/dispatch').map(({ type }) => type);
    expect(types.sort()).toEqual([
      'compliance.changed',
      'document_request.accepted',
      'document_request.received',
    ]);
    expect(await ask()).toMatchObject({ compliant: true, until: '2031-07-15', gaps: [] });
    const item = await prisma.expirationItem.findFirstOrThrow({ where: { categoryId } });
    expect(item).toMatchObject({ isActive: true, expirationDate: new Date('2031-07-15') });
    expect(await prisma.attachment.count({ where: { itemId: item.id } })).toBe(1);
  });
});
