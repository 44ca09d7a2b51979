import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';

const source = readFileSync(new URL('../../public/console-worker.js', import.meta.url), 'utf8');
const settings = { version: '1', screens: ['/', '/items/{id}'], files: ['/console/assets/a.js'] };

/** The pages that a browser has asked for. */
const asked: string[] = [];

/** Counts what a browser asks for, which no page can tell. */
const server = createServer(({ url = '', headers }, response) => {
  if (url === '/console/worker.js') {
    response.setHeader('Content-Type', 'text/javascript');
    response.setHeader('Service-Worker-Allowed', '/');
    return response.end(`self.settings = ${JSON.stringify(settings)};\n${source}`);
  }
  if (headers.accept?.includes('text/html')) asked.push(url);
  if (url === '/attachments/1') response.setHeader('Content-Disposition', 'attachment; filename="a.pdf"');
  response.setHeader('Content-Type', 'text/html');
  response.end(`<!doctype html><title>${url}</title>`);
});

describeInBrowser('the service worker of the console', { timeout: browserTimeout }, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let origin: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  }, browserTimeout);
  afterAll(async () => {
    await browser?.close();
    server.close();
  });
  beforeEach(() => {
    asked.length = 0;
  });

  test('asks the gateway once for each page, of the console or not, and for each file', () =>
    inPage(browser, { hasWorker: true }, async (page) => {
      await page.goto(`${origin}/`);
      await page.evaluate(() => navigator.serviceWorker.register('/console/worker.js', { scope: '/' }));
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
      asked.length = 0;
      const pages = ['/items/1', '/asked/secret', '/r/signed', '/docs'];
      for (const path of pages) {
        await page.goto(`${origin}${path}`);
        expect(await page.title()).toBe(path);
      }
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.evaluate(() => location.assign('/attachments/1')),
      ]);
      expect([download.suggestedFilename(), await download.failure()]).toEqual(['a.pdf', null]);
      expect(asked).toEqual([...pages, '/attachments/1']);
    }));
});
