import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserTimeout, describeInBrowser } from '../../support/browser.js';
import { type ConsoleBrowser, openConsole } from '../../support/console-browser.js';

const assets = fileURLToPath(new URL('../../../dist/console/assets/', import.meta.url));
const kilobytes = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(assets + name), { level: 9 }).length, 0) / 1000;
const scripts = (names: readonly string[]) => names.filter((name) => name.endsWith('.js'));
const styles = (names: readonly string[]) => names.filter((name) => name.endsWith('.css'));

describeInBrowser("the console's size", { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  test('the first view and all of it are within the budget', async () => {
    const loaded = new Set<string>();
    await at.inConsole('/', async (page) => {
      page.on('request', (request) => {
        const [, name] = /\/console\/assets\/([^/?]+)$/.exec(new URL(request.url()).pathname) ?? [];
        if (name) loaded.add(name);
      });
      await page.reload();
      await page.waitForSelector('.tile .figure:not(:has(.bone))');
    });
    const all = readdirSync(assets).filter((name) => /\.(js|css)$/.test(name));
    const sizes = {
      firstScripts: kilobytes(scripts([...loaded])),
      firstStyles: kilobytes(styles([...loaded])),
      allScripts: kilobytes(scripts(all)),
    };
    process.stdout.write(`The console, gzipped: ${JSON.stringify(sizes)} kB\n`);
    expect(sizes.firstScripts).toBeGreaterThan(10);
    expect(sizes.firstScripts).toBeLessThanOrEqual(60);
    expect(sizes.firstStyles).toBeLessThanOrEqual(12);
    expect(sizes.allScripts).toBeLessThanOrEqual(160);
  });
});
