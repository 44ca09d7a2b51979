import type { Page } from 'playwright-core';

/** What a task took: presses of the mouse, keys, and texts that were typed, each of which is one. */
export interface Effort {
  readonly clicks: number;
  readonly keys: number;
  readonly texts: number;
}

/** A person's hand at a page, which counts what it does. */
export interface Hand {
  /** Clicks on what a selector finds, once it is there. */
  click(selector: string): Promise<void>;
  /** Presses one key, or one with others held. */
  press(key: string): Promise<void>;
  /** Types a text into the field that has the focus, and fails when none has. */
  type(text: string): Promise<void>;
  /** Clicks on what asks for a file, and chooses one. */
  choose(selector: string, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void>;
}

/** Does a task with a hand of its own. @returns what it took */
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
