import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { audience, startIssuer, type TestIssuer } from '../clients/issuer.js';
import { streams, subscribe } from '../live/support.js';
import { createItem } from '../rest/items.support.js';
import { createTenant, startGateway, type TestGateway, testTime } from '../support/gateway.js';

let issuer: TestIssuer;
let gateway: TestGateway;
let item: { id: string; teamId: string };
let id: string;
const words = '<script>alert(1)</script>';

async function attach(name: string) {
  const content = Buffer.from(words).toString('base64');
  const file = { name, contentType: 'text/html', content };
  const created = await createItem(gateway, { attachments: [file] });
  return { item: created, id: created.attachments[0].id as string };
}

beforeAll(async () => {
  issuer = await startIssuer();
  gateway = await startGateway({
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: audience,
    RATE_LIMIT: '999999',
    RATE_LIMIT_FAILURES: 'off',
  });
  const made = await attach('page.html');
  ({ id } = made);
  item = made.item as typeof item;
});
afterAll(async () => {
  await gateway.close();
  await issuer.close();
});

async function askLink(expiresIn: number, token?: string, of = id) {
  const query =
    'query($id: ID!, $expiresIn: Int) { attachment(id: $id) { downloadUrl(expiresIn: $expiresIn) } }';
  const { data, errors } = await gateway.graphql(query, { id: of, expiresIn }, token);
  return { url: data?.attachment?.downloadUrl as string, errors };
}
const linkFor = async (expiresIn: number, token?: string, of = id) =>
  (await askLink(expiresIn, token, of)).url;

/** Returns a request as a browser's `<img>` or `<a>` makes it: without a header of ours. */
async function get(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch(`${gateway.url}${url}`, { method, headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const later = (seconds: number) => {
  gateway.clock.now = new Date(testTime.getTime() + seconds * 1000);
};

test('a link answers the bytes without a header, as a token does, and runs nothing', async () => {
  const url = await linkFor(60, gateway.member);
  expect(url).toMatch(new RegExp(`^/attachments/${id}\\?link=[\\w-]+$`));
  const { status, text, headers } = await get(url);
  expect([status, text]).toEqual([200, words]);
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'private, no-cache',
    'content-disposition': expect.stringMatching(/^attachment; /),
    'content-security-policy': "sandbox; default-src 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ratelimit: expect.stringContaining('"token"'),
    etag: expect.stringMatching(/^"[0-9a-f-]{36}"$/),
  });
  const part = await get(url, { Range: 'bytes=1-6' });
  expect([part.status, part.text]).toEqual([206, 'script']);
  expect((await get(url, { 'If-None-Match': headers.get('etag') ?? '' })).status).toBe(304);
  expect((await get(url, {}, 'HEAD')).headers.get('content-length')).toBe(String(words.length));
  // Other methods, and other paths, take no link.
  const link = url.split('?')[1];
  expect((await get(`/v1/vehicles?${link}`)).status).toBe(401);
  expect((await get(`/graphql?${link}&query={me{user{id}}}`)).status).toBe(401);
  expect((await get(url.replace(id, id.toUpperCase()))).status).toBe(200);
});

test('a link is one to its file, for its time, and nobody else can make one', async () => {
  const url = await linkFor(60);
  const other = (await attach('other.html')).id;
  const link = url.split('link=')[1] as string;
  for (const wrong of [
    '',
    'x',
    'AAAA',
    link.slice(0, -2),
    `${link.slice(0, 40)}${link[40] === 'x' ? 'y' : 'x'}${link.slice(41)}`,
    'a'.repeat(5000),
  ]) {
    const { status, headers } = await get(`/attachments/${id}?link=${wrong}`);
    expect([wrong, status, headers.get('www-authenticate')]).toEqual([
      wrong,
      401,
      'Bearer error="invalid_token"',
    ]);
  }
  expect((await get(`/attachments/${other}?link=${link}`)).status).toBe(401);
  expect((await get(`/attachments/${newId()}?link=${link}`)).status).toBe(401);
  expect((await get(`/attachments/${id}?link=%zz`)).status).toBe(400);
  later(59);
  expect((await get(url)).status).toBe(200);
  later(60);
  expect((await get(url)).status).toBe(401);
  later(0);
});

test.each([0, -1, 604_801])('%d seconds are refused', async (seconds) => {
  const { errors } = await askLink(seconds);
  expect(errors).toMatchObject([
    { extensions: { code: 'BAD_REQUEST', violations: [{ path: ['expiresIn'], rule: 'range' }] } },
  ]);
});

test('a link ends with its token, and when its caller does not see the file any more', async () => {
  const week = 604_800;
  const { otherTeamId, teamId } = gateway;
  const [member, admin] = [await linkFor(week, gateway.member), await linkFor(week)];
  const move = (to: string) =>
    gateway.graphql(
      'mutation($id: ID!, $teamId: ID) { updateExpirationItem(id: $id, input: {teamId: $teamId}) { id } }',
      {
        id: item.id,
        teamId: to,
      },
    );
  await move(otherTeamId);
  expect([(await get(member)).status, (await get(admin)).status]).toEqual([404, 200]);
  await move(teamId);
  expect((await get(member)).status).toBe(200);
  const { prisma } = gateway.database;
  await prisma.accessToken.updateMany({ where: { name: 'MEMBER' }, data: { role: 'UPLOADER' } });
  expect((await get(member)).status).toBe(403);
  await prisma.accessToken.updateMany({
    where: { name: 'MEMBER' },
    data: { role: 'MEMBER', revokedAt: testTime },
  });
  expect((await get(member)).status).toBe(401);
  await prisma.accessToken.updateMany({ where: { name: 'MEMBER' }, data: { revokedAt: null } });
  const globex = await createTenant(gateway.database, 'Globex');
  expect(await linkFor(60, globex.admin)).toBeUndefined();
});

test('a link of an issuer’s caller tells nothing of it, and ends with its token', async () => {
  gateway.clock.now = new Date();
  const { prisma } = gateway.database;
  const where = { email: 'max@example.com', organizationId: gateway.organizationId };
  const user = await prisma.user.findFirstOrThrow({ where });
  await prisma.user.update({
    where: { id: user.id },
    data: { role: 'VIEWER', issuer: issuer.url, subject: 'max' },
  });
  const url = await linkFor(604_800, await issuer.token('max'));
  expect((await get(url)).status).toBe(200);
  expect(Buffer.from(url.split('link=')[1] ?? '', 'base64url').toString('latin1')).not.toContain('max');
  await prisma.user.update({ where: { id: user.id }, data: { role: null } });
  expect((await get(url)).status).toBe(401);
  await prisma.user.update({ where: { id: user.id }, data: { role: 'VIEWER' } });
  gateway.clock.now = new Date(Date.now() + 3_600_000);
  expect((await get(url)).status).toBe(401);
  gateway.clock.now = testTime;
});

test('a stream makes links, too', async () => {
  const query = `subscription($id: ID!) { expirationItemChanged(id: $id) { attachments { nodes { downloadUrl(expiresIn: 60) } } } }`;
  const results = await subscribe(gateway, { query, variables: { id: item.id } });
  // Each time another text: what changes nothing is no event.
  const change =
    'mutation($id: ID!, $details: String) { updateExpirationItem(id: $id, input: {details: $details}) { id } }';
  await gateway.graphql(change, { id: item.id, details: newId() });
  const { value } = await results.next();
  const [file] = (
    value as { data: { expirationItemChanged: { attachments: { nodes: { downloadUrl: string }[] } } } }
  ).data.expirationItemChanged.attachments.nodes;
  expect((await get(file?.downloadUrl ?? '')).status).toBe(200);
  await results.return?.();
  await streams(gateway, 0);
});
