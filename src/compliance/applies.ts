import * as z from 'zod';
import type { Session } from '../db/connection/session.js';
import type { Condition } from '../db/sql/conditions.js';
import { parseDate, parseMoment } from '../domain/dates.js';
import { badField, type FieldPath, GatewayError, movedViolations } from '../domain/errors.js';
import { camelCase, folded } from '../domain/text/names.js';
import { type HolderKind, holderKinds } from '../items/holders.js';
import { membersOf } from '../records/declare/declare.js';
import { checkMembers, listCondition, rangesOf } from '../records/lists/filter.js';
import type { RangeType } from '../records/resource.js';
import { companies } from '../resources/companies.js';
import { contacts } from '../resources/contacts.js';
import { locations } from '../resources/locations.js';
import { vehicles } from '../resources/vehicles.js';

/** Resources of the kinds of holders. */
export const requiredResources = {
  vehicle: vehicles,
  contact: contacts,
  company: companies,
  location: locations,
};

/** A filter of a kind's list, as JSON: dates are texts. Members that do not narrow are left out. */
export type AppliesFilter = { readonly [member: string]: unknown };

/** A record's columns, by the names of its fields. Dates are texts. */
export type HolderRow = Readonly<Record<string, unknown>>;

/** Tells whether a requirement's filter matches a record. */
export type Matches = (row: HolderRow) => boolean;

/** Creates the test of a member's value, which its rule has let through. */
type MemberTest = (value: unknown) => Matches;

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** Compares texts as the database's natural keys do. */
const keyOf = (value: unknown) => folded(text(value).trim());

/** Members whose conditions are no comparison with the column of their name. */
const ownTests: Readonly<Record<string, MemberTest>> = {
  'contact.email': (value) => (row) => keyOf(value) !== '' && keyOf(row.email) === keyOf(value),
  'location.isRoot': (value) => (row) => (row.parentLocationId === null) === value,
};

/** Reads a bound of a range. Undefined if it is no value of its type. */
function readBound(type: RangeType, bound: unknown): number | undefined {
  if (type === 'DateTime') return parseMoment(text(bound))?.getTime();
  if (type === 'Date') return parseDate(text(bound))?.getTime();
  if (type === 'Float') return typeof bound === 'number' ? bound : undefined;
  return z.int32().safeParse(bound).data;
}

const comparisons: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  gte: (one, other) => one >= other,
  gt: (one, other) => one > other,
  lte: (one, other) => one <= other,
  lt: (one, other) => one < other,
};

function rangeTest(name: string, type: RangeType): MemberTest {
  return (range) => {
    const bounds = Object.entries(range as object).map(
      ([sign, bound]) => [comparisons[sign], readBound(type, bound)] as const,
    );
    return (row) => {
      const stored = row[name];
      const isTime = type === 'DateTime' || type === 'Date';
      const value = isTime ? Date.parse(text(stored)) : Number(stored);
      if (stored === null || Number.isNaN(value)) return false;
      return bounds.every(([compare, bound]) => bound !== undefined && compare?.(value, bound));
    };
  };
}

interface CustomField {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly value?: string | null;
}

const isSame = (one: unknown, other: unknown) => folded(text(one)) === folded(text(other));

const customFieldsTest: MemberTest = (wanted) => (row) =>
  (wanted as readonly CustomField[]).every(({ id, name, value }) =>
    ((row.customFields ?? []) as readonly CustomField[]).some(
      (field) =>
        (id != null ? field.id?.toLowerCase() === id : field.name != null && isSame(field.name, name)) &&
        (value == null || (field.value != null && isSame(field.value, value))),
    ),
  );

/** Returns the tests of all members that a kind's filter may have, by their names. */
function testsOf(kind: HolderKind): ReadonlyMap<string, MemberTest> {
  const { filter, manyOf = {}, ...resource } = requiredResources[kind];
  const equals =
    (column: string): MemberTest =>
    (value) =>
    (row) =>
      row[column] === value;
  const own = membersOf(filter).flatMap(([name, { column = name, where, by }]): [string, MemberTest][] => {
    if (name === 'term') {
      const { in: columns, custom } = filter.term;
      const contains: MemberTest = (term) => (row) => {
        const values = custom ? ((row.customFields ?? []) as readonly CustomField[]) : [];
        const texts = [
          ...columns.map((searched) => row[searched]),
          ...values.map(({ value }) => value ?? ''),
        ];
        return texts.some((searched) => folded(text(searched)).includes(folded(text(term))));
      };
      return [[name, contains]];
    }
    const special = ownTests[`${kind}.${name}`];
    if (special) return [[name, special]];
    return where || by ? [] : [[name, equals(column)]];
  });
  const known = new Map(own);
  const columnOf = new Map(membersOf(filter).map(([name, { column = name }]) => [name, column]));
  const several = Object.keys(manyOf).flatMap((name): [string, MemberTest][] => {
    const one = name.slice(0, -1);
    const column = columnOf.get(one) ?? one;
    const isAmong: MemberTest = (ids) => (row) => (ids as readonly unknown[]).includes(row[column]);
    return known.has(one) ? [[name, isAmong]] : [];
  });
  const ranges = Object.entries(rangesOf(resource)).map(([name, type]): [string, MemberTest] => [
    name,
    rangeTest(name, type),
  ]);
  const custom: [string, MemberTest][] =
    'customFields' in resource && resource.customFields ? [['customFields', customFieldsTest]] : [];
  return new Map([...own, ...several, ...ranges, ...custom]);
}

const tests = Object.fromEntries(holderKinds.map((kind) => [kind, testsOf(kind)])) as Record<
  HolderKind,
  ReturnType<typeof testsOf>
>;

/** Tells whether a filter names a member, at any depth. */
const names = (filter: AppliesFilter, member: string): boolean =>
  member in filter ||
  ['and', 'or'].some((name) =>
    ((filter[name] ?? []) as readonly AppliesFilter[]).some((part) => names(part, member)),
  ) ||
  (filter.not !== undefined && names(filter.not as AppliesFilter, member));

function matching(kind: HolderKind, filter: AppliesFilter): Matches {
  const parts = Object.entries(filter).map(([name, value]): Matches => {
    const inner = (part: unknown) => matching(kind, part as AppliesFilter);
    if (name === 'not') {
      const excepted = inner(value);
      return (row) => !excepted(row);
    }
    if (name === 'and' || name === 'or') {
      const all = (value as readonly unknown[]).map(inner);
      return name === 'and'
        ? (row) => all.every((matches) => matches(row))
        : (row) => all.some((matches) => matches(row));
    }
    return tests[kind].get(name)?.(value) ?? (() => false);
  });
  return (row) => parts.every((matches) => matches(row));
}

/** Returns the test whether a requirement applies to a record. An archived one needs nothing, unless the filter says so. */
export function appliesTo(kind: HolderKind, filter: AppliesFilter): Matches {
  const matches = matching(kind, filter);
  const { retired } = requiredResources[kind];
  if (!retired || names(filter, retired.field)) return matches;
  return (row) => row[retired.field] !== retired.when && matches(row);
}

const isEmpty = (value: unknown) =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0);

/** Leaves out null and what is empty. */
const withoutEmpty = (object: object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));

/** Checks a range, and leaves out bounds that are null. */
function readRange(type: RangeType, value: unknown, path: FieldPath): object {
  if (typeof value !== 'object' || Array.isArray(value)) throw badField(path, 'must be a range');
  const range = withoutEmpty(value ?? {});
  for (const [sign, bound] of Object.entries(range)) {
    if (!Object.hasOwn(comparisons, sign)) throw badField([...path, sign], 'must be gte, gt, lte or lt');
    if (readBound(type, bound) === undefined) throw badField([...path, sign], `must be of the type ${type}`);
  }
  return range;
}

/** Reads the filters inside a filter. Those that select all records narrow nothing, and an alternative to them neither. */
function readInner(kind: HolderKind, name: string, value: unknown, path: FieldPath): unknown {
  if (name === 'not') return readApplies(kind, value, path);
  if (!Array.isArray(value)) throw badField(path, 'must be a list of filters');
  const parts = value.map((part, index) => readApplies(kind, part, [...path, index]));
  if (name === 'or') return parts.some(isEmpty) ? [] : parts;
  return parts.filter((part) => !isEmpty(part));
}

/**
 * Reads the filter of a requirement's kind, in either spelling of its members.
 * @returns what the rules of the kind's list return, without what does not narrow
 * @throws GatewayError BAD_REQUEST naming a member that the kind does not have, or whose value is none of its type
 */
export function readApplies(kind: HolderKind, given: unknown, path: FieldPath): AppliesFilter {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw badField(path, 'must be a filter: an object with its members');
  const resource = requiredResources[kind];
  const ranges: Readonly<Record<string, RangeType>> = rangesOf(resource);
  const compared: Record<string, unknown> = {};
  const read: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(given)) {
    if (value == null) continue;
    const name = camelCase(member);
    const at = [...path, name];
    const range = Object.hasOwn(ranges, name) ? ranges[name] : undefined;
    if (range) read[name] = readRange(range, value, at);
    else if (['and', 'or', 'not'].includes(name)) read[name] = readInner(kind, name, value, at);
    else if (tests[kind].has(name)) compared[name] = value;
    else throw badField(at, `is not a field of a ${resource.noun} to filter by`);
  }
  const { term, customFields, ...members } = checkMembers(resource, compared, path);
  return withoutEmpty({
    ...members,
    ...{ term: term === '' ? null : term, ...read },
    customFields: (customFields as object[] | undefined)?.map(withoutEmpty),
  });
}

/**
 * Returns the condition on the records that a filter matches, as `appliesTo` tests them.
 * @throws GatewayError BAD_REQUEST for a filter that breaks a rule of its kind's list, beyond those of `readApplies`
 */
export async function appliesCondition(
  session: Session,
  kind: HolderKind,
  filter: AppliesFilter,
): Promise<Condition> {
  const resource = requiredResources[kind];
  const { retired } = resource;
  try {
    const matching = await listCondition(resource, filter, session);
    if (!retired || names(filter, retired.field)) return matching;
    return { AND: [{ [retired.field]: !retired.when }, matching] };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw movedViolations(error, ({ path, ...violation }) => ({
      ...violation,
      path: ['applies', ...path.slice(1)],
    }));
  }
}
