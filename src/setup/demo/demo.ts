import type { Database } from '../../db/connection/database.js';
import { isStillUsed, translateError } from '../../db/connection/errors.js';
import type { PrismaTransaction } from '../../db/connection/pool.js';
import { sql } from '../../db/sql/sql.js';
import { GatewayError } from '../../domain/errors.js';
import { type EventHead, type EventName, eventTypes } from '../../domain/models.js';
import { languages } from '../../domain/rules.js';
import { demoWorkspaces } from '../../domain/text/demo.js';
import { eventsSql } from '../../records/event-logs.js';
import { firstUser, lockFirstStart, oldestOrganization } from '../accounts.js';
import { type DemoContext, type DemoData, type DemoIds, readDemo } from './data.js';
import { fileRows } from './files.js';
import {
  acknowledgementRows,
  deliveryRows,
  directoryRows,
  eventRows,
  fleetRows,
  itemRows,
  noteRows,
  renewalRows,
  requestRows,
  requirementRows,
  uploadRows,
} from './rows.js';

interface LoadedDemo {
  readonly teamId: string;
  readonly created: boolean;
}

/**
 * Loads the demo workspace into an organization, unless it has one. Dates count from today; if the
 * organization has a workspace of that name, nothing changes.
 * @throws GatewayError CONFLICT if other records of the organization have a unique value of the demo's
 */
export async function loadDemo(database: Database, organizationId: string, now: Date): Promise<LoadedDemo> {
  try {
    return await database.administer((tx) => insertDemo(tx, organizationId, now));
  } catch (error) {
    const known = translateError(error, '');
    if (!(known instanceof GatewayError && known.code === 'CONFLICT')) throw known;
    throw new GatewayError(
      'CONFLICT',
      'Existing records use ids, names, e-mail addresses or numbers of the demo.',
      {
        cause: error,
      },
    );
  }
}

/** Returns whether an organization has the demo. */
export async function hasDemo({ prisma }: Database, organizationId: string): Promise<boolean> {
  return (await prisma.team.count({ where: { organizationId, name: demoWorkspaces[0] } })) > 0;
}

/**
 * Inserts the demo in a transaction that may create more than the demo. It is in the organization's language. One that is
 * there stays as it is.
 * @param timezone of its workspaces, if that was chosen
 */
export async function insertDemo(
  tx: PrismaTransaction,
  organizationId: string,
  now: Date,
  timezone?: string,
): Promise<LoadedDemo> {
  await lockFirstStart(tx);
  const { data, ids } = await readDemoOf(tx, organizationId);
  const name = data.workspace.name;
  const found = await tx.team.findFirst({ where: { organizationId, name }, select: { id: true } });
  if (found) return { teamId: found.id, created: false };
  const user = await firstUser(tx, organizationId);
  const teamId = ids.team(name);
  // Unlike its records it is new, because new users join the oldest workspace, which must not be this one.
  const times = { created: now, modified: now };
  for (const workspace of [data.workspace, data.branch]) {
    const place = { organizationId, teamId: ids.team(workspace.name), user, now };
    const zone = timezone === undefined ? {} : { timezone };
    await tx.team.create({ data: { id: place.teamId, organizationId, ...workspace, ...zone, ...times } });
    await addAdministrators(tx, place);
  }
  await insertRecords(tx, data, ids, { organizationId, teamId, user, now });
  return { teamId, created: true };
}

/** Events of what people do with records. */
const doings: readonly EventName[] = [
  ...(['created', 'updated', 'renewed', 'deleted', 'archived', 'restored', 'acknowledged'] as const),
  ...(['scan received', 'imported', 'exempted', 'request sent', 'member added'] as const),
];

/**
 * Gives an organization the demo in its language and in a time zone. One that is there is made anew, unless people have
 * worked with records: then it only gets the time zone.
 */
export async function chooseDemo(
  tx: PrismaTransaction,
  organizationId: string,
  now: Date,
  timezone: string,
): Promise<void> {
  await lockFirstStart(tx);
  const { data } = await readDemoOf(tx, organizationId);
  const own = { id: { in: await demoTeams(tx, organizationId) } };
  const done = {
    organizationId,
    userId: { not: null },
    typeId: { in: doings.map((name) => eventTypes[name]) },
  };
  // The demo begins with an event of its workspace and those of its renewals.
  if ((await tx.eventLog.count({ where: done })) > 1 + data.renewals.length) {
    await tx.team.updateMany({ where: own, data: { timezone, modified: now } });
  } else {
    await removeDemo(tx, organizationId);
  }
  await insertDemo(tx, organizationId, now, timezone);
}

/**
 * Adds everybody with an admin token to the workspace, and the first user. The first user may not have a
 * token yet.
 */
async function addAdministrators(
  tx: PrismaTransaction,
  { organizationId, teamId, user, now }: DemoContext,
): Promise<void> {
  const admins = await tx.user.findMany({
    where: { organizationId, accessTokens: { some: { role: 'ADMIN', revokedAt: null } } },
    select: { id: true },
  });
  const ids = new Set([user.id, ...admins.map(({ id }) => id)]);
  await tx.membership.createMany({ data: [...ids].map((userId) => ({ userId, teamId, created: now })) });
}

/** Inserts the demo's records, each after those that it refers to. */
async function insertRecords(
  tx: PrismaTransaction,
  data: DemoData,
  ids: DemoIds,
  place: DemoContext,
): Promise<void> {
  const directory = directoryRows(data, ids, place);
  await tx.contactType.createMany({ data: directory.contactTypes });
  await tx.reminderPolicy.createMany({ data: directory.policies });
  await tx.reminderStep.createMany({ data: directory.steps });
  await tx.category.createMany({ data: directory.categories });
  await tx.tag.createMany({ data: directory.tags });
  await tx.location.createMany({ data: directory.locations });
  await tx.contact.createMany({ data: directory.contacts });
  const fleet = fleetRows(data, ids, place);
  await tx.company.createMany({ data: fleet.companies });
  await tx.vehicle.createMany({ data: fleet.vehicles });
  const { items, itemContacts, itemLocations, itemHolders, itemTags } = itemRows(data, ids, place);
  await tx.expirationItem.createMany({ data: items });
  await tx.expirationItemContact.createMany({ data: itemContacts });
  await tx.expirationItemLocation.createMany({ data: itemLocations });
  await tx.expirationItemTag.createMany({ data: itemTags });
  await tx.itemHolder.createMany({ data: itemHolders });
  await tx.requirement.createMany({ data: requirementRows(data, ids, place) });
  const { attachments, contents } = await fileRows(data, ids, place);
  await tx.attachment.createMany({ data: attachments });
  await tx.attachmentContent.createMany({ data: contents });
  await tx.renewal.createMany({ data: renewalRows(data, ids, place) });
  await tx.uploadNotification.createMany({ data: uploadRows(data, ids, place) });
  await tx.documentRequest.createMany({ data: requestRows(data, ids, place) });
  await tx.delivery.createMany({ data: deliveryRows(data, ids, place) });
  await tx.acknowledgement.createMany({ data: acknowledgementRows(data, ids, place) });
  const { notes, noteRelations } = noteRows(data, ids, place);
  await tx.note.createMany({ data: notes });
  await tx.noteRelation.createMany({ data: noteRelations });
  const { events, eventEntities } = eventRows(data, ids, place);
  await tx.eventLog.createMany({ data: events });
  await tx.eventLogEntity.createMany({ data: eventEntities });
}

/** A foreign key between two tables of workspaces. */
interface ForeignKey {
  readonly from: string;
  readonly to: string;
}

/**
 * Tables that stay. Users have another workspace, the feed of changes tells of the removal, memberships go with
 * their workspace, and triggers subtract the removed records from the counts.
 */
const staying = ['users', 'record_changes', 'memberships', 'record_counts'];

/** Lists the tables of workspaces, each before those that its foreign keys refer to. */
async function tablesInOrder(tx: PrismaTransaction): Promise<string[]> {
  const rows = await tx.$queryRaw<{ table: string }[]>`
    SELECT table_name AS table FROM information_schema.columns JOIN information_schema.tables
      USING (table_schema, table_name)
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND column_name = 'team_id'
      AND to_regclass(table_name) NOT IN (SELECT inhrelid FROM pg_inherits)`;
  const names = ['teams', ...rows.map(({ table }) => table).filter((table) => !staying.includes(table))];
  const keys = await tx.$queryRaw<ForeignKey[]>`
    SELECT source.relname AS from, target.relname AS to FROM pg_constraint
      JOIN pg_class AS source ON source.oid = conrelid JOIN pg_class AS target ON target.oid = confrelid
    WHERE contype = 'f' AND conrelid <> confrelid AND source.relnamespace = current_schema()::regnamespace`;
  const ordered: string[] = [];
  let waiting = names;
  while (waiting.length > 0) {
    const free = waiting.filter(
      (name) => !keys.some(({ from, to }) => to === name && from !== name && waiting.includes(from)),
    );
    if (free.length === 0) throw new Error(`These tables need one another: ${waiting.join(', ')}`);
    ordered.push(...free);
    waiting = waiting.filter((name) => !free.includes(name));
  }
  return ordered;
}

/** Reads the demo's data in the language of an organization, with its ids. */
async function readDemoOf(tx: PrismaTransaction, organizationId: string) {
  const isFirst = (await oldestOrganization(tx)) === organizationId;
  const { locale } = await tx.organization.findUniqueOrThrow({ where: { id: organizationId } });
  const language = languages.find((one) => one === locale) ?? 'en';
  return readDemo(language, isFirst ? undefined : organizationId);
}

/** Finds the workspaces of the demo in an organization. */
async function demoTeams(tx: PrismaTransaction, organizationId: string): Promise<string[]> {
  const { data, ids } = await readDemoOf(tx, organizationId);
  const own = { id: { in: [data.workspace, data.branch].map(({ name }) => ids.team(name)) }, organizationId };
  return (await tx.team.findMany({ where: own, select: { id: true } })).map(({ id }) => id);
}

/** Author of the demo's removal. At the command line it is the gateway. */
type Remover = Parameters<typeof eventsSql>[0]['caller']['user'];

/** Writes the event of the demo's removal, in the workspace that stays. */
async function logRemoval(
  tx: PrismaTransaction,
  place: { readonly organizationId: string; readonly teamId: string; readonly now: Date },
  removed: { readonly teamIds: readonly string[]; readonly items: number; readonly by: Remover },
): Promise<readonly EventHead[]> {
  const { organizationId, teamId, now } = place;
  const caller = { organizationId, teamIds: [teamId], user: removed.by };
  const { ctes, announcements } = eventsSql({ caller, now }, [
    {
      ...{ type: 'deleted', teamId, description: 'The demo was removed, with everything in its workspaces' },
      details: { items: { before: removed.items, after: null } },
      entities: removed.teamIds.map((id) => ({ kind: 'team', id })),
    },
  ]);
  await tx.$executeRaw(sql`WITH ${ctes} SELECT`);
  return announcements;
}

/**
 * Removes the demo from an organization that people use. Users whose default workspace it is get another one.
 * @param by the person who removes it, if it is one
 * @returns false if there is none
 * @throws GatewayError CONFLICT if records elsewhere use records of the demo, or there is no other workspace
 */
export async function unloadDemo(
  database: Database,
  organizationId: string,
  now: Date,
  by: Remover = { id: null, name: null },
): Promise<boolean> {
  try {
    const heads = await database.administer(async (tx) => {
      await lockFirstStart(tx);
      const teamIds = await demoTeams(tx, organizationId);
      if (teamIds.length === 0) return undefined;
      const other = await tx.team.findFirst({
        where: { organizationId, isActive: true, id: { notIn: teamIds } },
        orderBy: [{ created: 'asc' }, { id: 'asc' }],
      });
      if (!other)
        throw new GatewayError('CONFLICT', 'The organization has no other workspace: create one first.');
      await tx.user.updateMany({
        where: { organizationId, teamId: { in: teamIds } },
        data: { teamId: other.id, modified: now },
      });
      const items = await tx.expirationItem.count({ where: { teamId: { in: teamIds } } });
      await removeDemo(tx, organizationId);
      const place = { organizationId, teamId: other.id, now };
      return logRemoval(tx, place, { teamIds, items, by });
    });
    if (heads) database.announce(heads);
    return heads !== undefined;
  } catch (error) {
    if (!isStillUsed(error)) throw error;
    const what =
      'Records of other workspaces use records of the demo, such as its contacts or document types.';
    throw new GatewayError('CONFLICT', `${what} Nothing was removed: give them others first.`, {
      cause: error,
    });
  }
}

/** Removes the demo's workspaces from an organization for good, with everything in them. */
export async function removeDemo(tx: PrismaTransaction, organizationId: string): Promise<void> {
  const teamIds = await demoTeams(tx, organizationId);
  if (teamIds.length === 0) return;
  for (const table of await tablesInOrder(tx)) {
    const column = table === 'teams' ? 'id' : 'team_id';
    await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE ${column} = ANY($1::uuid[])`, teamIds);
  }
}
