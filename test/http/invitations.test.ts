import { request } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept, deactivate, invite, inviteOne, update } from '../graphql/people.support.js';
import { ask } from '../graphql/support.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';

const day = 86_400_000;
const lines: string[] = [];
let gateway: TestGateway;
beforeAll(async () => {
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  gateway = await startGateway({ TRUST_PROXY: '1' }, undefined, { log });
});
afterAll(() => gateway.close());

const open = async (link: string, method = 'GET') => {
  const response = await fetch(link, { method });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const rolesOf = async (token: string) =>
  (await gateway.graphql('{ me { name email role token { name expiresAt } } }', {}, token)).data?.me;

test('a link shows whom it is for, however often it is opened, and makes one token', async () => {
  const name = '<b>Bo</b> & "Co"';
  const { user, link } = await inviteOne(gateway, 'bo@example.com', { name, role: 'VIEWER' });
  expect(link).toMatch(new RegExp(`^${gateway.url}/invitations/[\\w-]{43}$`));
  for (const _ of [1, 2]) {
    const { status, headers, text } = await open(link);
    expect(status).toBe(200);
    expect(text).toContain('&#60;b&#62;Bo&#60;/b&#62; &#38; &#34;Co&#34;');
    expect(text).not.toContain('<b>Bo');
    expect(text).not.toMatch(/<script(?! src)|egw_/);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  const [first, ...others] = (await Promise.all([1, 2, 3].map(() => accept(link)))).sort(
    (a, b) => a.status - b.status,
  );
  expect(others.map(({ status, token }) => [status, token])).toEqual([
    [410, ''],
    [410, ''],
  ]);
  expect(first?.status).toBe(201);
  const token = { name: 'Invitation', expiresAt: null };
  expect(await rolesOf(first?.token ?? '')).toEqual({ name, email: user.email, role: 'VIEWER', token });
  expect((await open(link)).text).toContain('This link has been used');
  const again = await gateway.graphql(invite, { email: 'BO@example.com', role: 'ADMIN' });
  expect(again.errors).toMatchObject([{ extensions: { code: 'CONFLICT', field: 'email' } }]);
});

test('inviting again creates a new link, invalidates the old one, and applies the latest values', async () => {
  const first = await inviteOne(gateway, 'again@example.com', { teamIds: [gateway.otherTeamId] });
  const second = await inviteOne(gateway, ' AGAIN@example.com', {
    name: 'Again',
    role: 'VIEWER',
    teamIds: [gateway.teamId, gateway.teamId.toUpperCase()],
  });
  expect(second.user).toMatchObject({ id: first.user.id, name: 'Again', teams: [{ name: 'Acme Main' }] });
  expect((await open(first.link)).status).toBe(404);
  expect((await accept(first.link)).status).toBe(404);
  expect((await rolesOf((await accept(second.link)).token)).role).toBe('VIEWER');
});

test('many at once invite one user, and one link of theirs is open', async () => {
  const email = 'rush@example.com';
  const invited = await Promise.all([1, 2, 3, 4].map(() => inviteOne(gateway, email)));
  expect(new Set(invited.map(({ user }) => user.id)).size).toBe(1);
  const states = await Promise.all(invited.map(async ({ link }) => (await open(link)).status));
  expect(states.sort()).toEqual([200, 404, 404, 404]);
});

test('a link holds for 7 days', async () => {
  const { link } = await inviteOne(gateway, 'late@example.com');
  gateway.clock.now = new Date(testTime.getTime() + 7 * day - 1);
  expect((await open(link)).status).toBe(200);
  gateway.clock.now = new Date(testTime.getTime() + 7 * day);
  for (const method of ['GET', 'POST']) expect((await open(link, method)).status).toBe(410);
  gateway.clock.now = testTime;
});

test('the role is the one that the user has when the token is made', async () => {
  const { user, link } = await inviteOne(gateway, 'lower@example.com', { role: 'ADMIN' });
  await ask(gateway, update, { id: user.id, role: 'UPLOADER' });
  expect((await rolesOf((await accept(link)).token)).role).toBe('UPLOADER');
});

test('a deactivated user has no link, even after reactivation', async () => {
  const { user, link } = await inviteOne(gateway, 'off@example.com');
  await ask(gateway, deactivate, { id: user.id });
  expect((await accept(link)).status).toBe(410);
  await ask(gateway, update, { id: user.id, isActive: true });
  expect((await accept(link)).status).toBe(410);
  expect((await accept((await inviteOne(gateway, 'off@example.com')).link)).status).toBe(201);
});

test.each(['x', 'a'.repeat(43), '%00', '%ff', 'a'.repeat(5_000), '..%2f..'])(
  'the secret %s opens nothing',
  async (secret) => {
    for (const method of ['GET', 'POST', 'HEAD']) {
      expect((await open(`${gateway.url}/invitations/${secret}`, method)).status).toBe(404);
    }
  },
);

test('other methods are not there', async () => {
  const { status, headers } = await open(`${gateway.url}/invitations/x`, 'DELETE');
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
});

test('an unknown workspace, or none at all, is rejected', async () => {
  for (const [teamIds, message] of [
    [[], /^teamIds: must name at least one/],
    [[gateway.organizationId], /^teamIds\[0\]|^teamIds\.0/],
    [['x'], /must be a UUID/],
    [Array(101).fill(gateway.teamId), /at most 100/],
  ] as const) {
    const { errors } = await gateway.graphql(invite, { email: 'x@example.com', role: 'VIEWER', teamIds });
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    expect(errors[0].message).toMatch(message);
  }
});

test('no log has the secret of a link', async () => {
  const { link } = await inviteOne(gateway, 'logged@example.com');
  const secret = link.slice(link.lastIndexOf('/') + 1);
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST', 'POST']) await open(link, method);
  await expect
    .poll(() => lines.filter((line) => line.includes('/invitations/{id}')).length)
    .toBeGreaterThan(4);
  expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});

test('a link is where the request was sent, as the proxy in front tells it', async () => {
  const body = JSON.stringify({ query: invite, variables: { email: 'proxy@example.com', role: 'VIEWER' } });
  const headers = {
    Host: 'gateway.example.com',
    'X-Forwarded-Proto': 'https',
    'Content-Type': 'application/json',
    Authorization: `Bearer ${gateway.admin}`,
  };
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request(`${gateway.url}/graphql`, { method: 'POST', headers }, (response) => {
      let all = '';
      response.setEncoding('utf8').on('data', (part) => {
        all += part;
      });
      response.on('end', () => resolve(all));
    });
    sent.on('error', reject).end(body);
  });
  expect(JSON.parse(text).data.inviteUser.link).toMatch(/^https:\/\/gateway\.example\.com\/invitations\//);
});

test('PUBLIC_URL says where links are, whatever was asked', async () => {
  const other = await startGateway({ PUBLIC_URL: 'https://gateway.example.com' });
  try {
    const { link } = await inviteOne(other, 'x@example.com');
    expect(link).toMatch(/^https:\/\/gateway\.example\.com\/invitations\/[\w-]{43}$/);
  } finally {
    await other.close();
  }
});
