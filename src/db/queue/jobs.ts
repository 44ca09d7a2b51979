import { Prisma } from '../../generated/prisma/client.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import type { Transaction } from '../connection/transaction.js';
import { notFrozen } from './frozen.js';

const { sql, raw, empty } = Prisma;

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
}

/** SQL of a claim that is particular to a kind of job. The row is named `job`. */
export interface ClaimParts {
  /** Selects some jobs of the table, such as those of one kind. */
  readonly where?: Prisma.Sql;
  /** Sets further columns. */
  readonly set: Prisma.Sql;
  /** Further columns to return. */
  readonly returning?: Prisma.Sql;
}

/**
 * Claims due jobs with a lease, the longest due first. No two processes get the same one (SKIP LOCKED). If a
 * process dies, its jobs are claimed again when their leases end.
 */
export function claimJobs<Job extends Attempt>(
  database: Database,
  table: JobTable,
  { count, now, leaseUntil }: Claim,
  { where, set, returning }: ClaimParts,
): Promise<Job[]> {
  const statement = sql`
    WITH next AS MATERIALIZED (
      SELECT id FROM ${raw(table)} AS job WHERE due_at <= ${now}::timestamptz
        ${table === ofNoOrganization ? empty : sql`AND ${notFrozen('job')}`} ${where ? sql`AND ${where}` : empty}
      ORDER BY due_at LIMIT ${count} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE ${raw(table)} AS job SET due_at = ${leaseUntil}::timestamptz, attempts = attempts + 1, ${set}
    FROM next WHERE job.id = next.id
    RETURNING job.id, attempts${returning ? sql`, ${returning}` : empty}`;
  return database.query<Job>(named(`${table}.claim`, statement));
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

/**
 * Stores the result of an attempt, unless the job was settled or taken over.
 * @param values sets `due_at`: null settles the job, a time makes it due again
 * @returns whether it was stored
 */
export async function settleJob(
  tx: Transaction,
  table: JobTable,
  { id, attempts }: Attempt,
  values: Prisma.Sql,
): Promise<boolean> {
  const statement = sql`
    UPDATE ${raw(table)} SET ${values}
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL RETURNING id`;
  return (await tx.run(named(`${table}.settle`, statement))).length > 0;
}
