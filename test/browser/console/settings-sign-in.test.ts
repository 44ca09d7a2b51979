import { type AddressInfo, createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMailSink } from '../../mail/smtp.support.js';
import { codeAt, secretOf } from '../../sign-in/authenticator-app.js';
import { Browser, givePassword, password } from '../../sign-in/support.js';
import { barriers, browserTimeout, describeInBrowser, inPage } from '../support/browser.js';
import { addAuthenticator, type ConsoleBrowser, openConsole, picture } from '../support/console-browser.js';
import { enterSettings, localAddress } from './settings.support.js';

const ownPage = { 'Sec-Fetch-Site': 'same-origin' };
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

describeInBrowser('how somebody signs in, in the settings', { timeout: browserTimeout }, () => {
  let at: ConsoleBrowser;
  let email: string;
  beforeAll(async () => {
    at = await openConsole();
    const { database, userId } = at.gateway;
    ({ email } = await database.prisma.user.findUniqueOrThrow({ where: { id: userId } }));
  }, browserTimeout);
  afterAll(() => at?.close());

  beforeEach(async () => {
    const { prisma } = at.gateway.database;
    await prisma.signInSession.deleteMany();
    for (const table of [prisma.passkey, prisma.totpSecret, prisma.recoveryCode, prisma.password])
      await (table as typeof prisma.password).deleteMany();
    await givePassword(at.gateway, at.gateway.userId);
  });

  const enter = (page: Page, part: string) => enterSettings(page, at.gateway, email, part);
  const asPerson = (part: string, work: (page: Page) => Promise<void>, width = 1200) =>
    inPage(at.browser, { width }, async (page) => {
      await enter(page, part);
      await work(page);
    });
  const setPolicy = (input: string) =>
    at.gateway.graphql(`mutation { updateSignInPolicy(input: { ${input} }) { ways } }`);
  const card = (page: Page, title: string) =>
    page.locator('section.card').filter({ has: page.locator(`h2:text-is("${title}")`) });
  const told = (page: Page, text: string) => page.waitForSelector(`.toast:has-text("${text}")`);
  const minutesPass = (minutes: number) => {
    at.gateway.clock.now = new Date(at.gateway.clock.now.getTime() + minutes * 60_000);
  };

  test('a new password needs the current one, and ends the other sessions', () =>
    asPerson('sign-in', async (page) => {
      await inPage(at.browser, {}, (other) => enter(other, 'sign-in'));
      await page.reload();
      const sessions = card(page, 'Where you are signed in');
      await expect.poll(() => sessions.locator('li').count()).toBe(2);
      expect(await sessions.locator('li .strong').first().innerText()).toBe('Chrome on Linux');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'settings-sign-in');
      const form = card(page, 'Password');
      const change = async (current: string, chosen: string) => {
        await form.getByLabel('Current password').fill(current);
        await form.getByLabel('New password').fill(chosen);
        await form.getByRole('button', { name: 'Change password' }).click();
      };
      const next = 'winter frost on the window';
      for (const [current, chosen, words] of [
        [password, '', 'at least 10 characters'],
        [password, 'password2026', 'too easy to guess'],
        ['something else', next, 'not your current password'],
      ] as const) {
        await change(current, chosen);
        await form.locator(`.wrong:has-text("${words}")`).waitFor();
      }
      await change(password, next);
      await told(page, 'password was changed');
      await expect.poll(() => sessions.locator('li').count()).toBe(1);
    }));

  const createFeed = 'mutation ($name: String!) { createCalendarFeed(input: { name: $name }) { url } }';

  test.each([
    ['light', 1200],
    ['dark', 320],
  ] as const)(
    'calendars are beside the sessions, and end one by one or with all of them (%s)',
    (scheme, width) =>
      asPerson(
        'sign-in',
        async (page) => {
          await page.emulateMedia({ colorScheme: scheme });
          await at.gateway.database.prisma.calendarFeed.deleteMany();
          const browser = new Browser(at.gateway, { ...ownPage, 'User-Agent': firefox });
          await browser.signIn(email);
          const make = async (name: string) =>
            (await browser.graphql(createFeed, { name })).data.createCalendarFeed.url as string;
          const [read, unread] = [await make('Phone'), await make('Laptop')];
          const status = async (url: string) => (await fetch(url)).status;
          expect(await status(read)).toBe(200);
          const expiresAt = new Date(at.gateway.clock.now.getTime() + 86_400_000).toISOString();
          const { data } = await at.gateway.graphql(
            'mutation ($expiresAt: DateTime) { createAccessToken(input: { name: "Script", role: VIEWER, expiresAt: $expiresAt }) { token } }',
            { expiresAt },
          );
          await at.gateway.graphql(createFeed, { name: 'Of a token' }, data.createAccessToken.token);
          await page.reload();
          const sessions = card(page, 'Where you are signed in');
          const entry = (name: string) => sessions.locator(`li:has-text("${name}")`);
          await entry('Of a token').getByText('Created with an access token, ends with it').waitFor();
          await entry('Of a token').getByText('Expires').waitFor();
          expect(await entry('Laptop').innerText()).toMatch(/Created in a session[\s\S]*Not read yet/);
          await entry('Phone').getByText('Last read:').first().waitFor();
          expect(await sessions.getByLabel('Also end my').isChecked()).toBe(false);
          expect(await barriers(page)).toEqual([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
          await sessions.getByLabel('Also end my').scrollIntoViewIfNeeded();
          await picture(page, `settings-calendars-${scheme}`);
          await sessions.getByRole('button', { name: 'Delete: Laptop' }).click();
          await page.waitForSelector('dialog:has-text("stops working at once")');
          expect(await barriers(page)).toEqual([]);
          await picture(page, `settings-calendar-end-${scheme}`);
          // Cancel has the focus.
          await page.keyboard.press('Enter');
          expect(await status(unread)).toBe(200);
          await sessions.getByRole('button', { name: 'Delete: Laptop' }).click();
          await page.click('dialog button:has-text("Delete")');
          await told(page, 'Laptop');
          await entry('Laptop').waitFor({ state: 'detached' });
          expect(await status(unread)).toBe(404);
          const all = sessions.getByRole('button', { name: 'Sign out all others' });
          await all.click();
          await told(page, '1 session was ended');
          expect(await status(read)).toBe(200);
          await browser.signIn(email);
          await page.reload();
          await sessions.getByLabel('Also end my').check();
          await all.click();
          await entry('Phone').waitFor({ state: 'detached' });
          expect(await status(read)).toBe(404);
          expect(await at.gateway.database.prisma.calendarFeed.count()).toBe(0);
        },
        width,
      ),
  );

  test('an app is set up by its code, and removed after a proof', () =>
    asPerson(
      'sign-in',
      async (page) => {
        const app = card(page, 'Authenticator app');
        await app.getByRole('button', { name: 'Set up an app' }).click();
        await page.waitForSelector('dialog svg.qrcode path[d^=M]');
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'settings-app-phone');
        await page.click('dialog summary');
        const secret = secretOf(await page.innerText('dialog .secret code'));
        const code = () => codeAt(secret, at.gateway.clock.now);
        const typed = page.locator('dialog').getByLabel('Code of the app');
        await typed.fill('000000');
        await page.keyboard.press('Enter');
        await page.waitForSelector('dialog .wrong');
        await typed.fill(code());
        await page.keyboard.press('Enter');
        await page.waitForSelector('dialog .codes');
        const codes = await page.locator('dialog .codes code').allInnerTexts();
        expect(new Set(codes).size).toBe(10);
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'settings-codes-phone');
        await page.click('dialog button:has-text("I have stored them")');
        await app.getByText('10 codes are left').waitFor();
        expect(await page.content()).not.toContain(codes[0]);
        minutesPass(11);
        await app.getByRole('button', { name: 'Remove the app' }).click();
        const question = page.locator('dialog');
        await question.getByLabel('Code of the app').fill('000000');
        await page.keyboard.press('Enter');
        await question.locator('.wrong').waitFor();
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'settings-confirm-phone');
        await question.getByLabel('Code of the app').fill(code());
        await page.keyboard.press('Enter');
        await told(page, 'were removed');
        await app.getByText('Off', { exact: true }).waitFor();
      },
      320,
    ));

  test('a passkey is added, renamed, used as a proof, and deleted', () =>
    asPerson('sign-in', async (page) => {
      await addAuthenticator(page);
      const passkeys = card(page, 'Passkeys');
      minutesPass(11);
      await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
      // Escape leaves everything as it is.
      await page.waitForSelector('dialog');
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog', { state: 'detached' });
      await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
      await page.locator('dialog').getByLabel('Current password').fill(password);
      await page.keyboard.press('Enter');
      await told(page, 'passkey was added');
      await passkeys.getByRole('button', { name: /^Rename/ }).click();
      await page.fill('dialog input', 'Laptop');
      await page.keyboard.press('Enter');
      await passkeys.locator('li .strong:text-is("Laptop")').waitFor();

      // A session that began without it proves it once the organization requires a second factor.
      await at.gateway.database.prisma.signInSession.updateMany({ data: { secondFactorAt: null } });
      await setPolicy('secondFactorRequired: true');
      try {
        await page.goto(localAddress(at.gateway));
        await page.waitForURL('**/sign-in/enroll');
        expect(await page.getByRole('button', { name: 'Set up an app' }).count()).toBe(0);
        await page.click('main button.first');
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'enroll-proof');
        await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
        await page.waitForSelector('.shell h1');
      } finally {
        await setPolicy('secondFactorRequired: false');
      }
      await page.goto(`${localAddress(at.gateway)}/settings/sign-in`);

      minutesPass(11);
      await passkeys.getByRole('button', { name: /^Delete/ }).click();
      await page.locator('dialog button.bad').click();
      await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
      await told(page, 'Laptop');
      await expect.poll(() => passkeys.locator('li').count()).toBe(0);
    }));

  test('passkeys are explained where browsers allow none, and tokens change nothing', () =>
    at.inConsole('/settings/sign-in', async (page) => {
      await page.waitForSelector('.note:has-text("access token")');
      await card(page, 'Where you are signed in').waitFor();
      expect(await card(page, 'Password').count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
    }));

  test('whoever lacks a required second factor sets one up, and goes on', () =>
    asPerson('sign-in', async (page) => {
      const require = (isOn: boolean) => setPolicy(`secondFactorRequired: ${isOn}`);
      await require(true);
      try {
        // The page that is open says so at its next request, and keeps what it shows.
        await page.click('main a:has-text("Profile")');
        await page.waitForSelector('dialog:has-text("A second factor is needed")');
        expect(await barriers(page)).toEqual([]);
        await picture(page, 'enroll-again');
        const opened = page.waitForEvent('popup');
        await page.click('dialog a');
        const tab = await opened;
        await tab.goto(localAddress(at.gateway));
        await tab.waitForURL('**/sign-in/enroll');
        await tab.click('button:has-text("Set up an app")');
        await tab.click('dialog summary');
        expect(await barriers(tab)).toEqual([]);
        await picture(tab, 'enroll');
        const secret = secretOf(await tab.innerText('dialog .secret code'));
        await tab.fill('dialog input', codeAt(secret, at.gateway.clock.now));
        await tab.keyboard.press('Enter');
        await tab.click('dialog button:has-text("I have stored them")');
        await tab.waitForSelector('.shell h1');
        await page.waitForSelector('dialog', { state: 'detached' });
        await page.waitForSelector('form:has-text("Language")');
      } finally {
        await require(false);
      }
    }));

  test('administrators decide how everybody signs in', () =>
    asPerson('sign-in', async (page) => {
      const policy = card(page, 'How everybody signs in');
      expect(await policy.locator('label:has-text("OpenID Connect")').innerText()).toContain('not possible');
      const save = () => policy.getByRole('button', { name: 'Save' }).click();
      for (const way of ['Password', 'Passkey', 'Link by e-mail'])
        await policy.getByLabel(way, { exact: true }).uncheck();
      await save();
      await policy.getByRole('alert').waitFor();
      await policy.getByLabel('Password', { exact: true }).check();
      await save();
      await told(page, 'Saved');
      const { data } = await at.gateway.graphql('{ organization { signInPolicy { ways } } }');
      expect(data.organization.signInPolicy.ways).toEqual(['PASSWORD', 'OIDC']);
      await setPolicy('ways: [PASSWORD, PASSKEY, LINK, OIDC]');
    }));

  test('administrators make links for people, and reset what they have lost', async () => {
    const { data } = await at.gateway.graphql(
      'mutation { inviteUser(email: "max@example.com", name: "Max", role: MEMBER) { user { id } } }',
    );
    const where = { id: data.inviteUser.user.id };
    await at.gateway.database.prisma.user.update({ where, data: { isActive: true } });
    await givePassword(at.gateway, where.id);
    const browser = new Browser(at.gateway, { ...ownPage, 'User-Agent': firefox });
    await browser.signIn('max@example.com');
    const feed = (await browser.graphql(createFeed, { name: 'Max at home' })).data.createCalendarFeed;
    await asPerson('people', async (page) => {
      await page.click('button[aria-label="Edit: Max"]');
      const dialog = page.locator('dialog');
      await dialog.getByRole('button', { name: 'Create a sign-in link' }).click();
      expect(await dialog.locator('.secret code').innerText()).toMatch(/^http.*\/sign-in\/reset#/);
      minutesPass(11);
      await dialog.getByRole('button', { name: 'Reset second factor' }).click();
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'settings-person');
      await dialog.getByRole('button', { name: 'Reset it for good' }).click();
      await page.locator('dialog').last().getByLabel('Current password').fill(password);
      await page.keyboard.press('Enter');
      await told(page, 'Max has no second factor');
      await dialog.getByRole('button', { name: 'Sign out: Firefox on Linux' }).click();
      await told(page, 'The session was ended');
      await dialog.getByText('Where Max is signed in').waitFor({ state: 'detached' });
      expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
      expect((await fetch(feed.url)).status).toBe(200);
      for (const [wide, scheme] of [[1200, 'light'] as const, [320, 'dark'] as const]) {
        await page.setViewportSize({ width: wide, height: 800 });
        await page.emulateMedia({ colorScheme: scheme });
        await dialog.getByText('Max at home').scrollIntoViewIfNeeded();
        expect(await barriers(page)).toEqual([]);
        await picture(page, `settings-person-calendars-${scheme}`);
      }
      await dialog.getByRole('button', { name: 'Delete: Max at home' }).click();
      await page.locator('dialog').last().getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('Max at home').waitFor({ state: 'detached' });
      expect((await fetch(feed.url)).status).toBe(404);
    });
  });

  test('a mail server is tested before it is stored, and its password is not shown again', () =>
    asPerson('mail', async (page) => {
      const sink = await startMailSink();
      await page.waitForSelector('.note:has-text("Nobody is reminded")');
      const field = (label: string) => page.getByLabel(label, { exact: true });
      await field('Mail server').fill('127.0.0.1');
      await field('Encryption').selectOption('NONE');
      await field('Port').fill('1');
      await field('Sender').fill('nobody');
      await page.click('button:has-text("Save")');
      await page.waitForSelector('.wrong');
      await field('Sender').fill('Expiry <expiry@example.com>');
      await field('Send a test mail to').fill('chloe@example.com');
      await page.click('button:has-text("Send a test mail")');
      await page.waitForSelector('.typed:has-text("ECONNREFUSED")');
      // A server that takes the connection and says nothing, as behind some firewalls.
      const mute = createServer(() => {});
      await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
      const { port } = mute.address() as AddressInfo;
      await field('Port').fill(String(port));
      await page.click('button:has-text("Send a test mail")');
      await page.waitForSelector(`text=Asking 127.0.0.1 on port ${port}`);
      await page.waitForSelector(`text=The server 127.0.0.1 has not answered on port ${port} yet.`);
      await picture(page, 'settings-mail-slow');
      await page.waitForSelector(`text=The server 127.0.0.1 does not answer on port ${port}.`);
      mute.close();
      await field('Port').fill(String(sink.port));
      await page.click('button:has-text("Send a test mail")');
      await page.waitForSelector('.note:has-text("accepted the test mail")');
      expect(sink.taken.map(({ to }) => to)).toEqual([['chloe@example.com']]);
      await field('User').fill('expiry');
      await field('Password of the mail server').fill('hidden from now on');
      expect(await barriers(page)).toEqual([]);
      await picture(page, 'settings-mail');
      await page.click('button:has-text("Save")');
      await told(page, 'Saved');
      await page.reload();
      await page.waitForSelector('.hint:has-text("keep the stored one")');
      expect(await field('Password of the mail server').inputValue()).toBe('');
      await page.click('button:has-text("Remove mail server")');
      await page.locator('dialog button.bad').click();
      await told(page, 'was removed');
      await page.waitForSelector('.note:has-text("Nobody is reminded")');
      await sink.close();
    }));
});
