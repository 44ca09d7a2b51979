import { once, setMaxListeners } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Rate } from '../../domain/load/quota.js';
import { shareOf } from '../../domain/load/shares.js';
import type { Database } from '../connection/database.js';
import { isLockTimeout, isOutage, isTemporary } from '../connection/errors.js';
import { prepared, type Statement } from '../connection/statement.js';
import { despiteDeadlocks, type Transaction } from '../connection/transaction.js';
import { empty, join, raw, type Sql, sql } from '../sql/sql.js';
import { type Loop, notSilent, onlyWhen, startLoop, type TimeGate } from './loop.js';

/**
 * Returns the SQL condition that a row's organization is not frozen. Only then may its work be claimed. Frozen
 * organizations are read once for the statement, so that the order of the queue still comes from its index.
 * @param row name of the row, which has the organization's id
 */
export const notFrozen = (row: string): Sql => sql`
  ${raw(row)}.organization_id <> ALL (ARRAY(SELECT id FROM organizations WHERE frozen_at IS NOT NULL))`;

/** Returns those of some organizations that are frozen. */
export async function findFrozen(
  database: Pick<Database, 'query'>,
  organizationIds: readonly string[],
): Promise<string[]> {
  const found = await database.query<{ id: string }>(
    prepared('organizations.frozen', {
      text: 'SELECT id FROM organizations WHERE frozen_at IS NOT NULL AND id = ANY($1::uuid[])',
      values: [organizationIds],
    }),
  );
  return found.map(({ id }) => id);
}

/** A job, and whose it is. */
interface OwnedJob {
  readonly id: string;
  readonly organizationId: string;
  /** The person, or the organization again if the job is no person's. */
  readonly personId: string;
}

/** Precedes all ids. */
const first = '00000000-0000-0000-0000-000000000000';

/** The most organizations whose last person is remembered. */
const maxRemembered = 1_000;

/**
 * Decides whose turn it is in a queue of jobs, for one worker. Organizations take turns in the order of their ids, and so do
 * the persons of each. Neither ever has all places of the worker, so that the next one need not wait for the end of
 * somebody else's long jobs. Workers that share a queue do the same, each by itself.
 */
export class Shares {
  readonly #share: { readonly organization: number; readonly person: number };
  readonly #underWay = new Map<string, OwnedJob>();
  readonly #persons = new LRUCache<string, string>({ max: maxRemembered });
  #organization = first;

  /** @param places jobs that the worker does at once */
  constructor(places = Number.POSITIVE_INFINITY) {
    this.#share = shareOf(places);
  }

  /** The organization that had the last turn. */
  get last(): string {
    return this.#organization;
  }

  /** The person who had the last turn of each organization. */
  get lastPersons(): { readonly organizations: string[]; readonly persons: string[] } {
    return { organizations: [...this.#persons.keys()], persons: [...this.#persons.values()] };
  }

  /** The organizations and persons who get no further place now. */
  get full(): { readonly organizations: string[]; readonly persons: string[] } {
    const idsOver = (share: number, idOf: (job: OwnedJob) => string) => {
      const counts = new Map<string, number>();
      for (const job of this.#underWay.values()) counts.set(idOf(job), (counts.get(idOf(job)) ?? 0) + 1);
      return [...counts].filter(([, count]) => count >= share).map(([id]) => id);
    };
    return {
      organizations: idsOver(this.#share.organization, ({ organizationId }) => organizationId),
      // What is no person's only counts for the organization.
      persons: idsOver(this.#share.person, ({ personId }) => personId),
    };
  }

  /** Notes which jobs are still under way; all others have left their places. */
  retain(jobs: Iterable<Pick<OwnedJob, 'id'>>): void {
    const ids = new Set([...jobs].map(({ id }) => id));
    for (const id of this.#underWay.keys()) if (!ids.has(id)) this.#underWay.delete(id);
  }

  /** Notes the jobs of a round, in which each organization has at most one turn. */
  note(round: readonly OwnedJob[]): void {
    for (const job of round) {
      this.#underWay.set(job.id, job);
      this.#persons.set(job.organizationId, job.personId);
    }
    const served = round.map(({ organizationId }) => organizationId).sort();
    // A round begins behind the last turn, and goes on from the first organization.
    this.#organization = served.filter((id) => id <= this.#organization).at(-1) ?? served.at(-1) ?? first;
  }
}

/**
 * A table whose rows are jobs. Its column `due_at` is the time from which a job can be claimed. It is also
 * the lease: a claimed job is due again when its lease ends. It is null once the job is settled.
 */
type JobTable =
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
interface ClaimParts {
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
      const locked = await tx.run<{ readonly id: string }>(prepared(`${table}.lock_due`, next));
      if (locked.length === 0) return [];
      const statement = sql`
        UPDATE ${raw(table)} AS job SET due_at = ${leaseUntil}::timestamptz, attempts = attempts + 1, ${set}
        WHERE job.id = ANY(${locked.map(({ id }) => id)}::uuid[])
        RETURNING job.id, attempts${owner}${returning ? sql`, ${returning}` : empty}`;
      return tx.run<Job & OwnedJob>(prepared(`${table}.claim`, statement));
    });
    if (isOwned) shares.note(round);
    claimed.push(...round);
    if (!isOwned || round.length === 0 || claimed.length >= count) return claimed;
  }
}

/**
 * Returns the SQL condition that a job found by its id is not settled. `due_at IS NOT NULL` would say the same,
 * but the planner may read an index of all unsettled jobs for it: it takes that for small if few waited when statistics
 * were made.
 * @param row name of the row, which has `due_at`
 */
export const unsettled = (row: string): Sql => sql`num_nonnulls(${raw(row)}.due_at) = 1`;

/** Extends the leases of attempts in progress. Jobs that were settled or taken over are left alone. */
async function extendLeases(
  database: Database,
  table: JobTable,
  attempts: readonly Attempt[],
  leaseUntil: Date,
): Promise<void> {
  const statement = sql`
    UPDATE ${raw(table)} AS job SET due_at = greatest(due_at, ${leaseUntil}::timestamptz)
    FROM unnest(${attempts.map(({ id }) => id)}::uuid[], ${attempts.map((attempt) => attempt.attempts)}::int[])
      AS attempt (id, number)
    WHERE job.id = attempt.id AND job.attempts = attempt.number AND ${unsettled('job')}`;
  await database.query(prepared(`${table}.extend`, statement));
}

/** Makes a job due at a time. It is left alone if it was settled, or another has taken it. */
export async function postponeJob(
  database: Database,
  table: JobTable,
  { id, attempts }: Attempt,
  until: Date,
): Promise<void> {
  const statement = sql`
    UPDATE ${raw(table)} SET due_at = ${until}::timestamptz
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND ${unsettled(table)}`;
  await database.query(prepared(`${table}.postpone`, statement));
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
  where: Sql = sql`TRUE`,
): Promise<boolean> {
  const statement = sql`
    UPDATE ${raw(table)} SET ${values}
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND ${where} AND ${unsettled(table)} RETURNING id`;
  return (await tx.run(prepared(`${table}.settle`, statement))).length > 0;
}

/**
 * Returns a function that works on one thing together with others that come meanwhile. They gather while earlier work is
 * under way. So nothing waits for company, and what comes at once is stored with one commit. If work for many fails, each
 * has its own, until one fails for a reason that passes. An outage is the failure of all: one by one, each would wait for it.
 * @param most the most that are worked on at once
 */
export function together<One>(
  work: (all: readonly One[]) => Promise<unknown>,
  most = 100,
): (one: One) => Promise<void> {
  const waiting: { readonly one: One; readonly end: (result: Promise<unknown>) => void }[] = [];
  let isAtWork = false;
  async function workOnAll(): Promise<void> {
    isAtWork = true;
    for (let group = waiting.splice(0, most); group.length > 0; group = waiting.splice(0, most)) {
      let done = work(group.map(({ one }) => one));
      let isShared = (await done.then(() => true, isOutage)) || group.length === 1;
      for (const { one, end } of group) {
        if (!isShared) {
          done = work([one]);
          isShared = await done.then(() => false, isTemporary);
        }
        end(done);
      }
    }
    isAtWork = false;
  }
  return (one) =>
    new Promise<void>((resolve) => {
      waiting.push({ one, end: (result) => resolve(result.then(() => {})) });
      if (!isAtWork) void workOnAll();
    });
}

/** Error of an attempt that ends because its worker stops. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Stores an outcome, again and again while the database is away. It must be fenced by the attempt's number, so that it
 * changes nothing once another has taken the job.
 * @param most the most attempts, for what may also fail each time because it takes too long
 * @throws other errors, and the last one if the worker has to stop
 */
export type Keep = <T>(store: () => Promise<T>, most?: number) => Promise<T>;

/** Milliseconds between two attempts to store an outcome: the first ones, and the longest. */
const storeAgainMs = { first: 50, longest: 1_000 };

/** Milliseconds for which a worker that stops still tries to store outcomes. */
const storeLastMs = 5_000;

/** Milliseconds after an outage in which workers only store. So nobody takes what another has done. */
const storeFirstMs = 2 * storeAgainMs.longest;

/** Settings of a queue's worker. */
export interface QueueWorkerSettings {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Returns whether the time is sure. While it is not, nothing is claimed, decided or deleted. */
  readonly isSure?: TimeGate | undefined;
  /** The most jobs at once. */
  readonly concurrency?: number;
  /** Milliseconds between two polls of the queue while nothing wakes the worker. */
  readonly pollMs?: number;
  /** Milliseconds after which a job is taken from a process that has died. */
  readonly leaseMs?: number;
}

/** Jobs of one queue, and how they are done. */
interface Jobs<Job extends Attempt, Outcome> extends QueueWorkerSettings {
  readonly table: JobTable;
  /** Name of the jobs in the log, such as *uploads*. */
  readonly jobs: string;
  /** Claims jobs; see `claimJobs`. */
  readonly claim: (claim: Claim) => Promise<Job[]>;
  /**
   * Does a job, and stores the outcome.
   * @param signal is aborted with `Stopped` when the worker stops
   * @param keep stores what must not be forgotten
   */
  readonly work: (job: Job, signal: AbortSignal, keep: Keep) => Promise<Outcome>;
  /** Outcome of an attempt that could not be stored. It is repeated when its lease ends. */
  readonly unstored: Outcome;
  /** Called after each attempt, with its milliseconds. */
  readonly onTried?: ((outcome: Outcome, ms: number) => void) | undefined;
  /** Limits the jobs per second. */
  readonly rate?: Rate;
}

/**
 * Starts doing the jobs of a queue. Any number of processes may do so: each job belongs to one at a time. While the
 * database is away, a process keeps its outcomes and their places.
 * @returns the loop that claims jobs; stopping it also waits for the jobs in progress
 */
export function startQueueWorker<Job extends Attempt, Outcome>(options: Jobs<Job, Outcome>): Loop {
  const { database, clock, log, table, jobs, rate } = options;
  const { concurrency = 4, pollMs = 1_000, leaseMs = 15_000 } = options;
  const underWay = new Map<Job, Promise<void>>();
  const shares = new Shares(concurrency);
  const stopping = new AbortController();
  // Each job listens to it; the default of 10 is only a warning against leaks.
  setMaxListeners(concurrency + 2, stopping.signal);
  const stopped = once(stopping.signal, 'abort');

  let stoppedAt = Number.POSITIVE_INFINITY;
  let isAway = false;

  async function keep<T>(job: Job, store: () => Promise<T>, most = Number.POSITIVE_INFINITY): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await store();
      } catch (error) {
        const isOver = performance.now() > stoppedAt + storeLastMs || tried >= most;
        if (isOver || !isTemporary(error)) throw error;
        const { message: reason } = error as Error;
        if (tried === 2)
          log.warn({ id: job.id, reason }, `the outcome of one of the ${jobs} is stored later`);
        await after(Math.min(storeAgainMs.first * 2 ** (tried - 1), storeAgainMs.longest));
      }
    }
  }

  async function work(job: Job): Promise<void> {
    const started = performance.now();
    let outcome = options.unstored;
    let hasOutcome = false;
    const keepIt: Keep = (store, most) => {
      hasOutcome = true;
      return keep(job, store, most);
    };
    try {
      outcome = await options.work(job, stopping.signal, keepIt).catch(async (error: unknown) => {
        if (hasOutcome || !isTemporary(error)) throw error;
        const { message: reason } = error as Error;
        log.warn({ id: job.id, reason }, `one of the ${jobs} could not be begun`);
        await keep(job, () => postponeJob(database, table, job, clock()));
        return options.unstored;
      });
    } catch (err) {
      log.error({ err, id: job.id }, `the outcome of one of the ${jobs} could not be stored`);
    }
    options.onTried?.(outcome, performance.now() - started);
    underWay.delete(job);
    claiming.wake();
  }

  const leaseFrom = (now: Date) => new Date(now.getTime() + leaseMs);

  /** Claims jobs. After an outage, workers store what they have done before anybody claims. */
  async function claim(): Promise<void> {
    if (isAway) {
      await database.ping();
      await Promise.race([after(storeFirstMs), stopped]);
      isAway = false;
    }
    try {
      await claimFree();
    } catch (error) {
      isAway = isTemporary(error);
      throw error;
    }
  }

  /** Claims as many jobs as may run. If it gets them all, there may be more. */
  async function claimFree(): Promise<void> {
    const free = concurrency - underWay.size;
    const count = rate ? rate.take(free) : free;
    if (count === 0) return;
    const now = clock();
    shares.retain(underWay.keys());
    const held = [...underWay.keys()].map(({ id }) => id);
    let claimed: Job[] = [];
    try {
      claimed = await options.claim({ count, now, leaseUntil: leaseFrom(now), shares, held });
    } finally {
      rate?.giveBack(count - claimed.length);
    }
    for (const job of claimed) underWay.set(job, work(job));
    if (claimed.length === count) claiming.wake();
  }

  async function extend(): Promise<void> {
    if (underWay.size > 0) await extendLeases(database, table, [...underWay.keys()], leaseFrom(clock()));
  }

  const warn = (what: string) => (error: Error) => log.warn({ reason: error.message }, what);
  const pause = () => (underWay.size < concurrency ? Math.min(pollMs, rate?.wait() || pollMs) : pollMs);
  const claiming = startLoop(
    onlyWhen(options.isSure, claim),
    pause,
    warn(`the queue of ${jobs} cannot be read`),
  );
  const extending = startLoop(extend, leaseMs / 3, warn(`the leases of ${jobs} could not be extended`));
  claiming.wake();
  return {
    wake: claiming.wake,
    async stop() {
      stoppedAt = performance.now();
      stopping.abort(new Stopped('The worker was stopped.'));
      await claiming.stop();
      await Promise.all(underWay.values());
      await extending.stop();
    },
  };
}

/** Work on a workspace's rows, when it is its turn. */
interface Turn<Row, Result> {
  /** Locks the next rows of one workspace, and skips those that are locked. */
  readonly claim: Statement;
  readonly work: (tx: Transaction, rows: readonly [Row, ...Row[]]) => Promise<Result>;
  /** Puts rows whose work has failed behind those of all other workspaces. Left out, the failure is thrown. */
  readonly putBack?: ((rows: readonly [Row, ...Row[]]) => Statement) | undefined;
  /** Called with a workspace whose work has failed. */
  readonly onFault: ((fault: Error, teamId: string) => void) | undefined;
  /** Result if there is nothing to do. */
  readonly idle: Result;
  /** Result if the work has failed. */
  readonly failed: Result;
}

/**
 * Milliseconds that a turn may take. Its work is bounded by rows, and a turn that never ends in time would come first
 * for ever. Each of its statements has the usual time.
 */
const turnMs = 30_000;

/**
 * Works on the next rows in the transaction that locks them. So the lock is the lease: if the process dies,
 * the rows are free at once, and nothing is done.
 * @throws temporary errors, which would hit all rows
 */
export function takeTurn<Row extends { readonly teamId: string }, Result>(
  database: Database,
  { claim, work, putBack, onFault, idle, failed }: Turn<Row, Result>,
): Promise<Result> {
  const turn = async (tx: Transaction) => {
    const [first, ...others] = await tx.run<Row>(claim);
    if (!first) return idle;
    try {
      return await tx.inTransaction((part) => work(part, [first, ...others]));
    } catch (error) {
      // What waits for one lock may wait for each. So nobody is put back, and the look ends.
      if (isOutage(error) || isLockTimeout(error) || !putBack) throw error;
      await tx.run(putBack([first, ...others]));
      onFault?.(error as Error, first.teamId);
      return failed;
    }
  };
  return database.inTransaction(turn, undefined, [], turnMs);
}

/**
 * Works on the next rows of many workspaces in one transaction. If that fails, each has a turn of its own, so that only
 * the one is put back whose work fails.
 * @param count the most workspaces
 * @param turnOf returns the turn of so many
 * @param finish does after each turn what its result leaves to do, in transactions of their own
 * @returns whether there was anything to do
 * @throws temporary errors, which would hit all rows
 */
export async function takeTurns<Row extends { readonly teamId: string }, Result>(
  database: Database,
  count: number,
  turnOf: (count: number) => Turn<Row, Result>,
  finish: (result: Result) => Promise<unknown>,
): Promise<boolean> {
  const all = turnOf(count);
  let result: Result;
  try {
    result = await despiteDeadlocks(() => takeTurn(database, { ...all, putBack: undefined }));
  } catch (error) {
    if (isOutage(error)) throw error;
    return takeSingleTurns(database, count, turnOf, finish);
  }
  if (result === all.idle) return false;
  await finish(result);
  return true;
}

/** Does the same with one transaction for each workspace. */
async function takeSingleTurns<Row extends { readonly teamId: string }, Result>(
  database: Database,
  count: number,
  turnOf: (count: number) => Turn<Row, Result>,
  finish: (result: Result) => Promise<unknown>,
): Promise<boolean> {
  for (let taken = 0; taken < count; taken++) {
    const turn = turnOf(1);
    const result = await takeTurn(database, turn);
    if (result === turn.idle) return taken > 0;
    await finish(result);
  }
  return true;
}

/** Rows of a table to delete. */
interface Sweep {
  readonly table: string;
  /** Partition in which they are looked for, if the table has partitions. */
  readonly partition?: string;
  /** Primary key. */
  readonly key?: string;
  readonly where: Sql;
  /** Column by which the first rows are found. */
  readonly order: string;
  /** Rows that one statement deletes. */
  readonly page?: number;
  /** True if the rows are no organization's. Those of frozen organizations stay. */
  readonly isShared?: boolean;
}

/**
 * Deletes rows, a page at a time. Any number of processes may do so: each skips rows that another has locked
 * (SKIP LOCKED). Rows are locked by a statement of its own; see `claimJobs`.
 * @returns the number of rows
 */
export async function sweep(
  database: Pick<Database, 'inTransaction'>,
  { table, partition = table, key = 'id', where, order, page = 1_000, isShared = false }: Sweep,
): Promise<number> {
  const free = isShared ? where : sql`${where} AND ${notFrozen('record')}`;
  const lock = sql`
    SELECT ${raw(key)} AS key FROM ${raw(partition)} AS record WHERE ${free} ORDER BY ${raw(order)} LIMIT ${page}
    FOR UPDATE SKIP LOCKED`;
  let total = 0;
  for (;;) {
    const count = await database.inTransaction(async (tx) => {
      const rows = await tx.run<{ readonly key: string }>(prepared(`${table}.lock_old`, lock));
      if (rows.length === 0) return 0;
      const keys = rows.map((row) => row.key);
      const statement = sql`DELETE FROM ${raw(table)} WHERE ${raw(key)} = ANY(${keys})`;
      await tx.run(prepared(`${table}.sweep`, statement));
      return keys.length;
    });
    total += count;
    if (count < page) return total;
  }
}

const [minute, hour] = [60_000, 3_600_000];

/** Milliseconds in the future from which a wrong clock has written a stored time. */
export const farAhead = 10 * minute;

/** A column with a time, and how it is set back. */
interface WeakCache {
  readonly table: string;
  readonly column: string;
  /** The furthest that it is ever ahead. */
  readonly most: number;
  /** The value that replaces it. Left out, it is the current time. */
  readonly value?: 'NULL';
  /** Selects some rows. */
  readonly where?: string;
}

const kept: readonly WeakCache[] = [
  // A digest may wait for a week, and a channel for the end of its quiet hours.
  { table: 'deliveries', column: 'due_at', most: 10 * 24 * hour },
  { table: 'deliveries', column: 'first_tried_at', most: farAhead, where: 'due_at IS NOT NULL' },
  { table: 'webhook_deliveries', column: 'due_at', most: 36 * hour },
  { table: 'webhook_deliveries', column: 'due_at', most: farAhead, where: 'is_claimed' },
  { table: 'webhook_outbox', column: 'due_at', most: farAhead },
  { table: 'webhook_endpoints', column: 'paced_until', most: farAhead, value: 'NULL' },
  { table: 'webhook_endpoints', column: 'slowed_until', most: 2 * farAhead, value: 'NULL' },
  { table: 'webhook_endpoints', column: 'failing_since', most: farAhead },
  { table: 'upload_notifications', column: 'due_at', most: hour },
  { table: 'imports', column: 'due_at', most: hour },
  { table: 'team_exports', column: 'due_at', most: hour },
];

/**
 * Sets back due times and paces that only a wrong clock can have written. They are further ahead than any other.
 * @returns the numbers of rows by their columns, without zeros
 */
export async function setBackTimes(
  database: Pick<Database, 'query'>,
  now: Date,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const { table, column, most, value, where = 'TRUE' } of kept) {
    const late = new Date(now.getTime() + most);
    const statement = sql`
      UPDATE ${raw(table)} AS job SET ${raw(column)} = ${value ? raw(value) : sql`${now}::timestamptz`}
      WHERE ${raw(column)} > ${late}::timestamptz AND ${raw(where)} AND ${notFrozen('job')} RETURNING TRUE`;
    const rows = await database.query(prepared(`${table}.set_back`, statement));
    if (rows.length > 0) counts[`${table}.${column}`] = (counts[`${table}.${column}`] ?? 0) + rows.length;
  }
  // Workers that run report again.
  const late = new Date(now.getTime() + farAhead);
  const reports = sql`
    DELETE FROM workers WHERE greatest(seen_at, decided_at, started_at) > ${late}::timestamptz RETURNING TRUE`;
  const gone = await database.query(prepared('workers.set_back', reports));
  return gone.length > 0 ? { ...counts, workers: gone.length } : counts;
}
