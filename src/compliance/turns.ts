import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type Loop, onlyWhen, startLoop } from '../db/queue/loop.js';
import { notFrozen, type QueueWorkerSettings } from '../db/queue/queue.js';
import { tables } from '../db/sql/models.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import type { HolderKind } from '../items/holders.js';
import { type KeptRecord, keep, kindSql } from './kept.js';

/** The most records that are evaluated in one transaction. */
const atOnce = 250;

/** Milliseconds before a record is evaluated again whose evaluation failed. */
const againMs = 60_000;

const again = raw(`now() + interval '${againMs} milliseconds'`);

/** Called with a workspace one of whose records could not be evaluated. */
type OnFault = (fault: Error, teamId: string) => void;

/** Locked records whose turn it is. Without records, there is only `settle` to do. */
interface Taken {
  readonly teamId: string;
  readonly records: readonly KeptRecord[];
  /** Ends the turn of the records. */
  readonly settle?: Sql;
  /** Lets a single record wait that cannot be evaluated. */
  readonly postpone: Sql;
}

/** Locks at most so many of the next records. Those that others have locked are skipped. */
type Take = (tx: Transaction, count: number, now: Date) => Promise<Taken | undefined>;

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** Takes records of a workspace and kind that were asked for by themselves. */
const takeSingle: Take = async (tx, count) => {
  const claim = sql`
    SELECT id, team_id AS "teamId", lower(kind::text) AS kind, holder_id AS "holderId" FROM compliance_turns
    WHERE holder_id IS NOT NULL AND due_at <= now() AND (team_id, kind) = (
      SELECT team_id, kind FROM compliance_turns AS first
      WHERE holder_id IS NOT NULL AND due_at <= now() AND ${notFrozen('first')} ORDER BY due_at LIMIT 1)
    ORDER BY due_at LIMIT ${count} FOR UPDATE SKIP LOCKED`;
  const turns = await tx.run<KeptRecord & { id: string; teamId: string }>(
    prepared('compliance_turns.claim', claim),
  );
  const [first] = turns;
  const among = sql`id = ANY(${idsOf(turns)}::uuid[])`;
  return (
    first && {
      teamId: first.teamId,
      records: turns,
      settle: sql`DELETE FROM compliance_turns WHERE ${among}`,
      postpone: sql`UPDATE compliance_turns SET due_at = ${again} WHERE ${among}`,
    }
  );
};

/** Takes records for which a new day changes something. */
const takeDay: Take = async (tx, count, now) => {
  const claim = sql`
    SELECT id, team_id AS "teamId", lower(kind::text) AS kind, holder_id AS "holderId" FROM holder_compliances AS own
    WHERE changes_at <= ${now}::timestamptz AND ${notFrozen('own')}
    ORDER BY changes_at LIMIT ${count} FOR NO KEY UPDATE SKIP LOCKED`;
  const rows = await tx.run<KeptRecord & { id: string; teamId: string }>(
    prepared('holder_compliances.claim', claim),
  );
  const [first] = rows;
  const later = new Date(now.getTime() + againMs);
  return (
    first && {
      teamId: first.teamId,
      records: rows,
      postpone: sql`
        UPDATE holder_compliances SET changes_at = ${later}::timestamptz WHERE id = ANY(${idsOf(rows)}::uuid[])`,
    }
  );
};

/** A request to evaluate all records of a kind in a workspace. */
interface TurnOfAll {
  readonly id: string;
  readonly organizationId: string;
  readonly teamId: string;
  readonly kind: HolderKind;
  /** The last record that was evaluated. */
  readonly after: string | null;
}

/** Takes the next records of a kind whose requirements have changed. Workspaces take turns. */
const takeAll: Take = async (tx, count) => {
  const claim = sql`
    SELECT id, organization_id AS "organizationId", team_id AS "teamId", lower(kind::text) AS kind, after
    FROM compliance_turns AS turn WHERE holder_id IS NULL AND due_at <= now() AND ${notFrozen('turn')}
    ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
  const [turn] = await tx.run<TurnOfAll>(prepared('compliance_turns.claim_all', claim));
  if (!turn) return undefined;
  const { id, organizationId, teamId, kind, after } = turn;
  // One that begins now does for all that were asked for so far.
  const others = sql`
    DELETE FROM compliance_turns WHERE id IN (
      SELECT id FROM compliance_turns
      WHERE team_id = ${teamId}::uuid AND kind = ${kindSql(kind)} AND holder_id IS NULL AND after IS NULL
        AND due_at <= now() AND id <> ${id}::uuid
      FOR UPDATE SKIP LOCKED)`;
  if (after === null) await tx.run(prepared('compliance_turns.merge', others));
  const next = sql`
    SELECT id FROM ${raw(tables[kind])} WHERE team_id = ${teamId}::uuid
      AND id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
    ORDER BY id LIMIT ${count}`;
  const ids = idsOf(await tx.run<{ id: string }>(prepared(`compliance_turns.next_${kind}`, next)));
  const last = ids.at(-1) ?? null;
  // The column has milliseconds. Rounded up, the turn would not have come yet for the next look.
  const move = sql`
    UPDATE compliance_turns SET after = ${last}::uuid, due_at = date_trunc('milliseconds', clock_timestamp())
    WHERE id = ${id}::uuid`;
  return {
    teamId,
    records: ids.map((holderId) => ({ kind, holderId })),
    settle: ids.length < count ? sql`DELETE FROM compliance_turns WHERE id = ${id}::uuid` : move,
    postpone: sql`
      WITH moved AS (${move})
      INSERT INTO compliance_turns (organization_id, team_id, kind, holder_id, due_at)
      SELECT ${organizationId}::uuid, ${teamId}::uuid, ${kindSql(kind)}, ${last}::uuid, ${again}`,
  };
};

/** The most transactions of each kind in one look. The next look follows soon. */
const maxRounds = 100;

/**
 * Evaluates records until there are none, each turn in the transaction that locks them. After a failure, whatever it was,
 * half as many are tried, so that in the end only the record waits that fails.
 * @throws what prevents even that, such as a database that is away
 */
async function work(database: Database, take: Take, clock: () => Date, onFault: OnFault): Promise<void> {
  let count = atOnce;
  for (let rounds = 0; rounds < maxRounds; rounds++) {
    const now = clock();
    let taken: Taken | undefined;
    try {
      await database.inTransaction(async (tx) => {
        taken = await take(tx, count, now);
        if (!taken) return;
        await keep(tx, taken.records, now);
        if (taken.settle) await tx.run(prepared('compliance_turns.settle', taken.settle));
      });
      if (!taken) return;
      count = Math.min(2 * count, atOnce);
    } catch (error) {
      if (!taken || taken.records.length === 0) throw error;
      count = Math.ceil(taken.records.length / 2);
      if (taken.records.length > 1) continue;
      await database.query(prepared('compliance_turns.postpone', taken.postpone));
      onFault(error as Error, taken.teamId);
    }
  }
}

/** Evaluates all records whose turn it is. */
export async function evaluateTurns(
  database: Database,
  clock: () => Date,
  onFault: OnFault = () => {},
): Promise<void> {
  const failed: unknown[] = [];
  // What is wrong with one kind of turns is in no other's way.
  for (const take of [takeSingle, takeDay, takeAll])
    await work(database, take, clock, onFault).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
}

/** The most records that are compared at once. */
const sampleSize = 200;

/**
 * Compares what is kept with what is computed, for some records chosen at random. What differs is mended. Records whose
 * turn has not come yet do not count.
 * @returns the number that differed
 */
export async function checkSample(database: Database, now: Date): Promise<number> {
  const some = sql`
    SELECT lower(kind::text) AS kind, holder_id AS "holderId" FROM holder_compliances AS own
    WHERE id >= (SELECT gen_random_uuid()) AND (changes_at IS NULL OR changes_at > ${now}::timestamptz) AND ${notFrozen('own')}
    ORDER BY id LIMIT ${raw(String(sampleSize))}`;
  return database.inTransaction(async (tx) => {
    const changed = await keep(
      tx,
      await tx.run<KeptRecord>(prepared('holder_compliances.sample', some)),
      now,
    );
    if (changed.length === 0) return 0;
    const expected = sql`
      SELECT count(*)::int AS count FROM holder_compliances AS own
      WHERE own.holder_id = ANY(${changed}::uuid[]) AND EXISTS (
        SELECT FROM compliance_turns AS turn
        WHERE turn.team_id = own.team_id AND turn.kind = own.kind
          AND (turn.holder_id IS NULL OR turn.holder_id = own.holder_id))`;
    const [waiting] = await tx.run<{ count: number }>(prepared('compliance_turns.expected', expected));
    return changed.length - (waiting?.count ?? 0);
  });
}

/** Settings of the evaluation of compliance. */
interface KeepingOptions extends Pick<QueueWorkerSettings, 'database' | 'clock' | 'log' | 'isSure'> {
  /** Called with the number of records that a check found to differ. */
  readonly onDiffering?: ((count: number) => void) | undefined;
  /** Called for each record that could not be evaluated. */
  readonly onUnkept?: (() => void) | undefined;
  /** Milliseconds between two looks. */
  readonly tickMs?: number;
}

/** Milliseconds between two checks of a sample. */
const sampleMs = 3_600_000;

/** Starts keeping the compliance of all records. Any number of processes may do so. */
export function startKeeping({
  database,
  clock,
  log,
  isSure,
  onDiffering,
  onUnkept,
  tickMs = 1_000,
}: KeepingOptions): Pick<Loop, 'stop'> {
  const onFault: OnFault = (err, teamId) => {
    onUnkept?.();
    log.error({ err, teamId }, 'the compliance of a record cannot be evaluated');
  };
  const warn = (what: string) => (error: Error) => log.warn({ reason: error.message }, what);
  const evaluating = startLoop(
    onlyWhen(isSure, () => evaluateTurns(database, clock, onFault)),
    tickMs,
    warn('compliance cannot be evaluated'),
  );
  const check = async () => {
    const count = await checkSample(database, clock());
    onDiffering?.(count);
    if (count > 0) log.warn({ count }, 'The kept compliance of records was wrong, and was mended');
  };
  const checking = startLoop(onlyWhen(isSure, check), sampleMs, warn('kept compliance cannot be checked'));
  return { stop: async () => void (await Promise.all([evaluating.stop(), checking.stop()])) };
}
