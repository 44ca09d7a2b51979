import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { liveLimits } from '../../src/live/live.js';
import { audience, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import {
  expectEnd,
  nextData,
  type Results,
  streams,
  subscribe,
  transports,
  webSocketUrl,
} from './support.js';

let issuer: TestIssuer;
let gateway: TestGateway;
let maxId: string;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: testTime });
  issuer = await startIssuer();
  const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience, OIDC_TEAMS_CLAIM: 'teams' };
  gateway = await startGateway(env, { recheck: 50, perToken: 3 });
  const { prisma } = gateway.database;
  ({ id: maxId } = await prisma.user.findFirstOrThrow({ where: { email: 'max@example.com' } }));
  const data = { role: 'VIEWER', issuer: issuer.url, subject: 'max' } as const;
  await prisma.user.update({ where: { id: maxId }, data });
});
afterEach(() => streams(gateway, 0));
afterAll(async () => {
  await gateway.close();
  await issuer.close();
  vi.useRealTimers();
});

const query = 'subscription { eventLogged(typeIds: [1]) { description } }';
const create = (name: string, teamId: string) =>
  gateway.graphql('mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id } }', {
    input: { name, teamId },
  });
const created = (name: string) => ({ eventLogged: { description: `Vehicle "${name}" was created` } });
const update = (data: object) => gateway.database.prisma.user.update({ where: { id: maxId }, data });

test('quiet streams are looked at often enough that none outlives its token by ten seconds', () => {
  // A check may take four seconds, after which all streams end.
  expect(liveLimits.recheck + 4_000).toBeLessThan(10_000);
});

test.each(Object.entries(transports))(
  'a JWT reads a stream over %s, until it expires',
  async (_name, over) => {
    const token = await issuer.token('max');
    const results = await subscribe(gateway, { query, token }, over);
    await create('Elsewhere', gateway.otherTeamId);
    await create('Van', gateway.teamId);
    expect(await nextData(results)).toEqual(created('Van'));
    gateway.clock.now = new Date(testTime.getTime() + 300_000);
    await expectEnd(results, 'UNAUTHORIZED', /expired or was revoked/);
    gateway.clock.now = testTime;
  },
);

test.each([
  ['is bound to another subject', { subject: 'eve' }, { subject: 'max' }],
  ['is released', { issuer: null, subject: null }, { issuer: 'own', subject: 'max' }],
  ['loses the role', { role: null }, { role: 'VIEWER' }],
] as const)('a quiet stream ends when its user %s', async (_name, change, back) => {
  const results = await subscribe(gateway, { query, token: await issuer.token('max') });
  await update(change);
  await expectEnd(results, 'UNAUTHORIZED', /expired or was revoked/);
  await update('issuer' in back ? { ...back, issuer: issuer.url } : back);
});

test('a role without the right to read ends a stream', async () => {
  const results = await subscribe(gateway, { query, token: await issuer.token('max') });
  await update({ role: 'UPLOADER' });
  await expectEnd(results, 'FORBIDDEN', /may no longer read/);
  await update({ role: 'VIEWER' });
});

test('workspaces are those of the token, or else those of the user now', async () => {
  const [named, own] = [
    await subscribe(gateway, { query, token: await issuer.token('max', { teams: ['Acme Other'] }) }),
    await subscribe(gateway, { query, token: await issuer.token('max') }),
  ];
  const membership = { userId: maxId, teamId: gateway.otherTeamId };
  await gateway.database.prisma.membership.create({ data: membership });
  await create('Own', gateway.teamId);
  await create('Other', gateway.otherTeamId);
  expect([await nextData(own), await nextData(own)]).toEqual([created('Own'), created('Other')]);
  expect(await nextData(named)).toEqual(created('Other'));
  await gateway.database.prisma.membership.delete({ where: { userId_teamId: membership } });
  for (const results of [named, own]) await results.return?.();
});

test('all streams of a user count together, whichever tokens they have', async () => {
  const open: Results[] = [];
  for (let i = 0; i < 3; i++) {
    open.push(await subscribe(gateway, { query, token: await issuer.token('max', { i }) }));
  }
  const refused = transports['plain server-sent events'](gateway, {
    query,
    token: await issuer.token('max'),
  });
  expect((await refused.next()).value).toMatchObject({
    errors: [{ extensions: { code: 'TOO_MANY_REQUESTS' } }],
  });
  for (const results of open) await results.return?.();
});

test('one statement looks up the users of all streams, one more the tokens of our own', async () => {
  const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: audience };
  const patient = await startGateway(env, { recheck: 3_600_000 });
  const { prisma } = patient.database;
  // As admins: what a user may not, none of their tokens may.
  await prisma.user.updateMany({ data: { role: 'ADMIN' } });
  const tokens = [
    await issuer.token('max', { email: 'max@example.com', email_verified: true }),
    await issuer.token('ada', { email: 'ada@example.com', email_verified: true }),
    patient.viewer,
  ];
  const open: Results[] = [];
  for (const token of tokens) open.push(await subscribe(patient, { query, token }));
  const sent = await patient.statementNames(async () => {
    await patient.graphql('mutation { createVehicle(input: {name: "Van"}) { id } }');
    for (const results of open) expect(await nextData(results)).toEqual(created('Van'));
  });
  expect(sent.filter((name) => name === 'users.identify')).toHaveLength(1);
  // The one who writes, and the one who is told.
  expect(sent.filter((name) => /^access_tokens\.(authenticate|callers)$/.test(name))).toHaveLength(2);
  for (const results of open) await results.return?.();
  await patient.close();
});

test('a WebSocket is closed when an operation comes with an expired JWT', async () => {
  const token = await issuer.token('max');
  const closed = new Promise<{ code: number }>((resolve) => {
    const client = createClient({
      url: webSocketUrl(gateway),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
      lazy: false,
      onNonLazyError: () => {},
      on: {
        connected: async () => {
          const me = client.iterate({ query: '{ me { id } }' });
          expect((await me.next()).value).toMatchObject({ data: { me: { id: maxId } } });
          gateway.clock.now = new Date(testTime.getTime() + 331_000);
          await client
            .iterate({ query: '{ me { id } }' })
            .next()
            .catch(() => {});
        },
        closed: (event) => resolve(event as { code: number }),
      },
    });
  });
  expect((await closed).code).toBe(4401);
  gateway.clock.now = testTime;
});
