import { afterEach, expect, test } from 'vitest';
import { createToken } from '../../src/access/tokens.js';
import { formatBanner } from '../../src/cli/process/serving.js';
import { createSecrets, parseKey } from '../../src/db/secrets/secrets.js';
import { bootstrap } from '../../src/setup/bootstrap.js';
import { setupSecret } from '../../src/setup/first-visit.js';
import { startGateway, type TestGateway, testTime } from '../support/gateway.js';
import { Authenticator } from './authenticator.js';
import { atHostName, Browser, password } from './support.js';

const key = 'a1'.repeat(32);
const secrets = createSecrets({ secretKey: parseKey(key), dataDir: '' });
const open: TestGateway[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()));
});

/** Starts a gateway on a new database, as the command line does. */
async function startNew(
  demo: boolean,
): Promise<TestGateway & { readonly first: string; readonly link: () => Promise<string | undefined> }> {
  let first = '';
  const gateway = await startGateway(
    { SECRET_KEY: key },
    {},
    {
      makeTenant: async (database) => {
        ({ token: first = '' } = await bootstrap(database, { token: undefined, demo, now: testTime }));
        const { id: userId, teamId, organizationId } = await database.prisma.user.findFirstOrThrow();
        const made = { organizationId, userId, name: 'Made', role: 'ADMIN' as const, expiresAt: null };
        const { token: admin } = await createToken(database, made, testTime);
        const none = { member: '', viewer: '', uploader: '', otherTeamId: '' };
        return { organizationId, userId, teamId, admin, ...none };
      },
    },
  );
  open.push(gateway);
  return { ...gateway, first, link: () => setupSecret(gateway.database, secrets, gateway.clock.now) };
}

const answers = {
  organization: 'Maple Ridge',
  name: 'Chloe Martin',
  email: 'chloe@example.com',
  password,
  timezone: 'Europe/Paris',
  language: 'fr',
};
const refusal =
  'The setup link is not valid, or the gateway is set up already. A gateway that is not set up tells the link at its start.';

test('the first person sets the gateway up with the link, once, and is signed in', async () => {
  const gateway = await startNew(false);
  const secret = await gateway.link();
  // Each start has the same one.
  expect(await gateway.link()).toBe(secret);
  const browser = new Browser(gateway);
  expect((await browser.send('GET', '/session/options')).json.isNew).toBe(true);
  expect((await browser.send('POST', '/session/setup/check', { secret })).status).toBe(204);
  const answer = await browser.send('POST', '/session/setup', { ...answers, secret, demo: false });
  expect([answer.status, answer.json]).toEqual([201, { state: 'in' }]);
  const query =
    '{ me { id email name role language team { name timezone } organization { name locale timezone } } }';
  expect((await browser.graphql(query)).data.me).toEqual({
    id: gateway.userId,
    email: 'chloe@example.com',
    name: 'Chloe Martin',
    role: 'ADMIN',
    language: 'fr',
    team: { name: 'Main', timezone: 'Europe/Paris' },
    organization: { name: 'Maple Ridge', locale: 'fr', timezone: 'Europe/Paris' },
  });
  // The random token of the first start ends; one that somebody made goes on.
  expect((await gateway.send('GET', '/v1/vehicles', { token: gateway.first })).status).toBe(401);
  expect((await gateway.send('GET', '/v1/vehicles')).status).toBe(200);
  expect((await new Browser(gateway).signIn('chloe@example.com')).status).toBe(200);
  expect(await gateway.link()).toBeUndefined();
  expect((await browser.send('GET', '/session/options')).json.isNew).toBe(false);
  for (const path of ['setup', 'setup/check']) {
    const again = await browser.send('POST', `/session/${path}`, { ...answers, secret, demo: false });
    expect([again.status, again.json.message]).toEqual([403, refusal]);
  }
});

test('the first person may use a passkey in place of a password', async () => {
  const gateway = await startNew(false);
  const local = atHostName(gateway);
  const secret = await gateway.link();
  const { password: _password, ...rest } = answers;
  const send = (path: string, body: object) => new Browser(local).send('POST', `/session/${path}`, body);
  const { name, email } = rest;
  expect((await send('setup/passkey', { secret: 'x', name, email })).status).toBe(403);
  expect((await send('setup/passkey', { secret, name: '', email })).status).toBe(400);
  const make = async (authenticator: Authenticator) => {
    const { status, json } = await send('setup/passkey', { secret, name, email });
    expect([status, json.user.name, json.authenticatorSelection.userVerification]).toEqual([
      200,
      email,
      'required',
    ]);
    return authenticator.create(json.challenge, local.url);
  };
  const finish = async (given: object) => {
    const { status, json } = await send('setup', { ...rest, secret, demo: false, ...given });
    return [status, json.message ?? json.state];
  };
  const authenticator = new Authenticator();
  expect(await finish({})).toEqual([400, 'password: is required']);
  const both = { passkey: await make(authenticator), password };
  expect(await finish(both)).toEqual([400, 'passkey: cannot be sent together with a password']);
  expect((await finish({ passkey: { id: 'x' } }))[0]).toBe(400);
  const unverified = { passkey: await make(new Authenticator(false)) };
  expect(await finish(unverified)).toEqual([400, 'passkey: must be made with a PIN, fingerprint or face']);
  const foreign = new Authenticator().create((await make(authenticator)).id, local.url);
  expect((await finish({ passkey: foreign }))[0]).toBe(400);
  const passkey = await make(authenticator);
  expect(await finish({ passkey, timezone: 'Nowhere' })).toEqual([400, expect.stringMatching(/^timezone/)]);
  expect(await finish({ passkey })).toEqual([201, 'in']);
  expect(await gateway.link()).toBeUndefined();
  const { json } = await send('passkey/options', {});
  const response = authenticator.get(json.challenge, local.url);
  expect((await send('passkey', { response })).status).toBe(200);
  expect((await send('password', { email, password })).status).toBe(401);
});

test('of several people with the link, one sets the gateway up', async () => {
  const gateway = await startNew(false);
  const secret = await gateway.link();
  const statuses = await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      const body = { ...answers, secret, demo: false, email: `${name}@example.com` };
      return (await new Browser(gateway).send('POST', '/session/setup', body)).status;
    }),
  );
  expect(statuses.sort()).toEqual([201, 403, 403]);
});

test.each([true, false])('with demo: %s', async (demo) => {
  const gateway = await startNew(!demo);
  const body = { ...answers, secret: await gateway.link(), demo };
  expect((await new Browser(gateway).send('POST', '/session/setup', body)).status).toBe(201);
  const { data } = await gateway.graphql(
    '{ teams { nodes { name timezone } } expirationItems { totalCount } organization { demoTeamIds } }',
  );
  const names = data.teams.nodes.map(({ name }: { name: string }) => name).sort();
  expect(names).toEqual(demo ? ['Agence de démo', 'Demo', 'Main'] : ['Main']);
  expect(Math.sign(data.expirationItems.totalCount)).toBe(demo ? 1 : 0);
  expect(data.organization.demoTeamIds).toHaveLength(demo ? 2 : 0);
});

test.each([true, false])(
  'the demo is in the language and the time zone chosen, sends nothing, and goes at once: loaded before %s',
  async (isThere) => {
    const gateway = await startNew(isThere);
    const body = { ...answers, secret: await gateway.link(), demo: true };
    expect((await new Browser(gateway).send('POST', '/session/setup', body)).status).toBe(201);
    const query = `{ vehicles(first: 1) { nodes { name } } teams { nodes { name timezone } } deliveries { nodes { state } } eventLogs { nodes { type } }
    organization { demoTeamIds } }`;
    const { data } = await gateway.graphql(query);
    expect(data.teams.nodes.map(({ timezone }: { timezone: string }) => timezone)).toEqual(
      Array(3).fill('Europe/Paris'),
    );
    expect(data.vehicles.nodes).toEqual([{ name: 'Camion 101' }]);
    expect(data.deliveries.nodes.map(({ state }: { state: string }) => state)).not.toContain('SENT');
    expect(data.eventLogs.nodes.map(({ type }: { type: string }) => type)).not.toContain('REMINDER_SENT');
    const remove = 'mutation { removeDemo { demoTeamIds } }';
    expect((await gateway.graphql(remove)).data).toEqual({ removeDemo: { demoTeamIds: [] } });
    const left = (await gateway.graphql(query)).data;
    expect(left.teams.nodes).toEqual([{ name: 'Main', timezone: 'Europe/Paris' }]);
    expect(left.deliveries.nodes).toEqual([]);
    expect(left.eventLogs.nodes.filter(({ type }: { type: string }) => type === 'DELETED')).toHaveLength(1);
    expect(left.organization.demoTeamIds).toEqual([]);
    expect((await gateway.graphql(remove)).data).toEqual({ removeDemo: { demoTeamIds: [] } });
  },
);

test('nothing is set up without the link, or with answers that break a rule', async () => {
  const gateway = await startNew(false);
  const secret = await gateway.link();
  const send = async (given: object, path = 'setup') => {
    const { status, json } = await new Browser(gateway).send('POST', `/session/${path}`, {
      ...answers,
      secret,
      demo: false,
      ...given,
    });
    return [status, json?.message];
  };
  for (const wrong of ['', 'x', 'A'.repeat(43)]) {
    expect(await send({ secret: wrong })).toEqual([403, refusal]);
    expect(await send({ secret: wrong }, 'setup/check')).toEqual([403, refusal]);
    const mail = { host: '127.0.0.1', from: 'a@example.com' };
    expect(await send({ secret: wrong, mail, to: 'a@example.com' }, 'setup/mail')).toEqual([403, refusal]);
  }
  expect(await send({ password: 'password1234' })).toEqual([
    400,
    expect.stringContaining('too easy to guess'),
  ]);
  expect(await send({ email: 'nobody' })).toEqual([400, expect.stringContaining('email')]);
  expect(await send({ timezone: 'Mars' })).toEqual([400, expect.stringContaining('timezone')]);
  expect(await send({})).toEqual([201, undefined]);
});

test('a test mail is answered in the words of the server, and the server is stored with the rest', async () => {
  const gateway = await startNew(false);
  const secret = await gateway.link();
  const mail = { host: '127.0.0.1', port: 1, security: 'NONE', from: 'expiry@example.com' };
  const browser = new Browser(gateway);
  const trial = await browser.send('POST', '/session/setup/mail', { secret, mail, to: 'chloe@example.com' });
  const unreachable = { isSent: false, reasonCode: 'MAIL_SERVER_UNREACHABLE' };
  expect(trial.status).toBe(200);
  expect(trial.json).toEqual({ ...unreachable, answer: expect.stringContaining('ECONNREFUSED') });
  expect(
    (await browser.send('POST', '/session/setup', { ...answers, secret, demo: false, mail })).status,
  ).toBe(201);
  expect((await browser.graphql('{ mailSettings { host source } }')).data.mailSettings).toEqual({
    host: '127.0.0.1',
    source: 'DATABASE',
  });
});

test('the banner of a new gateway has the link that sets it up', () => {
  const greeting = { version: '1', program: 'gateway', editor: true, token: 'egw_x', setup: 'secret' };
  const banner = formatBanner({ ...greeting, url: 'http://0.0.0.0:4000' });
  expect(banner).toContain('  Set up        http://localhost:4000/setup#secret\n');
  expect(banner).toContain('-H "Authorization: Bearer egw_x"');
  expect(banner).not.toContain('Sign in');
});
