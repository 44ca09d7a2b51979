import { prepared } from '../db/connection/statement.js';
import type { Transaction } from '../db/connection/transaction.js';
import { tables } from '../db/sql/models.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import {
  type Compliance,
  type ComplianceState,
  complianceStates,
  isGap,
  isLacking,
  warningOn,
} from '../domain/compliance.js';
import { formatDate } from '../domain/dates.js';
import { instantOf } from '../domain/reminders/slots.js';
import { capitalized } from '../domain/text/names.js';
import { type HolderKind, holderKinds } from '../items/holders.js';
import { changesBetween, type Event, logEvents } from '../records/event-logs.js';
import { requiredResources } from './applies.js';
import { evaluate, factsSql, type HolderFacts, nameOf, shownCheck } from './ask.js';
import { askingOf, notePapers } from './asked.js';
import { noteForWatches, type WatchedNews } from './watched.js';

/** Returns the SQL literal of a kind. */
export const kindSql = (kind: HolderKind) => raw(`'${kind.toUpperCase()}'::holder_kind`);

/** Further facts about a record, for its row in lists. */
type KeptFacts = HolderFacts & { readonly organizationId: string; readonly placeId: string | null };

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

/** Values of a record's row. */
interface KeptValues {
  readonly holderId: string;
  readonly teamId: string;
  readonly placeId: string | null;
  readonly name: string | null;
  readonly state: ComplianceState;
  readonly until: Date | null;
  readonly urgency: number;
  readonly changesAt: Date | null;
  readonly gapIds: readonly string[];
  readonly lackingIds: readonly string[];
  readonly appliedIds: readonly string[];
  readonly warnedDays: number | null;
}

/** Returns the ids of the requirements in some of the states. */
const idsIn = (checks: Compliance['checks'], among: typeof isGap): string[] =>
  checks.filter(({ state }) => among(state)).map(({ requirementId }) => requirementId);

/** Returns the earlier of two days. */
const earlierOf = (one: Date | null, other: Date | null) => (!other || (one && one < other) ? one : other);

/** Returns the values of the row of a record that was evaluated. */
function valuesOf(
  kind: HolderKind,
  facts: KeptFacts,
  compliance: Compliance & { readonly today: Date },
): KeptValues {
  const { state, until, changesOn, checks, today } = compliance;
  const warning = warningOn(until, today);
  const turnsOn = earlierOf(earlierOf(changesOn, warning.nextOn), askingOf(facts, compliance).nextOn);
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
    changesAt: turnsOn && instantOf(turnsOn, '00:00', facts.timezone),
    gapIds: idsIn(checks, isGap),
    lackingIds: idsIn(checks, isLacking),
    appliedIds: idsIn(checks, () => true),
    warnedDays: warning.days,
  };
}

/**
 * Makes rows for records that have none, where something is required of their kind. The lock waits for the end of whoever
 * deletes a record, which then gets no row.
 */
const insertSql = (kind: HolderKind, ids: readonly string[], now: Date): Sql => sql`
  INSERT INTO holder_compliances (organization_id, team_id, kind, holder_id, ${raw(`${kind}_id`)}, modified)
  SELECT organization_id, team_id, ${kindSql(kind)}, id, id, ${now}::timestamptz FROM (
    SELECT organization_id, team_id, id FROM ${raw(tables[kind])} AS record
    WHERE id = ANY(${ids}::uuid[]) AND EXISTS (
        SELECT FROM requirements WHERE team_id = record.team_id AND holder_kind = ${raw(`'${kind}'`)})
      AND NOT EXISTS (SELECT FROM holder_compliances WHERE kind = ${kindSql(kind)} AND holder_id = record.id)
    ORDER BY id FOR KEY SHARE OF record
  ) AS record
  ON CONFLICT (kind, holder_id) DO NOTHING RETURNING holder_id AS id`;

/** A record's row before it was evaluated. */
interface KnownBefore {
  readonly id: string;
  readonly state: ComplianceState;
  readonly until: Date | null;
  readonly gapIds: readonly string[];
  readonly lackingIds: readonly string[];
  readonly warnedDays: number | null;
}

const lockSql = (kind: HolderKind, ids: readonly string[]): Sql => sql`
  SELECT holder_id AS id, state::text AS state, until, gap_ids AS "gapIds", lacking_ids AS "lackingIds",
    warned_days AS "warnedDays" FROM holder_compliances
  WHERE kind = ${kindSql(kind)} AND holder_id = ANY(${ids}::uuid[]) ORDER BY holder_id FOR NO KEY UPDATE`;

/** Stores what differs. */
const storeSql = (kind: HolderKind, values: readonly object[], now: Date): Sql => sql`
  UPDATE holder_compliances AS own
  SET team_id = found."teamId", place_id = found."placeId", name = found.name, state = found.state, until = found.until,
    urgency = found.urgency, changes_at = found."changesAt", gap_ids = found."gapIds",
    lacking_ids = found."lackingIds", applied_ids = found."appliedIds", warned_days = found."warnedDays",
    modified = CASE WHEN own.state = found.state THEN own.modified ELSE ${now}::timestamptz END
  FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS found ("holderId" uuid, "teamId" uuid, "placeId" uuid,
    name text, state holder_state, until date, urgency int, "changesAt" timestamptz, "gapIds" uuid[], "lackingIds" uuid[],
    "appliedIds" uuid[], "warnedDays" int)
  WHERE own.kind = ${kindSql(kind)} AND own.holder_id = found."holderId"
    AND (own.team_id, own.place_id, own.name, own.state, own.until, own.urgency, own.changes_at, own.gap_ids,
      own.lacking_ids, own.applied_ids, own.warned_days)
      IS DISTINCT FROM (found."teamId", found."placeId", found.name, found.state, found.until, found.urgency,
        found."changesAt", found."gapIds", found."lackingIds", found."appliedIds", found."warnedDays")
  RETURNING own.holder_id AS id`;

/** Returns the column with the place of a record, by which lists are filtered. */
const placeColumn = (kind: HolderKind): Sql => {
  if (kind === 'company') return raw('NULL::uuid');
  return raw(kind === 'location' ? 'record.parent_location_id' : 'record.location_id');
};

/** Words for the states, as events describe them. */
const stateWords: Readonly<Record<ComplianceState, string>> = {
  NON_COMPLIANT: 'non-compliant',
  DUE: 'compliant, but something is due',
  COMPLIANT: 'compliant',
  NOT_REQUIRED: 'free of requirements',
};

/** The most gaps that an event's description names. */
const mostNamedGaps = 5;

/** Creates the event of a record whose state has changed. Items of other workspaces are not named. */
function complianceEvent(kind: HolderKind, facts: KeptFacts, now: Compliance, before: KnownBefore): Event {
  const names = new Map(facts.rules.map(({ id, name }) => [id, name]));
  const own = new Set(facts.items.filter(({ teamId }) => teamId === facts.teamId).map(({ id }) => id));
  const gaps = now.checks
    .filter(({ state }) => isGap(state))
    .map(({ itemId, ...check }) => ({
      ...check,
      name: names.get(check.requirementId) ?? '',
      itemId: itemId !== null && own.has(itemId) ? itemId : null,
    }));
  const name = nameOf(kind, facts);
  const [noun, more] = [capitalized(requiredResources[kind].noun), gaps.length - mostNamedGaps];
  const why = [
    ...gaps.slice(0, mostNamedGaps).map((gap) => `${gap.name} (${gap.state.toLowerCase()})`),
    ...(more > 0 ? [`${more} more`] : []),
  ];
  const isNow = `is now ${stateWords[now.state]}${why.length > 0 ? `: ${why.join(', ')}` : ''}`;
  const known = before.gapIds.map((id) => ({ requirement: { id, name: names.get(id) ?? null } }));
  return {
    type: 'compliance changed',
    teamId: facts.teamId,
    description: name === null ? `${noun} ${isNow}` : `${noun} "${name}" ${isNow}`,
    details: changesBetween(
      { state: before.state.toLowerCase(), until: before.until && formatDate(before.until), gaps: known },
      {
        state: now.state.toLowerCase(),
        until: now.until && formatDate(now.until),
        gaps: gaps.map(shownCheck),
      },
    ),
    entities: [{ kind, id: facts.id }],
  };
}

/** Finds the news for those who watch a record. It lacks more than before, or soon will. */
function watchedNews(
  { holderId, until, lackingIds, warnedDays }: KeptValues,
  { lapsing }: Compliance,
  before: KnownBefore,
): WatchedNews[] {
  const lacks = lackingIds.filter((id) => !before.lackingIds.includes(id));
  const isSame = until?.getTime() === before.until?.getTime();
  const isWarned = isSame && before.warnedDays !== null && before.warnedDays <= (warnedDays ?? 0);
  return [
    ...(lacks.length > 0 ? [{ holderId, days: 0, until: null, requirementIds: lacks }] : []),
    ...(warnedDays !== null && !isWarned
      ? [{ holderId, days: warnedDays, until, requirementIds: lapsing }]
      : []),
  ];
}

/** Writes events, which belong to the organizations of their records. */
async function tell(tx: Transaction, told: readonly (readonly [KeptFacts, Event])[], now: Date) {
  for (const organizationId of new Set(told.map(([facts]) => facts.organizationId))) {
    const events = told
      .filter(([facts]) => facts.organizationId === organizationId)
      .map(([, event]) => event);
    const teamIds = [...new Set(events.map(({ teamId }) => teamId))];
    await logEvents(tx, { caller: { organizationId, teamIds, user: { id: null, name: null } }, now }, events);
  }
}

/**
 * Evaluates records of a kind, and keeps what it finds. The lock on their rows excludes all others until the end of the
 * transaction. It is taken before the facts are read, so what is kept never becomes older, and each change of a state has
 * one event. The first that is known of a record is told only if it is bad.
 * @returns the ids of the records whose rows differ from before
 */
async function keepKind(
  tx: Transaction,
  kind: HolderKind,
  ids: readonly string[],
  now: Date,
): Promise<string[]> {
  const wanted = [...new Set(ids)];
  const made = await tx.run<{ id: string }>(
    prepared(`holder_compliances.insert_${kind}`, insertSql(kind, wanted, now)),
  );
  const rows = await tx.run<KnownBefore>(prepared(`holder_compliances.lock_${kind}`, lockSql(kind, wanted)));
  if (rows.length === 0) return [];
  const [isNew, known] = [new Set(made.map(({ id }) => id)), new Map(rows.map((row) => [row.id, row]))];
  const read = sql`
    SELECT ${factsSql(kind)}, record.organization_id AS "organizationId", ${placeColumn(kind)} AS "placeId"
    FROM ${raw(tables[kind])} AS record WHERE record.id = ANY(${[...known.keys()]}::uuid[])`;
  const facts = await tx.run<KeptFacts>(prepared(`holder_compliances.facts_${kind}`, read));
  const found = facts.map((one) => [one, evaluate(kind, one, now)] as const);
  const values = found.map(([one, compliance]) => valuesOf(kind, one, compliance));
  const news = found.flatMap(([one, compliance], index) => {
    const [own, before] = [values[index], known.get(one.id)];
    return own && before ? watchedNews(own, compliance, before) : [];
  });
  const changed = await tx.run<{ id: string }>(
    prepared(`holder_compliances.store_${kind}`, storeSql(kind, values, now)),
  );
  const told = found.flatMap(([one, compliance]): [KeptFacts, Event][] => {
    const before = known.get(one.id);
    if (!before || before.state === compliance.state) return [];
    if (isNew.has(one.id) && compliance.state !== 'NON_COMPLIANT') return [];
    return [[one, complianceEvent(kind, one, compliance, before)]];
  });
  await tell(tx, told, now);
  await noteForWatches(tx, kind, news, now);
  const papers = found.flatMap(([one, compliance]) => askingOf(one, compliance).papers);
  await notePapers(tx, kind, papers, now);
  return changed.map(({ id }) => id);
}

/** A record whose compliance is kept. */
export interface KeptRecord {
  readonly kind: HolderKind;
  readonly holderId: string;
}

/**
 * Evaluates records, and keeps what it finds. Kinds come in a fixed order, so that two processes never wait for each other.
 * @returns the ids of the records whose rows differ from before
 */
export async function keep(tx: Transaction, records: readonly KeptRecord[], now: Date): Promise<string[]> {
  const changed: string[] = [];
  for (const kind of holderKinds) {
    const ids = records.filter((record) => record.kind === kind).map(({ holderId }) => holderId);
    if (ids.length > 0) changed.push(...(await keepKind(tx, kind, ids, now)));
  }
  return changed;
}
