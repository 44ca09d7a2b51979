import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import type { ModelColumn } from '../../db/sql/columns.js';
import type { Condition } from '../../db/sql/query.js';
import { rules } from '../../domain/rules.js';
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
  /** Its rule and its type in GraphQL, if it is no column. */
  readonly rule?: z.ZodType;
  readonly type?: string;
  /** Returns the condition for a value. Without it, the column of its name equals the value. */
  // biome-ignore lint/suspicious/noExplicitAny: the value is what the rule gives.
  where?(value: any, all: object, session: Session): Condition;
}

/** Filter of a list, by its members. A text describes one that equals the column of its name. */
export type ListFilter = { readonly term: Term } & Readonly<Record<string, string | Term | FilterMember>>;

/** Validation rules of filter values, by the type of their column. */
const filterRules: Readonly<Record<string, z.ZodType>> = {
  Boolean: rules.choice,
  Int: rules.int,
  String: rules.line,
  UUID: rules.uuid,
};

/** Creates the validation rules of a filter. */
function rulesOf(filter: ListFilter, columns: Columns) {
  const members = Object.entries(filter).map(([name, member]) => {
    const own = typeof member === 'object' && 'rule' in member ? member.rule : undefined;
    const rule = own ?? (name === 'term' ? rules.line : filterRules[columns[name]?.type ?? '']);
    if (!rule) throw new Error(`No rule for the filter's ${name}.`);
    return [name, rule];
  });
  return z.object(Object.fromEntries(members) as Record<string, z.ZodType>) as z.ZodType<{ term?: string }>;
}

/** Creates the function that turns a filter into a condition. */
export function whereOf(filter: ListFilter, columns: Columns): Readable['where'] {
  const rule = rulesOf(filter, columns);
  const special = Object.entries(filter).flatMap(([name, member]) =>
    typeof member === 'object' && 'where' in member && member.where ? [[name, member.where] as const] : [],
  );
  return (given, session) =>
    filterCondition(
      rule,
      given,
      filter.term.in,
      Object.fromEntries(
        special.map(([name, where]) => [name, (value: unknown, all: object) => where(value, all, session)]),
      ),
    );
}

/** Returns the members of a filter that take several ids, such as `teamIds` for `teamId`. */
export function manyOf(filter: ListFilter, columns: Columns): Pick<Readable, 'manyOf'> {
  const ids = Object.keys(filter).filter((name) => typeof filter[name] === 'string' && columns[name]?.to);
  if (ids.length === 0) return {};
  return { manyOf: Object.fromEntries(ids.map((name) => [`${name}s`, inColumn(name)])) };
}
