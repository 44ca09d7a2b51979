import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { enumValues, type ModelColumn } from '../../db/sql/columns.js';
import type { Condition } from '../../db/sql/query.js';
import { limits, rules } from '../../domain/rules.js';
import { filterCondition } from '../lists/filter.js';
import { inColumn } from '../lists/links.js';
import type { Readable } from '../lists/readable.js';

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
  /** Its type in GraphQL, if it is no column. */
  readonly type?: string;
  /** Its rule, if it does not follow from its type. */
  readonly rule?: z.ZodType;
  /** Returns the condition for a value. Without it, the column equals the value. */
  // biome-ignore lint/suspicious/noExplicitAny: the value is what the rule gives.
  where?(value: any, all: object, session: Session): Condition | Promise<Condition>;
  /** Returns the condition for several ids. Its member has the name in the plural. */
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

/**
 * Creates the function that turns a filter into a condition.
 * @param only condition of all records that a list with the filter has
 */
export function whereOf(
  filter: ListFilter,
  columns: Columns,
  only?: (session: Session, filter: Readonly<Record<string, unknown>>) => Condition,
): Readable['where'] {
  const rule = rulesOf(filter, columns);
  const special = membersOf(filter).flatMap(([name, { column, where }]) => {
    const own = where ?? (column && ((value: unknown) => ({ [column]: value })));
    return own ? [[name, own] as const] : [];
  });
  return async (given, session) => {
    const conditions = special.map(
      ([name, where]) => [name, (value: unknown, all: object) => where(value, all, session)] as const,
    );
    const { AND } = filterCondition(rule, given, filter.term.in, Object.fromEntries(conditions));
    const own = await Promise.all(AND as Condition[]);
    return { AND: only ? [only(session, given as Record<string, unknown>), ...own] : own };
  };
}

/** Returns the members of a filter that take several ids, such as `teamIds` for `teamId`. */
export function manyOf(filter: ListFilter, columns: Columns): Pick<Readable, 'manyOf'> {
  const ids = membersOf(filter).flatMap(([name, { column = name, where, many }]) => {
    const several = many ?? (!where && columns[column]?.to && inColumn(column));
    return several ? [[`${name}s`, several] as const] : [];
  });
  return ids.length === 0 ? {} : { manyOf: Object.fromEntries(ids) };
}
