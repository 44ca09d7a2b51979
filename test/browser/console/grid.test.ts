import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser, inPage, openBrowser } from '../support/browser.js';
import { picture } from '../support/console-browser.js';

const root = fileURLToPath(new URL('../../../console/src/ui/grid/', import.meta.url));

/** Bundles the page that has nothing but a grid. */
async function bundle(): Promise<{ script: string; styles: string }> {
  const built = (await build({
    ...{ root, configFile: false, logLevel: 'error' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: { write: false, rolldownOptions: { input: `${root}page.tsx` } },
  })) as Rolldown.RolldownOutput;
  const all = built.output;
  return {
    script: all.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n'),
    styles: all.map((file) => (file.type === 'asset' ? String(file.source) : '')).join('\n'),
  };
}

describeInBrowser('a grid of 5,000 rows and 40 columns', { timeout: browserTimeout }, () => {
  let browser: Browser;
  let page: { script: string; styles: string };
  beforeAll(async () => {
    [browser, page] = await Promise.all([openBrowser(), bundle()]);
  }, browserTimeout);
  afterAll(() => browser?.close());

  const inGrid = (
    work: (page: Page) => Promise<void>,
    look: { width?: number; scheme?: 'light' | 'dark' } = {},
  ) =>
    inPage(browser, look, async (tab) => {
      await tab.setContent('<!doctype html><html lang="en"><title>Grid</title><div id="app"></div>');
      await tab.addStyleTag({ content: page.styles });
      await tab.addScriptTag({ content: page.script, type: 'module' });
      await tab.waitForSelector('[role=gridcell]');
      await work(tab);
    });

  /** Returns where the active cell is, and its text. */
  const active = (tab: Page) =>
    tab.evaluate(() => {
      const grid = document.querySelector('[role=grid]');
      const cell = document.getElementById(grid?.getAttribute('aria-activedescendant') ?? '');
      const row = cell?.closest('[role=row]')?.getAttribute('aria-rowindex');
      const box = cell?.getBoundingClientRect();
      const frame = grid?.getBoundingClientRect();
      const isSeen =
        box !== undefined &&
        frame !== undefined &&
        box.top >= frame.top &&
        box.bottom <= frame.bottom &&
        box.left >= frame.left &&
        box.right <= frame.right + 1;
      return `${row}:${cell?.getAttribute('aria-colindex')} ${cell?.textContent}${isSeen ? '' : ' out of sight'}`;
    });
  const press = async (tab: Page, ...keys: string[]) => {
    for (const key of keys) await tab.keyboard.press(key);
  };
  const cell = (row: number, column: number) =>
    `[role=row][aria-rowindex="${row}"] [aria-colindex="${column}"]`;

  /** Pastes a text as the browser would from the clipboard. */
  const paste = (tab: Page, text: string) =>
    tab.evaluate((pasted) => {
      const data = new DataTransfer();
      data.setData('text/plain', pasted);
      const event = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
    }, text);
  const copy = (tab: Page) =>
    tab.evaluate(() => {
      const data = new DataTransfer();
      const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(event);
      return data.getData('text/plain');
    });

  test('has the cells near the window, and says how many there are', () =>
    inGrid(async (tab) => {
      expect(await tab.getAttribute('[role=grid]', 'aria-rowcount')).toBe('5001');
      expect(await tab.getAttribute('[role=grid]', 'aria-colcount')).toBe('40');
      const nodes = () => tab.evaluate(() => document.querySelectorAll('*').length);
      expect(await nodes()).toBeLessThan(1_000);
      expect(await barriers(tab)).toEqual([]);
      await tab.evaluate(() => document.querySelector('[role=grid]')?.scrollTo(3_000, 100_000));
      await tab.waitForSelector(cell(2275, 25));
      expect(await nodes()).toBeLessThan(1_000);
      // Columns stand below their heads, wherever they are.
      const lefts = await tab.evaluate(() =>
        ['columnheader', 'gridcell'].map(
          (role) =>
            document.querySelector(`[role=${role}][aria-colindex="25"]`)?.getBoundingClientRect().left,
        ),
      );
      expect(lefts[0]).toBe(lefts[1]);
    }));

  test('keys lead through it', () =>
    inGrid(async (tab) => {
      await tab.focus('[role=grid]');
      expect(await active(tab)).toBe('2:2 0/1');
      for (const [key, where] of [
        ['ArrowDown', '3:2 1/1'],
        ['ArrowRight', '3:3 1/2'],
        ['ArrowUp', '2:3 0/2'],
        ['ArrowUp', '2:3 0/2'],
        ['ArrowLeft', '2:2 0/1'],
        ['End', '2:40 0/39'],
        ['Control+End', '5001:40 4999/39'],
        ['Home', '5001:1 5000'],
        ['Control+Home', '2:1 1'],
        ['Control+ArrowDown', '5001:1 5000'],
        ['Control+ArrowUp', '2:1 1'],
      ] as const) {
        await press(tab, key);
        await expect.poll(() => active(tab), { message: key }).toBe(where);
      }
      await press(tab, 'PageDown', 'PageDown', 'ArrowRight');
      await expect.poll(() => active(tab)).toMatch(/^\d\d:2 \d+\/1$/);
      // The focused cell is there even where somebody has scrolled away from it.
      await tab.evaluate(() => document.querySelector('[role=grid]')?.scrollTo(2_000, 50_000));
      await tab.waitForSelector(cell(1140, 15));
      expect(await active(tab)).toMatch(/\/1 out of sight$/);
    }));

  test('cells are filled in, and errors stand in them', () =>
    inGrid(async (tab) => {
      await tab.focus('[role=grid]');
      await tab.keyboard.type('typed');
      await press(tab, 'Enter');
      expect(await tab.innerText(cell(2, 2))).toBe('typed');
      await expect.poll(() => active(tab)).toBe('3:2 1/1');
      await press(tab, 'F2', 'End');
      await tab.keyboard.type(' more');
      await press(tab, 'Tab');
      expect(await tab.innerText(cell(3, 2))).toBe('1/1 more');
      await expect.poll(() => active(tab)).toBe('3:3 1/2');
      await tab.keyboard.type('not kept');
      await press(tab, 'Escape');
      expect(await tab.innerText(cell(3, 3))).toBe('1/2');
      await tab.keyboard.type('many');
      await press(tab, 'Enter');
      expect(await tab.innerText(`${cell(3, 3)}[aria-invalid=true]`)).toContain('“many” is no number');
      await press(tab, 'ArrowUp');
      expect(await tab.innerText('[role=status]')).toBe('“many” is no number');
      expect(await barriers(tab)).toEqual([]);
      await picture(tab, 'grid');
      await press(tab, 'Delete');
      expect(await tab.locator('[aria-invalid]').count()).toBe(0);
      // Neither the names of rows nor what is fixed.
      for (const column of [1, 4]) {
        await tab.click(cell(4, column));
        await tab.keyboard.type('x');
        expect(await tab.locator('.gridfield').count()).toBe(0);
      }
      await tab.dblclick(cell(4, 5));
      await tab.fill('.gridfield', 'by pointer');
      await tab.click(cell(6, 5));
      expect(await tab.innerText(cell(4, 5))).toBe('by pointer');
      expect(await tab.innerText(cell(6, 5))).toBe('4/4');
    }));

  test('cells of a spreadsheet are pasted, and copied back as they were', () =>
    inGrid(async (tab) => {
      await tab.click(cell(5, 5));
      const pasted = 'a\t"b ""quoted"""\n"two\nlines"\td\r\n';
      await paste(tab, pasted);
      await tab.waitForSelector(`${cell(5, 5)}:has-text("a")`);
      expect(await tab.textContent(`${cell(5, 6)} .gridtext`)).toBe('b "quoted"');
      expect(await tab.textContent(`${cell(6, 5)} .gridtext`)).toBe('two\nlines');
      await press(tab, 'Shift+ArrowRight', 'Shift+ArrowDown');
      expect(await tab.locator('[aria-selected=true]').count()).toBe(4);
      expect(await copy(tab)).toBe('a\t"b ""quoted"""\n"two\nlines"\td');
      await press(tab, 'Delete');
      expect(await copy(tab)).toBe('\t\n\t');
      // What has no place, or one that is fixed, is counted.
      await tab.click(cell(7, 3));
      await paste(tab, '1\t2\t3');
      expect(await tab.innerText(cell(7, 4))).toBe('5/3');
      expect(await tab.innerText(cell(7, 5))).toBe('3');
      expect(await tab.innerText('#lost')).toBe('1');
      await press(tab, 'Control+End');
      await paste(tab, '1\t2\n3\t4');
      await expect.poll(() => tab.innerText('#lost')).toBe('3');
      expect(await tab.innerText(cell(5001, 40))).toBe('1');
    }));

  test('a key takes as long among many cells as among few', () =>
    inGrid(async (tab) => {
      await tab.focus('[role=grid]');
      const times = await tab.evaluate(async () => {
        const taken: number[] = [];
        for (let turn = 0; turn < 60; turn++) {
          const started = performance.now();
          const key = turn % 2 ? 'ArrowRight' : 'PageDown';
          document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
          await Promise.resolve().then(() => Promise.resolve());
          void document.body.offsetHeight;
          taken.push(performance.now() - started);
          await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        }
        return taken.sort((a, b) => a - b);
      });
      process.stdout.write(`A key among 200,000 cells: ${times[30]?.toFixed(1)} ms\n`);
      // 16 ms on a machine that has nothing else to do.
      expect(times[30]).toBeLessThan(160);
    }));

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1440, 'light'],
    [1440, 'dark'],
  ] as const)('fits into %i pixels, %s', (width, scheme) =>
    inGrid(
      async (tab) => {
        await tab.click(cell(3, 2));
        await press(tab, 'ArrowDown', 'Shift+ArrowDown');
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(wide).toBe(false);
        expect(await barriers(tab)).toEqual([]);
        await picture(tab, `grid-${width}-${scheme}`);
        // From right to left, arrows go where they point.
        await tab.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
        await press(tab, 'ArrowLeft');
        await expect.poll(() => active(tab)).toBe('5:3 3/2');
      },
      { width, scheme },
    ),
  );
});
