import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventTypes } from '../../src/domain/models.js';
import { createPasswordHasher, ownerAt } from '../../src/sign-in/password-hasher.js';
import { checkNewPassword } from '../../src/sign-in/passwords.js';
import { eventually } from '../support/eventually.js';
import { createTenant, testTime } from '../support/gateway.js';
import { ada, Browser, max, password, type SignInGateway, startSignIn } from './support.js';

let gateway: SignInGateway;
beforeAll(async () => {
  gateway = await startSignIn({ TRUST_PROXY: '1' }, {}, { settleInterval: 3_600_000 });
});
afterAll(() => gateway.close());
/** Each test has its own hour, so that its failures do not count for the others. */
let hours = 0;
beforeEach(() => {
  gateway.clock.now = new Date(testTime.getTime() + hours++ * 7_200_000);
});

const from = (address: string) =>
  new Browser(gateway, {
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': address,
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  });
const wrong = 'this is not the password';
const refusal = {
  message: 'The e-mail address or the password is wrong.',
  ok: false,
  code: 'UNAUTHORIZED',
};

test('a wrong password and an unknown address are answered alike, after the same work', async () => {
  const work = async (email: string) => {
    const before = gateway.hasher.computed();
    let answer: Awaited<ReturnType<Browser['signIn']>> | undefined;
    const statements = await gateway.statementNames(async () => {
      answer = await from('192.0.2.1').signIn(email, wrong);
    });
    return {
      computed: gateway.hasher.computed() - before,
      // The event of a known account is written after the answer.
      statements: statements.filter((name) => name.startsWith('sign_in.')),
      answer: [answer?.status, answer?.json],
    };
  };
  const same = { computed: 1, statements: ['sign_in.accounts_by_email'], answer: [401, refusal] };
  expect(await work(ada)).toEqual(same);
  expect(await work('nobody@example.com')).toEqual(same);
  // No account can have this one, and the database does not even accept it.
  expect(await work('a\0@example.com')).toEqual({ ...same, statements: [] });
  // An account without a password, too.
  await gateway.database.prisma.password.deleteMany({ where: { userId: gateway.memberId } });
  expect(await work(max)).toEqual(same);
  const phc = await gateway.hasher.hash(password, ownerAt(''));
  const { organizationId, memberId: userId } = gateway;
  await gateway.database.prisma.password.create({
    data: { userId, organizationId, phc, changedAt: testTime },
  });
});

test('an address of several organizations costs as much as any other, whoever has which password', async () => {
  const foreign = await createTenant(gateway.database, 'Foreign');
  const { prisma } = gateway.database;
  await prisma.user.update({ where: { id: foreign.userId }, data: { role: 'ADMIN' } });
  const link = `mutation { createSignInLink(userId: "${foreign.userId}") { link } }`;
  const { data } = await gateway.graphql(link, {}, foreign.admin);
  const secret = data.createSignInLink.link.split('#')[1];
  const theirs = 'another password of the same person';
  const reset = await from('192.0.2.1').send('POST', '/session/reset/use', { secret, password: theirs });
  expect(reset.status).toBe(200);
  const price = async (email: string, sent = wrong) => {
    const before = gateway.hasher.computed();
    const browser = from('192.0.2.1');
    await browser.signIn(email, sent);
    const spent = gateway.hasher.computed() - before;
    return [spent, (await browser.graphql('{ me { organization { name } } }')).data?.me.organization.name];
  };
  for (const email of ['nobody@example.com', max, ada]) expect(await price(email)).toEqual([1, undefined]);
  expect(await price(ada, password)).toEqual([1, 'Acme']);
  expect(await price(ada, theirs)).toEqual([1, 'Foreign']);

  // A password of an earlier version has a salt of its own, until it is used.
  const where = { userId: foreign.userId };
  const phc = await createPasswordHasher({ ln: 4 }).hash(theirs, ownerAt(''));
  await prisma.password.update({ where, data: { phc } });
  expect(await price(ada, theirs)).toEqual([3, 'Foreign']);
  expect(await price(ada)).toEqual([1, undefined]);

  // One of an address that nobody else has gets a new one.
  await prisma.user.update({ where: { id: foreign.userId }, data: { email: 'alone@example.com' } });
  const browser = from('192.0.2.1');
  await browser.signIn('alone@example.com', theirs);
  const change = 'mutation ($new: String!) { changePassword(input: {newPassword: $new}) { id } }';
  expect((await browser.graphql(change, { new: `${theirs} again` })).errors).toBeUndefined();
  const hashes = await prisma.password.findMany({ select: { phc: true } });
  const salts = hashes.map(({ phc }) => phc.split('$')[3]);
  expect(new Set(salts).size).toBe(salts.length);
});

test('the address is found in any letter case, and the password as every keyboard types it', async () => {
  const { hasher, database, memberId: userId } = gateway;
  const phc = await hasher.hash('Über alle Berge', ownerAt(''));
  await database.prisma.password.update({ where: { userId }, data: { phc } });
  const typed = 'U\u0308ber\u00a0alle Berge';
  expect((await from('192.0.2.1').signIn('MAX@Example.com', typed)).status).toBe(200);
  expect((await from('192.0.2.1').signIn(max, 'über alle Berge')).status).toBe(401);
});

test('the parameters of a hash are raised when its user signs in', async () => {
  const { database, userId } = gateway;
  const where = { userId };
  const phc = await createPasswordHasher({ ln: 3 }).hash(password, ownerAt(''));
  await database.prisma.password.update({ where, data: { phc } });
  expect((await from('192.0.2.1').signIn()).status).toBe(200);
  const after = await database.prisma.password.findUniqueOrThrow({ where });
  expect(after.phc).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
  expect((await from('192.0.2.1').signIn()).status).toBe(200);
});

describe('guessing', () => {
  test('ends after ten failures, also for a right password, and goes on later', async () => {
    const attacker = from('198.51.100.1');
    for (let count = 0; count < 10; count++) {
      expect((await attacker.signIn(ada, wrong)).status).toBe(401);
    }
    const computed = gateway.hasher.computed();
    const refused = await attacker.signIn();
    expect([refused.status, refused.json]).toEqual([
      429,
      { message: 'Too many failed sign-ins. Try again in 90 s.', ok: false, code: 'TOO_MANY_REQUESTS' },
    ]);
    expect(refused.headers.get('retry-after')).toBe('90');
    // All of the network counts, and no other account does.
    expect((await from('198.51.100.77').signIn()).status).toBe(429);
    expect((await from('198.51.100.77').signIn(max, wrong)).status).toBe(401);
    expect(gateway.hasher.computed()).toBe(computed + 1);
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 90_000);
    expect((await attacker.signIn()).status).toBe(200);
  });

  test('locks nobody else out: neither from elsewhere, nor with a device of before at the same place', async () => {
    const slowPhc = await createPasswordHasher({ ln: 16 }).hash(password, ownerAt(''));
    const device = from('198.51.100.9');
    for (const browser of [device, from('192.0.2.9')]) expect((await browser.signIn()).status).toBe(200);
    const attacker = from('198.51.100.1');
    for (let count = 0; count < 11; count++) await attacker.signIn(ada, wrong);
    expect((await attacker.signIn()).status).toBe(429);
    // Not even while others at its own address and everywhere fill the queue.
    // A hash that takes long keeps it busy while they arrive.
    const slow = gateway.hasher.find([slowPhc], password, {
      ...ownerAt('somebody'),
      isKnown: false,
    });
    const crowd = Array.from({ length: 40 }, (_, at) =>
      from(at < 10 ? '198.51.100.9' : `198.18.${at}.1`).signIn(`u${at}@x.example`, wrong),
    );
    const [own, atHome] = await Promise.all([device.signIn(), from('192.0.2.9').signIn()]);
    expect([own.status, atHome.status]).toEqual([200, 200]);
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(statuses).toEqual(expect.arrayContaining([401, 429, 503]));
    await slow;
    expect((await from('203.0.113.5').signIn()).status).toBe(200);
  });

  test('from everywhere stops at some point, but not for those who come from where they always do', async () => {
    await gateway.database.prisma.signInSession.deleteMany();
    const home = from('192.0.2.200');
    expect((await home.signIn()).status).toBe(200);
    for (let network = 0; network < 50; network++) {
      expect((await from(`10.0.${network}.1`).signIn(ada, wrong)).status).toBe(401);
    }
    expect((await from('10.1.0.1').signIn()).status).toBe(429);
    expect((await from('192.0.2.200').signIn()).status).toBe(200);
    home.headers['X-Forwarded-For'] = '10.1.0.2';
    expect((await home.signIn()).status).toBe(200);
  });

  test('of many accounts from one network ends as well', async () => {
    for (let count = 0; count < 50; count++) {
      await from('10.7.0.1').signIn(`somebody${count}@example.com`, wrong);
    }
    expect((await from('10.7.0.2').signIn('another@example.com', wrong)).status).toBe(429);
  });
});

test('failures are in the log of events, a few for each series, and none of unknown accounts', async () => {
  const { prisma } = gateway.database;
  const typeId = eventTypes['sign-in failed'];
  await prisma.eventLog.deleteMany({ where: { typeId } });
  for (let count = 0; count < 12; count++) {
    await from('203.0.113.80').signIn(max, wrong);
    await from('203.0.113.80').signIn('stranger@example.com', wrong);
  }
  const find = () => prisma.eventLog.findMany({ where: { typeId } });
  await eventually(async () => expect(await find()).toHaveLength(2));
  for (const { description, userId } of await find()) {
    expect(description).toBe(
      'User "Max Member" <max@example.com> was not signed in: the password was wrong (Firefox on Linux, 203.0.113.80)',
    );
    expect(userId).toBe(gateway.memberId);
  }
  expect(JSON.stringify(await prisma.$queryRaw`SELECT key FROM rate_limits`)).not.toContain('example.com');
});

test('requests beyond the queue are refused, and those of one sender sooner', async () => {
  const hasher = createPasswordHasher({ ln: 10 });
  const ask = (sender: string) =>
    hasher.hash('x', ownerAt(sender)).then(
      () => 'hashed',
      ({ code }) => code,
    );
  const one = await Promise.all(Array.from({ length: 5 }, () => ask('one')));
  expect(one).toEqual(['hashed', 'hashed', 'hashed', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS']);
  const many = await Promise.all(Array.from({ length: 22 }, (_, index) => ask(`${index}`)));
  expect(many.filter((outcome) => outcome === 'hashed')).toHaveLength(20);
  expect(many.slice(20)).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
  expect(await ask('again')).toBe('hashed');
});

test('an organization that fills the queue keeps no other one out, and organizations take turns', async () => {
  const hasher = createPasswordHasher({ ln: 10 });
  const ended: string[] = [];
  const ask = (organizationId: string, personId: string) =>
    hasher.hash('x', { organizationId, personId: `${organizationId}${personId}` }).then(
      () => ended.push(organizationId) && 'hashed',
      ({ code }) => code as string,
    );
  const crowd = Array.from({ length: 25 }, (_, index) => ask('a', `${index}`));
  const other = [ask('b', '1'), ask('b', '2'), ask('c', '1')];
  expect(await Promise.all(other)).toEqual(['hashed', 'hashed', 'hashed']);
  const outcomes = await Promise.all(crowd);
  expect(outcomes.filter((outcome) => outcome === 'hashed')).toHaveLength(17);
  expect(outcomes.filter((outcome) => outcome === 'UNAVAILABLE')).toHaveLength(8);
  expect(ended.slice(0, 6).sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
});

test.each([
  ['short pw', 'must have at least 10 characters'],
  ['x'.repeat(201), 'must have at most 200 characters'],
  ['password1234', 'is too easy to guess'],
  ['basketball1', 'is too easy to guess'],
  ['aaaaaaaaaaaaaaaa', 'is too easy to guess'],
  ['abcdefghijkl', 'is too easy to guess'],
  ['ada@example.com', 'is too easy to guess'],
])('%s is no password', async (given, message) => {
  await expect(checkNewPassword(given, { name: 'Ada Admin', email: ada })).rejects.toThrow(message);
});

describe('changePassword', () => {
  const change = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { email } }';
  const next = 'a boat without any oars';
  const messageOf = (answer: { errors?: { message: string }[] }) => answer.errors?.[0]?.message;

  test('asks for the current one, unless its user has just signed in', async () => {
    const browser = from('192.0.2.1');
    await browser.signIn();
    gateway.clock.now = new Date(gateway.clock.now.getTime() + 600_000);
    expect((await browser.graphql(change, { input: { newPassword: next } })).errors).toMatchObject([
      {
        message: 'Confirm who you are first: send the current password.',
        extensions: { code: 'FORBIDDEN', reason: 'UNCONFIRMED' },
      },
    ]);
    const input = { currentPassword: wrong, newPassword: next };
    expect(messageOf(await browser.graphql(change, { input }))).toBe('currentPassword: is wrong');
    expect(messageOf(await gateway.graphql(change, { input: { newPassword: next } }))).toMatch(/^Confirm/);
  });

  test('gives the session a new secret, and ends the others if asked to', async () => {
    const [browser, other] = [from('192.0.2.1'), from('192.0.2.1')];
    await browser.signIn();
    await other.signIn();
    const stolen = from('192.0.2.66');
    stolen.cookies.set('session', browser.cookies.get('session') ?? '');
    const kept = { currentPassword: password, newPassword: next, endOtherSessions: false };
    expect((await browser.graphql(change, { input: kept })).errors).toBeUndefined();
    expect((await stolen.send('GET', '/v1/vehicles')).status).toBe(401);
    for (const one of [browser, other]) expect((await one.send('GET', '/v1/vehicles')).status).toBe(200);
    expect((await browser.graphql(change, { input: { newPassword: password } })).errors).toBeUndefined();
    expect((await other.send('GET', '/v1/vehicles')).status).toBe(401);
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(200);
    expect((await from('192.0.2.1').signIn(ada, next)).status).toBe(401);
    expect((await from('192.0.2.1').signIn()).status).toBe(200);
    const methods = (await browser.graphql('{ me { signInMethods { password passwordChangedAt ways } } }'))
      .data;
    expect(methods.me.signInMethods).toEqual({
      password: true,
      passwordChangedAt: gateway.clock.now.toISOString(),
      ways: ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'],
    });
  });
});
