import { describe, expect, it } from 'vitest';
import { parseExpiry } from '../../src/cli/run.js';
import { execute } from './support.js';

// No database: a command line that is wrong must not get as far as one.
const env = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nowhere', STARTUP_TIMEOUT: '0' };

describe('wrong usage', () => {
  it.each([
    [['bogus'], "error: unknown command 'bogus'"],
    [['tokn'], "error: unknown command 'tokn' (Did you mean token?)"],
    [['tokn', '--help'], "error: unknown command 'tokn' (Did you mean token?)"],
    [['token', 'lst', '-h'], "error: unknown command 'lst' (Did you mean list?)"],
    [['help', 'tokn'], "error: unknown command 'tokn' (Did you mean token?)"],
    [['help', 'token', 'craete'], "error: unknown command 'craete' (Did you mean create?)"],
    [['migrate', '--quite'], "error: unknown option '--quite' (Did you mean --quiet?)"],
    [
      ['migrate', '--quiet', '--verbose'],
      "error: option '--verbose' cannot be used with option '-q, --quiet'",
    ],
    [['token', 'list', '--plain', '--json'], "error: option '--plain' cannot be used with option '--json'"],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish.'],
    [['serve', '--bogus'], "error: unknown option '--bogus'"],
    [['serve', 'now'], "error: too many arguments for 'serve'. Expected 0 arguments but got 1."],
    [['token', 'create', '--role', 'admin'], "error: required option '--name <text>' not specified"],
    [['token', 'create', '--name', 'x'], "error: required option '--role <role>' not specified"],
    [['token', 'create', '--name', 'x', '--role', 'boss'], 'Use one of admin, member, viewer, uploader.'],
    [['token', 'create', '--name', 'x', '--role', 'admin', '--expires', 'soon'], 'Use an ISO date'],
    [
      ['token', 'create', '--name', 'x', '--role', 'admin', '--expires', '2020-01-01'],
      'must be in the future',
    ],
    [['token', 'revoke'], "error: missing required argument 'id'"],
  ])('%j is reported in one line, with status 2', async (argv, message) => {
    const { exitCode, stdout, stderr } = await execute(env, ...argv);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^.+\n$/);
  });

  it.each([[[]], [['token']]])('%j alone shows the help, with status 2', async (argv) => {
    const { exitCode, stderr } = await execute(env, ...argv);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Usage: /);
  });
});

describe('failures', () => {
  it.each([['serve'], ['migrate'], ['demo'], ['token list']])(
    '%s tells every wrong setting, with status 2',
    async (command) => {
      const wrong = { PORT: 'x', LOG_LEVEL: 'loud' };
      const { exitCode, stdout, stderr } = await execute(wrong, ...command.split(' '));
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^2 settings are wrong:\n {2}PORT .+\n {2}LOG_LEVEL .+\n$/);
    },
  );

  it('tells in one line that the database is away, with status 1', async () => {
    const { exitCode, stderr } = await execute(env, 'migrate');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: .*ECONNREFUSED.*\n$/);
  });
});

describe('parseExpiry', () => {
  const now = new Date('2026-11-20T09:30:00.000Z');

  it.each([
    ['30d', '2026-12-20T09:30:00.000Z'],
    ['12H', '2026-11-20T21:30:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-20T09:31', '2026-11-20T09:31:00.000Z'],
    ['2026-11-20T09:31Z', '2026-11-20T09:31:00.000Z'],
    ['2026-11-20T12:00+02:00', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T12:00:00', '2026-11-20T12:00:00.000Z'],
    ['2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.500Z'],
    ['2026-11-20T12:00:00+02:00', '2026-11-20T10:00:00.000Z'],
  ])('reads %s as %s, wherever it runs', (text, moment) => {
    expect(parseExpiry(text, now).toISOString()).toBe(moment);
  });

  it.each([
    '',
    '30',
    '30m',
    '-1d',
    '1.5d',
    '0h',
    '999999d',
    '2027-02-30',
    '2027-01-01T25:00',
    '01/02/2027',
    '2026-11-20',
  ])('refuses %j', (text) => {
    expect(() => parseExpiry(text, now)).toThrow();
  });
});
