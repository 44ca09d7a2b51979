import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';
import { type Hand, measureEffort } from '../support/hand.js';

const create = 'mutation($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
const read = `query($term: String!) { expirationItems(filter: { term: $term }) { nodes {
  name expirationDate isActive attachments { nodes { name } } } } }`;

const scan = { name: 'lease.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4\n%%EOF\n') };

/** Returns the last day of this month, as browsers count days. */
const monthEnd = (() => {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth() + 1, 0)).toISOString().slice(0, 10);
})();
const yearOn = `${Number(monthEnd.slice(0, 4)) + 1}`;

/** What each task may take at most: the documentation's table. */
const promised = readFileSync(new URL('../../../docs/use/console.md', import.meta.url), 'utf8');

// What a person does who sees the console for the first time, one task after the other on one page.
describeInBrowser("the console's ten tasks", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  const told: string[] = [];
  beforeAll(async () => {
    at = await openConsole();
    await at.gateway.graphql(create, { input: { name: 'Ladder check', expirationDate: monthEnd } });
  }, browserTimeout);
  afterAll(async () => {
    process.stdout.write(`${told.join('\n')}\n`);
    await at?.close();
  });

  const stored = async (term: string) =>
    (await at.gateway.graphql(read, { term })).data.expirationItems.nodes[0];

  test('take few clicks and keys', () =>
    at.inConsole('/', async (page: Page) => {
      const takes = async (task: string, work: (hand: Hand) => Promise<void>) => {
        const { clicks, keys, texts } = await measureEffort(page, work);
        told.push(`| ${task} | ${clicks} | ${keys} | ${texts} |`);
        const row = promised.split('\n').find((line) => line.startsWith(`| ${task} | `));
        const [, , ...most] = (row ?? 'The table lacks it.').split('|').map(Number);
        expect(
          [clicks, keys, texts].filter((count, at) => !(count <= (most[at] ?? 0))),
          task,
        ).toEqual([]);
      };
      await page.waitForSelector('.bar');

      await takes('Find what expires this month', async ({ click }) => {
        await click('.card:has(h2:has-text("twelve months")) .bar >> nth=0');
        await page.waitForSelector('tbody th a:has-text("Ladder check")');
      });

      await takes('Renew it', async ({ click }) => {
        await click('tbody th a:has-text("Ladder check")');
        await click('.standing button:has-text("Renew")');
        await click('dialog button[type=submit]');
        await page.waitForSelector('.toast:has-text("Renewed")');
        await expect.poll(async () => (await stored('Ladder')).expirationDate).toMatch(yearOn);
      });

      await takes('Add an item with a file', async (hand) => {
        await hand.click('.side nav a[href="/items"]');
        await hand.click('.head a:has-text("Add an item")');
        await hand.type('Lease of the yard');
        await hand.click('label:has-text("Expires")');
        await hand.type(`${yearOn}-05-31`);
        await hand.choose('input[type=file]', scan);
        await hand.click('.formend button[type=submit]');
        await page.waitForSelector('h1:has-text("Lease of the yard")');
        await page.waitForSelector('button:has-text("lease.pdf")');
        expect((await stored('Lease of')).attachments.nodes).toEqual([{ name: 'lease.pdf' }]);
      });

      await takes('File a scan from the inbox', async (hand) => {
        await hand.click('.side nav a[href="/inbox"]');
        await hand.click('tbody th a >> nth=0');
        await page.waitForSelector('input[type=date]:focus');
        await hand.press('Enter');
        await page.waitForSelector('.toast:has-text("scan-0412.pdf")');
        expect((await stored('scan 0412')).isActive).toBe(true);
      });

      await takes('Add reminders', async (hand) => {
        await hand.click('.side nav a[href="/reminders"]');
        await hand.click('.head a:has-text("Add reminders")');
        await hand.type('Leases');
        await hand.click('form button[type=submit]');
        await page.waitForSelector('h1:has-text("Leases")');
        expect(await page.innerText('.timeline')).toMatch(/30 days before[\s\S]*7 days before/);
      });

      await takes('Create a token', async (hand) => {
        await hand.click('.side nav a[href="/settings"]');
        await hand.click('main .tabs a:has-text("Tokens")');
        await hand.click('button:has-text("Create a token")');
        await hand.type('Scanner in the hall');
        await hand.click('dialog button[type=submit]');
        expect(await page.innerText('dialog .secret')).toMatch(/egw_/);
        await page.keyboard.press('Escape');
        await page.waitForSelector('tbody th:has-text("Scanner in the hall")');
      });

      await takes('Find who changed a date', async (hand) => {
        await hand.press('/');
        await hand.type('Ladder check');
        await page.waitForSelector('.finder [aria-selected=true]:has-text("Ladder check")');
        await hand.press('Enter');
        const event = page.locator('.event:has-text("renewed")');
        await event.waitFor();
        expect(await event.innerText()).toMatch(/^Administrator renewed this/);
        expect(await event.innerText()).toMatch(yearOn);
        await picture(page, 'tasks-history');
      });

      await takes('Undo an archive', async (hand) => {
        await hand.click('.head button[aria-label=More]');
        await hand.click('.menu:popover-open button:has-text("Archive")');
        await page.waitForSelector('.head .badge:has-text("Archived")');
        expect((await stored('Ladder')).isActive).toBe(false);
        await hand.click('.toast:has-text("archived") button:has-text("Undo")');
        await page.waitForSelector('.toast:has-text("Undone")');
        expect((await stored('Ladder')).isActive).toBe(true);
      });

      await takes('Save a list as CSV', async (hand) => {
        await hand.click('.side nav a[href="/items"]');
        // The list of before shows first, until the gateway has answered.
        for (const name of ['Lease of the yard', 'scan 0412']) {
          await page.waitForSelector(`tbody th a:has-text("${name}")`);
        }
        const names = await page.locator('tbody th a').allInnerTexts();
        await hand.click('.toolbar button[aria-label=More]');
        const download = page.waitForEvent('download');
        await hand.click('.menu:popover-open button:has-text("Save as CSV")');
        const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n').slice(1);
        expect(lines.map((line) => line.split(',')[0])).toEqual(names);
      });

      await takes('Sign out', async (hand) => {
        await hand.click('.side .foot button');
        await hand.click('.menu:popover-open button:has-text("Sign out")');
        await page.waitForSelector('input[type=password]');
        expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
      });
    }));

  test.each([
    ['light', 1200],
    ['dark', 360],
  ] as const)('a calendar is subscribed to, moved and revoked (%s)', (scheme, width) =>
    at.inConsole(
      '/calendar',
      async (page: Page) => {
        const status = async (url: string) => (await fetch(url)).status;
        const address = async () => (await page.locator('.secret code').textContent()) ?? '';
        const see = async (name: string) => {
          expect(await barriers(page)).toEqual([]);
          await picture(page, `${name}-${scheme}`);
        };
        await page.click('.head button:has-text("Subscribe")');
        await page.fill('dialog input >> nth=0', 'Yard');
        await page.fill('dialog input[placeholder="30, 7"]', '30, 7');
        await see('subscribe');
        await page.click('dialog button[type=submit]');
        await page.waitForSelector('.qrcode path[d^=M]');
        const url = await address();
        expect(await page.getAttribute('dialog a.button', 'href')).toBe(url.replace('http:', 'webcal:'));
        const text = await (await fetch(url)).text();
        expect(text).toContain('SUMMARY:Ladder check');
        // Seven days before, at eight.
        expect(text).toContain('TRIGGER:-P6DT16H');
        await see('subscribed');
        await page.keyboard.press('Escape');
        await page.click('.head button:has-text("Subscribe")');
        await page.waitForSelector('.entrylist li:has-text("Last read:")');
        await see('feeds');
        await page.click('button[aria-label="New address: Yard"]');
        await page.click('dialog button:has-text("New address")');
        await page.waitForSelector('.secret code');
        const other = await address();
        expect([await status(url), await status(other)]).toEqual([404, 200]);
        await page.keyboard.press('Escape');
        await page.click('.head button:has-text("Subscribe")');
        await page.click('button[aria-label="Delete: Yard"]');
        await page.click('dialog button:has-text("Delete")');
        await page.waitForSelector('.toast:has-text("was deleted")');
        expect(await page.locator('.entrylist li').count()).toBe(0);
        expect(await status(other)).toBe(404);
      },
      { scheme, width },
    ),
  );
});
