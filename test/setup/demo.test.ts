import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOrganization } from '../../src/setup/accounts.js';
import { bootstrap } from '../../src/setup/bootstrap.js';
import { chooseDemo, loadDemo, unloadDemo } from '../../src/setup/demo/demo.js';
import { createDatabase, type TestDatabase } from '../support/gateway.js';

const now = new Date('2026-11-20T09:30:00.000Z');
let { database, drop } = {} as TestDatabase;
let organizationId: string;
beforeEach(async () => {
  ({ database, drop } = await createDatabase());
  await bootstrap(database, { token: undefined, demo: false, now });
  ({ id: organizationId } = await findOrganization(database));
});
afterEach(() => drop());

const others = readdirSync(new URL('../../prisma/', import.meta.url)).flatMap(
  (name) => /^demo\.(..)\.json$/.exec(name)?.[1] ?? [],
);
const readData = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../prisma/${name}`, import.meta.url), 'utf8'));

/** Collects the texts of the demo, and the names of custom fields. */
function textsIn(value: unknown, isNamed = false): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(isNamed ? [name] : []),
    ...textsIn(inner, name === 'fields' && !Array.isArray(inner)),
  ]);
}

/** Texts that are the same in each language: numbers, times, zones, makes, words of programs, the name of the demo. */
const isSame = (text: string) =>
  /^[\d:A-Z-]+$|^[A-Z_]+$|^America\/|^scan-|^\{|^(Demo|Ford|Mercedes-Benz|Toyota|Volvo|Elena Petrova|Farid Haddad|Daniel Osei|vehicle|contact|demo-licence\.png)$/.test(
    text,
  );

const speak = (locale: string) =>
  database.prisma.organization.update({ where: { id: organizationId }, data: { locale } });
const items = () =>
  database.prisma.expirationItem.findMany({ orderBy: { id: 'asc' }, include: { category: true } });

describe('the texts of the demo', () => {
  it('are there in all languages but its own', () => {
    expect(others.sort()).toEqual(['de', 'es', 'fr', 'it', 'nl']);
  });

  it.each(others)('has each of them in %s, none that it does not use, and each name once', (language) => {
    const [data, texts] = [readData('demo.json'), readData(`demo.${language}.json`)];
    const used = new Set(textsIn(data));
    expect(Object.keys(texts).filter((text) => !used.has(text))).toEqual([]);
    const known = new Set(others.flatMap((other) => Object.keys(readData(`demo.${other}.json`))));
    expect([...used].filter((text) => !known.has(text) && !isSame(text))).toEqual([]);
    for (const kind of ['categories', 'contacts', 'companies', 'vehicles', 'items', 'notes', 'files']) {
      const names = data[kind].map(({ name }: { name: string }) => texts[name] ?? name);
      expect(new Set(names).size, kind).toBe(names.length);
    }
    // The pages of its files have the characters of Latin-1 only.
    const pages = data.files.flatMap(({ pdf }: { pdf?: unknown }) => textsIn(pdf ?? null));
    const written = [...pages, data.footer].map((text) => texts[text] ?? text).join('');
    expect([...written].filter((one) => one > 'ÿ')).toEqual([]);
  });
});

describe('the demo in the language of the organization', () => {
  it.each(others)('%s: the same records under other names', async (language) => {
    await speak('en');
    await loadDemo(database, organizationId, now);
    const english = await items();
    await unloadDemo(database, organizationId, now);
    await speak(language);
    await loadDemo(database, organizationId, now);
    const own = await items();
    expect(own.map(({ id, categoryId, expirationDate }) => [id, categoryId, expirationDate])).toEqual(
      english.map(({ id, categoryId, expirationDate }) => [id, categoryId, expirationDate]),
    );
    const names = new Set(english.map(({ name }) => name));
    expect(own.filter(({ name }) => names.has(name))).toEqual([]);
    for (const { customFields, category } of own) {
      const defined = category.customFields as { id: string; name: string }[];
      const used = (customFields as { id: string; name: string }[]).map(({ id, name }) => ({ id, name }));
      expect(defined).toEqual(expect.arrayContaining(used.map((field) => expect.objectContaining(field))));
    }
  });

  it('is made anew when another language is chosen, unless somebody has worked with it', async () => {
    await loadDemo(database, organizationId, now);
    const choose = () => database.administer((tx) => chooseDemo(tx, organizationId, now, 'Europe/Berlin'));
    const vehicle = async () =>
      (await database.prisma.vehicle.findFirstOrThrow({ where: { vin: '4V4NC9EH2LN210353' } })).name;
    await speak('de');
    await choose();
    expect(await vehicle()).toBe('Lkw 103');
    const { id: userId, teamId } = await database.prisma.user.findFirstOrThrow();
    const event = {
      id: crypto.randomUUID(),
      organizationId,
      teamId,
      userId,
      typeId: 2,
      description: 'Changed',
    };
    await database.prisma.eventLog.create({ data: { ...event, created: now } });
    await speak('es');
    await choose();
    expect(await vehicle()).toBe('Lkw 103');
    const { timezone } = await database.prisma.team.findFirstOrThrow({ where: { name: 'Demo' } });
    expect(timezone).toBe('Europe/Berlin');
  });
});

describe('what the demo says', () => {
  it('claims no mail: neither of requests nor of reminders', async () => {
    await loadDemo(database, organizationId, now);
    const requests = await database.prisma.documentRequest.findMany({ orderBy: { state: 'asc' } });
    expect(requests.map(({ state, sentAt, deliveryId }) => [state, sentAt, deliveryId])).toEqual([
      ['OPEN', null, null],
      ['OPEN', null, null],
      ['RECEIVED', null, null],
    ]);
    expect(requests.map(({ recipientId, email }) => recipientId !== null && email === null)).toEqual(
      Array(3).fill(true),
    );
    // None failed either, which would alarm somebody who has just begun.
    expect(new Set((await database.prisma.delivery.findMany()).map(({ state }) => state))).toEqual(
      new Set(['CANCELLED']),
    );
  });
});

describe('the removal of the demo', () => {
  it('leaves one event in the workspace that stays, with who did it', async () => {
    const { teamId } = await loadDemo(database, organizationId, now);
    const by = await database.prisma.user.findFirstOrThrow();
    expect(await unloadDemo(database, organizationId, now, by)).toBe(true);
    const event = await database.prisma.eventLog.findFirstOrThrow({
      where: { typeId: 4 },
      include: { entities: true },
    });
    expect(event).toMatchObject({
      ...{ description: 'The demo was removed, with everything in its workspaces', userId: by.id },
      ...{ teamId: by.teamId, details: '{"items":{"before":26,"after":null}}' },
    });
    expect(event.entities.map(({ entityId }) => entityId)).toContain(teamId);
    expect(await unloadDemo(database, organizationId, now, by)).toBe(false);
    expect(await database.prisma.eventLog.count({ where: { typeId: 4 } })).toBe(1);
  });
});
