import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { empty, join, raw, type Sql, sql } from '../sql/sql.js';
import { notFrozen } from './frozen.js';
import { type OwnedJob, Shares } from './shares.js';
import { notSilent } from './silence.js';

/**
 * A table whose rows are jobs. Its column `due_at` is the time from which a job can be claimed. It is also
 * the lease: a claimed job is due again when its lease ends. It is null once the job is settled.
 */
export type JobTable =
  | 'deliveries'
  | 'file_removals'
  | 'imports'
  | 'team_exports'
  | 'upload_notifications'
  | 'webhook_deliveries';

/** The table whose jobs belong to no organization, so none of them is ever frozen. */
const ofNoOrganization: JobTable = 'file_removals';

/** SQL for the jobs of a table that reach other systems. They wait while the database is silent. */
const outwardSql: Partial<Record<JobTable, Sql>> = {
  deliveries: sql`TRUE`,
  // A copy must not remove the files of the real database.
  file_removals: sql`TRUE`,
  upload_notifications: sql`url IS NOT NULL`,
};

/** One attempt at a job. The next attempt has another number, so what comes late changes nothing. */
export interface Attempt {
  readonly id: string;
  /** Number of the attempt, from 1. */
  readonly attempts: number;
}

/** Number of jobs to claim, and their lease. */
export interface Claim {
  /** Maximum number of jobs. */
  readonly count: number;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The worker's places, and whose turn it is. Left out, jobs are claimed in turn, as many as there are. */
  readonly shares?: Shares;
  /** Ids of the jobs that the worker still has. It never takes them from itself. */
  readonly held?: readonly string[];
}

/** SQL of a claim that is particular to a kind of job. The row is named `job`. */
export interface ClaimParts {
  /** Selects some jobs of the table, such as those of one kind. */
  readonly where?: Sql;
  /** Sets further columns. */
  readonly set: Sql;
  /** Further columns to return. */
  readonly returning?: Sql;
}

/** SQL for the person whose job it is. Jobs of other tables are no person's. */
const personSql: Partial<Record<JobTable, Sql>> = {
  imports: sql`user_id`,
  team_exports: sql`user_id`,
  upload_notifications: sql`coalesce(user_id, organization_id)`,
};

/**
 * Returns recursive CTEs that list the different values of an indexed column (loose index scan). They begin behind
 * one of them, and go around once. Each value is one look into the index, and only as many are read as the query needs.
 * @param columns the column, and those behind it in the index: no other index has this order
 */
function ringSql(
  name: string,
  table: JobTable,
  columns: readonly [Sql, ...Sql[]],
  after: Sql,
  where: Sql,
): Sql {
  const [value] = columns;
  const next = (last: Sql) => sql`(
    SELECT ${value} FROM ${raw(table)} AS job WHERE due_at IS NOT NULL AND ${where} AND ${value} > ${last}
    ORDER BY ${join(columns)} LIMIT 1)`;
  const list = (list: Sql, start: Sql, going: Sql) => sql`${list} (id) AS (
    SELECT ${next(start)} UNION ALL SELECT ${next(sql`${list}.id`)} FROM ${list} WHERE ${going})`;
  const [ahead, behind] = [raw(`${name}_ahead`), raw(`${name}_behind`)];
  const zero = sql`'00000000-0000-0000-0000-000000000000'::uuid`;
  return sql`
    ${list(ahead, after, sql`id IS NOT NULL`)}, ${list(behind, zero, sql`id <= ${after}`)},
    ${raw(name)} AS (
      SELECT id FROM ${ahead} WHERE id IS NOT NULL UNION ALL SELECT id FROM ${behind} WHERE id <= ${after})`;
}

/** Returns SQL that locks a due job of each organization, the next in turn first. */
function roundSql(table: JobTable, now: Date, count: number, shares: Shares, where: Sql): Sql {
  const [{ organizations, persons }, last] = [shares.full, shares.lastPersons];
  const person = personSql[table];
  const rest = [...(person ? [person] : []), sql`due_at`];
  const ofOrganization = sql`organization_id = own.organization_id AND ${where}`;
  const lockSql = (condition: Sql) => sql`
    SELECT id FROM ${raw(table)} AS job WHERE ${condition} AND due_at <= ${now}::timestamptz
    ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`;
  const lastPerson = sql`coalesce((
    SELECT person FROM unnest(${last.organizations}::uuid[], ${last.persons}::uuid[]) AS served (organization_id, person)
    WHERE served.organization_id = own.organization_id), own.organization_id)`;
  return sql`
    WITH RECURSIVE ${ringSql('organization', table, [sql`organization_id`, ...rest], sql`${shares.last}::uuid`, where)}
    SELECT job.id FROM (SELECT id AS organization_id FROM organization) AS own CROSS JOIN LATERAL (${
      person
        ? sql`
      WITH RECURSIVE ${ringSql('person', table, [person, sql`due_at`], lastPerson, ofOrganization)}
      SELECT job.id FROM person CROSS JOIN LATERAL (
        ${lockSql(sql`${ofOrganization} AND ${person} = person.id`)}
      ) AS job WHERE person.id <> ALL (${persons}::uuid[]) LIMIT 1`
        : lockSql(ofOrganization)
    }) AS job
    WHERE ${notFrozen('own')} AND own.organization_id <> ALL (${organizations}::uuid[]) LIMIT ${count}`;
}

/** Returns SQL that locks the longest due jobs, which are no organization's. */
const oldestSql = (table: JobTable, now: Date, count: number, where: Sql) => sql`
  SELECT id FROM ${raw(table)} AS job WHERE due_at <= ${now}::timestamptz AND ${where}
  ORDER BY due_at LIMIT ${count} FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * Claims due jobs with a lease. No two processes get the same one (SKIP LOCKED). If a process dies, its jobs are
 * claimed again when their leases end. Organizations take turns, and so do the persons of each; of one person's jobs,
 * the longest due comes first. What it costs does not grow with the number of jobs. Jobs are locked by a statement of
 * its own: one that locks and changes a row finds the row as it was before it waited, and can run into a deadlock.
 */
export async function claimJobs<Job extends Attempt>(
  database: Database,
  table: JobTable,
  { count, now, leaseUntil, shares = new Shares(), held = [] }: Claim,
  { where: kind = sql`TRUE`, set, returning }: ClaimParts,
): Promise<Job[]> {
  const outward = outwardSql[table];
  const where = outward ? sql`${kind} AND (NOT (${outward}) OR ${notSilent})` : kind;
  const isOwned = table !== ofNoOrganization;
  const owner = isOwned
    ? sql`, organization_id AS "organizationId", ${personSql[table] ?? sql`organization_id`} AS "personId"`
    : empty;
  const free = sql`${where} AND job.id <> ALL (${held}::uuid[])`;
  const claimed: Job[] = [];
  for (;;) {
    const wanted = count - claimed.length;
    const next = isOwned ? roundSql(table, now, wanted, shares, free) : oldestSql(table, now, wanted, free);
    const round = await database.inTransaction(async (tx) => {
      const locked = await tx.run<{ readonly id: string }>(named(`${table}.lock_due`, next));
      if (locked.length === 0) return [];
      const statement = sql`
        UPDATE ${raw(table)} AS job SET due_at = ${leaseUntil}::timestamptz, attempts = attempts + 1, ${set}
        WHERE job.id = ANY(${locked.map(({ id }) => id)}::uuid[])
        RETURNING job.id, attempts${owner}${returning ? sql`, ${returning}` : empty}`;
      return tx.run<Job & OwnedJob>(named(`${table}.claim`, statement));
    });
    if (isOwned) shares.note(round);
    claimed.push(...round);
    if (!isOwned || round.length === 0 || claimed.length >= count) return claimed;
  }
}

/** Extends the leases of attempts in progress. Jobs that were settled or taken over are left alone. */
export async function extendLeases(
  database: Database,
  table: JobTable,
  attempts: readonly Attempt[],
  leaseUntil: Date,
): Promise<void> {
  const statement = sql`
    UPDATE ${raw(table)} AS job SET due_at = greatest(due_at, ${leaseUntil}::timestamptz)
    FROM unnest(${attempts.map(({ id }) => id)}::uuid[], ${attempts.map((attempt) => attempt.attempts)}::int[])
      AS attempt (id, number)
    WHERE job.id = attempt.id AND job.attempts = attempt.number AND job.due_at IS NOT NULL`;
  await database.query(named(`${table}.extend`, statement));
}

/** Makes a job due at once whose attempt has done nothing. It is left alone if another has taken it. */
export async function giveBack(
  database: Database,
  table: JobTable,
  { id, attempts }: Attempt,
  now: Date,
): Promise<void> {
  const statement = sql`
    UPDATE ${raw(table)} SET due_at = ${now}::timestamptz
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL`;
  await database.query(named(`${table}.give_back`, statement));
}

/**
 * Stores the result of an attempt, unless the job was settled or taken over.
 * @param values sets `due_at`: null settles the job, a time makes it due again
 * @returns whether it was stored
 */
export async function settleJob(
  tx: Transaction,
  table: JobTable,
  { id, attempts }: Attempt,
  values: Sql,
): Promise<boolean> {
  const statement = sql`
    UPDATE ${raw(table)} SET ${values}
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL RETURNING id`;
  return (await tx.run(named(`${table}.settle`, statement))).length > 0;
}
