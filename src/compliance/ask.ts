import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { recordsSql } from '../db/sql/conditions.js';
import { oneOrMany } from '../db/sql/models.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { seesAllTeams } from '../domain/caller.js';
import {
  type Compliance,
  complianceOn,
  type Exempted,
  type HeldItem,
  isGap,
  type RequirementCheck,
  type Rule,
} from '../domain/compliance.js';
import { formatDate, todayIn } from '../domain/dates.js';
import { argumentError, badField, GatewayError, notFound } from '../domain/errors.js';
import { isUuid, limits } from '../domain/rules.js';
import { camelCase } from '../domain/text/names.js';
import {
  type HolderKey,
  type HolderKind,
  type HolderReference,
  holderKeys,
  naturalKeys,
} from '../items/holders.js';
import { type BatchLoader, loadBatched } from '../records/loaders.js';
import { type AppliesFilter, appliesTo, type HolderRow, requiredResources } from './applies.js';

/** A requirement as evaluations read it. */
type StoredRule = Rule & { readonly name: string; readonly applies: AppliesFilter };

type WithTextDates<T> = {
  [Name in keyof T]: Exclude<T[Name], Date> | (Date extends T[Name] ? string : never);
};

/** A record with all that its compliance follows from. Dates are texts. */
export interface HolderFacts {
  readonly id: string;
  readonly teamId: string;
  readonly timezone: string;
  readonly record: Readonly<Record<string, unknown>>;
  readonly rules: readonly StoredRule[];
  readonly exemptions: readonly WithTextDates<Exempted>[];
  readonly items: readonly (WithTextDates<HeldItem> & { readonly teamId: string })[];
}

/**
 * Returns the columns with what the compliance of a record, `record`, follows from. Items count wherever they are, also
 * where the caller does not see them: all callers get the same answer.
 */
export const factsSql = (kind: HolderKind): Sql =>
  raw(`
  record.id, record.team_id AS "teamId", to_jsonb(record) AS record,
  (SELECT timezone FROM teams AS team WHERE team.id = record.team_id) AS timezone,
  coalesce((
    SELECT json_agg(json_build_object('id', rule.id, 'name', rule.name, 'applies', rule.applies, 'anyOf', rule.any_of,
      'validDays', rule.valid_days, 'graceDays', rule.grace_days, 'needsFile', rule.needs_file,
      'allowNoDate', rule.allow_no_date) ORDER BY rule.name, rule.id)
    FROM requirements AS rule
    WHERE rule.team_id = record.team_id AND rule.holder_kind = '${kind}' AND rule.is_active
  ), '[]') AS rules,
  coalesce((
    SELECT json_agg(json_build_object('requirementId', exemption.requirement_id, 'from', exemption."from",
      'until', exemption.until, 'endedOn', exemption.ended_on))
    FROM exemptions AS exemption WHERE exemption.${kind}_id = record.id
  ), '[]') AS exemptions,
  compliance_items('${kind}', record.id) AS items`);

const dateOf = (text: string | null) => (text === null ? null : new Date(text));

/** Returns a record's columns by the names of its fields. */
const rowOf = (record: HolderFacts['record']): HolderRow =>
  Object.fromEntries(Object.entries(record).map(([column, value]) => [camelCase(column), value]));

/** Evaluates the compliance of a record, today in its workspace or on another day. */
export function evaluate(
  kind: HolderKind,
  { record, timezone, rules, exemptions, items }: HolderFacts,
  now: Date,
  on?: Date | null,
): Compliance & { readonly on: Date; readonly today: Date } {
  const row = rowOf(record);
  const today = todayIn(timezone, now);
  const day = on ?? today;
  const held = {
    created: new Date(String(row.created)),
    timezone,
    rules: rules.filter(({ applies }) => appliesTo(kind, applies)(row)),
    exemptions: exemptions.map(({ from, until, endedOn, ...exemption }) => ({
      ...exemption,
      from: new Date(from),
      until: dateOf(until),
      endedOn: dateOf(endedOn),
    })),
    items: items.map(({ expirationDate, notifyOn, ...item }) => ({
      ...item,
      expirationDate: dateOf(expirationDate),
      notifyOn: dateOf(notifyOn),
    })),
  };
  return { ...complianceOn(held, day), on: day, today };
}

/** State of one requirement, with its name. */
export interface AnsweredCheck extends RequirementCheck {
  readonly name: string;
}

/** An answer about a record's compliance. */
export interface Answer {
  readonly kind: HolderKind;
  readonly id: string;
  readonly name: string | null;
  readonly on: Date;
  /** True if the day is past. The answer is about what is held now. */
  readonly isPast: boolean;
  readonly state: Compliance['state'];
  readonly compliant: boolean;
  readonly until: Date | null;
  readonly requirements: readonly AnsweredCheck[];
  readonly gaps: readonly AnsweredCheck[];
}

/** Makes an answer for a caller. An item that the caller does not see is not named. */
function answerFor({ caller, now }: Session, kind: HolderKind, facts: HolderFacts, on?: Date | null): Answer {
  const compliance = evaluate(kind, facts, now, on);
  const names = new Map(facts.rules.map(({ id, name }) => [id, name]));
  const teams = new Map(facts.items.map(({ id, teamId }) => [id, teamId]));
  const isSeen = (id: string) => seesAllTeams(caller) || (caller.teamIds ?? []).includes(teams.get(id) ?? '');
  const requirements = compliance.checks.map((check) => ({
    ...check,
    name: names.get(check.requirementId) ?? '',
    itemId: check.itemId !== null && isSeen(check.itemId) ? check.itemId : null,
  }));
  const title = requiredResources[kind].title as (row: unknown) => string | null;
  return {
    kind,
    id: facts.id,
    name: title(rowOf(facts.record)),
    on: compliance.on,
    isPast: compliance.on < compliance.today,
    state: compliance.state,
    compliant: compliance.state !== 'NON_COMPLIANT',
    until: compliance.until,
    requirements,
    gaps: requirements.filter(({ state }) => isGap(state)),
  };
}

/** The most records that a conflict names. */
const namedInConflict = 10;

/** Returns the condition that a record is the one that is asked about. @throws GatewayError BAD_REQUEST; NOT_FOUND */
function namedSql(holder: HolderReference): Sql {
  const { kind } = holder;
  const { noun } = requiredResources[kind];
  const keys: Readonly<Partial<Record<HolderKey, { readonly by: string }>>> = naturalKeys[kind];
  const sent = (['id', ...holderKeys] as const).filter((key) => holder[key] != null && holder[key] !== '');
  const [key, ...others] = sent;
  if (!key || others.length > 0) {
    const known = ['id', ...Object.keys(keys)].join(', ');
    throw badField(['holder'], `must name a ${noun} by one of ${known}`, 'required');
  }
  const value = holder[key] ?? '';
  if (key === 'id') {
    if (!isUuid(value)) throw notFound(noun, value);
    return sql`record.id = ${value.toLowerCase()}::uuid`;
  }
  const { by } = keys[key] ?? {};
  if (!by) throw badField(['holder', key], `does not identify a ${noun}`);
  if (value.length > limits.line)
    throw badField(['holder', key], `must have at most ${limits.line} characters`, 'length');
  if (value.includes('\0') || !value.isWellFormed())
    throw badField(['holder', key], 'must be well-formed Unicode without NUL characters', 'characters');
  const column = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return sql`${raw(`${by}(record.${column})`)} = ${raw(by)}(${value}) AND ${raw(`record.${column}`)} IS NOT NULL`;
}

/**
 * Says whether a record has what it must have, with one statement. Only records that the caller sees are found.
 * @throws GatewayError NOT_FOUND; CONFLICT naming the ids, if several records have the natural key
 */
export async function askCompliance(
  session: Session,
  holder: HolderReference,
  on?: Date | null,
): Promise<Answer> {
  const { kind } = holder;
  const named = namedSql(holder);
  const statement = sql`
    SELECT ${factsSql(kind)} ${recordsSql(session, kind, {})} AND ${named}
    ORDER BY record.created, record.id LIMIT ${raw(String(namedInConflict + 1))}`;
  const found = await session.lookUp<HolderFacts>(prepared(`compliance.${kind}`, statement));
  const [facts] = found;
  const { noun } = requiredResources[kind];
  if (!facts) {
    if (holder.id) throw notFound(noun, holder.id);
    throw argumentError('NOT_FOUND', `There is no such ${noun}.`, ['holder']);
  }
  if (found.length > 1) {
    const ids = found.slice(0, namedInConflict).map(({ id }) => id);
    const more = found.length > namedInConflict ? ' and others' : '';
    throw new GatewayError('CONFLICT', `Several records have this key: ${ids.join(', ')}${more}.`);
  }
  return answerFor(session, kind, facts, on);
}

/** Says whether a record that the caller sees has what it must have. Those of one turn take one statement. */
export function complianceOf(
  session: Session,
  kind: HolderKind,
  id: string,
  on?: Date | null,
): Promise<Answer> {
  const batch: BatchLoader<Answer> = async (_, ids) => {
    const statement = sql`SELECT ${factsSql(kind)} ${recordsSql(session, kind, { id: oneOrMany(ids) })}`;
    const found = await session.lookUp<HolderFacts>(prepared(`compliance.${kind}s`, statement));
    const facts = new Map(found.map((one) => [one.id, one]));
    return ids.map((wanted) => {
      const one = facts.get(wanted);
      if (!one) throw notFound(requiredResources[kind].noun, wanted);
      return answerFor(session, kind, one, on);
    });
  };
  return loadBatched(session, batch, id, `compliance ${kind} ${on?.getTime() ?? ''}`);
}

/** Writes an answer in the names of the REST contract. */
export const shownAnswer = (answer: Answer): object => ({
  compliant: answer.compliant,
  state: answer.state.toLowerCase(),
  on: formatDate(answer.on),
  is_past: answer.isPast,
  until: answer.until && formatDate(answer.until),
  holder: { kind: answer.kind, id: answer.id, name: answer.name },
  gaps: answer.gaps.map(shownCheck),
  requirements: answer.requirements.map(shownCheck),
});

const shownCheck = ({ requirementId, name, state, since, until, itemId, isTooShort }: AnsweredCheck) => ({
  requirement: { id: requirementId, name },
  state: state.toLowerCase(),
  since: since && formatDate(since),
  until: until && formatDate(until),
  item_id: itemId,
  is_too_short: isTooShort,
});
