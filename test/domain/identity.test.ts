import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ClaimNames, isTrustworthyUrl, readIdentity, roles } from '../../src/domain/caller.js';

const read = (claims: object, names: ClaimNames = {}) =>
  readIdentity({ iss: 'https://id.example.com', sub: 'ada', exp: 1_800_000_000, ...claims }, names);

test('a token that states only its subject', () => {
  expect(read({})).toEqual({
    issuer: 'https://id.example.com',
    client: null,
    isEmailVerified: false,
    hasOtherAudiences: false,
    subject: 'ada',
    email: null,
    role: null,
    teams: null,
    issuedAt: null,
    expiresAt: new Date('2027-01-15T08:00:00Z'),
  });
});

describe('a claim', () => {
  test.each([
    ['roles', { roles: 'member' }],
    ['realm_access.roles', { realm_access: { roles: ['member'] } }],
    ['https://example.com/roles', { 'https://example.com/roles': ['member'] }],
    ['a.b', { 'a.b': 'member', a: { b: 'admin' } }],
  ])('is found by the name %s', (role, claims) => {
    expect(read(claims, { role }).role).toBe('MEMBER');
  });

  test.each(['constructor.name', '__proto__', 'roles.length', 'roles.0', 'a.b.c', '', '.'])(
    'is not found by the name %j, which is of no member',
    (teams) => {
      expect(read({ a: { b: 'x' }, roles: 'admin' }, { teams }).teams).toBeNull();
    },
  );
});

test('no claim that a token can have gives a role that it does not name', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...roles, 'admin', 'Member'), fc.array(fc.string()));
  fc.assert(
    fc.property(value, (claim) => {
      const named = [claim].flat().filter((text) => typeof text === 'string');
      const known = roles.find((role) => named.some((text) => text.toUpperCase() === role));
      if (claim === null) expect(read({ r: claim }, { role: 'r' }).role).toBeNull();
      else if (known) expect(read({ r: claim }, { role: 'r' }).role).toBe(known);
      else expect(() => read({ r: claim }, { role: 'r' })).toThrow('none of the roles');
    }),
  );
});

test('whatever a token says, the looked-up values can be stored', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\0', '\ud800', 'a@b.c\0'),
  );
  fc.assert(
    fc.property(text, fc.anything(), fc.array(text), (sub, email, teams) => {
      let identity: ReturnType<typeof read>;
      try {
        identity = read({ sub, email, teams }, { teams: 'teams' });
      } catch (error) {
        expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
        return;
      }
      for (const part of [identity.subject, identity.email ?? '', ...(identity.teams ?? [])]) {
        expect(part.isWellFormed() && !part.includes('\0')).toBe(true);
      }
    }),
  );
});

describe('a URL', () => {
  test.each([
    'https://id.example.com',
    'https://id.example.com:8443/realms/x/',
    'http://127.0.0.1:9000',
    'http://localhost',
    'http://[::1]:1/',
  ])('%s is to be trusted', (url) => expect(isTrustworthyUrl(url)).toBe(true));

  test.each([
    'http://id.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'file:///x',
    'ftp://127.0.0.1',
    'id.example.com',
    '',
    'https://',
  ])('%j is not', (url) => expect(isTrustworthyUrl(url)).toBe(false));
});
