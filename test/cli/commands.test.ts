import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '../../src/access/callers.js';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { makeOrganization } from '../../src/setup/accounts.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';
import { execute, jsonOf, startWith } from './support.js';

let { database, drop, url } = {} as TestDatabase;
let dataDir: string;
const gateway = (...argv: string[]) => execute({ DATABASE_URL: url, DATA_DIR: dataDir }, ...argv);
const create = (...argv: string[]) => gateway('token', 'create', '--name', 'ci', ...argv);

beforeAll(async () => {
  ({ database, drop, url } = await createDatabase());
  dataDir = await mkdtemp(join(tmpdir(), 'gateway-cli-'));
});
afterAll(async () => {
  await drop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('token create', () => {
  it('works in an empty database, and prints one line of JSON', async () => {
    const outcome = await create('--role', 'admin', '--json');
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    const { token, id, ...rest } = jsonOf(outcome);
    expect(rest).toEqual({});
    expect(await authenticate(database, token, new Date())).toMatchObject({
      tokenId: id,
      role: 'ADMIN',
      user: { email: 'admin@localhost' },
    });
  });

  it('prints the token alone on stdout for people and for $(…)', async () => {
    const { stdout, stderr } = await create('--role', 'Viewer');
    expect(stdout).toMatch(/^egw_[\w-]{43}\n$/);
    expect(stderr).toMatch(/^Created the token .+ for Administrator\. It is not shown again\.\n$/);
    expect(await authenticate(database, stdout.trim(), new Date())).toMatchObject({ role: 'VIEWER' });
  });

  it('makes a user of an unknown address, once, in the first workspace', async () => {
    const [one, two] = [
      jsonOf(await create('--role', 'member', '--user', 'Jo.Doe@example.com', '--json')),
      jsonOf(await create('--role', 'member', '--user', 'jo.doe@EXAMPLE.com', '--json')),
    ];
    const caller = await authenticate(database, one.token, new Date());
    expect(caller?.user).toMatchObject({ name: 'Jo.Doe', email: 'Jo.Doe@example.com' });
    expect(await authenticate(database, two.token, new Date())).toMatchObject({
      user: { id: caller?.user.id },
    });
    const team = await database.prisma.team.findFirstOrThrow({ where: { name: 'Main' } });
    expect(caller?.teamIds).toEqual([team.id]);
    const byId = jsonOf(await create('--role', 'member', '--user', caller?.user.id ?? '', '--json'));
    expect(await authenticate(database, byId.token, new Date())).toMatchObject({
      user: { id: caller?.user.id },
    });
  });

  it('takes % and _ in an address literally', async () => {
    const { token } = jsonOf(await create('--role', 'member', '--user', 'jo_doe@example.com', '--json'));
    expect(await authenticate(database, token, new Date())).toMatchObject({ user: { name: 'jo_doe' } });
  });

  it('sets the expiry', async () => {
    const { id } = jsonOf(await create('--role', 'member', '--expires', '30d', '--json'));
    const { expiresAt, created } = await database.prisma.accessToken.findUniqueOrThrow({ where: { id } });
    expect((Number(expiresAt) - Number(created)) / 86_400_000).toBeCloseTo(30, 3);
  });

  describe('--signed', () => {
    /** Returns the secret of a token as a gateway with the same settings reads it. */
    async function secretOf(id: string): Promise<string> {
      const { signingSecret } = await database.prisma.accessToken.findUniqueOrThrow({ where: { id } });
      const secrets = createSecrets({ secretKey: undefined, dataDir });
      return secrets.open(signingSecret ?? new Uint8Array(), id);
    }

    it('creates a secret and shows it once, beside the token', async () => {
      const { stdout, stderr } = await create('--role', 'uploader', '--signed');
      expect(stdout).toMatch(/^egw_[\w-]{43}\n$/);
      const [, id = '', secret] =
        /^Created the token (\S+) for .+\nSigning secret \(not shown again either\): (egs_[\w-]{43})\n$/.exec(
          stderr,
        ) ?? [];
      expect(await secretOf(id)).toBe(secret);
      expect((await gateway('token', 'list')).stdout).toMatch(new RegExp(`^${id}\tsigned uploader\t`, 'm'));
    });

    it('prints it in the one line of JSON', async () => {
      const outcome = await create('--signed', '--role', 'uploader', '--json');
      const { token, id, signingSecret, ...rest } = jsonOf(outcome);
      expect({ rest, stderr: outcome.stderr }).toEqual({ rest: {}, stderr: '' });
      expect(token).toMatch(/^egw_/);
      expect(await secretOf(id)).toBe(signingSecret);
    });

    it("takes the sender's secret from a file, and does not repeat it", async () => {
      const file = join(dataDir, 'sender.txt');
      await writeFile(file, 'Y5cWb1rdRDSTSqEjF5pv\n');
      const { stderr } = await create('--role', 'member', '--signed', file);
      const [, id = ''] = /^Created the token (\S+) for .+\. It is not shown again\.\n$/.exec(stderr) ?? [];
      expect(await secretOf(id)).toBe('Y5cWb1rdRDSTSqEjF5pv');
    });

    it('reads it from stdin for -, and does not wait for typed input', async () => {
      const argv = ['token', 'create', '--name', 'x', '--role', 'member', '--signed', '-', '--json'];
      const env = { DATABASE_URL: url, DATA_DIR: dataDir };
      const outcome = await startWith({ stdin: Readable.from(['Y5cWb1rdRDSTSqEjF5pv\n']) }, env, ...argv)
        .outcome;
      expect(await secretOf(jsonOf(outcome).id)).toBe('Y5cWb1rdRDSTSqEjF5pv');
      const stdin = Object.assign(new PassThrough(), { isTTY: true });
      expect(await startWith({ stdin }, env, ...argv).outcome).toMatchObject({ exitCode: 2, stdout: '' });
    });

    it('rejects a secret that is too short, a missing file, and a role that cannot upload', async () => {
      const file = join(dataDir, 'short.txt');
      await writeFile(file, 'short\n');
      const before = await database.prisma.accessToken.count();
      expect(await create('--role', 'member', '--signed', file)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr: 'error: signingSecret must have 16 to 255 visible ASCII characters\n',
      });
      const { exitCode, stderr } = await create('--role', 'member', '--signed', join(dataDir, 'none'));
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^error: ENOENT.+\n$/)]);
      expect((await create('--role', 'viewer', '--signed')).stderr).toMatch(
        /^error: role must be a role .+\n$/,
      );
      expect(await database.prisma.accessToken.count()).toBe(before);
    });
  });

  it.each([
    [['--role', 'admin', '--user', 'nobody'], 2, /^error: "nobody" is neither .+\n$/],
    [['--role', 'admin', '--user', randomUUID()], 1, /^error: There is no user with the id .+\n$/],
    [['--role', 'admin', '--organization', 'Acme'], 1, /^error: There is no organization .+"Acme"\.\n$/],
    [['--role', 'admin', '--name', ' '], 2, /^error: name must not be empty\n$/],
    [['--role', 'admin', '--name', '\u200b'], 2, /^error: name must contain a visible character\n$/],
  ])('refuses %j', async (argv, exitCode, message) => {
    const before = await database.prisma.accessToken.count();
    expect(await create(...argv)).toEqual({ exitCode, stdout: '', stderr: expect.stringMatching(message) });
    expect(await database.prisma.accessToken.count()).toBe(before);
  });
});

describe('token list', () => {
  it('shows every token, and no secret', async () => {
    const outcome = await gateway('token', 'list', '--json');
    const tokens = jsonOf(outcome) as { name: string; role: string }[];
    expect(tokens).toHaveLength(await database.prisma.accessToken.count());
    expect(tokens[0]).toMatchObject({
      name: 'ci',
      role: 'ADMIN',
      lastUsedAt: expect.any(String),
      revokedAt: null,
    });
    expect(outcome.stdout).not.toMatch(/egw_|hash|signing/i);
    const text = (await gateway('token', 'list')).stdout;
    expect(text.trim().split('\n')).toHaveLength(tokens.length);
    expect(text).toMatch(/\tmember\tci\tadmin@localhost\tDefault organization\tnever\tvalid until 20.+Z\n/);
  });

  it('is a table that fits the terminal, or tab-separated on request', async () => {
    const name = '日本語の名前がとても長いトークン\u001b[31m';
    await create('--role', 'member', '--name', name, '--expires', '30d');
    const at = (columns: number, env: object, ...argv: string[]) =>
      startWith({ columns }, { DATABASE_URL: url, ...env }, 'token', 'list', ...argv).outcome;
    for (const columns of [80, 120, 200]) {
      const [headings = '', ...lines] = (await at(columns, { TERM: 'dumb' })).stdout.trimEnd().split('\n');
      expect(headings).toMatch(/^ID +ROLE +NAME +USER +USED +STATE$/);
      expect(lines).toHaveLength(await database.prisma.accessToken.count());
      expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([]);
      expect(lines.at(-1)).toMatch(/^[-0-9a-f]{36} +membe?r? +.*日.* +admin.* +never +(29|30)d (left|le…)$/);
    }
    expect((await at(80, {}, '--plain')).stdout).toBe((await gateway('token', 'list')).stdout);
  });

  it('has bold headings only at color terminals, unless disabled', async () => {
    const at = async (env: object) =>
      (await startWith({ columns: 80 }, { DATABASE_URL: url, ...env }, 'token', 'list').outcome).stdout;
    expect(await at({ TERM: 'xterm-256color' })).toContain('STATE\u001b[22m\n');
    expect(await at({ TERM: 'xterm-256color', NO_COLOR: '1' })).not.toContain('\u001b');
    expect(await at({ TERM: 'dumb' })).not.toContain('\u001b');
  });
});

describe('token revoke', () => {
  it('ends a token, also a second time', async () => {
    const { id, token } = jsonOf(await create('--role', 'member', '--json'));
    expect(await gateway('token', 'revoke', id)).toEqual({
      exitCode: 0,
      stdout: `Revoked the token ${id}.\n`,
      stderr: '',
    });
    expect(jsonOf(await gateway('token', 'revoke', id, '--json'))).toEqual({ id, revoked: true });
    expect(await authenticate(database, token, new Date())).toBeNull();
    expect((await gateway('token', 'list')).stdout).toMatch(new RegExp(`^${id}\t.+\trevoked 20`, 'm'));
  });

  it('does not know every id', async () => {
    const { exitCode, stderr } = await gateway('token', 'revoke', randomUUID());
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: There is no token with the id .+\n$/);
  });
});

describe('migrate', () => {
  it('does nothing in an up-to-date database', async () => {
    expect((await gateway('migrate')).stdout).toBe('The database is up to date.\n');
    expect(jsonOf(await gateway('migrate', '--json'))).toEqual({ applied: [] });
  });
});

describe('--quiet and --verbose', () => {
  it('quiet prints only what was asked for', async () => {
    expect(await gateway('migrate', '--quiet')).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(jsonOf(await gateway('-q', 'migrate', '--json'))).toEqual({ applied: [] });
    const created = await create('--role', 'viewer', '--signed', '-q').then(({ stderr }) => stderr);
    expect(created).toMatch(/^error: role must be a role/);
    const { stdout, stderr } = await create('--role', 'member', '-q');
    expect([stdout, stderr]).toEqual([expect.stringMatching(/^egw_\S+\n$/), '']);
    // It is shown this once.
    const { stderr: secret } = await create('--role', 'member', '--signed', '-q');
    expect(secret).toMatch(/^Signing secret .+egs_\S+\n$/);
  });

  it('verbose says each step on stderr', async () => {
    expect(await gateway('--verbose', 'migrate')).toEqual({
      exitCode: 0,
      stdout: 'The database is up to date.\n',
      stderr: expect.stringMatching(/^Using PostgreSQL at .+\n$/),
    });
  });
});

describe('demo', () => {
  it('is not loaded where nobody can be asked, unless told', async () => {
    for (const more of [[], ['--json'], ['--quiet']]) {
      const refused = await gateway('demo', ...more);
      expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
      expect(refused.stderr).toMatch(
        /^error: Nobody can be asked here\. .*fictitious records.* add --yes\.\n$/,
      );
    }
    expect(await database.prisma.team.count({ where: { name: 'Demo' } })).toBe(0);
    expect((await gateway('demo', '--remove')).stdout).toBe('"Default organization" has no demo.\n');
  });

  it('loads the demo workspace once', async () => {
    const first = jsonOf(await gateway('demo', '--json', '--yes'));
    expect(first).toMatchObject({ created: true });
    expect(jsonOf(await gateway('demo', '--json'))).toEqual({ ...first, created: false });
    expect((await gateway('demo')).stdout).toBe('"Default organization" already has the demo workspace.\n');
  });

  it('removes it, unless something else needs it, and gives its users another workspace', async () => {
    const { prisma } = database;
    const demo = await prisma.team.findFirstOrThrow({ where: { name: 'Demo' } });
    const other = await prisma.team.findFirstOrThrow({ where: { name: 'Main' } });
    const user = await prisma.user.findFirstOrThrow();
    await prisma.user.update({ where: { id: user.id }, data: { teamId: demo.id } });
    expect(await gateway('demo', '--remove')).toMatchObject({ exitCode: 2, stdout: '' });
    const category = await prisma.category.findFirstOrThrow({ where: { teamId: demo.id } });
    const times = { created: new Date(), modified: new Date() };
    const item = { id: randomUUID(), organizationId: demo.organizationId, teamId: other.id, name: 'Ours' };
    await prisma.expirationItem.create({ data: { ...item, categoryId: category.id, ...times } });
    const refused = await gateway('demo', '--remove', '--yes');
    expect(refused).toMatchObject({ exitCode: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^error: Records of other workspaces use .+ Nothing was removed/);
    await prisma.expirationItem.delete({ where: { id: item.id } });
    expect((await gateway('demo', '--remove', '--yes')).stdout).toMatch(/^Removed the demo from /);
    expect(await prisma.team.count({ where: { name: { startsWith: 'Demo' } } })).toBe(0);
    expect(await prisma.user.findFirstOrThrow({ where: { id: user.id } })).toMatchObject({
      teamId: other.id,
    });
    expect(jsonOf(await gateway('demo', '--json', '--yes'))).toMatchObject({ created: true });
  });
});

describe('with several organizations', () => {
  it('one must be named, and can be by its name or id', async () => {
    const id = await database.prisma.$transaction((tx) => makeOrganization(tx, new Date()));
    await database.prisma.organization.update({ where: { id }, data: { name: 'Second' } });
    const { exitCode, stderr } = await create('--role', 'admin');
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`"Default organization" (`);
    expect(stderr).toContain(`"Second" (${id})`);
    for (const name of ['SECOND', id]) {
      const { token } = jsonOf(await create('--role', 'admin', '--organization', name, '--json'));
      expect(await authenticate(database, token, new Date())).toMatchObject({ organizationId: id });
    }
    expect(jsonOf(await gateway('token', 'list', '--organization', 'second', '--json'))).toHaveLength(2);
  });
});
