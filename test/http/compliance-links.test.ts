import { randomUUID as newId } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ask } from '../graphql/support.js';
import { eventually } from '../support/eventually.js';
import { testTime, useGateway } from '../support/gateway.js';
import { saidOn, stickersOf } from './compliance-links.support.js';

const gateway = useGateway({ TRUST_PROXY: '1' });
const stickers = stickersOf(gateway);

/** A type of document that every vehicle needs. */
let insurance: string;
let truck: string;
let link: string;
beforeAll(async () => {
  insurance = await stickers.require();
  truck = await stickers.vehicle();
  await stickers.paper(truck, insurance, '2027-03-31', '2027-03-01');
  link = await stickers.link(truck);
});
beforeEach(() => {
  gateway.clock.now = testTime;
});

const english = { 'Accept-Language': 'en' };
const said = async (address = link, init: RequestInit = {}) => {
  const { status, text } = await stickers.open(address, { headers: english, ...init });
  expect(status, text).toBe(200);
  return saidOn(text);
};
const change = (id: string, data: object) => gateway.database.prisma.vehicle.update({ where: { id }, data });

describe('whoever scans it sees the state of the moment', () => {
  test.each([
    ['2026-11-20', 'good', 'Complete', 'Complies until 31 March 2027 Checked on 20 November 2026'],
    ['2027-03-01', 'near', 'Complete, but due soon', 'Complies until 31 March 2027 Checked on 1 March 2027'],
    ['2027-03-31', 'near', 'Complete, but due soon', 'Complies until 31 March 2027 Checked on 31 March 2027'],
    ['2027-04-01', 'late', 'Not compliant', 'Checked on 1 April 2027'],
  ])('on %s', async (day, sign, state, facts) => {
    gateway.clock.now = new Date(`${day}T12:00:00Z`);
    expect(await said()).toEqual({ title: 'Truck 101', sign, state, facts });
  });

  test('the day is that of the workspace', async () => {
    const where = { id: gateway.teamId };
    gateway.clock.now = new Date('2027-03-31T12:00:00Z');
    for (const [timezone, state] of [
      ['Pacific/Kiritimati', 'Not compliant'],
      ['Pacific/Niue', 'Complete, but due soon'],
    ]) {
      await gateway.database.prisma.team.update({ where, data: { timezone } });
      expect((await said()).state).toBe(state);
    }
    await gateway.database.prisma.team.update({ where, data: { timezone: 'UTC' } });
  });

  test('of a person nothing is required, and the page says so', async () => {
    const id = newId();
    await gateway.database.prisma.contact.create({
      data: { ...stickers.place(), id, name: 'Ann Lee', email: 'ann@example.org' },
    });
    const { url } = await stickers.create({ holderKind: 'CONTACT', holderId: id });
    const shown = await said(url);
    expect(shown).toMatchObject({ title: 'Ann Lee', sign: 'plain', state: 'Nothing is required' });
    await gateway.database.prisma.contact.update({ where: { id }, data: { isActive: false } });
    expect(await said(url)).toMatchObject({ sign: 'late', state: 'No longer in use' });
  });

  test('a company and a location have stickers, and what has no name is called by its kind', async () => {
    const [company, location] = [newId(), newId()];
    const place = stickers.place();
    await gateway.database.prisma.company.create({ data: { ...place, id: company } });
    await gateway.database.prisma.location.create({ data: { ...place, id: location, name: 'Depot' } });
    const ofCompany = await stickers.create({ holderKind: 'COMPANY', holderId: company });
    const ofLocation = await stickers.create({ holderKind: 'LOCATION', holderId: location });
    expect((await said(ofCompany.url)).title).toBe('Company');
    expect((await said(ofLocation.url)).title).toBe('Depot');
  });
});

test('the page has no scripts, no documents and nobody else, and is neither stored nor found', async () => {
  const name = '<script>alert(1)</script> & Sons';
  const id = await stickers.vehicle({ name });
  await stickers.paper(id, insurance, '2027-03-31');
  const { text, headers } = await stickers.open(await stickers.link(id));
  expect(text).toContain('&lt;script&gt;');
  expect(text).toContain('BT 1014');
  expect(text).not.toMatch(/<script|<img|style="|Secret|Insured|Acme|Ada/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('etag')).toBeNull();
  expect(headers.get('x-robots-tag')).toContain('noindex');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});

test.each([
  ['de-CH, en;q=0.5', '', 'de', 'Vollständig bis 31. März 2027 Geprüft am 20. November 2026'],
  ['fr', '', 'fr', 'Conforme jusqu’au 31 mars 2027 Vérifié le 20 novembre 2026'],
  ['es', '', 'es', 'Cumple hasta 31 de marzo de 2027 Comprobado el 20 de noviembre de 2026'],
  ['it', '', 'it', 'Conforme fino al 31 marzo 2027 Verificato il 20 novembre 2026'],
  ['nl', '', 'nl', 'In orde tot en met 31 maart 2027 Gecontroleerd op 20 november 2026'],
  ['nl', '?lang=en', 'en', 'Complies until 31 March 2027 Checked on 20 November 2026'],
  ['xx', '?lang=xx', 'en', 'Complies until 31 March 2027 Checked on 20 November 2026'],
])('with %s and %s it speaks %s', async (accepted, query, language, facts) => {
  const { text } = await stickers.open(`${link}${query}`, { headers: { 'Accept-Language': accepted } });
  expect(text).toContain(`<html lang="${language}">`);
  expect(saidOn(text).facts).toBe(facts);
  expect(text.match(/hreflang="/g)).toHaveLength(5);
});

test('links that never were, were revoked or are malformed have one answer, from one statement', async () => {
  const made = await stickers.create({ holderKind: 'VEHICLE', holderId: truck });
  expect((await stickers.open(made.url)).status).toBe(200);
  await stickers.revoke(made.id);
  const gone = await stickers.vehicle();
  const ofGone = await stickers.link(gone);
  await ask(gateway, 'mutation ($id: ID!) { deleteVehicle(id: $id) { id } }', { id: gone });
  const pathOf = (secret: string) => link.replace(/[^/]+$/, secret);
  const guesses = [
    made.url,
    ofGone,
    ...['A'.repeat(43), 'x', '%00', made.id, `${link.slice(-43)}A`].map(pathOf),
  ];
  const answers = new Set<string>();
  for (const guess of guesses) {
    const sent = await gateway.statementNames(async () => {
      const { status, text } = await stickers.open(guess, { headers: english });
      answers.add(`${status} ${text}`);
    });
    // Quotas are settled in the background, whatever is asked.
    expect(sent.filter((name) => name !== 'rate_limits.settle')).toEqual(['compliance_links.by_secret']);
  }
  expect([...answers]).toHaveLength(1);
  expect([...answers][0]).toMatch(/^404 .*This sticker is not valid/s);
  expect((await stickers.open(link, { method: 'POST' })).status).toBe(405);
});

test('it needs two statements, however many documents there are', async () => {
  const id = await stickers.vehicle();
  for (let n = 0; n < 30; n++) await stickers.paper(id, insurance, '2027-03-31');
  const own = await stickers.link(id);
  const sent = await gateway.statementNames(async () => {
    expect((await stickers.open(own, { method: 'HEAD' })).status).toBe(200);
  });
  expect(sent).toEqual(['compliance_links.by_secret', 'compliance.vehicles']);
});

describe('what happens to the record', () => {
  test('an archived one is no longer in use, until it is used again', async () => {
    const id = await stickers.vehicle();
    const own = await stickers.link(id);
    await change(id, { isArchived: true });
    expect(await said(own)).toMatchObject({ sign: 'late', state: 'No longer in use' });
    await change(id, { isArchived: false });
    expect(await said(own)).toMatchObject({ sign: 'late', state: 'Not compliant' });
  });

  test('a deleted one has no page; one that is restored has its sticker again', async () => {
    const id = await stickers.vehicle();
    const own = await stickers.link(id);
    await ask(gateway, 'mutation ($id: ID!) { deleteVehicle(id: $id) { id } }', { id });
    expect((await stickers.open(own)).status).toBe(404);
    await ask(gateway, 'mutation ($id: ID!) { restoreVehicle(id: $id) { id } }', { id });
    expect((await said(own)).title).toBe('Truck 101');
  });

  test('one that moves keeps its sticker: the rules of its workspace count, and members there revoke it', async () => {
    const id = await stickers.vehicle();
    const made = await stickers.create({ holderKind: 'VEHICLE', holderId: id });
    const { otherTeamId: teamId } = gateway;
    const move =
      'mutation ($id: ID!, $teamId: ID!) { updateVehicle(id: $id, input: { teamId: $teamId }) { id } }';
    await ask(gateway, move, { id, teamId });
    expect(await said(made.url)).toMatchObject({ sign: 'plain', state: 'Nothing is required' });
    const moved = await stickers.read(made.id);
    expect(moved.teamId).toBe(teamId);
    expect(moved.version).not.toBe(made.version);
    const revoke = 'mutation ($id: ID!) { revokeComplianceLink(id: $id) { id } }';
    const { errors } = await gateway.graphql(revoke, { id: made.id }, gateway.member);
    expect(errors[0].extensions.code).toBe('NOT_FOUND');
    await stickers.revoke(made.id);
    expect((await stickers.open(made.url)).status).toBe(404);
  });

  test('an erased person has no sticker', async () => {
    const id = newId();
    const data = { ...stickers.place(), id, name: 'Bea Ott', email: 'bea@example.org' };
    await gateway.database.prisma.contact.create({ data });
    const { url, id: linkId } = await stickers.create({ holderKind: 'CONTACT', holderId: id });
    expect((await said(url)).title).toBe('Bea Ott');
    await ask(gateway, 'mutation ($id: ID!) { erasePerson(id: $id) { erased } }', { id });
    expect((await stickers.open(url)).status).toBe(404);
    expect(await gateway.database.prisma.complianceLink.count({ where: { id: linkId } })).toBe(0);
  });

  test('while an organization is moved, its stickers open nothing', async () => {
    const where = { id: gateway.organizationId };
    await gateway.database.prisma.organization.update({ where, data: { frozenAt: testTime } });
    const { status } = await stickers.open(link);
    await gateway.database.prisma.organization.update({ where, data: { frozenAt: null } });
    expect(status).toBe(404);
    expect((await stickers.open(link)).status).toBe(200);
  });
});

describe('uses', () => {
  test('are counted however many come at once, and a HEAD is none', async () => {
    const made = await stickers.create({ holderKind: 'VEHICLE', holderId: truck, name: 'Door' });
    expect(made).toMatchObject({ uses: 0, lastUsedAt: null });
    await stickers.open(made.url, { method: 'HEAD' });
    await Promise.all(Array.from({ length: 25 }, () => stickers.open(made.url)));
    const read = await eventually(async () => {
      const read = await stickers.read(made.id);
      expect(read.uses).toBe(25);
      return read;
    });
    expect(read).toMatchObject({ lastUsedAt: testTime.toISOString(), version: made.version });
  });

  test('nobody waits for the row of a link, and what was counted meanwhile is one statement', async () => {
    const made = await stickers.create({ holderKind: 'VEHICLE', holderId: truck });
    const counted: string[] = [];
    await gateway.database.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT FROM compliance_links WHERE id = ${made.id}::uuid FOR UPDATE`;
      const sent = await gateway.statementNames(async () => {
        for (let n = 0; n < 5; n++) expect((await stickers.open(made.url)).status).toBe(200);
      });
      counted.push(...sent.filter((name) => name === 'compliance_links.count'));
    });
    expect(counted).toHaveLength(1);
    await eventually(async () => expect((await stickers.read(made.id)).uses).toBe(5));
  });
});

test('a link is opened thirty times a minute, and guesses of an address as often', async () => {
  const own = await stickers.link(truck);
  const statuses = [];
  for (let n = 0; n < 33; n++) statuses.push((await stickers.open(own)).status);
  expect(statuses).toEqual([...Array(30).fill(200), ...Array(3).fill(429)]);
  const headers = stickers.visitor();
  const guesses = [];
  for (let n = 0; n < 33; n++) {
    const guess = own.replace(/[^/]+$/, Buffer.alloc(32, n + 1).toString('base64url'));
    guesses.push(await stickers.open(guess, { headers }));
  }
  expect(guesses.map(({ status }) => status)).toEqual([...Array(30).fill(404), ...Array(3).fill(429)]);
  expect(Number(guesses.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
  // Whoever shares the address still opens a sticker.
  expect((await stickers.open(link, { headers })).status).toBe(200);
});
