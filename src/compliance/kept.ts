import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { type Loop, onlyWhen, startLoop } from '../db/queue/loop.js';
import { notFrozen, type QueueWorkerSettings, takeTurn } from '../db/queue/queue.js';
import { tables } from '../db/sql/models.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { type ComplianceState, complianceStates, isGap } from '../domain/compliance.js';
import { instantOf } from '../domain/reminders/slots.js';
import type { HolderKind } from '../items/holders.js';
import { evaluate, factsSql, type HolderFacts, nameOf } from './ask.js';

/** Records that are evaluated in one transaction. */
const atOnce = 250;

/** Milliseconds before records are evaluated again whose evaluation failed on a new day. */
const againMs = 60_000;

const kindSql = (kind: HolderKind) => raw(`'${kind.toUpperCase()}'::holder_kind`);

/** Further facts about a record, for its row in lists. */
type KeptFacts = HolderFacts & { readonly placeId: string | null };

const farthest = 999_999;

const firstOf = (state: ComplianceState) => complianceStates.indexOf(state) * (farthest + 1);

/** Returns the numbers for the order that a state has, as a condition. */
export const urgenciesOf = (state: ComplianceState): { readonly gte: number; readonly lte: number } => ({
  gte: firstOf(state),
  lte: firstOf(state) + farthest,
});

/** Returns a number for the order: the worse and the sooner, the lower. */
function urgencyOf(state: ComplianceState, until: Date | null): number {
  const days = until ? Math.floor(until.getTime() / 86_400_000) : farthest;
  return firstOf(state) + Math.max(0, Math.min(days, farthest));
}

/** Evaluates a record, and returns the values of its row. */
function valuesOf(kind: HolderKind, facts: KeptFacts, now: Date) {
  const { state, until, changesOn, checks } = evaluate(kind, facts, now);
  return {
    ...{
      holderId: facts.id,
      teamId: facts.teamId,
      placeId: facts.placeId,
      name: nameOf(kind, facts),
      state,
      until,
    },
    urgency: urgencyOf(state, until),
    changesAt: changesOn && instantOf(changesOn, '00:00', facts.timezone),
    gapIds: checks.filter((check) => isGap(check.state)).map(({ requirementId }) => requirementId),
  };
}

/** Makes rows for records that have none, where something is required of their kind. */
const insertSql = (kind: HolderKind, ids: readonly string[], now: Date): Sql => sql`
  INSERT INTO holder_compliances (organization_id, team_id, kind, holder_id, ${raw(`${kind}_id`)}, modified)
  SELECT organization_id, team_id, ${kindSql(kind)}, id, id, ${now}::timestamptz FROM ${raw(tables[kind])} AS record
  WHERE id = ANY(${ids}::uuid[]) AND EXISTS (
    SELECT FROM requirements WHERE team_id = record.team_id AND holder_kind = ${raw(`'${kind}'`)})
  ORDER BY id ON CONFLICT (kind, holder_id) DO NOTHING`;

const lockSql = (kind: HolderKind, ids: readonly string[]): Sql => sql`
  SELECT holder_id AS id, state::text AS state FROM holder_compliances
  WHERE kind = ${kindSql(kind)} AND holder_id = ANY(${ids}::uuid[]) ORDER BY holder_id FOR NO KEY UPDATE`;

/** Stores what differs. */
const storeSql = (kind: HolderKind, values: readonly object[], now: Date): Sql => sql`
  UPDATE holder_compliances AS own
  SET team_id = found."teamId", place_id = found."placeId", name = found.name, state = found.state, until = found.until,
    urgency = found.urgency, changes_at = found."changesAt", gap_ids = found."gapIds",
    modified = CASE WHEN own.state = found.state THEN own.modified ELSE ${now}::timestamptz END
  FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS found ("holderId" uuid, "teamId" uuid, "placeId" uuid,
    name text, state holder_state, until date, urgency int, "changesAt" timestamptz, "gapIds" uuid[])
  WHERE own.kind = ${kindSql(kind)} AND own.holder_id = found."holderId"
    AND (own.team_id, own.place_id, own.name, own.state, own.until, own.urgency, own.changes_at, own.gap_ids)
      IS DISTINCT FROM (found."teamId", found."placeId", found.name, found.state, found.until, found.urgency,
        found."changesAt", found."gapIds")
  RETURNING own.holder_id AS id`;

/** Returns the column with the place of a record, by which lists are filtered. */
const placeColumn = (kind: HolderKind): Sql => {
  if (kind === 'company') return raw('NULL::uuid');
  return raw(kind === 'location' ? 'record.parent_location_id' : 'record.location_id');
};

/**
 * Evaluates records of a kind, and keeps what it finds. The lock on their rows excludes all others until the end of the
 * transaction. It is taken before the facts are read, so what is kept never becomes older.
 * @returns the ids of the records whose rows differ from before
 */
async function keep(tx: Transaction, kind: HolderKind, ids: readonly string[], now: Date): Promise<string[]> {
  const wanted = [...new Set(ids)];
  await tx.run(prepared(`holder_compliances.insert_${kind}`, insertSql(kind, wanted, now)));
  const rows = await tx.run<{ id: string }>(
    prepared(`holder_compliances.lock_${kind}`, lockSql(kind, wanted)),
  );
  if (rows.length === 0) return [];
  const known = rows.map(({ id }) => id);
  const read = sql`
    SELECT ${factsSql(kind)}, ${placeColumn(kind)} AS "placeId" FROM ${raw(tables[kind])} AS record
    WHERE record.id = ANY(${known}::uuid[])`;
  const facts = await tx.run<KeptFacts>(prepared(`holder_compliances.facts_${kind}`, read));
  const values = facts.map((one) => valuesOf(kind, one, now));
  const changed = await tx.run<{ id: string }>(
    prepared(`holder_compliances.store_${kind}`, storeSql(kind, values, now)),
  );
  return changed.map(({ id }) => id);
}

/** A request to evaluate a record, or all of a kind in a workspace. */
interface Turn {
  readonly id: string;
  readonly teamId: string;
  readonly kind: HolderKind;
  readonly holderId: string | null;
  /** The last record that was evaluated. */
  readonly after: string | null;
}

/** Called with a workspace whose records could not be evaluated. */
type OnFault = (fault: Error, teamId: string) => void;

const turnColumns = raw(`id, team_id AS "teamId", lower(kind::text) AS kind, holder_id AS "holderId", after`);

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const deleteSql = (turns: readonly Turn[]) =>
  prepared(
    'compliance_turns.done',
    sql`DELETE FROM compliance_turns WHERE id = ANY(${idsOf(turns)}::uuid[])`,
  );

const putBack = (turns: readonly Turn[]) =>
  prepared(
    'compliance_turns.again',
    sql`UPDATE compliance_turns SET requested_at = clock_timestamp() WHERE id = ANY(${idsOf(turns)}::uuid[])`,
  );

/** Evaluates records that were asked for by themselves. @returns whether there were any */
function takeSingle(database: Database, now: Date, onFault?: OnFault): Promise<boolean> {
  const claim = sql`
    SELECT ${turnColumns} FROM compliance_turns
    WHERE holder_id IS NOT NULL AND (team_id, kind) = (
      SELECT team_id, kind FROM compliance_turns AS first WHERE holder_id IS NOT NULL AND ${notFrozen('first')}
      ORDER BY requested_at LIMIT 1)
    ORDER BY requested_at LIMIT ${raw(String(atOnce))} FOR UPDATE SKIP LOCKED`;
  return takeTurn<Turn, boolean>(database, {
    claim: prepared('compliance_turns.claim', claim),
    work: async (tx, turns) => {
      await tx.run(deleteSql(turns));
      await keep(
        tx,
        turns[0].kind,
        turns.map(({ holderId }) => holderId ?? ''),
        now,
      );
      return true;
    },
    ...{ putBack, onFault, idle: false, failed: false },
  });
}

/** Evaluates the next records of a kind whose requirements have changed. @returns whether there were any */
function takeAll(database: Database, now: Date, onFault?: OnFault): Promise<boolean> {
  const claim = sql`
    SELECT ${turnColumns} FROM compliance_turns AS turn WHERE holder_id IS NULL AND ${notFrozen('turn')}
    ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return takeTurn<Turn, boolean>(database, {
    claim: prepared('compliance_turns.claim_all', claim),
    work: async (tx, [turn]) => {
      const { id, teamId, kind, after } = turn;
      // One that begins now does for all that were asked for so far.
      const others = sql`
        DELETE FROM compliance_turns WHERE id IN (
          SELECT id FROM compliance_turns
          WHERE team_id = ${teamId}::uuid AND kind = ${kindSql(kind)} AND holder_id IS NULL AND after IS NULL AND id <> ${id}::uuid
          FOR UPDATE SKIP LOCKED)`;
      if (after === null) await tx.run(prepared('compliance_turns.merge', others));
      const next = sql`
        SELECT id FROM ${raw(tables[kind])} WHERE team_id = ${teamId}::uuid
          AND id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
        ORDER BY id LIMIT ${raw(String(atOnce))}`;
      const ids = idsOf(await tx.run<{ id: string }>(prepared(`compliance_turns.next_${kind}`, next)));
      await keep(tx, kind, ids, now);
      if (ids.length < atOnce) {
        await tx.run(deleteSql([turn]));
        return true;
      }
      const move = sql`UPDATE compliance_turns SET after = ${ids.at(-1) ?? null}::uuid WHERE id = ${id}::uuid`;
      await tx.run(prepared('compliance_turns.move', move));
      return true;
    },
    ...{ putBack, onFault, idle: false, failed: false },
  });
}

/** A row whose day has come. */
type Due = Pick<Turn, 'id' | 'teamId' | 'kind'> & { readonly holderId: string };

/** Evaluates records for which a new day changes something. @returns whether there were any */
function takeDay(database: Database, now: Date, onFault?: OnFault): Promise<boolean> {
  const claim = sql`
    SELECT id, team_id AS "teamId", lower(kind::text) AS kind, holder_id AS "holderId" FROM holder_compliances AS own
    WHERE changes_at <= ${now}::timestamptz AND ${notFrozen('own')}
    ORDER BY changes_at LIMIT ${raw(String(atOnce))} FOR NO KEY UPDATE SKIP LOCKED`;
  const again = (rows: readonly Due[]) => sql`
    UPDATE holder_compliances SET changes_at = ${new Date(now.getTime() + againMs)}::timestamptz
    WHERE id = ANY(${idsOf(rows)}::uuid[])`;
  return takeTurn<Due, boolean>(database, {
    claim: prepared('holder_compliances.claim', claim),
    work: async (tx, rows) => {
      for (const kind of new Set(rows.map((row) => row.kind)))
        await keep(
          tx,
          kind,
          rows.filter((row) => row.kind === kind).map(({ holderId }) => holderId),
          now,
        );
      return true;
    },
    putBack: (rows) => prepared('holder_compliances.again', again(rows)),
    ...{ onFault, idle: false, failed: false },
  });
}

/** The most transactions of each kind in one look. The next look follows soon. */
const maxRounds = 100;

/** Evaluates all records whose turn it is. */
export async function evaluateTurns(database: Database, clock: () => Date, onFault?: OnFault): Promise<void> {
  for (const take of [takeSingle, takeDay, takeAll])
    for (let rounds = 0; rounds < maxRounds && (await take(database, clock(), onFault)); rounds++);
}

/** Records of each kind that are compared at once. */
const sampleSize = 200;

/**
 * Compares what is kept with what is computed, for some records chosen at random. What differs is mended. Records whose
 * turn has not come yet do not count.
 * @returns the number that differed
 */
export async function checkSample(database: Database, now: Date): Promise<number> {
  const some = sql`
    SELECT id, team_id AS "teamId", lower(kind::text) AS kind, holder_id AS "holderId" FROM holder_compliances AS own
    WHERE id >= (SELECT gen_random_uuid()) AND (changes_at IS NULL OR changes_at > ${now}::timestamptz) AND ${notFrozen('own')}
    ORDER BY id LIMIT ${raw(String(sampleSize))}`;
  return database.inTransaction(async (tx) => {
    const rows = await tx.run<Due>(prepared('holder_compliances.sample', some));
    let count = 0;
    for (const kind of new Set(rows.map((row) => row.kind))) {
      const ids = rows.filter((row) => row.kind === kind).map(({ holderId }) => holderId);
      const changed = await keep(tx, kind, ids, now);
      const expected = sql`
        SELECT DISTINCT turn.id FROM compliance_turns AS turn
        JOIN holder_compliances AS own ON own.team_id = turn.team_id AND own.kind = turn.kind
        WHERE own.holder_id = ANY(${changed}::uuid[]) AND turn.kind = ${kindSql(kind)}
          AND (turn.holder_id IS NULL OR turn.holder_id = own.holder_id)`;
      const waiting = changed.length > 0 ? await tx.run(prepared('compliance_turns.expected', expected)) : [];
      count += Math.max(0, changed.length - waiting.length);
    }
    return count;
  });
}

/** Settings of the evaluation of compliance. */
interface KeepingOptions extends Pick<QueueWorkerSettings, 'database' | 'clock' | 'log' | 'isSure'> {
  /** Called with the number of records that a check found to differ. */
  readonly onDiffering?: ((count: number) => void) | undefined;
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
  tickMs = 1_000,
}: KeepingOptions): Pick<Loop, 'stop'> {
  const onFault: OnFault = (err, teamId) =>
    log.error({ err, teamId }, 'the compliance of records cannot be evaluated');
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
