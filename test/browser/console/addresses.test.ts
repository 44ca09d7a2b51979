import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserTimeout, describeInBrowser } from '../support/browser.js';
import { type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const long = 'maximiliana.von-hohenstein@fuhrpark.spedition-rheinland.example.com';
const short = 'aisha.rahman@mapleridge.example';

/** Finds addresses on the page that continue in a new line in the middle of a word. */
const brokenIn = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const text = element.textContent ?? '';
      const found = /[\w.+-]+@[\w.-]+\w/.exec(text);
      const hasOwn = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      if (!found || !hasOwn || !element.checkVisibility()) continue;
      // Characters of the element's text nodes, each with its line.
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const characters: { one: string; top: number }[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        for (let at = 0; at < (node.textContent ?? '').length; at++) {
          const range = document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          characters.push({ one: range.toString(), top: Math.round(range.getBoundingClientRect().top) });
        }
      }
      const address = characters.slice(found.index, found.index + found[0].length);
      address.forEach(({ one, top }, at) => {
        const before = address[at - 1];
        if (before && top > before.top + 4 && /\w/.test(before.one) && /\w/.test(one))
          broken.push(
            `${element.tagName}.${element.className}: ${address
              .slice(0, at)
              .map((c) => c.one)
              .join('')}|`,
          );
      });
    }
    return broken;
  });

describeInBrowser('addresses in the console', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let paths: readonly string[];
  beforeAll(async () => {
    at = await openConsole();
    const ask = async (query: string, variables: object) => {
      const { data, errors } = await at.gateway.graphql(query, variables);
      expect(errors).toBeUndefined();
      return data;
    };
    const contact = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }';
    const { createContact: first } = await ask(contact, { input: { email: long } });
    await ask(contact, { input: { email: short } });
    const item =
      'mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { id } }';
    const input = {
      ...{ name: 'Crane licence', expirationDate: '2030-01-31', category: { name: 'Licence' } },
      ...{ contacts: [{ email: long }, { email: short }], contactId: first.id },
    };
    const { createExpirationItem } = await ask(item, { input });
    const company = 'mutation ($input: CreateCompanyInput!) { createCompany(input: $input) { id } }';
    await ask(company, { input: { name: 'Rhine cranes', primaryContactId: first.id } });
    const person = 'mutation ($input: InviteUserInput!) { inviteUser(input: $input) { user { id } } }';
    await ask(person, { input: { email: `x.${long}`, name: 'Max', role: 'MEMBER' } });
    const asking =
      'mutation ($input: CreateDocumentRequestInput!) { createDocumentRequest(input: $input) { id } }';
    await ask(asking, { input: { expirationItemId: createExpirationItem.id, email: long } });
    paths = [
      ...[
        '/contacts',
        `/contacts/${first.id}`,
        '/items?q=crane',
        '/items?q=crane&columns=name,main_contact,contact',
      ],
      ...[`/items/${createExpirationItem.id}`, '/companies?q=rhine'],
      ...['/settings/people', '/requests', '/deliveries'],
    ];
  }, browserTimeout);
  afterAll(() => at?.close());

  test.each([390, 1440])('do not break inside a word at %d px', (width) =>
    at.inConsole(
      '/contacts',
      async (page) => {
        const broken: Record<string, string[]> = {};
        // The console keeps the session of the address's token once it is open.
        await page.waitForSelector('.shell h1');
        for (const [number, path] of paths.entries()) {
          await page.goto(`${at.gateway.url}${path}`);
          await page.waitForSelector('.shell h1');
          await page.waitForFunction(() => !document.querySelector('[aria-busy=true], .bones'));
          await picture(page, `addresses-${number}-${width}`);
          const found = await brokenIn(page);
          if (found.length > 0) broken[path.replace(/[0-9a-f-]{36}/, ':id')] = found;
          expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), path).toBe(
            false,
          );
        }
        expect(broken).toEqual({});
      },
      { width },
    ),
  );
});
