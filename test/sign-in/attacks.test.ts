import { readFile } from 'node:fs/promises';
import { type Client, createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { webSocketUrl } from '../live/support.js';
import { eventually } from '../support/eventually.js';
import { setUpApp } from './authenticator-app.js';
import { ada, Browser, max, type SignInGateway, startSignIn } from './support.js';

type Headers = Record<string, string>;
const limit = 20;
const env = { RATE_LIMIT_FAILURES: String(limit), TRUST_PROXY: '1', SECRET_KEY: 'a1'.repeat(32) };
let gateway: SignInGateway;
/** The path of a file in a workspace that only Ada sees. */
let file: string;
beforeAll(async () => {
  // The streams are checked only when somebody's right has ended.
  gateway = await startSignIn(env, { recheck: 3_600_000 });
  const create = `mutation ($teamId: ID!) {
    createExpirationItem(input: { teamId: $teamId, name: "Licence", expirationDate: "2027-03-31",
      attachments: [{ name: "scan.txt", content: "aGVsbG8=" }] }) { attachments { nodes { id } } }
  }`;
  const { data } = await gateway.graphql(create, { teamId: gateway.otherTeamId });
  file = `/attachments/${data.createExpirationItem.attachments.nodes[0].id}`;
});
afterAll(() => gateway.close());
let visits = 0;
/** Each browser has an address of its own, so that its failures do not count for the others. */
const visit = () =>
  new Browser(gateway, { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': `192.0.2.${++visits}` });

async function signedIn(email = ada): Promise<Browser> {
  const browser = visit();
  const { json } = await browser.signIn(email);
  expect(json).toEqual({ state: 'in' });
  return browser;
}

const decide = (input: string) =>
  gateway.graphql(`mutation { updateSignInPolicy(input: { ${input} }) { ways } }`);

const require = (isRequired: boolean) => decide(`secondFactorRequired: ${isRequired}`);

const query = '{ tags { totalCount } }';
const endOthers = 'mutation { endOtherSessions }';

/** Creates a client over a WebSocket. */
function clientOf(browser: Browser, headers: Headers = { Origin: gateway.url }) {
  class WithHeaders extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols, { headers: { ...browser.headers, Cookie: browser.cookie, ...headers } });
    }
  }
  const kept = { retryAttempts: 0, lazyCloseTimeout: 60_000 };
  return createClient({ url: webSocketUrl(gateway), webSocketImpl: WithHeaders, ...kept });
}

const askOver = (client: Client): Promise<string> =>
  client
    .iterate({ query })
    .next()
    .then(({ value }) => (value.errors ? value.errors[0].extensions.code : 'OK'))
    .catch(({ code }) => String(code));

/** Opens a WebSocket, and sends a query. @returns how it went: the answer, or the code with which it was closed */
async function overWebSocket(browser: Browser, headers?: Headers): Promise<string> {
  const client = clientOf(browser, headers);
  const outcome = await askOver(client);
  await client.dispose();
  return outcome;
}

/** Sends a request. @returns the code of the answer's error, or `OK` */
const over =
  (method: string, path: string, body?: object) =>
  async (browser: Browser, headers: Headers = {}): Promise<string> => {
    const { status, json } = await browser.send(method, path, body, headers);
    return json?.code ?? json?.errors?.[0]?.extensions.code ?? (status < 300 ? 'OK' : String(status));
  };

/** The ways to the gateway that a session opens. */
const doors = {
  'GraphQL by GET': over('GET', `/graphql?query=${encodeURIComponent(query)}`),
  'GraphQL by POST': over('POST', '/graphql', { query }),
  'a GraphQL mutation': over('POST', '/graphql', { query: endOthers }),
  'reading by REST': over('GET', '/v1/tags'),
  'writing by REST': over('POST', '/v1/vehicles', { name: 'Van' }),
  'a download': (browser: Browser, headers?: Headers) => over('GET', file)(browser, headers),
  'a WebSocket': overWebSocket,
};
type Door = keyof typeof doors;

/** Browsers that are not signed in, or not as far as they would like to be. */
const visitors = {
  'without a session': async () => visit(),
  'with an invented cookie': async () => {
    const browser = visit();
    browser.cookies.set('session', 'x'.repeat(43));
    return browser;
  },
  'whose second factor is missing': async () => {
    const browser = visit();
    await setUpApp(await signedIn());
    expect((await browser.signIn()).json.state).toBe('second-factor');
    await gateway.database.prisma.totpSecret.deleteMany();
    return browser;
  },
  'who has signed out': async () => {
    const browser = await signedIn();
    const secret = browser.cookies.get('session') ?? '';
    await browser.send('DELETE', '/session');
    browser.cookies.set('session', secret);
    return browser;
  },
};

async function codesOf(browser: Browser, headers?: Headers): Promise<Record<Door, string>> {
  const codes: [string, string][] = [];
  for (const [door, open] of Object.entries(doors)) codes.push([door, await open(browser, headers)]);
  return Object.fromEntries(codes) as Record<Door, string>;
}

const all = (code: string, ofSocket: string) => ({
  ...(Object.fromEntries(Object.keys(doors).map((door) => [door, code])) as Record<Door, string>),
  'a WebSocket': ofSocket,
});

describe('every door', () => {
  test('opens for a session', async () => {
    expect(await codesOf(await signedIn())).toEqual(all('OK', 'OK'));
  });

  test.each(Object.entries(visitors))('stays closed for a browser %s', async (_who, come) => {
    expect(await codesOf(await come())).toEqual(all('UNAUTHORIZED', '4401'));
  });

  test('stays closed while a second factor must be set up', async () => {
    await require(true);
    const browser = visit();
    expect((await browser.signIn()).json).toEqual({ state: 'enroll' });
    expect(await codesOf(browser)).toEqual(all('FORBIDDEN', 'FORBIDDEN'));
    await require(false);
  });

  test('shows nobody the files of workspaces that are not theirs', async () => {
    expect(await codesOf(await signedIn(max))).toEqual({ ...all('OK', 'OK'), 'a download': 'NOT_FOUND' });
  });
});

const own = 'http://own';
const json = { 'Content-Type': 'application/json', Accept: 'text/event-stream' };
const asked = { 'X-Requested-With': 'page' };

describe('a request with the cookie', () => {
  test.each<[string, Headers, readonly Door[]]>([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }, []],
    ['another site that names our origin', { 'Sec-Fetch-Site': 'cross-site', Origin: own, ...asked }, []],
    ['another host of the same site', { 'Sec-Fetch-Site': 'same-site', Origin: own }, []],
    ['a page with two answers', { 'Sec-Fetch-Site': 'same-origin, cross-site' }, []],
    ['a page with an empty answer', { 'Sec-Fetch-Site': '', Origin: own, ...asked }, []],
    ['the address bar', { 'Sec-Fetch-Site': 'none' }, ['a download']],
    ['an old browser', { Origin: own, ...asked }, Object.keys(doors) as Door[]],
    ['an old browser, of its own accord', { Origin: own }, ['a WebSocket']],
    ['an old browser that reads', asked, ['GraphQL by GET', 'reading by REST', 'a download']],
    ['a page without an origin', { Origin: 'null', ...asked }, []],
    ['a longer origin', { Origin: `${own}.example`, ...asked }, []],
    ['another scheme', { Origin: own.replace('http', 'https'), ...asked }, []],
    ['nowhere', {}, []],
  ])('from %s', async (_from, sent, open) => {
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, value.replace(own, gateway.url)]),
    );
    const browser = await signedIn();
    delete browser.headers['Sec-Fetch-Site'];
    const expected = { ...all('FORBIDDEN', '4403'), ...Object.fromEntries(open.map((door) => [door, 'OK'])) };
    expect(await codesOf(browser, headers)).toEqual(expected);
  });

  test('from another site reaches nothing that signs in or out', async () => {
    const page = await readFile('docs/use/sign-in.md', 'utf8');
    const endpoints = [...page.matchAll(/`(POST|DELETE) (\/session[\w/-]*)`/g)];
    expect(endpoints.length).toBeGreaterThan(15);
    const browser = await signedIn();
    for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { 'Sec-Fetch-Site': 'same-site' }])
      for (const [, method = '', path = ''] of endpoints) {
        const answer = await browser.send(method, path, method === 'POST' ? {} : undefined, headers);
        expect([path, answer.status]).toEqual([path, 403]);
        expect(answer.json.message).toContain("only from the gateway's own pages");
      }
    expect(await doors['reading by REST'](browser)).toBe('OK');
  });

  test('from another site cannot use up what its victim may send', async () => {
    const browser = await signedIn();
    for (let count = 0; count <= limit; count++)
      expect(await doors['reading by REST'](browser, { 'Sec-Fetch-Site': 'cross-site' })).toBe('FORBIDDEN');
    expect(await doors['reading by REST'](browser)).toBe('OK');
  });
});

test('a WebSocket that is open already opens nothing more once the session has ended', async () => {
  const browser = await signedIn();
  const client = clientOf(browser);
  expect(await askOver(client)).toBe('OK');
  await browser.send('DELETE', '/session');
  expect(await askOver(client)).toMatch(/^UNAUTHORIZED|4401$/);
  await client.dispose();
});

describe('streams end with the session', () => {
  // Not of the events that end the streams.
  const subscription = { query: 'subscription { eventLogged(types: [TOKEN_REVOKED]) { id } }' };

  /** Opens both kinds of streams. @returns what they end with */
  async function openStreams(browser: Browser) {
    const sse = fetch(`${gateway.url}/graphql`, {
      ...{ method: 'POST', body: JSON.stringify(subscription) },
      headers: { ...browser.headers, ...json, Cookie: browser.cookie },
    }).then((answer) => answer.text());
    const client = clientOf(browser);
    const socket = (async () => {
      for await (const { errors } of client.iterate(subscription)) if (errors) return JSON.stringify(errors);
      return 'no error';
    })();
    await eventually(async () => expect(gateway.app.streams()).toBe(2));
    return async () => {
      const ends = await Promise.all([sse, socket]);
      await client.dispose();
      return ends;
    };
  }

  const change = (input: string) =>
    gateway.graphql(`mutation { updateUser(id: "${gateway.memberId}", ${input}) { id } }`);

  test.each<[string, (browser: Browser) => Promise<unknown>, (() => Promise<unknown>)?]>([
    ['when its user signs out', (browser) => browser.send('DELETE', '/session')],
    ['when its user ends it elsewhere', async () => (await signedIn(max)).graphql(endOthers)],
    ['when its user is deactivated', () => change('isActive: false'), () => change('isActive: true')],
    ['when its user may only upload', () => change('role: UPLOADER'), () => change('role: MEMBER')],
    ['when its way is turned off', () => decide('ways: [LINK]'), () => decide('ways: [PASSWORD, LINK]')],
    ['when it lacks a second factor', () => require(true), () => require(false)],
  ])('%s', async (_when, end, restore) => {
    const browser = await signedIn(max);
    const ended = await openStreams(browser);
    await end(browser);
    for (const text of await ended()) expect(text).toMatch(/UNAUTHORIZED|FORBIDDEN/);
    await restore?.();
  });
});
