import type { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import type { Runs } from '../db/connection/transaction.js';
import { keyedRecordsSql, recordsSql } from '../db/sql/conditions.js';
import { oneOrMany, tables } from '../db/sql/models.js';
import { raw, type Sql, sql } from '../db/sql/sql.js';
import { seesAllTeams } from '../domain/caller.js';
import {
  type Compliance,
  complianceOn,
  type Exempted,
  isGap,
  isLacking,
  type Paper,
  type RequirementCheck,
  type Rule,
} from '../domain/compliance.js';
import { formatDate, todayIn } from '../domain/dates.js';
import { notFound } from '../domain/errors.js';
import { isNil, isUuid } from '../domain/rules.js';
import { camelCase } from '../domain/text/names.js';
import {
  type HolderKind,
  type HolderReference,
  holderKeys,
  mostNamed,
  type NamedRecord,
  namedSql,
  readReference,
  unclear,
} from '../items/holders.js';
import { type BatchLoader, loadBatched } from '../records/loaders.js';
import { type AppliesFilter, appliesTo, type HolderRow, requiredResources } from './applies.js';

/** A requirement as evaluations read it. */
type StoredRule = Rule & { readonly name: string; readonly applies: AppliesFilter } & Partial<AskingRule>;

/** Part of a requirement that says whether it asks for documents by itself. */
interface AskingRule {
  /** The person who is asked. Null if nobody is. */
  readonly askTo: 'HOLDER' | 'MAIN_CONTACT' | 'ASSIGNEE' | null;
  readonly askDaysBefore: number;
  readonly askEveryDays: number;
}

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
  readonly items: readonly (WithTextDates<Paper> & { readonly teamId: string })[];
}

/**
 * Returns the columns with what the compliance of a record, `record`, follows from besides requirements. Items count
 * wherever they are, also where the caller does not see them: all callers get the same answer. Only the best ones are
 * read that a requirement of these types could need.
 */
export const heldSql = (kind: HolderKind, types: Sql): Sql => sql`
  record.id, record.team_id AS "teamId", to_jsonb(record) AS record,
  (SELECT timezone FROM teams AS team WHERE team.id = record.team_id) AS timezone,
  coalesce((
    SELECT json_agg(json_build_object('requirementId', exemption.requirement_id, 'from', exemption."from",
      'until', exemption.until, 'endedOn', exemption.ended_on))
    FROM exemptions AS exemption WHERE exemption.${raw(kind)}_id = record.id
  ), '[]') AS exemptions,
  compliance_items(${raw(`'${kind}'`)}, record.id, ${types}) AS items`;

/** Returns the columns with all that the compliance of a record, `record`, follows from. */
export function factsSql(kind: HolderKind): Sql {
  const required = raw(`
    FROM requirements AS rule WHERE rule.team_id = record.team_id AND rule.holder_kind = '${kind}' AND rule.is_active`);
  const types = sql`ARRAY(SELECT DISTINCT unnest(rule.any_of) ${required})`;
  return sql`${heldSql(kind, types)},
    coalesce((
      SELECT json_agg(json_build_object('id', rule.id, 'name', rule.name, 'applies', rule.applies, 'anyOf', rule.any_of,
        'validDays', rule.valid_days, 'graceDays', rule.grace_days, 'needsFile', rule.needs_file,
        'allowNoDate', rule.allow_no_date, 'askTo', rule.ask_to, 'askDaysBefore', rule.ask_days_before,
        'askEveryDays', rule.ask_every_days) ORDER BY rule.name, rule.id)
      ${required}
    ), '[]') AS rules`;
}

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

/** Returns what a record is called. */
export function nameOf(kind: HolderKind, { record }: Pick<HolderFacts, 'record'>): string | null {
  const title = requiredResources[kind].title as (row: unknown) => string | null;
  return title(rowOf(record));
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
  return {
    kind,
    id: facts.id,
    name: nameOf(kind, facts),
    on: compliance.on,
    isPast: compliance.on < compliance.today,
    state: compliance.state,
    compliant: compliance.state !== 'NON_COMPLIANT',
    until: compliance.until,
    requirements,
    gaps: requirements.filter(({ state }) => isGap(state)),
  };
}

/** Reads which record is asked about. Something that is no id names none. */
function readAsked(holder: HolderReference): NamedRecord {
  const { kind, id } = holder;
  const isAlone = !holderKeys.some((key) => holder[key]?.trim());
  if (id && (isNil(id) ? isAlone : !isUuid(id))) throw notFound(requiredResources[kind].noun, id);
  return readReference(holder, ['holder']);
}

/** Reads what the compliance of records follows from, with one statement. Those that the caller does not see are left out. */
export function readFacts(
  session: Session,
  kind: HolderKind,
  ids: readonly string[],
): Promise<HolderFacts[]> {
  const statement = sql`SELECT ${factsSql(kind)} ${recordsSql(session, kind, { id: oneOrMany(ids) })}`;
  return session.lookUp<HolderFacts>(prepared(`compliance.${kind}s`, statement));
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
  const asked = readAsked(holder);
  const { kind } = asked;
  const statement = sql`
    SELECT ${factsSql(kind)} ${keyedRecordsSql(session, kind, {})} AND ${namedSql(asked, sql`${asked.text}`)}
    ORDER BY record.created, record.id LIMIT ${raw(String(mostNamed))}`;
  const found = await session.lookUp<HolderFacts>(prepared(`compliance.${kind}`, statement));
  const [facts, ...others] = found;
  if (!facts && asked.id) throw notFound(requiredResources[kind].noun, asked.id);
  if (!facts || others.length > 0)
    throw unclear(
      asked,
      found.map(({ id }) => id),
      ['holder'],
    );
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
    const facts = new Map((await readFacts(session, kind, ids)).map((one) => [one.id, one]));
    return ids.map((wanted) => {
      const one = facts.get(wanted);
      if (!one) throw notFound(requiredResources[kind].noun, wanted);
      return answerFor(session, kind, one, on);
    });
  };
  return loadBatched(session, batch, id, `compliance ${kind} ${on?.getTime() ?? ''}`);
}

/** A record's compliance as the gateway itself knows it. */
interface KnownCompliance {
  readonly id: string;
  readonly gaps: readonly AnsweredCheck[];
  readonly until: Date | null;
  /** Names of the requirements that are not met on the day after that. */
  readonly lapsing: readonly string[];
}

/** Evaluates records of a kind for the gateway itself, which sees all of them. */
export async function evaluateNamed(
  on: Runs,
  kind: HolderKind,
  ids: readonly string[],
  now: Date,
): Promise<KnownCompliance[]> {
  const statement = sql`
    SELECT ${factsSql(kind)} FROM ${raw(tables[kind])} AS record WHERE record.id = ANY(${[...ids]}::uuid[])`;
  const found = await on.run<HolderFacts>(prepared(`compliance.known_${kind}`, statement));
  return found.map((facts) => {
    const { checks, until, lapsing } = evaluate(kind, facts, now);
    const names = new Map(facts.rules.map(({ id, name }) => [id, name]));
    const named = checks.map((check) => ({ ...check, name: names.get(check.requirementId) ?? '' }));
    return {
      id: facts.id,
      gaps: named.filter(({ state }) => isLacking(state)),
      until,
      lapsing: lapsing.map((id) => names.get(id) ?? ''),
    };
  });
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

/** Writes the state of a requirement in the names of the REST contract. */
export const shownCheck = ({
  requirementId,
  name,
  state,
  since,
  until,
  itemId,
  isTooShort,
}: AnsweredCheck) => ({
  requirement: { id: requirementId, name },
  state: state.toLowerCase(),
  since: since && formatDate(since),
  until: until && formatDate(until),
  item_id: itemId,
  is_too_short: isTooShort,
});
