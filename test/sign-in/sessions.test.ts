import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { eventTypes } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import { forgetSignIns } from '../../src/sign-in/sessions.js';
import { webSocketUrl } from '../live/support.js';
import { eventually } from '../support/eventually.js';
import { testTime } from '../support/gateway.js';
import { ada, Browser, max, type SignInGateway, startSignIn } from './support.js';

let gateway: SignInGateway;
beforeAll(async () => {
  // The streams are checked only when somebody's right has ended.
  gateway = await startSignIn({ SECRET_KEY: 'a1'.repeat(32) }, { recheck: 3_600_000 });
});
afterAll(() => gateway.close());
beforeEach(() => {
  gateway.clock.now = testTime;
});

const me = '{ me { email role teams { name } token { id } } }';
const day = 86_400_000;
const later = (ms: number) => {
  gateway.clock.now = new Date(gateway.clock.now.getTime() + ms);
};

async function signedIn(email = ada): Promise<Browser> {
  const browser = new Browser(gateway);
  const answer = await browser.signIn(email);
  expect([answer.status, answer.json]).toEqual([200, { state: 'in' }]);
  return browser;
}

test('a session has its user’s own rights at both doors, with one statement', async () => {
  const browser = await signedIn(max);
  expect((await browser.graphql(me)).data.me).toEqual({
    email: max,
    role: 'MEMBER',
    teams: [{ name: 'Acme Main' }],
    token: null,
  });
  const made = await browser.send('POST', '/v1/vehicles', { name: 'Van' });
  expect(made.status).toBe(201);
  const names = await gateway.statementNames(() => browser.send('GET', '/v1/vehicles?paging=1'));
  expect(names.filter((name) => /^(sessions|access_tokens|users)\./.test(name))).toEqual([
    'sessions.authenticate',
  ]);
});

test('lower rights apply at once, and none are refused', async () => {
  const browser = await signedIn(max);
  const { prisma } = gateway.database;
  const where = { id: gateway.memberId };
  await prisma.user.update({ where, data: { role: 'VIEWER' } });
  expect((await browser.send('POST', '/v1/vehicles', { name: 'Van' })).status).toBe(403);
  await prisma.user.update({ where, data: { role: null } });
  expect((await browser.send('GET', '/v1/vehicles')).status).toBe(403);
  await prisma.user.update({ where, data: { role: 'MEMBER', isActive: false } });
  expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
  await prisma.user.update({ where, data: { isActive: true } });
});

test('cookies are for this host alone, and no script reads them', async () => {
  const answer = await new Browser(gateway).signIn();
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/),
    expect.stringMatching(/^device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/),
  ]);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('a cookie counts only under its exact name, and only if nobody has set another one', async () => {
  const browser = await signedIn();
  const secret = browser.cookies.get('session') ?? '';
  const foreign = (await signedIn(max)).cookies.get('session') ?? '';
  const status = async (cookie: string) =>
    (await browser.send('GET', '/v1/vehicles', undefined, { Cookie: cookie })).status;
  for (const cookie of [
    `session=${secret}`,
    `a=1;\tsession=${secret} ; b`,
    `session=${secret}; session=${secret}`,
  ])
    expect([cookie, await status(cookie)]).toEqual([cookie, 200]);
  const refused = [
    ...['\u00a0', '\u0085', '"', '=', '$'].map((before) => `a=1; ${before}session=${secret}`),
    ...[`Session=${secret}`, `session =${secret}`, `session="${secret}"`, `session=${secret}\u00a0`],
    ...[
      `session=${foreign}; session=${secret}`,
      `session=${secret}; session=${foreign}`,
      'session=; session',
    ],
  ];
  for (const cookie of refused) expect([cookie, await status(cookie)]).toEqual([cookie, 401]);
});

test('a device of before is one that the same user has signed in with', async () => {
  const browser = await signedIn();
  const device = browser.cookies.get('device') ?? '';
  await browser.signIn();
  expect(browser.cookies.get('device')).toBe(device);
  // Somebody has planted a cookie in the browser of somebody else.
  const planted = new Browser(gateway);
  planted.cookies.set('device', device);
  await planted.signIn(max);
  expect(planted.cookies.get('device')).not.toBe(device);
  const made = new Browser(gateway);
  made.cookies.set('device', 'A'.repeat(43));
  await made.signIn();
  expect(made.cookies.get('device')).toMatch(/^(?!A{43})[\w-]{43}$/);
});

test('each sign-in makes a new secret, and ends the session that the browser had', async () => {
  const browser = await signedIn();
  const before = browser.cookies.get('session') ?? '';
  const fixed = new Browser(gateway);
  fixed.cookies.set('session', before);
  await browser.signIn();
  expect(browser.cookies.get('session')).not.toBe(before);
  expect((await fixed.send('GET', '/v1/vehicles')).status).toBe(401);
  expect((await browser.send('GET', '/v1/vehicles')).status).toBe(200);
});

test('a session ends when it was not used for long, and in any case after 90 days', async () => {
  const browser = await signedIn();
  const status = async () => (await browser.send('GET', '/v1/vehicles')).status;
  const used = () => gateway.database.prisma.signInSession.findFirst({ orderBy: { lastUsedAt: 'desc' } });
  for (let week = 1; week < 12; week++) {
    later(7 * day);
    expect(await status()).toBe(200);
    await eventually(async () => expect((await used())?.lastUsedAt).toEqual(gateway.clock.now));
  }
  later(13 * day);
  expect(await status()).toBe(401);

  gateway.clock.now = testTime;
  const idle = await signedIn();
  later(14 * day);
  expect((await idle.send('GET', '/v1/vehicles')).status).toBe(401);
});

test('the last use is written once a minute', async () => {
  await gateway.database.prisma.signInSession.deleteMany();
  const browser = await signedIn();
  const lastUse = async () => (await gateway.database.prisma.signInSession.findFirstOrThrow()).lastUsedAt;
  later(59_000);
  await browser.send('GET', '/v1/vehicles');
  expect(await lastUse()).toEqual(testTime);
  later(1_000);
  await browser.send('GET', '/v1/vehicles');
  await eventually(async () => expect(await lastUse()).toEqual(gateway.clock.now));
});

test('people see their own sessions, and end them', async () => {
  await gateway.database.prisma.signInSession.deleteMany();
  const [here, there, further] = [await signedIn(), await signedIn(), await signedIn()];
  const other = await signedIn(max);
  const list = '{ me { sessions { id isCurrent method address agent } } }';
  const { sessions } = (await here.graphql(list)).data.me;
  expect(sessions).toHaveLength(3);
  expect(sessions.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1);
  expect(sessions[0]).toMatchObject({ method: 'PASSWORD', address: '127.0.0.1' });
  const end = 'mutation ($id: ID!) { endSession(id: $id) }';
  for (const id of [sessions[0].id, newId(), 'x']) {
    const { errors } = await other.graphql(end, { id });
    expect(errors).toMatchObject([{ message: `There is no session with the id "${id}".` }]);
  }
  const own = (await there.graphql(list)).data.me.sessions.find(
    ({ isCurrent }: { isCurrent: boolean }) => isCurrent,
  );
  expect((await here.graphql(end, { id: own.id })).data).toEqual({ endSession: true });
  expect((await there.send('GET', '/v1/vehicles')).status).toBe(401);
  expect((await here.graphql('mutation { endOtherSessions }')).data).toEqual({ endOtherSessions: 1 });
  expect((await further.send('GET', '/v1/vehicles')).status).toBe(401);
  expect((await here.send('GET', '/v1/vehicles')).status).toBe(200);
});

test('a calendar of a session goes on without it, until its user ends everything', async () => {
  const browser = await signedIn(max);
  const create =
    'mutation { createCalendarFeed(input: { name: "Dates" }) { url feed { endsWithToken expiresAt } } }';
  const { url, feed } = (await browser.graphql(create)).data.createCalendarFeed;
  expect(feed).toEqual({ endsWithToken: false, expiresAt: null });
  const status = async () => (await fetch(url)).status;
  await browser.send('DELETE', '/session');
  const again = await signedIn(max);
  await again.graphql('mutation { endOtherSessions }');
  expect(await status()).toBe(200);
  expect((await again.graphql('{ me { calendarFeeds { name } } }')).data.me.calendarFeeds).toEqual([
    { name: 'Dates' },
  ]);
  const { data } = await again.graphql('mutation { endOtherSessions(endCalendarFeeds: true) }');
  expect(data).toEqual({ endOtherSessions: 0 });
  expect(await status()).toBe(404);
});

test('administrators see and end the sessions of others in their organization', async () => {
  const [admin, other] = [await signedIn(), await signedIn(max)];
  const list = 'query ($userId: ID!) { userSessions(userId: $userId) { id address agent isCurrent } }';
  const { userSessions } = (await admin.graphql(list, { userId: gateway.memberId })).data;
  const [session] = userSessions;
  expect(session).toMatchObject({ address: '127.0.0.1', isCurrent: false });
  const refused = await other.graphql(list, { userId: gateway.userId });
  expect(refused.errors[0].extensions.code).toBe('FORBIDDEN');
  const end = 'mutation ($id: ID!) { endSession(id: $id) }';
  for (const endSession of [true, false])
    expect((await admin.graphql(end, { id: session.id })).data).toEqual({ endSession });
  expect((await other.send('GET', '/v1/vehicles')).status).toBe(401);
  const events =
    '{ eventLogs(filter: { types: [SIGNED_OUT] }, first: 1) { nodes { description user { id } } } }';
  expect((await admin.graphql(events)).data.eventLogs.nodes).toEqual([
    {
      description: `User "Max Member" <${max}> signed out: a session was ended`,
      user: { id: gateway.userId },
    },
  ]);
});

test('signing out ends the session for good, and is done as often as one likes', async () => {
  const browser = await signedIn();
  const secret = browser.cookies.get('session') ?? '';
  const answer = await browser.send('DELETE', '/session');
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect([...browser.cookies.keys()]).toEqual(['device']);
  browser.cookies.set('session', secret);
  expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
  expect((await browser.send('DELETE', '/session')).status).toBe(204);
});

test('files are downloaded with the cookie, or with a link for as long as the session lasts', async () => {
  const browser = await signedIn();
  const create = `mutation {
    createExpirationItem(input: { name: "Licence", expirationDate: "2027-03-31",
      attachments: [{ name: "scan.txt", content: "aGVsbG8=" }] }) { attachments { nodes { id downloadUrl(expiresIn: 60) } } }
  }`;
  const made = await browser.graphql(create);
  expect(made.errors).toBeUndefined();
  const [file] = made.data.createExpirationItem.attachments.nodes;
  const path = `/attachments/${file.id}`;
  expect((await browser.send('GET', path)).status).toBe(200);
  const link = file.downloadUrl.replace(/^https?:\/\/[^/]+/, '');
  const stranger = new Browser(gateway);
  expect((await stranger.send('GET', link)).text).toBe('hello');
  await browser.send('DELETE', '/session');
  expect((await stranger.send('GET', link)).status).toBe(401);
});

test('uploads and repeated requests work with a session as with a token', async () => {
  const browser = await signedIn();
  const upload = { id: 1, action: 'fp.upload', text: { filename: 'x.pdf' } };
  expect((await browser.send('POST', '/v1/bulkscan/receive', upload)).status).toBe(204);
  const headers = { 'Idempotency-Key': 'k1' };
  const [first, again] = [
    await browser.send('POST', '/v1/vehicles', { name: 'Once' }, headers),
    await browser.send('POST', '/v1/vehicles', { name: 'Once' }, headers),
  ];
  expect([first.status, again.json.id]).toEqual([201, first.json.id]);
});

test('a token takes precedence over the cookie', async () => {
  const browser = await signedIn(max);
  const headers = { Authorization: `Bearer ${gateway.viewer}`, 'Sec-Fetch-Site': 'cross-site' };
  const answer = await browser.send('POST', '/graphql', { query: '{ me { role } }' }, headers);
  expect(answer.json.data.me.role).toBe('VIEWER');
});

test('members see their own sign-ins in the log of events, and administrators those of all', async () => {
  const logged = '{ eventLogs(filter: { types: [SIGNED_IN] }) { nodes { user { id } description } } }';
  const [adas, others] = [new Browser(gateway), new Browser(gateway)];
  await adas.signIn();
  await others.signIn(max);
  const seenBy = async (browser: Browser) => {
    const { data } = await browser.graphql(logged);
    const [{ description }] = data.eventLogs.nodes;
    expect(description).toMatch(/signed in with a password \(unknown browser, 127\.0\.0\.1\)$/);
    const ids = data.eventLogs.nodes.map(({ user }: { user: { id: string } }) => user.id);
    return [...new Set<string>(ids)].sort();
  };
  expect(await seenBy(others)).toEqual([gateway.memberId]);
  expect(await seenBy(adas)).toEqual([gateway.memberId, gateway.userId].sort());
  const { json } = await others.send('GET', `/v1/eventlogs?type=26&size=100`);
  expect(JSON.stringify(json)).not.toContain('ada@example.com');
  const where = { typeId: eventTypes['signed in'], userId: gateway.userId };
  const { id } = await gateway.database.prisma.eventLog.findFirstOrThrow({ where });
  const single = `{ eventLog(id: "${id}") { id } node(id: "${id}") { id } }`;
  for (const [browser, found, status] of [
    [others, null, 404],
    [adas, { id }, 200],
  ] as const) {
    expect((await browser.graphql(single)).data).toEqual({ eventLog: found, node: found });
    expect((await browser.send('GET', `/v1/eventlogs/${id}`)).status).toBe(status);
  }
});

/** Opens a WebSocket with the cookies of a browser. */
function open(browser: Browser) {
  class WithHeaders extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols, { headers: { Cookie: browser.cookie, Origin: gateway.url } });
    }
  }
  return createClient({ url: webSocketUrl(gateway), webSocketImpl: WithHeaders, retryAttempts: 0 });
}

test('the stream of events has the sign-ins of others only for administrators', async () => {
  const [adas, others] = [await signedIn(), await signedIn(max)];
  const streams = [open(adas), open(others)].map((client) =>
    client.iterate<{ eventLogged: { user: { id: string } } }>({
      query: 'subscription { eventLogged(types: [SIGNED_IN]) { user { id } } }',
    }),
  );
  const before = gateway.app.streams();
  const events = streams.map((stream) => stream.next());
  await eventually(async () => expect(gateway.app.streams()).toBe(before + 2));
  await signedIn();
  await signedIn(max);
  const seen = await Promise.all(events);
  expect(seen.map(({ value }) => value.data?.eventLogged.user.id)).toEqual([
    gateway.userId,
    gateway.memberId,
  ]);
  for (const stream of streams) await stream.return?.();
});

test('old sessions are deleted', async () => {
  await signedIn();
  await forgetSignIns(gateway.database, new Date(testTime.getTime() + 119 * day));
  expect(await gateway.database.prisma.signInSession.count()).toBeGreaterThan(0);
  await forgetSignIns(gateway.database, new Date(testTime.getTime() + 200 * day));
  expect(await gateway.database.prisma.signInSession.count()).toBe(0);
});
