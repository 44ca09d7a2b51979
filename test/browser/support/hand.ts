import type { Page } from 'playwright-core';

/** The effort of a task: mouse clicks, key presses, and typed texts, each of which counts once. */
export interface Effort {
  readonly clicks: number;
  readonly keys: number;
  readonly texts: number;
}

/** A person's hand on a page, which counts what it does. */
export interface Hand {
  /** Clicks the element of a selector once it exists. */
  click(selector: string): Promise<void>;
  /** Presses one key, or one with modifiers. */
  press(key: string): Promise<void>;
  /** Types a text into the focused field, and fails if there is none. */
  type(text: string): Promise<void>;
  /** Clicks a file chooser, and selects a file. */
  choose(selector: string, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
}

/** Does a task with a new hand. @returns its effort */
export async function measureEffort(page: Page, task: (hand: Hand) => Promise<void>): Promise<Effort> {
  const effort = { clicks: 0, keys: 0, texts: 0 };
  await task({
    click: async (selector) => {
      effort.clicks++;
      await page.click(selector);
    },
    press: async (key) => {
      effort.keys++;
      await page.keyboard.press(key);
    },
    type: async (text) => {
      effort.texts++;
      await page.waitForSelector('input:focus, textarea:focus');
      await page.locator(':focus').fill(text);
    },
    choose: async (selector, file) => {
      effort.clicks++;
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click(selector)]);
      await chooser.setFiles(file);
    },
  });
  return effort;
}
