import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, password, type SignInGateway, startSignIn } from '../sign-in/support.js';
import { operationOf } from '../support/openapi.js';
import { browserTimeout, describeInBrowser, inPage, openBrowser } from './support/browser.js';

/** What a page can send, and what it reads of the answers. */
const attacks = `async (url) => {
  const statusOf = (request) => request.then(({ status }) => status, () => 'unreadable');
  const body = JSON.stringify({ name: 'Stolen van' });
  const send = (path, options) => statusOf(fetch(url + path, { credentials: 'include', ...options }));
  const json = { 'Content-Type': 'application/json' };
  const viaSocket = () => new Promise((resolve) => {
    const socket = new WebSocket(url.replace('http', 'ws') + '/graphql', 'graphql-transport-ws');
    socket.onopen = () => socket.send('{"type":"connection_init"}');
    socket.onmessage = ({ data }) => resolve(JSON.parse(data).type);
    socket.onclose = ({ code }) => resolve(code);
  });
  return {
    read: await send('/v1/vehicles', {}),
    write: await send('/v1/vehicles', { method: 'POST', headers: json, body }),
    simple: await send('/v1/vehicles', { method: 'POST', mode: 'no-cors', body }),
    signOut: await send('/session', { method: 'DELETE' }),
    socket: await viaSocket(),
    cookie: document.cookie,
  };
}`;

describeInBrowser('signing in with a browser', { timeout: browserTimeout }, () => {
  let gateway: SignInGateway;
  let browser: Browser;
  let foreign: Server;
  let port: number;
  beforeAll(async () => {
    [gateway, browser] = await Promise.all([startSignIn(), openBrowser()]);
    foreign = createServer((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Elsewhere</title>'),
    ).listen(0, '127.0.0.1');
    await once(foreign, 'listening');
    ({ port } = foreign.address() as AddressInfo);
  });
  afterAll(async () => {
    await browser.close();
    foreign.close();
    await gateway.close();
  });

  /** Signs in from a page of the gateway. */
  async function signIn(page: Page): Promise<void> {
    await page.goto(`${gateway.url}/docs`);
    const state = await page.evaluate(
      async (sent) => {
        const headers = { 'Content-Type': 'application/json' };
        const body = JSON.stringify(sent);
        return (await fetch('/session/password', { method: 'POST', headers, body })).json();
      },
      { email: ada, password },
    );
    expect(state).toEqual({ state: 'in' });
  }
  const attack = (page: Page, url = gateway.url) => page.evaluate(`(${attacks})(${JSON.stringify(url)})`);
  const vans = async () => (await gateway.send('GET', '/v1/vehicles?term=van')).json.total;

  test('the gateway’s own pages use the cookie, and no script reads it', () =>
    inPage(browser, {}, async (page) => {
      await signIn(page);
      const before = await vans();
      expect(await attack(page)).toEqual({
        ...{ read: 200, write: 201, simple: 415, signOut: 204 },
        // It has signed out.
        ...{ socket: 4401, cookie: '' },
      });
      expect(await vans()).toBe(before + 1);
      await signIn(page);
      await page.evaluate(`fetch('/v1/vehicles')`);
      const opened = await page.evaluate(`new Promise((resolve) => {
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/graphql', 'graphql-transport-ws');
        socket.onopen = () => socket.send('{"type":"connection_init"}');
        socket.onmessage = ({ data }) => resolve(JSON.parse(data).type);
        socket.onclose = ({ code }) => resolve(code);
      })`);
      expect(opened).toBe('connection_ack');
    }));

  test('the editor and the reference use the session, and sign out of it in all tabs', () =>
    inPage(browser, {}, async (page) => {
      await signIn(page);
      await page.reload();
      await page.waitForSelector('#caller:not([hidden])');
      const editor = await page.context().newPage();
      await editor.goto(`${gateway.url}/graphql`);
      await editor.click('#editor .graphiql-execute-button');
      await editor.waitForSelector('#editor .result-window >> text=ADMIN');
      const used = page.waitForRequest((request) => request.url().startsWith(`${gateway.url}/v1/vehicles`));
      const block = page.locator(`[id$="-${operationOf('GET', '/v1/vehicles').operationId}"]`);
      await block.locator('.opblock-summary-control').click();
      await block.locator('.try-out__btn').click();
      await block.locator('.execute').click();
      expect((await (await used).response())?.status()).toBe(200);
      expect((await used).headers()).toMatchObject({ 'x-requested-with': 'page' });
      await page.click('#sign-out');
      for (const tab of [editor, page]) await tab.waitForSelector('#sign-in:not([hidden])');
      expect(await editor.locator('#editor > *').count()).toBe(0);
      expect(await page.evaluate(`fetch('/v1/vehicles').then(({ status }) => status)`)).toBe(401);
    }));

  // Another port is another origin of the same site, so browsers send the cookie along; another name is another site.
  test.each([
    ['another origin of the same site', '127.0.0.1', 403, 4403],
    ['another site', 'localhost', 401, 4401],
  ] as const)('a page of %s gets nowhere', async (_what, host, status, code) => {
    // Not in a page that may not complain: this one is told that it may not read what it asks for.
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await signIn(page);
      const before = await vans();
      // The browser shows nothing of what the page may not read, except for a request that it need not read.
      const simple = page.waitForResponse(`${gateway.url}/v1/vehicles`);
      await page.goto(`http://${host}:${port}/`);
      expect(await attack(page)).toMatchObject({
        ...{ read: 'unreadable', write: 'unreadable', signOut: 'unreadable', cookie: '' },
        socket: code,
      });
      expect((await simple).status()).toBe(status);
      expect(await vans()).toBe(before);
      // The session is still there.
      await page.goto(`${gateway.url}/docs`);
      expect(await page.evaluate(`fetch('/v1/vehicles').then(({ status }) => status)`)).toBe(200);
    } finally {
      await context.close();
    }
  });
});
