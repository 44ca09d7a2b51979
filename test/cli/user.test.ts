import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeOrganization } from '../../src/setup/accounts.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { execute, jsonOf } from './support.js';

let { database, drop, url } = {} as TestDatabase;
const issuer = 'https://id.example.com';
const env = () => ({ DATABASE_URL: url, OIDC_ISSUER: issuer, OIDC_AUDIENCE: 'gateway' });
const set = (...argv: string[]) => execute(env(), 'user', 'set', ...argv);
beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
});
afterAll(() => drop());

test('an unknown address creates a user, whose settings stay until they are changed', async () => {
  const first = jsonOf(await set('bo@example.com', '--role', 'viewer', '--json'));
  expect(first).toEqual({
    id: expect.any(String),
    name: 'bo',
    email: 'bo@example.com',
    role: 'VIEWER',
    issuer: null,
    subject: null,
  });
  expect(jsonOf(await set('BO@example.com', '--subject', '00u1', '--json'))).toEqual({
    ...first,
    issuer,
    subject: '00u1',
  });
  expect(await set(first.id, '--role', 'admin')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `${first.id}\tbo@example.com\tadmin\t00u1\n`,
  });
  expect((await set(first.id, '--no-subject')).stdout).toBe(
    `${first.id}\tbo@example.com\tadmin\tno subject\n`,
  );
  expect(await database.prisma.membership.count({ where: { userId: first.id } })).toBe(1);
});

test('a subject is one user', async () => {
  await set('one@example.com', '--subject', 'same');
  expect(await set('two@example.com', '--subject', 'same')).toMatchObject({
    exitCode: 1,
    stderr: 'error: The subject is that of another user; release it there.\n',
  });
  expect((await set('one@example.com', '--subject', 'same')).exitCode).toBe(0);
});

test('a subject is one of an issuer', async () => {
  expect(
    await execute({ DATABASE_URL: url }, 'user', 'set', 'bo@example.com', '--subject', 'x'),
  ).toMatchObject({
    exitCode: 2,
    stderr: 'error: --subject needs OIDC_ISSUER, which is not set.\n',
  });
});

test.each([
  [['nobody'], /neither a user's id nor an e-mail address/],
  [['bo@example.com', '--role', 'owner'], /Use one of admin, member, viewer, uploader/],
  [['bo@example.com', '--subject', ''], /subject/],
  [['bo@example.com', '--subject', 'a\nb'], /subject/],
])('%j is refused', async (argv, message) => {
  expect(await set(...argv)).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(message) });
});

test('lists the users, of one organization on request', async () => {
  const list = (...argv: string[]) => execute(env(), 'user', 'list', ...argv);
  const users = await database.prisma.user.findMany({ orderBy: [{ created: 'asc' }, { id: 'asc' }] });
  const listed = jsonOf(await list('--json'));
  expect(listed.map(({ id }: { id: string }) => id)).toEqual(users.map(({ id }) => id));
  expect((await list('--organization', 'default organization')).stdout).toMatch(
    /^[-0-9a-f]{36}\tadmin@localhost\tadmin\tno subject\tDefault organization\tactive\n/,
  );
  expect(await list('--organization', 'none')).toMatchObject({ exitCode: 1, stdout: '' });
  const id = await database.prisma.$transaction((tx) => makeOrganization(tx, new Date()));
  await database.prisma.user.deleteMany({ where: { organizationId: id } });
  expect(await list('--organization', id)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'There are no users.\n',
  });
  expect(await list('--organization', id, '--quiet')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  await database.prisma.team.deleteMany({ where: { organizationId: id } });
  await database.prisma.organization.delete({ where: { id } });
});

test('the administrator of the first start is one with an issuer, too', async () => {
  const user = await database.prisma.user.findFirstOrThrow({ where: { email: 'admin@localhost' } });
  expect(user.role).toBe('ADMIN');
});
