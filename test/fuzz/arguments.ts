import {
  type GraphQLField,
  type GraphQLInputObjectType,
  getNamedType,
  isEnumType,
  isNonNullType,
  TypeMetaFieldDef,
} from 'graphql';
import { camelCase } from '../../src/domain/text/names.js';
import { printed } from './documents.js';
import type { Draft } from './draft.js';
import { inputFor, type Written } from './inputs.js';

const both = (value: unknown): Written => ({ json: JSON.stringify(value), literal: JSON.stringify(value) });

/** Values by the names of arguments. */
type Values = Record<string, Written>;

const typeNames = [...Object.keys(printed.getTypeMap()), 'Nothing', '__proto__'];

/** Ids that no record has, or that are none. */
const badIds = ['x', '', '00000000-0000-0000-0000-000000000000', '00000000-0000-4000-8000-999999999999'];

/** Values that records of a fuzz world have in the field that a list is ordered by, or that no record has. */
const places = ['Van 1', 'Licence 1', 'Note 2', null, '2026-11-20T09:30:00.000Z', 1, true];

/** Returns the fields that a list can be ordered by, as its enum has them. */
function ordersOf({ args }: GraphQLField<unknown, unknown>): readonly string[] {
  const order = args.find(({ name }) => name === 'orderBy');
  const field = order && (getNamedType(order.type) as GraphQLInputObjectType).getFields().field;
  const words = field && getNamedType(field.type);
  return isEnumType(words) ? words.getValues().map(({ name }) => name) : [];
}

/**
 * Returns a cursor of an order, and the order: of a list that is asked for in this order, or has been in
 * another.
 */
function cursor(draft: Draft, field: GraphQLField<unknown, unknown>): [Written, Values] {
  const words = ordersOf(field);
  // What has one order alone is not asked in another.
  if (words.length === 0) return [both(JSON.stringify(draft.pick(['', 'x', 'WzFd', 'e30']))), {}];
  const word = draft.pick(words);
  const direction = draft.pick(['ASC', 'DESC']);
  const id = draft.pick(draft.world.ids(getNamedType(field.type).name));
  const parts = [camelCase(word.toLowerCase()), direction.toLowerCase(), draft.pick(places), id];
  const made = both(Buffer.from(JSON.stringify(parts)).toString('base64url'));
  const asked = draft.oneIn(3) ? draft.pick(words) : word;
  const orderBy = {
    json: JSON.stringify({ field: asked, direction }),
    literal: `{field: ${asked}, direction: ${direction}}`,
  };
  return [made, { orderBy }];
}

/** Returns the part of a list that is asked for; of few rows, as a list in lists is read for each. */
function windowOf(draft: Draft, field: GraphQLField<unknown, unknown>): Values {
  const few = both(1 + draft.below(3));
  const [made, order] = cursor(draft, field);
  const known = new Set(field.args.map(({ name }) => name));
  const window = draft.pick<Values>([
    { first: few },
    { first: few },
    { first: few },
    { first: few },
    { first: few },
    { first: both(0) },
    { last: few },
    { first: few, offset: both(draft.pick([1, draft.below(60)])) },
    { first: few, after: made, ...order },
    { last: few, before: made, ...order },
    { first: few, before: made, ...order },
    wrongWindow(draft, few, made, order),
    wrongWindow(draft, few, made, order),
  ]);
  return Object.fromEntries(Object.entries(window).filter(([name]) => known.has(name)));
}

/** Returns a part of a list that is refused by its resolver, or the whole list. */
function wrongWindow(draft: Draft, few: Written, made: Written, order: Values): Values {
  return draft.pick<Values>([
    { first: both(501) },
    { last: both(-1) },
    { first: few, offset: both(-1) },
    { first: few, last: few },
    { first: few, after: both('x') },
    { last: few, before: both('') },
    { first: few, offset: both(1), after: made, ...order },
    {},
  ]);
}

/** Returns the arguments of a field, some of them wrong in ways that only its resolver finds. */
export function argumentsOf(draft: Draft, field: GraphQLField<unknown, unknown>): string {
  const isList = field.args.some(({ name }) => name === 'first');
  const window: Values = isList ? windowOf(draft, field) : {};
  const texts = field.args.flatMap(({ name, type, defaultValue }) => {
    const chosen = window[name];
    if (chosen) return [`${name}: ${draft.written(type, chosen)}`];
    const required = isNonNullType(type) && defaultValue === undefined;
    if (['first', 'last', 'after', 'before', 'offset'].includes(name)) return [];
    if (!required && !draft.oneIn(isList ? 5 : 2)) return [];
    if (field === TypeMetaFieldDef) return [`name: ${draft.written(type, both(draft.pick(typeNames)))}`];
    const isId = /^ids?$/.test(name);
    const called = isId ? `${field.name} ${getNamedType(field.type).name}` : name;
    if (name === 'id' && draft.oneIn(12)) return [`id: ${draft.written(type, both(draft.pick(badIds)))}`];
    const value = draft.value(inputFor(type, called, draft.world, 0));
    return [`${name}: ${draft.written(type, value)}`];
  });
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
}
