import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { problemsOf } from './support.js';

describe('a value', () => {
  it.each(['0', '-1', '1.5', '1e3', '1000000', 'on', 'Infinity'])('refuses the rate limit %j', (limit) => {
    expect(problemsOf({ RATE_LIMIT: limit })).toEqual([
      `RATE_LIMIT ${JSON.stringify(limit)}: expected off, or a whole number from 1 to 999999`,
    ]);
  });

  it.each(['-1', '4000.5', '0x10', '1e3', 'http', '99999'])('refuses the port %j', (port) => {
    expect(problemsOf({ PORT: port })).toHaveLength(1);
  });

  it.each(['mysql://db/x', 'db.example.com', 'postgresql:db', 'postgres://user:pass@host:port/db'])(
    'refuses the database %j',
    (url) => {
      expect(problemsOf({ DATABASE_URL: url })).toHaveLength(1);
    },
  );

  it.each([
    'databse',
    'files',
    'file://server/share',
    's3:bucket',
    's3://',
    's3://bucket/a%2Fb',
    's3://bucket?endpoint=s3.example.com',
    's3://bucket?endpoint=https://s3.example.com/path',
    's3://bucket?secret=x',
    'https://s3.example.com/bucket',
  ])('refuses %j as a place of files', (place) => {
    const pair = { FILES_ACCESS_KEY_ID: 'id', FILES_SECRET_ACCESS_KEY: 'secret' };
    const expected = `FILES "${place}": expected database, a folder such as /srv/files, or s3://`;
    expect(problemsOf({ FILES: place, ...pair })).toEqual([expect.stringContaining(expected)]);
  });

  it.each([
    [{ FILES: 's3://bucket' }, 'FILES "s3://bucket/…": expected FILES_ACCESS_KEY_ID to be set, too'],
    [{ FILES: '/a', FILES_FROM: '/b' }, expect.stringMatching(/^FILES_FROM: .* between folders, /)],
    [{ FILES_ACCESS_KEY_ID: 'id' }, expect.stringContaining('expected FILES_SECRET_ACCESS_KEY to be set')],
    [{ FILES: 's3://id:secret@bucket' }, expect.stringMatching(/^FILES \(value not shown\): /)],
  ])('refuses the places of files %j', (env, problem) => {
    expect(problemsOf(env)).toEqual([problem]);
  });

  it('takes a database behind a Unix socket', () => {
    const url = 'postgresql://user@/gateway?host=/var/run/postgresql';
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    '*',
    'null',
    'https://a.example/',
    'https://A.example',
    'a.example',
    'https://a.example,',
    'ftp://a.example',
  ])('refuses the origin %j, which no browser sends', (origins) => {
    expect(problemsOf({ CORS_ORIGINS: origins })).toHaveLength(1);
  });

  it.each([
    '*',
    '*.',
    '*example.com',
    'a.*.example.com',
    'https://files.example.com',
    'files.example.com/path',
    'user@files.example.com',
    'files.example.com.',
    '.example.com',
    'a..example.com',
    'files.example.com:0',
    'files.example.com:65536',
    'files.example.com:',
    'a.example.com,',
    'a.example.com b.example.com',
    'bücher.example',
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    'example.127',
    '[::1]',
    '::1',
  ])('refuses the upload host %j, which is no name', (hosts) => {
    expect(problemsOf({ UPLOAD_HOSTS: hosts })).toHaveLength(1);
  });

  it.each(['a b', 'a"b', '=a', 'ü', 'a,b'])(
    'refuses the token %j, which fits no Authorization header',
    (token) => {
      expect(problemsOf({ BOOTSTRAP_TOKEN: token })).toHaveLength(1);
    },
  );
});

describe('a token that somebody sets', () => {
  const names = ['BOOTSTRAP_TOKEN', 'METRICS_TOKEN'] as const;
  it.each([
    ...['abc', 'a', 'Qm4zT9vK2xW7rB5nL8cJ3hY', 'a'.repeat(64), 'ab12cd34'.repeat(4), '0101'.repeat(16)],
    ...['change-me-to-something-long-and-random', 'my-very-long-password-for-the-gateway'],
  ])('is refused if it is short or plainly no secret: %j', (token) => {
    for (const name of names)
      expect(problemsOf({ [name]: token })).toEqual([
        expect.stringMatching(/\(value not shown\): expected at least 32 random .+ openssl rand -base64 32$/),
      ]);
  });

  it('may be random in base64, base64url and hexadecimal', () => {
    for (let count = 0; count < 200; count++)
      for (const [bytes, encoding] of [
        [32, 'base64'],
        [32, 'base64url'],
        [16, 'hex'],
        [24, 'hex'],
      ] as const)
        for (const name of names)
          expect(problemsOf({ [name]: randomBytes(bytes).toString(encoding) })).toEqual([]);
  });
});

describe('OIDC_ISSUER', () => {
  const both = { OIDC_ISSUER: 'https://id.example.com/', OIDC_AUDIENCE: 'gateway' };

  it('goes with an audience, and may go with claims', () => {
    const oidc = {
      ...{ issuer: 'https://id.example.com/', audience: 'gateway', claims: {} },
      scope: 'openid profile email',
    };
    expect(readConfig(both).oidc).toEqual(oidc);
    const claims = { role: 'roles', teams: 'groups' };
    const all = { ...both, OIDC_ROLE_CLAIM: 'roles', OIDC_TEAMS_CLAIM: 'groups' };
    expect(readConfig(all).oidc).toEqual({ ...oidc, claims });
    expect(Object.isFrozen(readConfig(all).oidc)).toBe(true);
  });

  it('may go with a client for the console', () => {
    const client = { ...both, OIDC_CONSOLE_CLIENT_ID: 'console' };
    expect(readConfig(client).oidc?.consoleClient).toBe('console');
    expect(readConfig(client).oidc?.scope).toBe('openid profile email');
    const asked = { ...client, OIDC_CONSOLE_SCOPE: '  openid   api://gateway/read ' };
    expect(readConfig(asked).oidc?.scope).toBe('openid api://gateway/read');
    expect(readConfig(both).oidc?.consoleClient).toBeUndefined();
  });

  it.each(['profile email', 'openid "x"', 'openid, email', 'OpenID', 'openid ü'])(
    'has no scope %j',
    (OIDC_CONSOLE_SCOPE) => {
      expect(problemsOf({ ...both, OIDC_CONSOLE_CLIENT_ID: 'console', OIDC_CONSOLE_SCOPE })).toEqual([
        `OIDC_CONSOLE_SCOPE "${OIDC_CONSOLE_SCOPE.replaceAll('"', '\\"')}": expected scopes separated by spaces, including openid, such as openid profile email`,
      ]);
    },
  );

  it.each(['clïent', 'x'.repeat(501)])('has no client %j', (id) => {
    expect(problemsOf({ ...both, OIDC_CONSOLE_CLIENT_ID: id })).toEqual([
      `OIDC_CONSOLE_CLIENT_ID "${id}": expected the id of a client, of at most 500 ASCII characters`,
    ]);
  });

  it.each([
    ['OIDC_ISSUER', 'https://id.example.com', 'OIDC_AUDIENCE'],
    ['OIDC_CONSOLE_CLIENT_ID', 'console', 'OIDC_ISSUER'],
    ['OIDC_CONSOLE_SCOPE', 'openid', 'OIDC_ISSUER'],
    ['OIDC_AUDIENCE', 'gateway', 'OIDC_ISSUER'],
    ['OIDC_ROLE_CLAIM', 'roles', 'OIDC_ISSUER'],
    ['OIDC_TEAMS_CLAIM', 'groups', 'OIDC_ISSUER'],
  ])('%s is useless alone', (name, value, other) => {
    expect(problemsOf({ [name]: value })).toEqual([`${name} "${value}": expected ${other} to be set, too`]);
  });

  it.each(['http://127.0.0.1:9000', 'http://localhost:9000/realms/x', 'https://id.example.com/realms/x'])(
    'can be %s',
    (issuer) => {
      expect(readConfig({ ...both, OIDC_ISSUER: issuer }).oidc?.issuer).toBe(issuer);
    },
  );

  it.each([
    'http://id.example.com',
    'id.example.com',
    'https://',
    'https://id.example.com/?a',
    'https://id.example.com/#a',
    'https://user@id.example.com',
  ])('cannot be %s', (issuer) => {
    expect(problemsOf({ ...both, OIDC_ISSUER: issuer })).toEqual([
      `OIDC_ISSUER "${issuer}": expected an https URL without query or fragment (http only for this machine)`,
    ]);
  });
});

describe('SECRET_KEY', () => {
  it.each(['5e'.repeat(32), Buffer.alloc(32, 0x5e).toString('base64'), ` ${'5E'.repeat(32)} `])(
    'can be %j',
    (text) => {
      expect(readConfig({ SECRET_KEY: text }).secretKey?.export()).toEqual(Buffer.alloc(32, 0x5e));
    },
  );

  it.each(['a passphrase', '5e'.repeat(31), Buffer.alloc(16).toString('base64')])('refuses %j', (text) => {
    expect(problemsOf({ SECRET_KEY: text })).toEqual([
      expect.stringMatching(/^SECRET_KEY \(value not shown\): expected 32 bytes, in base64 or as 64 hex/),
    ]);
  });
});
