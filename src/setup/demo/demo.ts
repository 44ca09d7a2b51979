import type { Database } from '../../db/connection/database.js';
import { translateError } from '../../db/connection/errors.js';
import type { PrismaTransaction } from '../../db/connection/pool.js';
import { GatewayError } from '../../domain/errors.js';
import { demoWorkspaces } from '../../domain/text/demo.js';
import { firstUser, lockFirstStart, oldestOrganization } from '../accounts.js';
import type { DemoData } from './data.js';
import { fileRows } from './files.js';
import {
  acknowledgementRows,
  deliveryRows,
  eventRows,
  noteRows,
  renewalRows,
  uploadRows,
} from './history.js';
import { type DemoIds, type DemoPlace, demoIds, readDemo } from './place.js';
import { directoryRows, fleetRows, itemRows } from './records.js';

export interface LoadedDemo {
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

/** Inserts the demo in a transaction that may create more than the demo. */
export async function insertDemo(
  tx: PrismaTransaction,
  organizationId: string,
  now: Date,
): Promise<LoadedDemo> {
  const data = await readDemo();
  await lockFirstStart(tx);
  const name = data.workspace.name;
  const found = await tx.team.findFirst({ where: { organizationId, name }, select: { id: true } });
  if (found) return { teamId: found.id, created: false };
  const isFirst = (await oldestOrganization(tx)) === organizationId;
  const ids = demoIds(data, isFirst ? undefined : organizationId);
  const user = await firstUser(tx, organizationId);
  const teamId = ids.team(name);
  // Unlike its records it is new, because new users join the oldest workspace, which must not be this one.
  const times = { created: now, modified: now };
  for (const workspace of [data.workspace, data.branch]) {
    const place = { organizationId, teamId: ids.team(workspace.name), user, now };
    await tx.team.create({ data: { id: place.teamId, organizationId, ...workspace, ...times } });
    await addAdministrators(tx, place);
  }
  await insertRecords(tx, data, ids, { organizationId, teamId, user, now });
  return { teamId, created: true };
}

/**
 * Adds everybody with an admin token to the workspace, and the first user. The first user may not have a
 * token yet.
 */
async function addAdministrators(
  tx: PrismaTransaction,
  { organizationId, teamId, user, now }: DemoPlace,
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
  place: DemoPlace,
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
  const { items, itemContacts, itemLocations, itemTags } = itemRows(data, ids, place);
  await tx.expirationItem.createMany({ data: items });
  await tx.expirationItemContact.createMany({ data: itemContacts });
  await tx.expirationItemLocation.createMany({ data: itemLocations });
  await tx.expirationItemTag.createMany({ data: itemTags });
  const { attachments, contents } = await fileRows(data, ids, place);
  await tx.attachment.createMany({ data: attachments });
  await tx.attachmentContent.createMany({ data: contents });
  await tx.renewal.createMany({ data: renewalRows(data, ids, place) });
  await tx.uploadNotification.createMany({ data: uploadRows(data, ids, place) });
  await tx.delivery.createMany({ data: deliveryRows(data, ids, place) });
  await tx.acknowledgement.createMany({ data: acknowledgementRows(data, ids, place) });
  const { notes, noteRelations } = noteRows(data, ids, place);
  await tx.note.createMany({ data: notes });
  await tx.noteRelation.createMany({ data: noteRelations });
  const { events, eventEntities } = eventRows(data, ids, place);
  await tx.eventLog.createMany({ data: events });
  await tx.eventLogEntity.createMany({ data: eventEntities });
}
