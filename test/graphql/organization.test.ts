import { expect, test } from 'vitest';
import { eventTypes } from '../../src/domain/models.js';
import { createTenant, testTime, useGateway } from '../support/gateway.js';
import { later, make } from './access-tokens.support.js';
import { expectRefused, makeUser } from './people.support.js';
import { ask } from './support.js';

const gateway = useGateway();

const eventsOf = async (type: keyof typeof eventTypes) =>
  (await gateway.database.prisma.eventLog.findMany({ where: { typeId: eventTypes[type] } })).map(
    ({ description }) => description,
  );

const change = `mutation ($name: String, $timezone: String, $locale: String) {
  updateOrganization(name: $name, timezone: $timezone, locale: $locale) { id name timezone locale } }`;

test('the organization gives new workspaces its time zone, and only admins change it', async () => {
  const { organization } = await ask(
    gateway,
    '{ organization { id name timezone locale } }',
    {},
    gateway.viewer,
  );
  const { organizationId: id } = gateway;
  expect(organization).toEqual({ id, name: 'Acme', timezone: 'UTC', locale: 'en' });
  const changed = { name: 'Acme AG', timezone: 'Europe/Zurich', locale: 'de' };
  expect((await ask(gateway, change, changed)).updateOrganization).toEqual({ id, ...changed });
  await ask(gateway, change, changed);
  expect(await eventsOf('organization changed')).toEqual([
    'Organization "Acme AG" was changed: locale, name, timezone',
  ]);
  const create = `mutation ($input: CreateTeamInput!) { createTeam(input: $input) { timezone } }`;
  const zoneOf = async (input: object) => (await ask(gateway, create, { input })).createTeam.timezone;
  expect(await zoneOf({ name: 'Own' })).toBe('Europe/Zurich');
  expect(await zoneOf({ name: 'Other', timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo');
  await expectRefused(gateway, change, { name: 'x' }, ['FORBIDDEN', /MEMBER/], gateway.member);
  for (const [wrong, message] of [
    [{ name: '' }, /^name: must not be empty/],
    [{ timezone: 'Mars' }, /^timezone: must be the IANA/],
    [{ locale: 'xx' }, /^locale: must be a language/],
  ] as const) {
    await expectRefused(gateway, change, wrong, ['BAD_REQUEST', message]);
  }
  const stranger = await createTenant(gateway.database, 'Globex');
  const other = await ask(gateway, '{ organization { name timezone } }', {}, stranger.admin);
  expect(other.organization).toEqual({ name: 'Globex', timezone: 'UTC' });
});

const updateMe = `mutation ($name: String, $language: String, $timezone: String, $teamId: ID) {
  updateMe(name: $name, language: $language, timezone: $timezone, teamId: $teamId) {
    name role language timezone team { name } } }`;

test('callers change their own name, language, time zone and default workspace, and no role', async () => {
  const { id, token } = await makeUser(gateway, 'me@example.com', {
    role: 'VIEWER',
    teamIds: [gateway.teamId, gateway.otherTeamId],
  });
  const own = { name: 'Mia', language: 'fr', timezone: 'Europe/Paris' };
  const changes = { ...own, teamId: gateway.otherTeamId };
  const expected = { ...own, role: 'VIEWER', team: { name: 'Acme Other' } };
  expect((await ask(gateway, updateMe, changes, token)).updateMe).toEqual(expected);
  const me =
    '{ me { name role language timezone team { name } user { id } permissions organization { id } token { name } } }';
  expect((await ask(gateway, me, {}, token)).me).toEqual({
    ...expected,
    user: { id },
    permissions: ['READ'],
    organization: { id: gateway.organizationId },
    token: { name: 'Invitation' },
  });
  await expectRefused(gateway, updateMe, { name: 'x' }, ['FORBIDDEN', /UPLOADER/], gateway.uploader);
  const hidden = { teamId: gateway.otherTeamId };
  await expectRefused(gateway, updateMe, hidden, ['BAD_REQUEST', /^teamId: names no/], gateway.member);
});

test('a token is renamed and extended, with an event; a revoked one is not', async () => {
  const change = `mutation ($id: ID!, $name: String, $expiresAt: DateTime) {
    updateAccessToken(id: $id, name: $name, expiresAt: $expiresAt) { id name expiresAt version } }`;
  const { token, accessToken } = await make(gateway, { expiresAt: later(1_000) });
  const { id } = accessToken;
  gateway.clock.now = new Date(later(2_000));
  const status = async () =>
    (await gateway.send('POST', '/graphql', { token, body: { query: '{ me { id } }' } })).status;
  expect(await status()).toBe(401);
  const renamed = (await ask(gateway, change, { id, name: 'Night', expiresAt: later(9_000) }))
    .updateAccessToken;
  expect(renamed).toMatchObject({ id, name: 'Night', expiresAt: later(9_000) });
  expect(await status()).toBe(200);
  expect((await ask(gateway, change, { id, expiresAt: null })).updateAccessToken).toMatchObject({
    name: 'Night',
    expiresAt: null,
  });
  await expectRefused(gateway, change, { id, expiresAt: later(1_000) }, [
    'BAD_REQUEST',
    /^expiresAt: must be/,
  ]);
  await expectRefused(gateway, change, { id, name: ' ' }, ['BAD_REQUEST', /^name: must not/]);
  expect(await eventsOf('token changed')).toEqual([
    'Token "Night" was changed: name, expires_at',
    'Token "Night" was changed: expires_at',
  ]);
  const node = 'query ($id: ID!) { node(id: $id) { ... on AccessToken { name version } } }';
  expect((await ask(gateway, node, { id })).node.name).toBe('Night');
  expect((await ask(gateway, node, { id }, gateway.member)).node).toBeNull();
  await ask(gateway, 'mutation ($id: ID!) { revokeAccessToken(id: $id) { id } }', { id });
  await expectRefused(gateway, change, { id, name: 'x' }, ['CONFLICT', /revoked/]);
  gateway.clock.now = testTime;
});

test('a note has its author, who stays when others change it', async () => {
  const create = 'mutation { createNote(input: { name: "n" }) { id author { name } } }';
  const { createNote } = await ask(gateway, create, {}, gateway.member);
  expect(createNote.author).toEqual({ name: 'Max Member' });
  const { id } = createNote;
  const replace = `mutation ($id: ID!) { replaceNote(id: $id, input: { name: "m" }) { author { name } } }`;
  expect((await ask(gateway, replace, { id })).replaceNote.author).toEqual({ name: 'Max Member' });
  const { json } = await gateway.send('POST', '/v1/notes', { body: { name: 'by REST' } });
  expect(Object.keys(json)).not.toContain('author');
  const read = 'query ($id: ID!) { note(id: $id) { author { name } } }';
  expect((await ask(gateway, read, { id: json.id })).note.author).toEqual({ name: 'Ada Admin' });
  await gateway.database.prisma.note.update({ where: { id }, data: { authorId: null } });
  expect((await ask(gateway, read, { id })).note.author).toBeNull();
});
