import fc, { type Arbitrary } from 'fast-check';
import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { goodDates, moments, texts, values } from './awkward.js';
import type { World } from './world.js';

/** A value in the two notations of a request: as JSON in the variables, and as a literal in the document. */
export interface Written {
  readonly json: string;
  readonly literal: string;
}

const both = (text: string): Written => ({ json: text, literal: text });
const nothing = both('null');
const written = (value: unknown): Written => both(JSON.stringify(value));

const lines = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('Van', 'name', 'UTC', 'user@example.com', 'x'.repeat(255)) },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constantFrom('Yard', 'Straße 字 🚚'), fc.nat()).map((parts) => parts.join(' ')),
  },
  { weight: 1, arbitrary: texts.filter((text) => text.length < 5_000) },
);

/** Values that the schema's scalars take, by the scalar's name. */
function scalar(type: string, name: string, world: Pick<World, 'ids'>): Arbitrary<Written> {
  if (type === 'ID' || type === 'UUID') return fc.constantFrom(...world.ids(name)).map(written);
  if (type === 'Boolean') return fc.boolean().map(written);
  if (type === 'Int')
    return fc.constantFrom('0', '1', '2', '5', '500', '-1', '2147483647', '-2147483648').map(both);
  if (type === 'Float') return fc.constantFrom('0', '-0', '0.5', '1e300', '19999.99').map(both);
  if (type === 'Date') return goodDates.map(written);
  if (type === 'DateTime') return moments.map(written);
  if (type === 'BigInt')
    return fc.constantFrom('0', '-1', '9223372036854775807', '-9223372036854775808').map(written);
  if (type === 'JSON') return fc.oneof(lines.map(written), fc.constantFrom(both('1.5'), both('[]'), nothing));
  if (type === 'Upload') return fc.constant(nothing);
  if (name === 'op') return fc.constantFrom('replace', 'add', 'remove', 'test', 'copy').map(written);
  if (name === 'path' || name === 'from')
    return fc
      .constantFrom('/name', '/customFields/-', '/customFields', '/teamId', '/isActive', '', '/~')
      .map(written);
  if (name === 'timezone') return fc.constant(written('Europe/Berlin'));
  if (name === 'email') return fc.nat(1e6).map((n) => written(`user-${n}@example.com`));
  return lines.map(written);
}

const isShort = (text: string) => text.length < 5_000;

/** What the type does not take, more often than not. */
const wrong: Arbitrary<Written> = fc.oneof(
  values.filter(isShort).map((json) => ({ json, literal: /^[[{]/.test(json) ? 'null' : json })),
  fc
    .constantFrom(
      'ENUM',
      '$undefined',
      '"""a\\u0000b"""',
      '{a: {b: [1]}}',
      '"\\ud800"',
      '1e999',
      '00',
      '{a: 1, a: 2}',
    )
    .map((literal) => ({ json: '{}', literal })),
);

/** Inputs that lie in one another at most, but for those that are required. */
const deepest = 3;

/**
 * Values of an input type.
 * @param name what the value is called, which tells what an id is of
 * @param wrongs of a hundred values, how many are not of the type
 */
export function inputFor(
  type: GraphQLInputType,
  name: string,
  world: Pick<World, 'ids'>,
  wrongs: number,
  depth = 0,
): Arbitrary<Written> {
  const fits = fitting(type, name, world, wrongs, depth);
  if (wrongs === 0) return fits;
  return fc.oneof({ weight: 100 - wrongs, arbitrary: fits }, { weight: wrongs, arbitrary: wrong });
}

function fitting(
  type: GraphQLInputType,
  name: string,
  world: Pick<World, 'ids'>,
  wrongs: number,
  depth: number,
): Arbitrary<Written> {
  if (isNonNullType(type)) return fitting(type.ofType, name, world, wrongs, depth);
  if (isListType(type)) {
    const items = inputFor(type.ofType, name, world, wrongs, depth);
    return fc.array(items, { maxLength: 3 }).map((all) => ({
      json: `[${all.map(({ json }) => json).join()}]`,
      literal: `[${all.map(({ literal }) => literal).join()}]`,
    }));
  }
  if (isEnumType(type)) {
    return fc.constantFrom(
      ...type.getValues().map((value) => ({ json: `"${value.name}"`, literal: value.name })),
    );
  }
  if (!isInputObjectType(type)) return scalar(type.name, name, world);
  const members = Object.values(type.getFields()).map((field) => {
    const required = isNonNullType(field.type);
    // Filters lie in one another without end.
    if (!required && depth >= deepest && isInputObjectType(getNamedType(field.type)))
      return fc.constant(undefined);
    const left = required ? Math.ceil(wrongs / 4) : Math.min(60 + 15 * depth, 95);
    const called = field.name === 'id' || field.name === 'ids' ? type.name : field.name;
    const value = inputFor(field.type, called, world, wrongs, depth + 1).map(({ json, literal }) => ({
      json: `"${field.name}":${json}`,
      literal: `${field.name}: ${literal}`,
    }));
    return fc.oneof(
      { weight: left, arbitrary: fc.constant(undefined) },
      { weight: 100 - left, arbitrary: value },
    );
  });
  return fc.tuple(...members).map((all) => {
    const some = all.filter((member) => member !== undefined);
    return {
      json: `{${some.map(({ json }) => json).join()}}`,
      literal: `{${some.map(({ literal }) => literal).join()}}`,
    };
  });
}
