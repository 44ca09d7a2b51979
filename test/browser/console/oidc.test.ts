import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserTimeout, describeInBrowser } from '../../support/browser.js';
import { type ConsoleBrowser, openConsole } from '../../support/console-browser.js';
import { audience } from '../../support/issuer.js';
import { clientId, type LoginIssuer, startLoginIssuer } from '../../support/login-issuer.js';

describeInBrowser('signing in to the console at an issuer', { timeout: browserTimeout }, () => {
  let issuer: LoginIssuer;
  let at: ConsoleBrowser;
  let email: string;
  beforeAll(async () => {
    issuer = await startLoginIssuer();
    at = await openConsole({
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: audience,
      OIDC_CONSOLE_CLIENT_ID: clientId,
    });
    const { prisma } = at.gateway.database;
    await prisma.user.updateMany({ data: { role: 'MEMBER' } });
    ({ email } = await prisma.user.findFirstOrThrow());
    await issuer.serve(at.gateway.url);
  }, browserTimeout);
  afterAll(async () => {
    await at?.close();
    await issuer?.close();
  });

  test('leads back to where the person wanted to go, and keeps the token in memory alone', async () => {
    await at.inConsole(
      '/items?due=90',
      async (page) => {
        await page.click('button:has-text("Sign in with your account")');
        await page.fill('input[name=login]', email);
        await page.click('button');
        await page.waitForSelector('tbody th a');
        expect(page.url()).toBe(`${at.gateway.url}/items?due=90`);
        const kept = await page.evaluate(() =>
          JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
        );
        expect(kept).toBe('[[],[]]');
        await page.click('.side .foot button');
        expect(await page.innerText('.menu:popover-open')).toContain(email);
        await page.click('.menu:popover-open button:has-text("Sign out")');
        await page.waitForSelector('input[type=password]');
      },
      { token: null, origins: [issuer.url] },
    );
  });

  test('refuses an answer that nobody has asked for', async () => {
    await at.inConsole(
      '/callback?code=made-up&state=made-up&iss=elsewhere',
      async (page) => {
        await page.waitForSelector('input[type=password]');
        expect(page.url()).toBe(`${at.gateway.url}/`);
      },
      { token: null, origins: [issuer.url] },
    );
  });

  test('says why it did not work', async () => {
    await at.inConsole(
      '/',
      async (page) => {
        await page.click('button:has-text("Sign in with your account")');
        await page.waitForSelector('input[name=login]');
        await page.goto(`${at.gateway.url}/callback?code=made-up&state=made-up&iss=elsewhere`);
        await page.waitForSelector('[role=alert]:has-text("Signing in did not work")');
      },
      { token: null, origins: [issuer.url] },
    );
  });
});
