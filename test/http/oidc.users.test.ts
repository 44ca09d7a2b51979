import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { audience, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { startFurther } from '../live/support.js';
import { createTenant, startGateway, type Tenant, type TestGateway, testTime } from '../support/gateway.js';

let issuer: TestIssuer;
let gateway: TestGateway;
let foreign: Tenant;
let maxId: string;
let foreignMaxId: string;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  issuer = await startIssuer();
  const claims = { OIDC_ROLE_CLAIM: 'access.roles', OIDC_TEAMS_CLAIM: 'https://example.com/teams' };
  gateway = await startGateway({ OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, ...claims });
  foreign = await createTenant(gateway.database, 'Foreign');
  const { prisma } = gateway.database;
  await prisma.user.updateMany({
    where: { organizationId: foreign.organizationId, email: 'ada@example.com' },
    data: { email: 'foreign@example.com' },
  });
  const idOf = async ({ organizationId }: Tenant) => {
    const where = { organizationId, email: 'max@example.com' };
    return (await prisma.user.findFirstOrThrow({ where })).id;
  };
  [maxId, foreignMaxId] = [await idOf(gateway), await idOf(foreign)];
  await prisma.user.update({ where: { id: maxId }, data: { email: 'Max@Example.com' } });
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
  vi.useRealTimers();
});
beforeEach(async () => {
  const { prisma } = gateway.database;
  await prisma.user.update({ where: { id: foreignMaxId }, data: { email: 'other-max@example.com' } });
  // Nobody is anybody's subject.
  await prisma.user.updateMany({ data: { role: 'MEMBER', issuer: null, subject: null } });
});

const max = { email: 'max@EXAMPLE.com' };
const meQuery = '{ me { id role teams { name } } }';

async function me(token: string) {
  const { status, json } = await gateway.send('POST', '/graphql', { token, body: { query: meQuery } });
  return {
    status,
    me: json.data?.me,
    message: json.errors?.[0]?.message,
    code: json.errors?.[0]?.extensions.code,
  };
}

const bound = (id: string) =>
  gateway.database.prisma.user.findUniqueOrThrow({ where: { id }, select: { issuer: true, subject: true } });

describe('who somebody is', () => {
  test('is found by the e-mail address at first, and by the subject from then on', async () => {
    expect((await me(await issuer.token('max', max))).me).toMatchObject({ id: maxId });
    expect(await bound(maxId)).toEqual({ issuer: issuer.url, subject: 'max' });
    for (const claims of [
      {},
      { email: 'ada@example.com' },
      { email: 'x@example.com', email_verified: false },
    ]) {
      expect((await me(await issuer.token('max', claims))).me).toMatchObject({ id: maxId });
    }
    expect(await bound(gateway.userId)).toEqual({ issuer: null, subject: null });
  });

  test('is not found by an address that has passed to another subject', async () => {
    await me(await issuer.token('max', max));
    const answer = await gateway.send('GET', '/v1/vehicles', { token: await issuer.token('eve', max) });
    expect(answer).toMatchObject({
      status: 401,
      json: { message: expect.stringMatching(/has another subject/) },
    });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    expect(await bound(maxId)).toMatchObject({ subject: 'max' });
  });

  test('at another issuer does not count here', async () => {
    const data = { issuer: 'https://former.example.com', subject: 'max' };
    await gateway.database.prisma.user.update({ where: { id: maxId }, data });
    expect(await me(await issuer.token('max'))).toMatchObject({ status: 401 });
    expect((await me(await issuer.token('max', max))).status).toBe(401);
  });

  test.each([
    ['an unknown one', { email: 'nobody@example.com' }],
    ['none', {}],
    ['one that is not verified', { ...max, email_verified: false }],
    ['one that is not verified, in words', { ...max, email_verified: 'false' }],
    ['no text', { email: ['max@example.com'] }],
    ['a pattern', { email: '%@example.com' }],
    ['one that cannot be stored', { email: 'max@example.com\0' }],
  ])('is not found by an address that is %s', async (_name, claims) => {
    expect(await me(await issuer.token('max', claims))).toMatchObject({
      status: 401,
      code: 'UNAUTHORIZED',
      message: "There is no user here with the access token's subject.",
    });
  });

  test.each([true, 'true', 'TRUE', null])(
    'is found by an address whose `email_verified` is %j',
    async (verified) => {
      expect((await me(await issuer.token('max', { ...max, email_verified: verified }))).status).toBe(200);
    },
  );

  test('is not found by an address that only looks the same in lower case', async () => {
    const where = { id: gateway.userId };
    await gateway.database.prisma.user.update({ where, data: { email: 'kim@example.com' } });
    const email = '\u212aim@example.com';
    expect((await me(await issuer.token('ada', { email, email_verified: true }))).status).toBe(401);
    expect((await me(await issuer.token('ada', { email: 'KIM@example.com' }))).status).toBe(200);
    await gateway.database.prisma.user.update({ where, data: { email: 'ada@example.com' } });
  });

  test('is an administrator only by an address that is stated to be verified', async () => {
    const where = { id: maxId };
    await gateway.database.prisma.user.update({ where, data: { role: 'ADMIN' } });
    for (const claims of [max, { ...max, email_verified: null }, { ...max, email_verified: 'yes' }])
      expect((await me(await issuer.token('max', claims))).status).toBe(401);
    expect(await bound(maxId)).toEqual({ issuer: null, subject: null });
    expect((await me(await issuer.token('max', { ...max, email_verified: true }))).status).toBe(200);
    expect((await me(await issuer.token('max', max))).status).toBe(200);
  });

  test('is not found by an address that users of two organizations have', async () => {
    const where = { id: foreignMaxId };
    await gateway.database.prisma.user.update({ where, data: { email: 'MAX@example.com' } });
    const answer = await me(await issuer.token('max', max));
    expect(answer).toMatchObject({ status: 401, message: expect.stringMatching(/[Ss]everal users/) });
    expect(await bound(maxId)).toEqual({ issuer: null, subject: null });
  });

  test('is agreed upon by requests that come at once', async () => {
    const tokens = await Promise.all([issuer.token('max', max), issuer.token('eve', max)]);
    const answers = await Promise.all([...tokens, ...tokens, ...tokens].map(me));
    const { subject } = await bound(maxId);
    const allowed = answers.map(({ status }) => status === 200);
    expect(allowed).toEqual([0, 1, 2].flatMap(() => [subject === 'max', subject === 'eve']));
  });

  test('does not reach beyond the own organization', async () => {
    const token = await issuer.token('eve', { email: 'foreign@example.com', access: { roles: 'admin' } });
    const { json } = await gateway.send('POST', '/v1/vehicles', { body: { name: 'Ours' } });
    expect((await me(token)).me).toMatchObject({ id: foreign.userId, role: 'ADMIN' });
    const path = `/v1/vehicles/${json.id}`;
    expect((await gateway.send('PUT', path, { token, body: { name: 'Theirs' } })).status).toBe(404);
    expect((await gateway.send('GET', '/v1/vehicles', { token })).json.total).toBe(0);
    const teams = { 'https://example.com/teams': [gateway.teamId, 'Acme Main'] };
    const named = await issuer.token('eve', { access: { roles: 'viewer' }, ...teams });
    expect((await me(named)).me).toMatchObject({ teams: [] });
  });
});

describe('the role', () => {
  beforeEach(() =>
    gateway.database.prisma.user.update({
      where: { id: maxId },
      data: { issuer: issuer.url, subject: 'max' },
    }),
  );
  const withRoles = (roles: unknown) => issuer.token('max', { access: { roles } });

  test.each([
    ['admin', 'ADMIN'],
    ['Viewer', 'VIEWER'],
    [['uploader'], 'UPLOADER'],
    [['offline_access', 'viewer', 5, 'member'], 'MEMBER'],
    [['uploader', 'viewer'], 'VIEWER'],
  ])('%j is %s', async (roles, role) => {
    expect((await me(await withRoles(roles))).me).toMatchObject({ role });
  });

  test.each([undefined, null])('%j is that of the user', async (roles) => {
    await gateway.database.prisma.user.update({ where: { id: maxId }, data: { role: 'VIEWER' } });
    expect((await me(await withRoles(roles))).me).toMatchObject({ role: 'VIEWER' });
  });

  test.each([[[]], ['owner'], [['owner', 'toString']], [{ admin: true }], [true], ['']])(
    '%j is not one, whatever the user has',
    async (roles) => {
      expect(await me(await withRoles(roles))).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
        message: expect.stringContaining('"access.roles"'),
      });
    },
  );

  test('of neither opens nothing', async () => {
    await gateway.database.prisma.user.update({ where: { id: maxId }, data: { role: null } });
    const answer = await gateway.send('GET', '/v1/vehicles', { token: await issuer.token('max') });
    expect(answer).toMatchObject({
      status: 403,
      json: { code: 'FORBIDDEN', message: expect.stringMatching(/role/) },
    });
  });

  test('of a viewer does not write, at both doors', async () => {
    const token = await withRoles('viewer');
    expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(200);
    expect((await gateway.send('POST', '/v1/vehicles', { token, body: { name: 'Van' } })).status).toBe(403);
    const { errors } = await gateway.graphql(
      'mutation { createVehicle(input: {name: "Van"}) { id } }',
      {},
      token,
    );
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  });

  test('of an uploader sends uploads, in the name of the user, and nothing else', async () => {
    const token = await withRoles('uploader');
    const body = { id: 1, action: 'fp.upload', text: { filename: 'scan.pdf' } };
    expect((await gateway.send('POST', '/v1/bulkscan/receive', { token, body })).status).toBe(204);
    expect(
      await gateway.database.prisma.uploadNotification.findFirstOrThrow({ where: { notificationId: 1 } }),
    ).toMatchObject({ userId: maxId, accessTokenId: null, teamId: gateway.teamId });
    expect((await gateway.send('GET', '/v1/vehicles', { token })).status).toBe(403);
  });

  test('of an admin makes tokens', async () => {
    const token = await withRoles('admin');
    const query =
      'mutation { createAccessToken(input: {name: "x", role: VIEWER}) { accessToken { user { id } } } }';
    expect((await gateway.graphql(query, {}, token)).data.createAccessToken.accessToken.user.id).toBe(maxId);
  });
});

describe('the workspaces', () => {
  beforeEach(() =>
    gateway.database.prisma.user.update({
      where: { id: maxId },
      data: { issuer: issuer.url, subject: 'max' },
    }),
  );
  const main = { name: 'Acme Main' };
  const other = { name: 'Acme Other' };

  test.each([
    ['none named', undefined, [main]],
    ['another one', () => 'acme OTHER', [other]],
    ['both', () => ['Acme Main', 'Acme Other', 'Foreign Main'], [main, other]],
    ['one by its id', () => [gateway.otherTeamId.toUpperCase()], [other]],
    ['an empty list', () => [], []],
    ['unknown ones, and what is no name', () => ['nowhere', 5, null, 'a\0b', '%'], []],
    ["another organization's", () => [foreign.teamId, 'Foreign Main'], []],
  ])('with %s', async (_name, teams, expected) => {
    const token = await issuer.token('max', { 'https://example.com/teams': teams?.() });
    expect((await me(token)).me.teams).toEqual(expected);
  });

  test('of an admin are all, whatever is named', async () => {
    const token = await issuer.token('max', { 'https://example.com/teams': [], access: { roles: 'admin' } });
    expect((await me(token)).me.teams).toEqual([main, other]);
  });

  test('that are named alone are seen and written', async () => {
    const token = await issuer.token('max', { 'https://example.com/teams': ['Acme Other'] });
    const { status, json } = await gateway.send('POST', '/v1/vehicles', { token, body: { name: 'Van' } });
    expect([status, json.team_id]).toEqual([201, gateway.otherTeamId]);
    const body = { name: 'Van', team_id: gateway.teamId };
    expect((await gateway.send('POST', '/v1/vehicles', { token, body })).status).toBe(400);
  });
});

describe('what it costs', () => {
  test('is one statement, also for requests that come together', async () => {
    const token = await issuer.token('max', max);
    expect((await me(token)).status).toBe(200);
    const body = { query: '{ me { name } }' };
    const once = () => gateway.send('POST', '/graphql', { token, body });
    expect(await gateway.statementNames(once)).toEqual(['users.identify']);
    const many = await gateway.statementNames(() => Promise.all(Array.from({ length: 20 }, once)));
    expect(many.every((name) => name === 'users.identify')).toBe(true);
    expect(many.length).toBeLessThan(20);
  });

  test('twenty strangers who share a look-up are not confused', async () => {
    const [one, two] = [
      await issuer.token('max', max),
      await issuer.token('ada', { email: 'ada@example.com' }),
    ];
    const nobody = await issuer.token('eve');
    const answers = await Promise.all(
      Array.from({ length: 21 }, (_, i) => me([one, two, nobody][i % 3] as string)),
    );
    const expected = [maxId, gateway.userId, undefined];
    expect(answers.map((answer) => answer.me?.id)).toEqual(
      Array.from({ length: 21 }, (_, i) => expected[i % 3]),
    );
  });
});

test("a request's log line names the user, but not the token", async () => {
  const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience };
  const further = await startFurther(gateway, {}, env);
  const [good, bad] = [await issuer.token('max', max), await issuer.token('eve', max)];
  for (const token of [good, bad]) {
    await (
      await fetch(`${further.url}/v1/vehicles`, { headers: { Authorization: `Bearer ${token}` } })
    ).text();
  }
  const lines = await further.lines.count(3);
  expect(lines).toMatchObject([{ userId: maxId }, { status: 200, tokenId: maxId }, { status: 401 }]);
  for (const part of [good, bad].flatMap((token) => token.split('.').slice(1))) {
    expect(further.lines.text).not.toContain(part);
  }
  await further.close();
});

test("a calendar of an issuer's token ends with that token", async () => {
  const create =
    'mutation { createCalendarFeed(input: { name: "Dates" }) { url feed { id expiresAt endsWithToken } } }';
  const list = '{ me { calendarFeeds { id } } }';
  const ask = async (query: string) =>
    (await gateway.graphql(query, {}, await issuer.token('max', max))).data;
  const { url, feed } = (await ask(create)).createCalendarFeed;
  const ends = new Date(testTime.getTime() + 300_000);
  expect(feed).toMatchObject({ endsWithToken: true, expiresAt: ends.toISOString() });
  const status = async () => (await fetch(url)).status;
  expect(await status()).toBe(200);
  expect((await ask(list)).me.calendarFeeds).toEqual([{ id: feed.id }]);
  try {
    gateway.clock.now = new Date(ends.getTime() - 1);
    expect(await status()).toBe(200);
    gateway.clock.now = ends;
    vi.setSystemTime(ends);
    expect(await status()).toBe(404);
    expect((await ask(list)).me.calendarFeeds).toEqual([]);
    const rotate = await gateway.graphql(
      `mutation { rotateCalendarFeed(id: "${feed.id}") { url } }`,
      {},
      await issuer.token('max', max),
    );
    expect(rotate.errors[0].extensions.code).toBe('NOT_FOUND');
    // What has ended goes with the next one.
    await ask(create);
    expect(await gateway.database.prisma.calendarFeed.count({ where: { userId: maxId } })).toBe(1);
  } finally {
    gateway.clock.now = testTime;
    vi.setSystemTime(testTime);
  }
});
