import * as z from 'zod';
import type { Session } from '../../db/connection/session.js';
import { modelFields } from '../../db/sql/columns.js';
import type { CustomFieldCondition } from '../../db/sql/conditions.js';
import type { Condition } from '../../db/sql/query.js';
import { badField, type FieldPath } from '../../domain/errors.js';
import { check, limits, rules } from '../../domain/rules.js';
import type { RangeType, Readable } from './readable.js';

/** Maximum nesting of filters, and maximum number of filters in one list. */
export const filterLimits = { depth: 5, filters: 50 } as const;

/** Bounds of a column's values, each of them optional. */
type Range = Readonly<Partial<Record<'gte' | 'gt' | 'lte' | 'lt', unknown>>>;

/** The part of a filter that all lists share. The members for ids and ranges come on top. */
interface SharedFilter {
  readonly and?: readonly object[] | null;
  readonly or?: readonly object[] | null;
  readonly not?: object | null;
  readonly modifiedSince?: Date | null;
  readonly hasNone?: readonly string[] | null;
  readonly customFields?: readonly CustomFieldCondition[] | null;
}

/**
 * Columns with the time of a record's last change, and the verb for it. The first one that a record has
 * counts.
 */
const changes = { modified: 'changed', created: 'created', deletedAt: 'deleted' };

/** Returns the column with a record's last change, and the verb for it. */
export function lastChange({ noun, rows }: Readable): readonly [column: string, change: string] {
  const columns = modelFields(rows.model);
  const known = Object.entries(changes).find(([column]) => columns.includes(column));
  if (!known) throw new Error(`Nothing tells when a ${noun} was changed.`);
  return known;
}

/** Lists a resource's columns that can be filtered by a range, with their types. */
export function rangesOf({ ranges, rows }: Readable): Readonly<Record<string, RangeType>> {
  const columns = modelFields(rows.model);
  const moments = Object.keys(changes).filter((column) => columns.includes(column));
  return { ...Object.fromEntries(moments.map((column) => [column, 'DateTime' as const])), ...ranges };
}

/** Lists a filter with all filters nested in it, and checks their number. */
function* filtersIn(filter: object, path: FieldPath, depth = 1): Generator<readonly [object, FieldPath]> {
  if (depth > filterLimits.depth)
    throw badField(path, `must be nested at most ${filterLimits.depth} filters deep`, 'depth');
  yield [filter, path];
  const { and, or, not } = filter as SharedFilter;
  for (const [name, filters] of [['and', and] as const, ['or', or] as const]) {
    for (const [index, inner] of (filters ?? []).entries()) {
      yield* filtersIn(inner, [...path, name, index], depth + 1);
    }
  }
  if (not) yield* filtersIn(not, [...path, 'not'], depth + 1);
}

/** Returns whether a filter, or one nested in it, has a search term. */
export function isSearch(filter: object): boolean {
  return [...filtersIn(filter, ['filter'])].some(([{ term }]: readonly [{ term?: unknown }, FieldPath]) =>
    Boolean(term),
  );
}

/** Returns whether a condition selects all rows. */
const selectsAll = (condition: Condition): boolean =>
  Object.entries(condition).every(
    ([name, value]) => name === 'AND' && [value as Condition | Condition[]].flat().every(selectsAll),
  );

const ids = z.array(rules.requiredUuid).max(limits.entries, `must have at most ${limits.entries} entries`);

const customFields = z
  .array(
    z
      .object({ id: rules.uuid, name: rules.line, value: rules.customFieldValue })
      .refine(
        ({ id, name }) => (id === null) !== (name === null),
        'must name the custom field by either its id or its name',
      ),
  )
  .max(limits.entries, `must have at most ${limits.entries} entries`);

function rangeConditions(resource: Readable, filter: Readonly<Record<string, unknown>>): Condition[] {
  return Object.keys(rangesOf(resource)).flatMap((column) => {
    const bounds = Object.entries((filter[column] ?? {}) as Range).filter(([, bound]) => bound != null);
    return bounds.length === 0 ? [] : [{ [column]: Object.fromEntries(bounds) }];
  });
}

function manyConditions(
  { manyOf = {} }: Readable,
  filter: Readonly<Record<string, unknown>>,
  session: Session,
  path: FieldPath,
): Condition[] {
  return Object.entries(manyOf).flatMap(([member, conditionOf]) => {
    const sent = filter[member] as readonly unknown[] | null | undefined;
    if (!sent || sent.length === 0) return [];
    return [conditionOf(check(ids, sent, [...path, member]), session)];
  });
}

/** Translates the part of a filter that all resources share. */
async function sharedConditions(
  resource: Readable,
  filter: object,
  session: Session,
  path: FieldPath,
): Promise<Condition[]> {
  const { and, or, not, modifiedSince, hasNone, customFields: fields } = filter as SharedFilter;
  const inner = (part: object, ...steps: (string | number)[]) =>
    conditionOf(resource, part, session, [...path, ...steps]);
  const alternatives = await Promise.all((or ?? []).map((part, i) => inner(part, 'or', i)));
  const excepted = not && (await inner(not, 'not'));
  const [changed] = lastChange(resource);
  return [
    ...(await Promise.all((and ?? []).map((part, i) => inner(part, 'and', i)))),
    // If one alternative selects all rows, so does their union.
    ...(alternatives.length > 0 && !alternatives.some(selectsAll) ? [{ OR: alternatives }] : []),
    ...(excepted && !selectsAll(excepted) ? [{ EXCEPT: excepted }] : []),
    ...(modifiedSince == null ? [] : [{ [changed]: { gte: modifiedSince } }]),
    ...rangeConditions(resource, filter as Record<string, unknown>),
    ...manyConditions(resource, filter as Record<string, unknown>, session, path),
    ...(hasNone ?? []).flatMap((link): Condition[] => {
      const condition = resource.links?.[link]?.(session);
      return condition ? [condition] : [];
    }),
    ...check(customFields, fields ?? [], [...path, 'customFields']).map((field) => ({ custom: field })),
  ];
}

async function conditionOf(
  resource: Readable,
  filter: object,
  session: Session,
  path: FieldPath,
): Promise<Condition> {
  const own = await resource.where(filter, session);
  const shared = await sharedConditions(resource, filter, session, path);
  return shared.length === 0 ? own : { AND: [own, ...shared] };
}

/**
 * Translates the filter of a list to a condition. It combines the resource's own part with the shared part.
 * @throws GatewayError BAD_REQUEST for an invalid filter, or for too deep nesting
 */
export async function listCondition(
  resource: Readable,
  filter: object,
  session: Session,
): Promise<Condition> {
  const path = ['filter'];
  const all = [...filtersIn(filter, path)];
  if (all.length > filterLimits.filters)
    throw badField(path, `must contain at most ${filterLimits.filters} filters in total`, 'entries');
  return conditionOf(resource, filter, session, path);
}
