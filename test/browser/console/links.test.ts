import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { barriers, browserTimeout, describeInBrowser } from '../support/browser.js';
import { addAuthenticator, type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';

const password = 'seven grey herons over the weir';
const isSignedIn = (page: Page) =>
  page.evaluate(async () => (await (await fetch('/session/options')).json()).isSignedIn);

describeInBrowser('the pages of links', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  beforeAll(async () => {
    at = await openConsole();
  }, browserTimeout);
  afterAll(() => at?.close());

  const makeLink = async () => {
    const create = 'mutation ($id: ID!) { createSignInLink(userId: $id) { link } }';
    const { data } = await at.gateway.graphql(create, { id: at.gateway.userId });
    const { pathname, hash } = new URL(data.createSignInLink.link);
    return pathname + hash;
  };
  const open = (path: string, work: (page: Page) => Promise<void>) =>
    at.inConsole(path, work, { token: null, width: 320 });
  const expectOver = async (page: Page, words: RegExp) => {
    await page.waitForSelector('[role=alert]');
    expect(await page.innerText('[role=alert]')).toMatch(words);
    expect(await barriers(page)).toEqual([]);
    expect(await page.getAttribute('main a', 'href')).toBe('/');
  };

  const inviteBo = async (email: string) => {
    const invite = `mutation ($email: String!) { inviteUser(email: $email, name: "Bo", role: VIEWER) { link } }`;
    const { data } = await at.gateway.graphql(invite, { email });
    return new URL(data.inviteUser.link).pathname;
  };

  test('an administrator invites several people at once, and is told what their role means', () =>
    at.inConsole(
      '/settings/people',
      async (page) => {
        await page.getByRole('button', { name: 'Invite a person' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('E-mail addresses').fill('cleo@example.com, dora@example.com\nno address');
        expect(await dialog.getByLabel('Name', { exact: true }).count()).toBe(0);
        await dialog.getByLabel('Role').selectOption('Viewer');
        await dialog.getByText('changes nothing').waitFor();
        expect(await barriers(page)).toEqual([]);
        await dialog.getByRole('button', { name: 'Invite a person' }).click();
        await dialog.getByText('no: ').waitFor();
        await dialog.getByText('Send this link to dora@example.com').waitFor();
        await picture(page, 'invite-several');
        await dialog
          .getByLabel('E-mail addresses')
          .fill('cleo@example.com, dora@example.com, emil@example.com');
        await dialog.getByRole('button', { name: 'Invite a person' }).click();
        await dialog.getByText('Send this link to emil@example.com').waitFor();
        expect(await dialog.locator('form').count()).toBe(0);
        expect(await dialog.getByText('Send this link to').count()).toBe(3);
        await page.keyboard.press('Escape');
        const row = page.locator('tr', { hasText: 'cleo' });
        await row.getByText('Invited until').waitFor();
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'invitations');
        await row.getByRole('button', { name: 'Send again' }).click();
        await dialog.getByRole('button', { name: 'Send again' }).click();
        await dialog.getByText('Send this link to cleo@example.com').waitFor();
      },
      { width: 390 },
    ));

  test('an invited person chooses a password, and is signed in', async () => {
    const path = await inviteBo('bo@example.com');
    await open(path, async (page) => {
      await page.waitForSelector('input[autocomplete=new-password]');
      expect(await page.innerText('main')).toMatch(/has invited you as Bo \(bo@example\.com\)/);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'invitation');
      await page.fill('input[autocomplete=new-password]', password);
      await page.press('input[autocomplete=new-password]', 'Enter');
      await page.waitForSelector('nav a[href="/items"] >> visible=true');
      expect(await isSignedIn(page)).toBe(true);
      await page.goto(`${at.gateway.url}${path}`);
      expect(await page.innerText('h1')).toBe('This link has been used');
    });
  });

  test('an invited person chooses a passkey, and is signed in', async () => {
    const path = await inviteBo('pia@example.com');
    const local = at.gateway.url.replace('127.0.0.1', 'localhost');
    const work = async (page: Page) => {
      await addAuthenticator(page);
      await page.goto(local + path);
      await page.getByLabel('Use a passkey instead of a password').check();
      expect(await page.locator('input[autocomplete=new-password]').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'invitation-passkey');
      await page.click('main button[type=submit]');
      await page.waitForURL(`${local}/`);
      expect(await isSignedIn(page)).toBe(true);
    };
    await at.inConsole(path, work, { token: null, width: 320, origins: [local] });
  });

  test('an invited person may take an access token instead', async () => {
    await open(await inviteBo('bea@example.com'), async (page) => {
      await page.click('main summary');
      await page.click('main details button');
      await page.waitForSelector('main .secret code');
      expect(await page.innerText('main .secret code')).toMatch(/^egw_[\w-]{43}$/);
      expect(await barriers(page)).toEqual([]);
      await page.click('main a.button');
      await page.waitForSelector('nav a[href="/items"] >> visible=true');
    });
  });

  test('a link sets a new password once, and signs in', async () => {
    const path = await makeLink();
    await open(path, async (page) => {
      await page.waitForSelector('input');
      expect(page.url()).toBe(`${at.gateway.url}/sign-in/reset`);
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'reset');
      for (const [typed, words] of [
        ['short', /at least 10 characters/],
        ['password1234', /too easy to guess/],
      ] as const) {
        await page.fill('main input', typed);
        await page.press('main input', 'Enter');
        await page.waitForSelector('.wrong');
        await expect.poll(() => page.innerText('.wrong')).toMatch(words);
      }
      expect(await barriers(page)).toEqual([]);
      await page.click('main button:has-text("Show")');
      expect(await page.getAttribute('main input', 'type')).toBe('text');
      await page.fill('main input', password);
      await page.press('main input', 'Enter');
      await page.waitForURL(`${at.gateway.url}/`);
      expect(await isSignedIn(page)).toBe(true);
    });
    await open(path, async (page) => {
      await page.fill('input[type=password]', password);
      await page.click('main button[type=submit]');
      await expectOver(page, /used already/);
    });
  });

  test('a link signs in when its button is pressed, and asks for a second factor if there is one', async () => {
    await at.gateway.graphql('mutation { updateSignInPolicy(input: {ways: [LINK]}) { ways } }');
    const path = await makeLink();
    await open(path, async (page) => {
      await page.waitForSelector('main button.first');
      expect(page.url()).toBe(`${at.gateway.url}/sign-in/link`);
      expect(await barriers(page)).toEqual([]);
      expect(await isSignedIn(page)).toBe(false);
      await page.click('main button.first');
      await page.waitForURL(`${at.gateway.url}/`);
      expect(await isSignedIn(page)).toBe(true);
    });
    await open(path, async (page) => {
      await page.click('main button.first');
      await expectOver(page, /used already/);
    });
    await open('/sign-in/link', (page) => expectOver(page, /incomplete/));
    const { userId, organizationId, database, clock } = at.gateway;
    const sealed = Buffer.from('unreadable');
    await database.prisma.totpSecret.create({
      data: { userId, organizationId, sealed, created: clock.now, confirmedAt: clock.now },
    });
    await database.prisma.recoveryCode.create({
      data: { userId, organizationId, hash: Buffer.alloc(32) },
    });
    await open(await makeLink(), async (page) => {
      await page.click('main button.first');
      await page.waitForSelector('input[autocomplete=one-time-code]');
      expect(await barriers(page)).toEqual([]);
      expect(await isSignedIn(page)).toBe(false);
      await page.click('.plainlink >> text=recovery code');
      await page.fill('main input', 'abcd-efgh');
      await page.press('main input', 'Enter');
      await page.waitForSelector('[role=alert]');
      expect(await page.innerText('[role=alert]')).toMatch(/code is wrong/);
    });
  });
});
