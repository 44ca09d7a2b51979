import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { readHostList } from '../../src/db/hosts/host-list.js';

const base = 'postgresql://user:word@db.example.com/gateway';
const file = fileURLToPath(new URL('../fixtures/tls/ca.crt', import.meta.url));
const parameter = `sslrootcert=${encodeURIComponent(file)}`;

/** Returns the parameters of the URL that is used. */
function read(query: string): Record<string, string> {
  const { databaseUrl = '' } = readConfig({ DATABASE_URL: `${base}?${query}` });
  expect(databaseUrl.startsWith(`${base}?`)).toBe(true);
  return Object.fromEntries(new URL(databaseUrl).searchParams);
}

describe('a connection string with several servers', () => {
  const some = 'postgresql://user:word@a:5433,b,[::1]:5434/gateway';

  it.each([
    ['hosts with ports', some, ['a:5433', 'b', '[::1]:5434']],
    ['lists in parameters', 'postgresql://user:word@/gateway?host=a,/run/db&port=1,2', ['a:1', '/run/db:2']],
    ['one port for all', 'postgresql:///gateway?host=a,b&port=7', ['a:7', 'b:7']],
    ['one server with its role', `${base}?target_session_attrs=primary`, ['db.example.com']],
  ])('is read: %s', (_, url, places) => {
    const { databaseUrl = '' } = readConfig({ DATABASE_URL: url });
    const { servers, wanted } = readHostList(databaseUrl);
    expect([wanted, servers.map(({ place }) => place)]).toEqual(['primary', places]);
    for (const one of servers)
      expect(readHostList(one.url)).toMatchObject({ servers: [one], wanted: undefined });
  });

  it('names standbys as the replica', () => {
    const { databaseReplicaUrl = '' } = readConfig({ DATABASE_URL: some, DATABASE_REPLICA_URL: some });
    expect(readHostList(databaseReplicaUrl).wanted).toBe('standby');
  });

  it.each([
    ['DATABASE_URL', 'standby', 'read-write, primary'],
    ['DATABASE_URL', 'any', 'read-write, primary'],
    ['DATABASE_REPLICA_URL', 'read-write', 'standby, prefer-standby, read-only'],
  ])('%s with target_session_attrs=%s is refused', (name, attributes, expected) => {
    const env = { DATABASE_URL: some, [name]: `${some}?target_session_attrs=${attributes}` };
    expect(() => readConfig(env)).toThrow(`expected target_session_attrs to be one of ${expected}`);
  });
});

describe('sslmode of a connection string', () => {
  it.each(['disable', 'require', 'verify-full'])('%s means what it means to libpq', (sslmode) => {
    expect(read(`sslmode=${sslmode}`)).toEqual({ sslmode, uselibpqcompat: 'true' });
  });

  it('keeps the certificate of an authority', () => {
    const expected = { sslrootcert: file, uselibpqcompat: 'true' };
    expect(read(`sslmode=verify-ca&${parameter}`)).toEqual({ sslmode: 'verify-ca', ...expected });
    expect(read(parameter)).toEqual({ sslmode: 'verify-full', ...expected });
  });

  it('has the public authorities for sslrootcert=system', () => {
    const verifying = { sslmode: 'verify-full', uselibpqcompat: 'true' };
    expect(read('sslrootcert=system')).toEqual(verifying);
    expect(read('sslmode=verify-full&sslrootcert=system')).toEqual(verifying);
  });

  it("takes pg's own word for require", () => {
    expect(read('sslmode=no-verify')).toEqual({ sslmode: 'require', uselibpqcompat: 'true' });
  });

  it('leaves other parameters as they are', () => {
    expect(read('options=-c%20x%3D1&sslmode=require')).toMatchObject({ options: '-c x=1' });
    expect(readConfig({ DATABASE_URL: `${base}?schema=a%20b` }).databaseUrl).toBe(`${base}?schema=a%20b`);
  });

  it('is parsed the same when processes pass it on', () => {
    const { databaseUrl } = readConfig({ DATABASE_URL: `${base}?sslrootcert=system` });
    expect(readConfig({ DATABASE_URL: databaseUrl }).databaseUrl).toBe(databaseUrl);
  });

  it.each([
    ['sslmode=prefer', 'sslmode to be one of disable, require, verify-ca, verify-full'],
    ['sslmode=allow', 'sslmode to be one of disable, require, verify-ca, verify-full'],
    ['sslmode=', 'sslmode to be one of disable, require, verify-ca, verify-full'],
    ['sslmode=verify-ca', 'sslrootcert with sslmode=verify-ca'],
    ['sslmode=require&sslrootcert=system', 'sslmode=verify-full with sslrootcert=system'],
    ['sslmode=verify-full&sslrootcert=/no/such.crt', 'sslrootcert to name a file that can be read'],
    ['sslmode=require&sslkey=/no/such.key', 'sslkey to name a file that can be read'],
  ])('%s is refused, for the replica as well', (query, expected) => {
    const wrong = (name: string, more = {}) => {
      const read = () => readConfig({ ...more, [name]: `${base}?${query}` });
      expect(read).toThrow(`${name} (value not shown): expected ${expected}`);
    };
    wrong('DATABASE_URL');
    wrong('DATABASE_REPLICA_URL', { DATABASE_URL: base });
  });
});
