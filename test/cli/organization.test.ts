import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { execute, jsonOf } from './support.js';

let { database, drop, url } = {} as TestDatabase;
const run = (...argv: string[]) => execute({ DATABASE_URL: url }, ...argv);
beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
});
afterAll(() => drop());

const callerOf = (token: string) => authenticate(database, token, new Date());

test('each organization is created with a workspace, and an administrator whose token works', async () => {
  const made = await run('organization', 'create', '--name', 'Acme');
  expect(made.stderr).toMatch(/^Created the organization [-0-9a-f]{36}\. .*not shown again\.\n$/);
  const first = await callerOf(made.stdout.trim());
  expect(first).toMatchObject({ role: 'ADMIN', user: { name: 'Administrator', email: 'admin@localhost' } });
  const argv = ['--name', ' Globex ', '--email', 'ada@globex.example', '--json'];
  const { token, id, userId } = jsonOf(await run('organization', 'create', ...argv));
  expect(await callerOf(token)).toMatchObject({
    organizationId: id,
    teamIds: [expect.any(String)],
    user: { id: userId, email: 'ada@globex.example' },
  });
  expect(id).not.toBe(first?.organizationId);
  const { stdout } = await run('organization', 'list');
  expect(stdout).toBe(`${first?.organizationId}\tAcme\t1\t1\n${id}\tGlobex\t1\t1\n`);
  const events = await database.prisma.eventLog.findMany({ where: { organizationId: id } });
  expect(events.map(({ typeId }) => typeId)).toEqual([13]);
});

test('one is renamed, with an event', async () => {
  expect(await run('organization', 'rename', 'globex', '--name', 'Globex Ltd')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^Renamed the organization .+ to "Globex Ltd"/),
  });
  expect(await database.prisma.eventLog.count({ where: { typeId: 24 } })).toBe(1);
  const refused = await run('organization', 'rename', 'Globex Ltd', '--name', ' ');
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/name.*must not be empty/) });
});

test.each([
  [['--name', ''], /must not be empty/],
  [['--name', '\u202e\u3164'], /must contain a visible character/],
  [['--name', 'x', '--email', 'nobody'], /must be an e-mail address/],
  [[], /--name/],
])('create %j is refused', async (argv, message) => {
  expect(await run('organization', 'create', ...argv)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(message),
  });
});

test('a user is invited by a link, and deactivated; the last active admin is not', async () => {
  const to = ['--organization', 'Acme'];
  const { link, id } = jsonOf(
    await run('user', 'invite', 'bo@example.com', '--role', 'viewer', '--json', ...to),
  );
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:4000\/invitations\/[\w-]{43}$/);
  const again = await execute(
    { DATABASE_URL: url, PUBLIC_URL: 'https://gateway.example.com' },
    ...['user', 'invite', 'BO@example.com', '--role', 'member', '--name', 'Bo', ...to],
  );
  expect(again.stdout).toMatch(/^https:\/\/gateway\.example\.com\/invitations\/[\w-]{43}\n$/);
  expect(await database.prisma.user.findUnique({ where: { id } })).toMatchObject({
    name: 'Bo',
    role: 'MEMBER',
  });
  expect((await run('user', 'deactivate', 'bo@EXAMPLE.com', ...to)).exitCode).toBe(0);
  expect((await database.prisma.user.findUnique({ where: { id } }))?.isActive).toBe(false);
  const last = { exitCode: 1, stderr: expect.stringMatching(/last active admin/) };
  expect(await run('user', 'deactivate', 'admin@localhost', ...to)).toMatchObject(last);
  expect(await run('user', 'set', 'admin@localhost', '--role', 'viewer', ...to)).toMatchObject(last);
  expect(await run('user', 'deactivate', 'nobody@example.com', ...to)).toMatchObject({ exitCode: 1 });
  expect((await run('user', 'list', ...to)).stdout).toMatch(
    /BO@example\.com\tmember\tno subject.*\tdeactivated/,
  );
});
