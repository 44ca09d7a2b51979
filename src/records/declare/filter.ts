import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { enumValues, type ModelColumn } from '../../db/sql/columns.js';
import type { TermCondition } from '../../db/sql/conditions.js';
import type { RecordKind } from '../../db/sql/models.js';
import type { Condition } from '../../db/sql/query.js';
import { check, limits, rules } from '../../domain/rules.js';
import { byColumn, type Link, linkCondition } from '../links.js';
import { seenIds } from '../lists/links.js';
import type { Readable } from '../lists/readable.js';
import type { Field } from './fields.js';
import { kindOfColumn } from './links.js';

type Columns = Readonly<Record<string, ModelColumn>>;

/** Search of a list: the columns that are searched, and its description. */
interface Term {
  readonly in: readonly string[];
  readonly description: string;
}

/** A filter member that is not a plain comparison with the column of its name. */
interface FilterMember {
  readonly description: string;
  readonly deprecated?: string;
  /** The column that it compares, if it has another name. */
  readonly column?: string;
  /** Kind of the records whose ids it takes, and their link. By default, a column. */
  readonly by?: readonly [kind: RecordKind, link: Link];
  /** Its type in GraphQL, if it is no column. */
  readonly type?: string;
  /** Its rule, if it does not follow from its type. */
  readonly rule?: z.ZodType;
  /** Returns the condition for a value. Without it, the column equals the value. */
  // biome-ignore lint/suspicious/noExplicitAny: the value is what the rule gives.
  where?(value: any, all: object, session: Session): Condition | Promise<Condition>;
  /** Returns the condition for several ids, beside `where`. Its member has the name in the plural. */
  many?(ids: readonly string[], session: Session): Condition;
}

/** Filter of a list, by its members. A text describes one that equals the column of its name. */
export type ListFilter = { readonly term: Term } & Readonly<Record<string, string | Term | FilterMember>>;

/** Validation rules of filter values, by their type or that of their column. */
const filterRules: Readonly<Record<string, z.ZodType>> = {
  Boolean: rules.choice,
  Date: rules.date,
  DateTime: rules.date,
  ID: rules.uuid,
  Int: rules.int,
  String: rules.line,
  UUID: rules.uuid,
  '[ID]': z
    .array(rules.requiredUuid)
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish(),
};

/** Returns the facts of a filter's members, by their names. `term` is a text. */
export function membersOf(filter: ListFilter): [string, FilterMember][] {
  return Object.entries(filter).map(([name, member]) => {
    if (typeof member === 'string') return [name, { description: member }];
    return [name, 'in' in member ? { description: member.description, type: 'String' } : member];
  });
}

/** Creates the validation rules of a filter. */
function rulesOf(filter: ListFilter, columns: Columns) {
  const members = membersOf(filter).map(([name, { column = name, type, rule }]) => {
    const known = type ?? columns[column]?.type ?? '';
    const words = enumValues(known);
    const derived = rule ?? filterRules[known] ?? (words && z.enum(words).nullish());
    if (!derived) throw new Error(`No rule for the filter's ${name}.`);
    return [name, derived];
  });
  return z.object(Object.fromEntries(members) as Record<string, z.ZodType>) as z.ZodType<{ term?: string }>;
}

/** Escapes `%`, `_` and `\` in a term for `LIKE`. */
const escapeLike = (term: string) => term.replace(/[\\%_]/g, '\\$&');

type Fields = Readonly<Record<string, Field>>;

/** Creates the condition on what links records to some ids. Only records that the caller sees count. */
type Linked = (session: Session, ids: string | readonly string[]) => Condition;

/** Returns the condition of a member that takes other records' ids; undefined otherwise. */
function linkedBy(
  [name, { column = name, by, where }]: readonly [string, FilterMember],
  fields: Fields,
  columns: Columns,
): Linked | undefined {
  const kind = by?.[0] ?? (where ? undefined : kindOfColumn(fields, columns, column));
  if (!kind) return undefined;
  const link = by?.[1] ?? byColumn(column);
  return (session, ids) => linkCondition(link, seenIds(session, kind, ids));
}

/**
 * Creates the function that turns a filter into a condition. A member must equal the column of its name, unless it has a
 * condition of its own, which may use the other members. A member with ids finds only links that the caller sees. One
 * of the searched texts must contain `term`, in any letter case. Members that are missing or empty lists are ignored.
 * @param only condition of all records that a list with the filter has
 */
export function whereOf(
  filter: ListFilter,
  fields: Fields,
  columns: Columns,
  only?: (session: Session, filter: Readonly<Record<string, unknown>>) => Condition,
): Readable['where'] {
  const rule = rulesOf(filter, columns);
  const members = new Map(membersOf(filter));
  const linked = new Map([...members].map((member) => [member[0], linkedBy(member, fields, columns)]));
  return async (sent, session) => {
    const { term, ...given } = check(rule, sent, ['filter']) as Record<string, unknown> & { term?: string };
    const named = Object.entries(given).filter(
      ([, value]) => value != null && !(Array.isArray(value) && value.length === 0),
    );
    const conditions = await Promise.all(
      named.map(([name, value]): Condition | Promise<Condition> => {
        const { column = name, where } = members.get(name) ?? {};
        const isLinked = linked.get(name);
        if (isLinked) return isLinked(session, value as string | readonly string[]);
        return where ? where(value, given, session) : { [column]: value };
      }),
    );
    if (term)
      conditions.push({
        searched: { fields: filter.term.in, term: escapeLike(term) } satisfies TermCondition,
      });
    return { AND: only ? [only(session, sent as Record<string, unknown>), ...conditions] : conditions };
  };
}

type Several = NonNullable<Readable['manyOf']>[string];

/** Returns the members of a filter that take several ids, such as `teamIds` for `teamId`. */
export function manyOf(filter: ListFilter, fields: Fields, columns: Columns): Pick<Readable, 'manyOf'> {
  const ids = membersOf(filter).flatMap((member) => {
    const [name, { type = '', many }] = member;
    const isLinked = type.startsWith('[') ? undefined : linkedBy(member, fields, columns);
    const several: Several | undefined = many ?? (isLinked && ((ids, session) => isLinked(session, ids)));
    return several ? [[`${name}s`, several] as const] : [];
  });
  return ids.length === 0 ? {} : { manyOf: Object.fromEntries(ids) };
}
