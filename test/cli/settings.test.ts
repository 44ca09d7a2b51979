import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compile } from '../../scripts/compile.mjs';
import { loadEnvFile } from '../../src/cli/env-file.js';
import { checkDataDir, withServer } from '../../src/cli/process/server.js';
import { settings } from '../../src/config/config.js';
import { unknownSettings } from '../../src/config/parse.js';
import { onPosix } from '../support/skipping.js';
import { execute, jsonOf } from './support.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gateway-settings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a file of settings', () => {
  it('adds what the environment does not have', async () => {
    const file = join(folder, '.env');
    await writeFile(file, '# a comment\nPORT=5000\nHOST="::1"\nDATABASE_URL=postgres://file/x\n');
    const env: NodeJS.ProcessEnv = { PORT: '6000', DATABASE_URL: '' };
    expect([...loadEnvFile(env, file)]).toEqual(['HOST']);
    expect(env).toEqual({ PORT: '6000', DATABASE_URL: '', HOST: '::1' });
  });

  it('may be missing, but not unreadable', () => {
    expect([...loadEnvFile({}, join(folder, '.env'))]).toEqual([]);
    expect(() => loadEnvFile({}, folder)).toThrow(/^The settings in .+ cannot be read: EISDIR/);
  });
});

describe('--env-file', () => {
  it('names the file of settings, which variables take precedence over', async () => {
    const file = join(folder, 'gateway.env');
    await writeFile(file, 'PORT=5000\nHOST=::1\n');
    const { exitCode, stdout } = await execute({ PORT: '6000' }, 'config', '--env-file', file);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^HOST +\.env +::1$/m);
    expect(stdout).toMatch(/^PORT +environment +6000$/m);
  });

  it('needs the file that it names', async () => {
    const { exitCode, stderr } = await execute({}, '--env-file', join(folder, 'missing.env'), 'config');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: The settings in .+missing\.env cannot be read: ENOENT/);
  });
});

describe('config', () => {
  const env = { PORT: ' 5000 ', BOOTSTRAP_TOKEN: 'Qm4zT9vK2xW7rB5nL8cJ3hY6TqQm4zT9vK2', PORTT: '1' };

  it('prints every setting in force and its source, and no secret', async () => {
    const { exitCode, stdout, stderr } = await execute(env, 'config');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: 'PORTT is not a setting and has no effect; did you mean PORT?\n',
    });
    expect(stdout).not.toContain('Qm4zT9vK');
    expect(stdout).toMatch(/^PORT +environment +5000$/m);
    expect(stdout).toMatch(/^HOST +default +127\.0\.0\.1$/m);
    expect(stdout).toMatch(/^BOOTSTRAP_TOKEN +environment +\(set, not shown\)$/m);
    expect(jsonOf(await execute(env, 'config', '--json'))).toHaveLength(settings.length);
  });

  it('tells wrong settings, too, with status 2', async () => {
    const { exitCode, stderr } = await execute({ PORT: 'x' }, 'config');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('PORT "x": expected');
  });
});

describe('a start that is stopped', () => {
  it("says so, and not which of PostgreSQL's programs the signal ended", async () => {
    // In place of a signal to them, a file is in their way.
    await writeFile(join(folder, 'postgres'), '');
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const starting = (stop?: Promise<string>) =>
      withServer(
        {
          databaseUrl: undefined,
          databaseDirectUrl: undefined,
          databasePooling: 'session',
          postgresPrograms: undefined,
          dataDir: folder,
        },
        log,
        async () => {},
        stop,
      );
    await expect(starting(Promise.resolve('SIGINT'))).rejects.toThrow(
      'Stopped by SIGINT before PostgreSQL had started.',
    );
    await expect(starting()).rejects.not.toThrow('Stopped');
  });
});

describe('a variable that looks like a setting', () => {
  it.each([
    ['PORTT', 'PORT'],
    ['port', 'PORT'],
    ['PROT', 'PORT'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['LOG_LEVELS', 'LOG_LEVEL'],
    ['OIDC_AUDIANCE', 'OIDC_AUDIENCE'],
  ])('%s is reported as unknown, with a suggestion: %s', (name, meant) => {
    expect(unknownSettings({ [name]: '1' })).toEqual([{ name, meant }]);
  });

  it.each(['HOME', 'PATH', 'HOSTNAME', 'PGPORT', 'NODE_ENV', 'USER', 'SHELL', 'WORKERS', 'WORKER', 'TERM'])(
    '%s is not meant',
    (name) => {
      expect(unknownSettings({ [name]: '1' })).toEqual([]);
    },
  );
});

describe('DATA_DIR', () => {
  it('can be there, or be made', async () => {
    await checkDataDir(folder);
    await checkDataDir(join(folder, 'a/b'));
  });

  it('is reported if it is a file, or below one', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const ways = 'Set DATA_DIR to a folder of its own, or DATABASE_URL to your own PostgreSQL.';
    const { exitCode, stderr } = await execute({ DATA_DIR: file, PORT: '0' }, 'serve');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: `error: DATA_DIR ${file} is a file. ${ways}\n`,
    });
    await expect(checkDataDir(join(file, 'x'))).rejects.toThrow(
      `cannot be created: ${file} is a file. ${ways}`,
    );
  });

  it('is reported if this user cannot access it', onPosix, async () => {
    const closed = join(folder, 'closed');
    await mkdir(closed, { mode: 0o500 });
    const isRoot = process.geteuid?.() === 0;
    await chmod(folder, 0o755);
    const compiled = join(folder, 'compiled');
    const source = fileURLToPath(new URL('../../src/cli', import.meta.url));
    await compile(source, compiled, { server: 'process/server.ts' });
    const check = `import { checkDataDir } from ${JSON.stringify(pathToFileURL(join(compiled, 'server.js')).href)};
      await checkDataDir(${JSON.stringify(join(closed, 'x'))}).catch(({ message }) => console.log(message));`;
    // Root may write everywhere; another user tries.
    const user = isRoot ? { uid: 65_534, cwd: '/' } : {};
    const args = ['--input-type=module', '--eval', check];
    const { stdout } = await promisify(execFile)(process.execPath, args, user);
    expect(stdout).toMatch(/^DATA_DIR .+ cannot be created in .+ by .+ \(EACCES\)\. Set DATA_DIR/);
  });
});
