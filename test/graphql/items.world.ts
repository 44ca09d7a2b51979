import { addDays, computeStatus } from '../../src/domain/dates.js';
import { newId } from '../../src/domain/rules.js';
import type { TestGateway } from '../support/gateway.js';

/** A workspace, as an item's status knows it. */
interface WorldTeam {
  readonly id: string;
  readonly timezone: string;
  readonly reminderDays: number;
}

/** An item with all that filters look at. */
export interface WorldItem {
  readonly id: string;
  readonly name: string;
  readonly details: string | null;
  readonly teamId: string;
  readonly expirationDate: Date | null;
  readonly categoryId: string;
  readonly contactId: string | null;
  readonly assignedToId: string | null;
  readonly isActive: boolean;
  readonly isMissing: boolean;
  readonly contactIds: string[];
  readonly locationIds: string[];
  readonly tagIds: string[];
}

/** Returns a day so many days after the one on which tests take place in UTC. */
export const dayAt = (days: number) => new Date(Date.UTC(2026, 10, 20 + days));

/** Picks from a list by a number, so that each number makes the same world. */
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;

/**
 * Fills a gateway with items in three workspaces whose days differ, one of which members do not see; with
 * locations in a tree: 0 holds 1 and 2, 2 holds 3, and 4 stands alone.
 */
export async function makeWorld({ database: { prisma }, ...tenant }: TestGateway, count: number) {
  const { organizationId, teamId, otherTeamId, userId } = tenant;
  const calendars = [
    { timezone: 'Pacific/Auckland', reminderDays: 30 },
    { timezone: 'America/Vancouver', reminderDays: 0 },
    { timezone: 'Europe/Berlin', reminderDays: 30 },
  ];
  const thirdId = newId();
  await prisma.team.create({ data: { id: thirdId, organizationId, name: 'Third' } });
  const teams: WorldTeam[] = [];
  for (const [i, id] of [teamId, otherTeamId, thirdId].entries()) {
    teams.push({ id, ...pick(calendars, i) });
    await prisma.team.update({ where: { id }, data: pick(calendars, i) });
  }
  const place = (n: number) => ({ id: newId(), organizationId, teamId: pick(teams, n).id, name: `${n}` });
  const several = (many: number) => Array.from({ length: many }, (_, n) => place(n));
  const [categories, tags] = [several(3), several(4)];
  const contacts = several(4).map((row) => ({ ...row, email: `${row.id}@example.com` }));
  const inside = [null, 0, 0, 2, null];
  const locations = several(5).map((row) => ({ ...row, teamId, parentLocationId: null as string | null }));
  for (const [n, parent] of inside.entries()) {
    const row = locations[n];
    if (row && parent !== null) row.parentLocationId = locations[parent]?.id ?? null;
  }
  await prisma.category.createMany({ data: categories });
  await prisma.tag.createMany({ data: tags });
  await prisma.location.createMany({ data: locations });
  await prisma.contact.createMany({ data: contacts });
  const ids = (rows: readonly { id: string }[], n: number, many: number) => [
    ...new Set(Array.from({ length: many }, (_, i) => pick(rows, n + i).id)),
  ];
  const items = Array.from({ length: count }, (_, n): WorldItem => {
    return {
      id: newId(),
      name: n % 5 === 0 ? `100% licence ${n}` : `Item ${n}`,
      details: n % 7 === 0 ? 'A LICENCE is meant' : null,
      teamId: pick(teams, n).id,
      // Each day near the ends of the statuses, several times.
      expirationDate: n % 11 === 0 ? null : dayAt(pick([-40, -2, -1, 0, 1, 2, 29, 30, 31, 32, 400], n * 3)),
      categoryId: pick(categories, n * 5).id,
      contactId: n % 2 ? null : pick(contacts, n * 7).id,
      assignedToId: n % 3 ? userId : null,
      isActive: n % 4 !== 0,
      isMissing: n % 9 === 0,
      contactIds: ids(contacts, n, n % 3),
      locationIds: ids(locations, n * 3, n % 3),
      tagIds: ids(tags, n * 5, n % 4),
    };
  });
  await prisma.expirationItem.createMany({
    data: items.map(({ contactIds: _c, locationIds: _l, tagIds: _t, ...row }) => ({
      ...row,
      organizationId,
    })),
  });
  const links = <Key extends string>(key: Key, list: 'contactIds' | 'locationIds' | 'tagIds') =>
    items.flatMap((item) =>
      item[list].map(
        (id, position) =>
          ({ itemId: item.id, position, [key]: id }) as { itemId: string; position: number } & Record<
            Key,
            string
          >,
      ),
    );
  await prisma.expirationItemContact.createMany({ data: links('contactId', 'contactIds') });
  await prisma.expirationItemLocation.createMany({ data: links('locationId', 'locationIds') });
  await prisma.expirationItemTag.createMany({ data: links('tagId', 'tagIds') });
  const calendarOf = (item: WorldItem) => teams.find(({ id }) => id === item.teamId) as WorldTeam;
  return {
    items,
    teams,
    categories,
    tags,
    contacts,
    locations,
    /** Returns what the item's status is, by the one rule there is for one item. */
    statusOf: (item: WorldItem, now: Date) => {
      const { reminderDays, ...calendar } = calendarOf(item);
      const notifyOn = item.expirationDate && addDays(item.expirationDate, -reminderDays);
      return computeStatus({ ...item, notifyOn }, calendar, now);
    },
    calendarOf,
    /** Returns the ids of a location and of all that lie in it. */
    within: (id: string) => within(locations, id),
  };
}

function within(rows: readonly { id: string; parentLocationId: string | null }[], id: string): string[] {
  return [id, ...rows.filter((row) => row.parentLocationId === id).flatMap((row) => within(rows, row.id))];
}

/** What `makeWorld` gives. */
export type World = Awaited<ReturnType<typeof makeWorld>>;
