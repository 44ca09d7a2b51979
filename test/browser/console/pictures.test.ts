import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { setWorker } from '../../support/workers.js';
import { browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole } from '../support/console-browser.js';
import { addDeliveries } from './records.support.js';

const folder = new URL('../../../docs/images/console/', import.meta.url);

const ids = `{ expirationItems(first: 1, filter: { term: "Fleet insurance" }) { nodes { id } }
  reminderPolicies(first: 1, filter: { term: "Driver" }) { nodes { id } } vehicles(first: 1) { nodes { id } }
  uploadNotifications(first: 1, filter: { state: FAILED }) { nodes { id } } }`;

/** Looks of a picture: how wide and high, in which colours. */
const looks = {
  light: { width: 1200, height: 750, scheme: 'light' },
  dark: { width: 1200, height: 750, scheme: 'dark' },
  phone: { width: 360, height: 720, scheme: 'light' },
} as const;

/** Keeps what the page shows, as WebP: playwright-core writes none, and a tenth of a PNG's bytes suffices. */
async function keep(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 45 });
  await session.detach();
  await writeFile(new URL(`${name}.webp`, folder), Buffer.from(data, 'base64'));
}

describeInBrowser("pictures of the console's screens", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let paths: Record<string, string>;
  beforeAll(async () => {
    at = await openConsole();
    await addDeliveries(at.gateway);
    await setWorker(at.gateway);
    const { data } = await at.gateway.graphql(ids);
    const [item, policy, vehicle, upload] = Object.values(
      data as Record<string, { nodes: { id: string }[] }>,
    ).map(({ nodes }) => nodes[0]?.id);
    paths = {
      start: '/',
      items: '/items',
      item: `/items/${item}`,
      calendar: '/calendar',
      inbox: `/inbox/${upload}`,
      contacts: '/contacts',
      vehicle: `/vehicles/${vehicle}`,
      reminders: `/reminders/${policy}`,
      deliveries: '/deliveries',
      tokens: '/settings/tokens',
    };
    await mkdir(folder, { recursive: true });
  }, browserTimeout);
  afterAll(() => at?.close());

  test.each(Object.entries(looks))('%s', (look, { width, height, scheme }) =>
    at.inConsole(
      '/',
      async (page) => {
        await page.waitForSelector('.shell h1');
        await page.setViewportSize({ width, height });
        for (const [name, path] of Object.entries(paths)) {
          await page.goto(at.gateway.url + path);
          await page.waitForSelector('main h1');
          await page.waitForFunction(() => !document.querySelector('[aria-busy=true]'));
          // No caret in a field, whose blinking would make each picture another.
          await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
          await keep(page, `${name}-${look}`);
        }
      },
      { width, scheme },
    ),
  );
});
