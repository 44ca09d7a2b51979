import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeAt, setUpApp } from '../../sign-in/authenticator-app.js';
import { Browser, givePassword, max, password } from '../../sign-in/support.js';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { addAuthenticator, type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

describeInBrowser('signing in to the console with a session', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let email: string;
  beforeAll(async () => {
    at = await openConsole();
    const { database, userId } = at.gateway;
    ({ email } = await database.prisma.user.update({
      where: { id: userId },
      data: { email: 'ada@example.com', role: 'ADMIN' },
    }));
    await givePassword(at.gateway, userId);
  }, browserTimeout);
  afterAll(() => at?.close());

  const open = (path: string, work: (page: Page) => Promise<void>) =>
    at.inConsole(path, work, { token: null });
  async function signIn(page: Page, sent = password): Promise<void> {
    await page.fill('input[type=email]', email);
    await page.fill('input[autocomplete=current-password]', sent);
    await page.press('input[autocomplete=current-password]', 'Enter');
  }
  async function signOut(page: Page): Promise<void> {
    await page.click('.side .foot button');
    await page.click('.menu:popover-open button:has-text("Sign out")');
    await page.waitForSelector('.door');
  }
  /** Everything of a sign-in that a script of the page could read. */
  const readable = (page: Page) =>
    page.evaluate(() => [
      document.cookie,
      ...[sessionStorage, localStorage].flatMap((storage) => Object.keys(storage)),
    ]);

  test('takes an address and a password, also after a wrong one', () =>
    open('/items?due=30', async (page) => {
      await page.waitForSelector('input[type=email]');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'sign-in-password');
      await signIn(page, 'a wrong guess at it');
      await page.waitForSelector('[role=alert]');
      expect(await page.innerText('[role=alert]')).toBe('The e-mail address or the password is wrong.');
      await signIn(page);
      await page.waitForSelector('tbody th a');
      expect(page.url()).toBe(`${at.gateway.url}/items?due=30`);
      expect(await readable(page)).toEqual(['']);
      await page.reload();
      await page.waitForSelector('tbody th a');
      await signOut(page);
      await page.reload();
      await page.waitForSelector('input[type=email]');
    }));

  test('says why somebody cannot sign in this way, or has no role', () =>
    open('/items', async (page) => {
      const { prisma } = at.gateway.database;
      const change = (data: object) => prisma.user.update({ where: { id: at.gateway.userId }, data });
      const alert = (text: string) => page.waitForSelector(`[role=alert]:has-text("${text}")`);
      await change({ issuer: 'https://issuer.example', subject: 'ada' });
      await signIn(page);
      await alert('with the account of your organization');
      await change({ issuer: null, subject: null });
      await signIn(page);
      await page.waitForSelector('tbody th a');
      await change({ role: null });
      try {
        await page.reload();
        await alert('Your user has no role.');
        await page.goto(`${at.gateway.url}/docs`);
        await page.waitForSelector('text=Your user has no role');
      } finally {
        await change({ role: 'ADMIN' });
      }
    }));

  const menu = async (page: Page) => {
    await page.waitForSelector('.side .foot button');
    await page.click('.side .foot button');
    return page.innerText('.menu:popover-open');
  };

  test('signs in and out, and changes the person, in all tabs', async () => {
    const { data } = await at.gateway.graphql(invite, { email: max });
    await givePassword(at.gateway, data.inviteUser.user.id);
    await open('/items', async (page) => {
      const other = await page.context().newPage();
      await other.goto(`${at.gateway.url}/contacts`);
      await other.waitForSelector('input[type=email]');
      await signIn(page);
      for (const tab of [page, other]) await tab.waitForSelector('tbody th a');
      await other.evaluate(
        async (sent) => {
          const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'console' };
          await fetch('/session/password', { method: 'POST', headers, body: JSON.stringify(sent) });
          new BroadcastChannel('expiration-gateway.session').postMessage('in');
        },
        { email: max, password },
      );
      await page.waitForSelector(`.side .foot button:has-text("Max")`);
      expect(await menu(other)).toContain(max);
      await other.goto(`${at.gateway.url}/docs`);
      await other.waitForSelector('#caller:not([hidden])');
      await other.click('#sign-out');
      await page.waitForSelector('.door');
      await other.waitForSelector('#sign-in:not([hidden])');
      await other.goBack();
      await other.waitForSelector('.door');
      expect(await other.locator('tbody').count()).toBe(0);
    });
  });

  test('asks before the token of a link signs in somebody else', async () => {
    const { gateway } = at;
    const { id: userId } = await gateway.database.prisma.user.findFirstOrThrow({ where: { email: max } });
    const make = `mutation ($userId: ID) {
      createAccessToken(input: { name: "Link", role: MEMBER, userId: $userId }) { token }
    }`;
    const tokenOf = async (id: string) =>
      (await gateway.graphql(make, { userId: id })).data.createAccessToken.token as string;
    const [theirs, own] = [await tokenOf(userId), await tokenOf(gateway.userId)];
    await open('/items', async (page) => {
      const follow = (on: Page, token: string) =>
        on.evaluate((to) => {
          location.hash = to;
        }, `#token=${token}`);
      const isSignedInAs = (on: Page, name: string) =>
        on.waitForSelector(`.side .foot button:has-text("${name}")`);
      const tokens = (on: Page) =>
        on.evaluate(() => Object.values(sessionStorage).filter((text) => String(text).startsWith('egw_')));
      const dialog = page.locator('dialog[open]');
      // A link in a tab where nobody is signed in signs in at once.
      const first = await page.context().newPage();
      await first.goto(`${gateway.url}/items#token=${theirs}`);
      await isSignedInAs(first, 'Max');
      await first.close();
      await page.reload();
      await signIn(page);
      await page.waitForSelector('tbody th a');
      await follow(page, theirs);
      await dialog.waitFor();
      expect(page.url()).toBe(`${gateway.url}/items`);
      expect(await dialog.innerText()).toMatch(
        /You are signed in as .+\. Use the token of this link instead\?/,
      );
      for (const [width, scheme] of [[1200, 'light'] as const, [320, 'dark'] as const]) {
        await page.setViewportSize({ width, height: 640 });
        await page.emulateMedia({ colorScheme: scheme });
        expect(await barriers(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
        await picture(page, `other-token-console-${scheme}`);
      }
      await page.setViewportSize({ width: 1200, height: 800 });
      // Cancel has the focus.
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await tokens(page)).toEqual([]);
      await follow(page, 'egw_mistyped');
      await page.waitForSelector('.toast:has-text("not valid")');
      await follow(page, 'm%C3%BCll');
      await expect.poll(() => page.locator('.toast:has-text("not valid")').count()).toBe(2);
      await follow(page, gateway.uploader);
      await page.waitForSelector('.toast:has-text("only send files")');
      // The same person goes on with the token.
      await follow(page, own);
      await expect.poll(() => tokens(page)).toEqual([own]);
      expect(await dialog.count()).toBe(0);
      // A new tab has the session of the browser, so it asks, too.
      const other = await page.context().newPage();
      await other.goto(`${gateway.url}/items#token=${theirs}`);
      await other.waitForSelector('dialog[open]');
      expect(other.url()).toBe(`${gateway.url}/items`);
      expect(await tokens(other)).toEqual([]);
      await other.click('dialog button:has-text("Use the token")');
      await isSignedInAs(other, 'Max');
      expect(await tokens(other)).toEqual([theirs]);
      // The tab that has the other person's token.
      await other.goto(`${gateway.url}/docs#token=${own}`);
      await other.waitForSelector('#other-token[open]');
      await other.keyboard.press('Escape');
      await other.waitForSelector('#caller-name:has-text("Max")');
    });
  });

  test('keeps what was typed while the session ends', () =>
    open('/locations/new', async (page) => {
      await signIn(page);
      await page.getByLabel('Name', { exact: true }).fill('Typed before');
      await at.gateway.database.prisma.signInSession.deleteMany();
      await page.click('main form button[type=submit]');
      await page.waitForSelector('dialog [role=alert]:has-text("expired")');
      expect(await barriers(page)).toEqual([]);
      await page.fill('dialog input[type=email]', email);
      await page.fill('dialog input[autocomplete=current-password]', password);
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog', { state: 'detached' });
      await page.click('main form button[type=submit]');
      await page.waitForSelector('h1:has-text("Typed before")');
    }));

  test('says why passwords cannot be used without https, and takes a token there', async () => {
    const insecure = at.gateway.url.replace('127.0.0.1', 'gateway.localhost');
    const work = async (page: Page) => {
      await page.goto(`${insecure}/items`);
      await page.waitForSelector('.note:has-text("not encrypted")');
      expect(await page.innerText('.note')).toContain('INSECURE_COOKIES');
      expect(await page.locator('input[autocomplete=current-password]').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await page.fill('input[type=password]', at.gateway.viewer);
      await page.keyboard.press('Enter');
      await page.waitForSelector('tbody th a');
    };
    await at.inConsole('/items', work, { token: null, origins: [insecure] });
  });

  test('saves a file with the session, and says when signing out did not reach the gateway', () =>
    open('/items', async (page) => {
      await signIn(page);
      await page.click('tbody th a');
      const buffer = Buffer.from('Read with a cookie');
      await page.setInputFiles('input[type=file]', { name: 'kept.txt', mimeType: 'text/plain', buffer });
      const saved = page.waitForEvent('download');
      await page.click('li:has-text("kept.txt") button[aria-label="Download"]');
      expect(await readFile(await (await saved).path(), 'utf8')).toBe('Read with a cookie');
      await page.route('**/session', (route) => route.abort('internetdisconnected'));
      await signOut(page);
      await page.waitForSelector('[role=alert]:has-text("this browser is still signed in")');
      await page.unroute('**/session');
      await page.goto(`${at.gateway.url}/items`);
      await page.waitForSelector('tbody th a');
    }));

  const requireFactor = (secondFactorRequired: boolean) =>
    at.gateway.graphql(
      `mutation { updateSignInPolicy(input: {secondFactorRequired: ${secondFactorRequired}}) { ways } }`,
    );

  test('takes a passkey in place of the password, and as the second factor', async () => {
    const local = at.gateway.url.replace('127.0.0.1', 'localhost');
    const work = async (page: Page) => {
      await addAuthenticator(page);
      await page.goto(`${local}/items`);
      await signIn(page);
      await page.waitForSelector('tbody th a');
      const made = await page.evaluate(addPasskey);
      expect(made).toEqual({ data: { addPasskey: { name: 'Test' } } });
      await signOut(page);
      await page.click('button:has-text("passkey")');
      await page.waitForSelector('tbody th a');
      await signOut(page);
      await requireFactor(true);
      try {
        await signIn(page);
        await page.waitForSelector('button:has-text("Start over")');
        await page.click('button:has-text("passkey")');
        await page.waitForSelector('tbody th a');
        await signOut(page);
        // Whoever goes back after the password can use a passkey alone.
        await signIn(page);
        await page.click('button:has-text("Start over")');
        await page.click('button:has-text("passkey")');
        await page.waitForSelector('tbody th a');
      } finally {
        await requireFactor(false);
      }
      await signOut(page);
      // Where the browser suggests passkeys, choosing one there is enough. This authenticator chooses at once.
      await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => true');
      await page.reload();
      await page.waitForSelector('tbody th a');
    };
    await at.inConsole('/items', work, { token: null, origins: [local] });
  });

  test('asks for a code or a recovery code, with the keyboard alone', async () => {
    const browser = new Browser(at.gateway);
    await browser.signIn(email);
    const { secret, recovery } = await setUpApp(browser);
    await open('/items', async (page) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.waitForSelector('input[type=email]:focus');
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.type(email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      await page.waitForSelector('input[autocomplete=one-time-code]:focus');
      expect(await barriers(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      await picture(page, 'sign-in-code');
      await page.keyboard.type('000000');
      await page.keyboard.press('Enter');
      await page.waitForSelector('[role=alert]');
      await page.waitForSelector('input[autocomplete=one-time-code]:focus');
      await page.keyboard.type(codeAt(secret, at.gateway.clock.now));
      await page.keyboard.press('Enter');
      await page.waitForSelector('tbody th a');
    });
    await open('/items', async (page) => {
      await signIn(page);
      await page.click('button:has-text("Use a recovery code")');
      await page.waitForSelector('input[autocomplete=off]:focus');
      await page.keyboard.type(recovery[0] ?? '');
      await page.keyboard.press('Enter');
      await page.waitForSelector('tbody th a');
    });
    await open('/items', async (page) => {
      await signIn(page);
      await page.waitForSelector('input[autocomplete=one-time-code]');
      at.gateway.clock.now = new Date(at.gateway.clock.now.getTime() + 660_000);
      await page.fill('input[autocomplete=one-time-code]', codeAt(secret, at.gateway.clock.now));
      await page.keyboard.press('Enter');
      await page.waitForSelector('input[type=email]');
      expect(await page.innerText('[role=alert]')).toMatch(/took too long/);
      await signIn(page);
      await page.waitForSelector('input[autocomplete=one-time-code]');
      await page.evaluate(async () => {
        const headers = { 'Content-Type': 'application/json', 'X-Requested-With': 'console' };
        for (let tries = 0; tries < 10; tries++)
          await fetch('/session/second-factor', { method: 'POST', headers, body: '{"code":"000000"}' });
      });
      await page.fill('input[autocomplete=one-time-code]', codeAt(secret, at.gateway.clock.now));
      await page.keyboard.press('Enter');
      await page.waitForSelector('[role=alert]:has-text("Too many attempts. Try again in")');
    });
  });
});

const invite = `mutation ($email: String!) {
  inviteUser(name: "Max", email: $email, role: MEMBER) { user { id } }
}`;

/** Creates a passkey in the browser for whoever is signed in. */
const addPasskey = `(async () => {
  const ask = (query, variables) => fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'console' },
    body: JSON.stringify({ query, variables }),
  }).then((answer) => answer.json());
  const { data } = await ask('mutation { beginPasskey }');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(data.beginPasskey);
  const response = (await navigator.credentials.create({ publicKey })).toJSON();
  return ask('mutation ($response: JSON!) { addPasskey(input: {name: "Test", response: $response}) { name } }', { response });
})()`;
