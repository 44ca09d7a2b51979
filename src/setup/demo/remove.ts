import type { Prisma } from '../../generated/prisma/client.js';
import { oldestOrganization } from '../accounts.js';
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
async function tablesInOrder(tx: Prisma.TransactionClient): Promise<string[]> {
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

/** Removes the demo's workspaces from an organization for good, with everything in them. */
export async function removeDemo(tx: Prisma.TransactionClient, organizationId: string): Promise<void> {
  const data = await readDemo();
  const isFirst = (await oldestOrganization(tx)) === organizationId;
  const ids = demoIds(data, isFirst ? undefined : organizationId);
  const own = { id: { in: [data.workspace, data.branch].map(({ name }) => ids.team(name)) }, organizationId };
  const teams = await tx.team.findMany({ where: own, select: { id: true } });
  if (teams.length === 0) return;
  const teamIds = teams.map(({ id }) => id);
  for (const table of await tablesInOrder(tx)) {
    const column = table === 'teams' ? 'id' : 'team_id';
    await tx.$executeRawUnsafe(`DELETE FROM ${table} WHERE ${column} = ANY($1::uuid[])`, teamIds);
  }
}
