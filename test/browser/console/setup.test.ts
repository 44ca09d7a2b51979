import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecrets, parseKey } from '../../../src/db/secrets/secrets.js';
import { setupSecret } from '../../../src/setup/first-visit.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { addAuthenticator, type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const key = 'a1'.repeat(32);
const next = (page: Page) => page.click('main button[type=submit]');
const typeInto = (page: Page, label: string, value: string) =>
  page.getByLabel(label, { exact: true }).fill(value);

describeInBrowser('the page that sets a new gateway up', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let link: string;
  beforeAll(async () => {
    at = await openConsole({ SECRET_KEY: key });
    const secrets = createSecrets({ secretKey: parseKey(key), dataDir: '' });
    link = `/setup#${await setupSecret(at.gateway.database, secrets, at.gateway.clock.now)}`;
  }, browserTimeout);
  afterAll(() => at?.close());
  const open = (path: string, work: (page: Page) => Promise<void>) =>
    at.inConsole(path, work, { token: null, width: 320 });
  const expectOver = (path: string) =>
    open(path, async (page) => {
      await page.waitForSelector('[role=alert]');
      expect(await page.innerText('[role=alert]')).toMatch(/set up already, or the link is incomplete/);
      expect(await page.getAttribute('main a', 'href')).toBe('/');
      expect(await page.locator('form').count()).toBe(0);
    });

  test('is of no use without the secret', async () => {
    await expectOver('/setup');
    await expectOver(`/setup#${'A'.repeat(43)}`);
  });

  test('makes a passkey in place of a password, and signs in with it', async () => {
    const own = await openConsole({ SECRET_KEY: key });
    const secrets = createSecrets({ secretKey: parseKey(key), dataDir: '' });
    const secret = await setupSecret(own.gateway.database, secrets, own.gateway.clock.now);
    const local = own.gateway.url.replace('127.0.0.1', 'localhost');
    const work = async (page: Page) => {
      await addAuthenticator(page);
      await page.goto(`${local}/setup#${secret}`);
      await page.getByLabel('Use a passkey instead of a password').check();
      await picture(page, 'setup-passkey');
      await typeInto(page, 'Name of your organization', 'Maple Ridge');
      await typeInto(page, 'Your name', 'Chloe Martin');
      await typeInto(page, 'Your e-mail address', 'chloe@example.com');
      for (const _step of [1, 2, 3]) await next(page);
      await page.waitForURL(`${local}/`);
      await page.waitForSelector('.tile');
    };
    try {
      await own.inConsole('/setup', work, { token: null, width: 320, origins: [local] });
    } finally {
      await own.close();
    }
  });

  test('asks in three steps, loses nothing on an error, and signs in', async () => {
    let answer: { data?: unknown } | undefined;
    const query = `{ mailSettings { host publicUrl } expirationItems { totalCount }
      me { name email role language team { timezone } organization { name } } }`;
    await open(link, async (page) => {
      await page.waitForSelector('form');
      expect(page.url()).toBe(`${at.gateway.url}/setup`);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'setup-person');
      await typeInto(page, 'Name of your organization', 'Maple Ridge');
      await typeInto(page, 'Your name', 'Chloe Martin');
      await typeInto(page, 'Your e-mail address', 'chloe@example.com');
      await typeInto(page, 'New password', 'password1234');
      await next(page);
      await page.getByLabel('Time zone').selectOption('America/Toronto');
      await page.getByLabel('Language').selectOption('fr');
      await page.getByLabel('Start with a demo').uncheck();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'setup-place');
      await next(page);
      await page.waitForSelector('text=Nobody is reminded of anything');
      await page.getByLabel('Set up mail now').check();
      await page.getByLabel('Mail provider').selectOption('Gmail, Google Workspace');
      await page.waitForSelector('text=smtp.gmail.com, Port 465. The usual password does not work here');
      expect(await page.getByLabel('Mail server', { exact: true }).count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'setup-mail-provider');
      expect(await page.getByLabel('Address of this gateway').inputValue()).toBe(at.gateway.url);
      await page.waitForSelector('text=works only on your own computer');
      await page.getByLabel('Mail provider').selectOption('Another server');
      expect(await page.getByLabel('Password of the mail server').inputValue()).toBe('');
      await typeInto(page, 'Mail server', '127.0.0.1');
      await page.getByLabel('Encryption').selectOption('NONE');
      await typeInto(page, 'Port', '1');
      await typeInto(page, 'Sender', 'Expiry <expiry@example.com>');
      await page.click('text=Send a test mail');
      await page.waitForSelector('text=The server 127.0.0.1 does not answer on port 1.');
      await page.waitForSelector('text=ECONNREFUSED');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'setup-mail');
      await next(page);
      // The password of the first step is the wrong one.
      await page.waitForSelector('.wrong');
      expect(await page.innerText('.wrong')).toMatch(/too easy to guess/);
      expect(await page.getByLabel('Your name').inputValue()).toBe('Chloe Martin');
      await typeInto(page, 'New password', 'seven grey herons over the weir');
      await next(page);
      expect(await page.getByLabel('Time zone').inputValue()).toBe('America/Toronto');
      await next(page);
      expect(await page.getByLabel('Sender').inputValue()).toBe('Expiry <expiry@example.com>');
      await next(page);
      await page.waitForURL(`${at.gateway.url}/`);
      // The first token has ended, so the person who set the gateway up asks.
      answer = await page.evaluate(async (query) => {
        const headers = { 'Content-Type': 'application/json' };
        const init = { method: 'POST', headers, body: JSON.stringify({ query }) };
        return (await fetch('/graphql', init)).json();
      }, query);
    });
    expect(answer?.data).toEqual({
      mailSettings: { host: '127.0.0.1', publicUrl: at.gateway.url },
      expirationItems: { totalCount: 0 },
      me: {
        name: 'Chloe Martin',
        email: 'chloe@example.com',
        role: 'ADMIN',
        language: 'fr',
        team: { timezone: 'America/Toronto' },
        organization: { name: 'Maple Ridge' },
      },
    });
    await expectOver(link);
  });
});
