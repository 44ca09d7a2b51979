import type { Database } from '../../db/connection/database.js';
import { isStillUsed } from '../../db/connection/errors.js';
import type { PrismaTransaction } from '../../db/connection/pool.js';
import { GatewayError } from '../../domain/errors.js';
import { lockFirstStart, oldestOrganization } from '../accounts.js';
import { demoIds, readDemo } from './place.js';

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

/** Finds the workspaces of the demo in an organization. */
async function demoTeams(tx: PrismaTransaction, organizationId: string): Promise<string[]> {
  const data = await readDemo();
  const isFirst = (await oldestOrganization(tx)) === organizationId;
  const ids = demoIds(data, isFirst ? undefined : organizationId);
  const own = { id: { in: [data.workspace, data.branch].map(({ name }) => ids.team(name)) }, organizationId };
  return (await tx.team.findMany({ where: own, select: { id: true } })).map(({ id }) => id);
}

/**
 * Removes the demo from an organization that people use. Users whose default workspace it is get another one.
 * @returns false if there is none
 * @throws GatewayError CONFLICT if records elsewhere use records of the demo, or there is no other workspace
 */
export async function unloadDemo(database: Database, organizationId: string, now: Date): Promise<boolean> {
  try {
    return await database.administer(async (tx) => {
      await lockFirstStart(tx);
      const teamIds = await demoTeams(tx, organizationId);
      if (teamIds.length === 0) return false;
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
      await removeDemo(tx, organizationId);
      return true;
    });
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
