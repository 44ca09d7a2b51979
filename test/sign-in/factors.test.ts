import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventTypes } from '../../src/domain/models.js';
import { base32, codeOf, stepOf } from '../../src/sign-in/factors/totp.js';
import { eventually } from '../support/eventually.js';
import { testTime } from '../support/gateway.js';
import { Authenticator } from './authenticator.js';
import { codeAt, setUpApp } from './authenticator-app.js';
import { ada, atHostName, Browser, max, password, type SignInGateway, startSignIn } from './support.js';

let gateway: SignInGateway;
/** The gateway's address with a host name, because passkeys belong to one. */
let origin: string;
beforeAll(async () => {
  gateway = await startSignIn({}, {}, { settleInterval: 3_600_000 });
  origin = gateway.url.replace('127.0.0.1', 'localhost');
});
afterAll(() => gateway.close());
let hours = 0;
beforeEach(async () => {
  gateway.clock.now = new Date(testTime.getTime() + hours++ * 7_200_000);
  const { prisma } = gateway.database;
  for (const table of [prisma.totpSecret, prisma.recoveryCode, prisma.passkey, prisma.signInSession])
    await (table as { deleteMany(): Promise<unknown> }).deleteMany();
});

const visit = () => new Browser(atHostName(gateway));

async function signedIn(email = ada): Promise<Browser> {
  const browser = visit();
  expect((await browser.signIn(email)).json).toEqual({ state: 'in' });
  return browser;
}

const codeNow = (secret: Buffer) => codeAt(secret, gateway.clock.now);
const wait = (seconds: number) => {
  gateway.clock.now = new Date(gateway.clock.now.getTime() + seconds * 1_000);
};

/** Adds a passkey of a user. */
async function addPasskey(browser: Browser, authenticator: Authenticator, at = origin) {
  const { data } = await browser.graphql('mutation { beginPasskey }');
  const response = authenticator.create(data.beginPasskey.challenge, at);
  const add = 'mutation ($input: AddPasskeyInput!) { addPasskey(input: $input) { id name isBackedUp } }';
  return browser.graphql(add, { input: { name: 'Phone', response } });
}

const codeError = { code: 'UNAUTHORIZED', message: 'The code is wrong, or was used already.' };

test('the codes are those of RFC 6238, and of one step before and after', () => {
  const secret = Buffer.from('12345678901234567890');
  const at = (seconds: number) => new Date(seconds * 1_000);
  expect([59, 1_111_111_109, 20_000_000_000].map((time) => codeOf(secret, Math.floor(time / 30)))).toEqual([
    '287082',
    '081804',
    '353130',
  ]);
  expect(stepOf(secret, '287 082', at(59))).toBe(1);
  expect(stepOf(secret, '287082', at(89))).toBe(1);
  expect(stepOf(secret, '287082', at(90))).toBeUndefined();
  expect(base32(secret)).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

describe('an authenticator app', () => {
  test('is asked for after the password, and no code works twice', async () => {
    const first = await signedIn();
    const other = await signedIn();
    const before = first.cookie;
    const { secret, recovery } = await setUpApp(first);
    expect(recovery).toHaveLength(10);
    expect(first.cookie).not.toBe(before);
    expect((await first.graphql('{ me { signInMethods { totp recoveryCodesLeft } } }')).data.me).toEqual({
      signInMethods: { totp: true, recoveryCodesLeft: 10 },
    });
    expect((await other.send('GET', '/v1/vehicles')).status).toBe(401);
    const browser = visit();
    expect((await browser.signIn()).json).toEqual({ state: 'second-factor', ways: ['totp', 'recovery'] });
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
    const pending = browser.cookie;
    expect(await browser.send('POST', '/session/second-factor', { code: '000000' })).toMatchObject({
      status: 401,
      json: codeError,
    });
    const code = codeNow(secret);
    expect((await browser.send('POST', '/session/second-factor', { code })).json).toEqual({ state: 'in' });
    expect(browser.cookie).not.toBe(pending);
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(200);
    const replaying = visit();
    await replaying.signIn();
    const answers = await Promise.all(
      [code, code].map((sent) => replaying.send('POST', '/session/second-factor', { code: sent })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  test('is replaced once by each recovery code, and of two at once one wins', async () => {
    const { recovery } = await setUpApp(await signedIn());
    const [code = ''] = recovery;
    const browsers = [visit(), visit()];
    for (const browser of browsers) await browser.signIn();
    const typed = ` ${code.toUpperCase()} `;
    const answers = await Promise.all(
      browsers.map((browser) => browser.send('POST', '/session/second-factor', { recoveryCode: typed })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('cannot be guessed, and the time for it ends', async () => {
    const { secret } = await setUpApp(await signedIn());
    const { prisma } = gateway.database;
    await prisma.signInSession.deleteMany();
    const where = { typeId: eventTypes['sign-in failed'] };
    await prisma.eventLog.deleteMany({ where });
    const attacker = visit();
    await attacker.signIn();
    const guess = () => attacker.send('POST', '/session/second-factor', { code: '000000' });
    // All at once, because each could be on its way before any other has failed.
    const answers = await Promise.all(Array.from({ length: 14 }, guess));
    const failed = answers.filter(({ status }) => status === 401);
    const refused = answers.filter(({ status }) => status === 429);
    expect([failed.length, refused.length]).toEqual([10, 4]);
    expect((await guess()).status).toBe(429);
    await eventually(async () => expect(await prisma.eventLog.count({ where })).toBe(2));
    wait(7_200);
    const late = await attacker.send('POST', '/session/second-factor', { code: codeNow(secret) });
    expect(late).toMatchObject({ status: 403, json: { message: expect.stringContaining('is over') } });
  });

  test('is removed only by whoever has just proved the second factor', async () => {
    const browser = await signedIn();
    const { secret } = await setUpApp(browser);
    wait(600);
    const remove = 'mutation { removeTotp }';
    const refused = await browser.graphql(remove);
    expect(refused.errors[0].extensions.code).toBe('FORBIDDEN');
    const byPassword = await browser.send('POST', '/session/confirm', { password });
    expect(byPassword).toMatchObject({
      status: 400,
      json: { message: 'code: is required, because you have a second factor' },
    });
    expect((await browser.send('POST', '/session/confirm', { code: codeNow(secret) })).status).toBe(204);
    expect((await browser.graphql(remove)).data.removeTotp).toBe(true);
    expect((await visit().signIn()).json).toEqual({ state: 'in' });
    expect((await browser.graphql(remove)).data.removeTotp).toBe(false);
  });

  test('that is lost is reset by an administrator, and nobody else', async () => {
    const browser = await signedIn(max);
    await setUpApp(browser);
    const reset = 'mutation ($id: ID!) { resetSecondFactor(userId: $id) }';
    const variables = { id: gateway.memberId };
    expect((await browser.graphql(reset, variables)).errors[0].extensions.code).toBe('FORBIDDEN');
    const adas = await signedIn();
    expect((await adas.graphql(reset, variables)).data.resetSecondFactor).toBe(true);
    expect((await adas.graphql(reset, variables)).data.resetSecondFactor).toBe(false);
    expect((await browser.send('GET', '/v1/vehicles')).status).toBe(401);
    expect((await visit().signIn(max)).json).toEqual({ state: 'in' });
  });

  test('is not removed with a password alone, by changing that', async () => {
    const browser = await signedIn();
    await setUpApp(browser);
    wait(600);
    const change = 'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { name } }';
    const input = { currentPassword: password, newPassword: password };
    expect((await browser.graphql(change, { input })).errors).toBeUndefined();
    const codeOfError = ({ errors }: { errors?: { extensions: object }[] }) => errors?.[0]?.extensions;
    const { userId: id } = gateway;
    for (const mutation of [
      ...['removeTotp', 'createRecoveryCodes', 'beginPasskey'],
      `createSignInLink(userId: "${id}") { link }`,
      `updateUser(id: "${id}", email: "x@example.com") { id }`,
      'updateSignInPolicy(input: { secondFactorRequired: false }) { ways }',
    ])
      expect(codeOfError(await browser.graphql(`mutation { ${mutation} }`))).toEqual({
        ...{ code: 'FORBIDDEN', reason: 'UNCONFIRMED', violations: [] },
      });
    const reset = 'mutation ($id: ID!) { resetSecondFactor(userId: $id) }';
    expect(codeOfError(await browser.graphql(reset, { id }))).toMatchObject({ code: 'FORBIDDEN' });
    expect(codeOfError(await gateway.graphql(reset, { id }))).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('a password confirms whoever has no second factor, and a wrong one does not', async () => {
    const browser = await signedIn(max);
    wait(600);
    expect((await browser.graphql('mutation { beginTotp { secret } }')).errors[0].extensions.code).toBe(
      'FORBIDDEN',
    );
    expect((await browser.send('POST', '/session/confirm', { password: 'wrong' })).status).toBe(400);
    expect((await browser.send('POST', '/session/confirm', { password })).status).toBe(204);
    expect((await browser.graphql('mutation { beginTotp { secret } }')).data.beginTotp.secret).toHaveLength(
      32,
    );
    expect((await visit().send('POST', '/session/confirm', { password })).status).toBe(401);
  });
});

test('an invited person chooses a passkey and is signed in, once', async () => {
  const invite = 'mutation { inviteUser(email: "pia@example.com", name: "Pia", role: VIEWER) { link } }';
  const { link } = (await gateway.graphql(invite)).data.inviteUser;
  const secret = link.split('/').at(-1);
  const send = (path: string, body: object) => visit().send('POST', `/session/${path}`, body);
  const authenticator = new Authenticator();
  const make = async (device = authenticator, at = origin) => {
    const { status, json } = await send('invitation/passkey', { secret });
    expect([status, json.user.name]).toEqual([200, 'pia@example.com']);
    return device.create(json.challenge, at);
  };
  const { organization } = gateway.database.prisma;
  await organization.updateMany({ data: { signInWays: ['PASSWORD'] } });
  expect((await send('invitation/passkey', { secret })).json.reason).toBe('WAY_OFF');
  await organization.updateMany({ data: { signInWays: ['PASSWORD', 'PASSKEY', 'LINK', 'OIDC'] } });
  const passkey = await make();
  const anybodys = (await send('passkey/options', {})).json.challenge;
  for (const [body, message] of [
    [{}, 'password: is required'],
    [{ passkey, password }, 'passkey: cannot be sent together with a password'],
    [{ passkey: { ...passkey, id: 'x' } }, /^passkey: is not valid/],
    [{ passkey: new Authenticator().create(anybodys, origin) }, /^passkey: is not valid/],
    [
      { passkey: await make(new Authenticator(false)) },
      'passkey: must be made with a PIN, fingerprint or face',
    ],
    [{ passkey: await make(authenticator, 'http://localhost:1') }, /^passkey: is not valid/],
  ] as const) {
    const { status, json } = await send('invitation', { secret, ...body });
    expect([status, json.message]).toEqual([400, expect.stringMatching(message)]);
  }
  const late = await make();
  wait(301);
  expect((await send('invitation', { secret, passkey: late })).status).toBe(400);
  const again = await make();
  const statuses = await Promise.all([1, 2].map(() => send('invitation', { secret, passkey: again })));
  // The other one finds the challenge used, or already the invitation.
  expect(statuses.map(({ status }) => status).sort()).toEqual([201, expect.toBeOneOf([400, 403])]);
  expect((await send('invitation/passkey', { secret })).status).toBe(403);
  const { json } = await send('passkey/options', {});
  const response = authenticator.get(json.challenge, origin);
  expect((await send('passkey', { response })).json).toEqual({ state: 'in' });
});

describe('a passkey', () => {
  async function use(browser: Browser, authenticator: Authenticator, path = '/session/passkey') {
    const door = path === '/session/passkey' ? path : '/session/second-factor';
    const { json } = await browser.send('POST', `${door}/options`);
    const response = authenticator.get(json.challenge, origin);
    return browser.send('POST', path, path.endsWith('passkey') ? { response } : { passkey: response });
  }

  test('signs in, as both factors if its user was verified', async () => {
    const browser = await signedIn();
    await setUpApp(browser);
    const [verifying, plain] = [new Authenticator(), new Authenticator(false)];
    expect((await addPasskey(browser, verifying)).data.addPasskey).toMatchObject({
      name: 'Phone',
      isBackedUp: false,
    });
    expect((await addPasskey(browser, plain)).errors).toBeUndefined();
    expect((await use(visit(), verifying)).json).toEqual({ state: 'in' });
    expect((await use(visit(), plain)).status).toBe(401);
    const after = visit();
    await after.signIn();
    expect((await use(after, plain, '/session/second-factor')).json).toEqual({ state: 'in' });
    // Whoever goes back after the password may use one instead of the code.
    const back = visit();
    await back.signIn();
    expect((await use(back, verifying)).json).toEqual({ state: 'in' });
    expect((await visit().send('POST', '/session/second-factor/options')).status).toBe(403);
  });

  test('works once for each challenge, only at our address, and only while it is known', async () => {
    const browser = await signedIn();
    const authenticator = new Authenticator();
    const foreign = await addPasskey(browser, authenticator, 'https://evil.example.org');
    expect(foreign.errors[0].extensions.code).toBe('BAD_REQUEST');
    const { id } = (await addPasskey(browser, authenticator)).data.addPasskey;
    expect((await addPasskey(browser, authenticator)).errors[0].extensions.code).toBe('CONFLICT');
    const { json } = await visit().send('POST', '/session/passkey/options');
    const response = authenticator.get(json.challenge, origin);
    expect((await visit().send('POST', '/session/passkey', { response })).status).toBe(200);
    expect((await visit().send('POST', '/session/passkey', { response })).status).toBe(401);
    const elsewhere = await visit().send('POST', '/session/passkey/options');
    const phished = authenticator.get(elsewhere.json.challenge, 'https://evil.example.org');
    expect((await visit().send('POST', '/session/passkey', { response: phished })).status).toBe(401);
    authenticator.counter -= 3;
    expect((await use(visit(), authenticator)).status).toBe(401);
    authenticator.counter += 10;
    expect((await use(visit(), new Authenticator())).status).toBe(401);
    const { json: late } = await visit().send('POST', '/session/passkey/options');
    wait(301);
    const slow = authenticator.get(late.challenge, origin);
    expect((await visit().send('POST', '/session/passkey', { response: slow })).status).toBe(401);
    const remove = 'mutation ($id: ID!) { deletePasskey(id: $id) }';
    expect(
      (await browser.graphql('mutation ($id: ID!) { renamePasskey(id: $id, name: "Key") }', { id })).data,
    ).toEqual({ renamePasskey: true });
    expect((await browser.graphql('{ me { passkeys { name } } }')).data.me.passkeys).toEqual([
      { name: 'Key' },
    ]);
    expect((await browser.graphql(remove, { id })).data.deletePasskey).toBe(true);
    expect((await browser.graphql(remove, { id })).data.deletePasskey).toBe(false);
    expect((await use(visit(), authenticator)).status).toBe(401);
  });

  test('counts up to the most that its authenticator can say', async () => {
    const browser = await signedIn();
    const authenticator = new Authenticator();
    authenticator.counter = 2 ** 31 - 2;
    const { id } = (await addPasskey(browser, authenticator)).data.addPasskey;
    for (const next of [2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1]) {
      authenticator.counter = next - 1;
      expect((await use(visit(), authenticator)).status).toBe(200);
      const { counter } = await gateway.database.prisma.passkey.findUniqueOrThrow({ where: { id } });
      expect(counter).toBe(BigInt(next));
    }
    authenticator.counter = 2 ** 31;
    expect((await use(visit(), authenticator)).status).toBe(401);
    const late = new Authenticator();
    late.counter = 2 ** 32 - 2;
    expect((await addPasskey(browser, late)).errors).toBeUndefined();
  });

  test('of somebody else is no second factor, and cannot be renamed or removed', async () => {
    const adas = await signedIn();
    const { secret } = await setUpApp(adas);
    expect(secret).toHaveLength(20);
    const maxs = await signedIn(max);
    const authenticator = new Authenticator();
    const { id } = (await addPasskey(maxs, authenticator)).data.addPasskey;
    const pending = visit();
    await pending.signIn();
    expect((await use(pending, authenticator, '/session/second-factor')).status).toBe(401);
    const rename = 'mutation ($id: ID!) { renamePasskey(id: $id, name: "Mine") deletePasskey(id: $id) }';
    expect((await adas.graphql(rename, { id })).data).toEqual({ renamePasskey: false, deletePasskey: false });
  });

  test.each([
    ['/session/passkey', { response: null }, 400],
    [
      '/session/passkey',
      { response: { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: '{' } } },
      401,
    ],
    ['/session/passkey', {}, 400],
    ['/session/second-factor', { code: 1 }, 400],
    ['/session/second-factor', {}, 403],
    ['/session/confirm', [], 400],
  ])('%s with %j is refused', async (path, body, status) => {
    expect((await visit().send('POST', path, body)).status).toBe(status);
  });
});

describe('a second factor that the organization requires', () => {
  const require = (secondFactorRequired: boolean) =>
    gateway.database.prisma.organization.updateMany({ data: { secondFactorRequired } });
  beforeEach(() => require(true));
  afterEach(() => require(false));

  const me = `{ me { id secondFactorMissing permissions teams { id }
    user { eventLogs { totalCount } watches { totalCount } } } }`;
  const refusal = 'Your organization requires a second factor: set one up first.';

  /** Checks that a session opens nothing but the account itself. */
  async function expectClosed(browser: Browser) {
    const { data } = await browser.graphql(me);
    const user = { eventLogs: { totalCount: 0 }, watches: { totalCount: 0 } };
    expect(data.me).toMatchObject({ secondFactorMissing: true, permissions: [], teams: [], user });
    for (const query of [
      '{ organization { id } }',
      '{ tags { totalCount } }',
      'mutation { createSignInLink(userId: "x") { link } }',
      'mutation { changePassword(input: { newPassword: "x" }) { id } }',
      'mutation { updateMe(name: "x") { id } }',
      'mutation { updateSignInPolicy(input: { secondFactorRequired: false }) { ways } }',
      'mutation { endOtherSessions }',
      'mutation { removeTotp }',
    ])
      expect((await browser.graphql(query)).errors, query).toMatchObject([
        { message: refusal, extensions: { code: 'FORBIDDEN', reason: 'SECOND_FACTOR_MISSING' } },
      ]);
    for (const path of ['/v1/tags', '/v1/vehicles', `/attachments/${gateway.userId}`]) {
      const { status, json } = await browser.send('GET', path);
      expect([path, status, json.message]).toEqual([path, 403, refusal]);
    }
  }

  test('is set up first, and nothing else is possible until then', async () => {
    const browser = visit();
    expect((await browser.signIn()).json).toEqual({ state: 'enroll' });
    await expectClosed(browser);
    const before = browser.cookies.get('session');
    await setUpApp(browser);
    expect(browser.cookies.get('session')).not.toBe(before);
    expect((await browser.graphql(me)).data.me.secondFactorMissing).toBe(false);
    expect((await browser.send('GET', '/v1/tags')).status).toBe(200);
    const logged = '{ eventLogs(filter: { types: [SIGN_IN_CHANGED] }, first: 1) { nodes { description } } }';
    expect((await browser.graphql(logged)).data.eventLogs.nodes[0].description).toContain(
      'authenticator app',
    );
  });

  test('is asked of sessions that exist already, and not of tokens', async () => {
    await require(false);
    const browser = await signedIn();
    await require(true);
    await expectClosed(browser);
    expect((await gateway.send('GET', '/v1/tags')).status).toBe(200);
  });

  test('is missing again once the last one was removed', async () => {
    const browser = visit();
    await browser.signIn();
    const { data } = await addPasskey(browser, new Authenticator());
    await setUpApp(browser);
    expect((await browser.graphql('mutation { removeTotp }')).data.removeTotp).toBe(true);
    expect((await browser.graphql(me)).data.me.secondFactorMissing).toBe(false);
    const remove = 'mutation ($id: ID!) { deletePasskey(id: $id) }';
    expect((await browser.graphql(remove, { id: data.addPasskey.id })).data.deletePasskey).toBe(true);
    await expectClosed(browser);
  });

  test('is proved by whoever has one, instead of adding another', async () => {
    await require(false);
    const browser = await signedIn();
    const authenticator = new Authenticator(true);
    await addPasskey(browser, authenticator);
    const other = visit();
    expect((await other.signIn()).json).toEqual({ state: 'in' });
    await require(true);
    const { errors } = await addPasskey(other, new Authenticator(true));
    expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'UNCONFIRMED' } }]);
    const { json } = await other.send('POST', '/session/second-factor/options');
    const passkey = authenticator.get(json.challenge, origin);
    expect((await other.send('POST', '/session/confirm', { passkey })).status).toBe(204);
    expect((await other.graphql(me)).data.me.secondFactorMissing).toBe(false);
  });
});
