import { readFileSync } from 'node:fs';
import fc, { type Arbitrary } from 'fast-check';
import { goodDates, numbers, texts, values } from './awkward.js';
import type { World } from './world.js';

/** A part of the printed contract. */
// biome-ignore lint/suspicious/noExplicitAny: it is data, and a wrong step in it fails the test.
export type Part = any;

/** The REST contract as it is printed. */
export const contract: Part = JSON.parse(
  readFileSync(new URL('../../schema/v1.openapi.json', import.meta.url), 'utf8'),
);

/** Follows a reference. */
export function resolve(part: Part): Part {
  const steps: string[] | undefined = part.$ref?.slice('#/'.length).split('/');
  return steps ? steps.reduce((found, step) => found[step], contract) : part;
}

/** A line that is mostly new, since some must be. */
const line = fc.oneof(
  fc.constantFrom('Van', 'Straße 字 🚚', 'x'.repeat(255)),
  fc
    .tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.nat())
    .map(([text, n]) => `${text.replaceAll('\0', '')} ${n}`),
);

function scalar(name: string, part: Part, world: World): Arbitrary<string> {
  const types: string[] = [part.type].flat();
  if (part.enum) return fc.constantFrom(...part.enum.map((value: unknown) => JSON.stringify(value)));
  if (types.includes('boolean')) return fc.constantFrom('true', 'false');
  if (types.includes('integer')) return fc.constantFrom('0', '1', '3', '2026', '2147483647', '-2147483648');
  if (types.includes('number')) return fc.constantFrom('0', '-0', '0.5', '1e300', '19999.99');
  if (!types.includes('string')) return values;
  return textOf(name, part, world).map((text) => JSON.stringify(text));
}

/** Returns a text that a member of this name takes, more often than not. */
function textOf(name: string, part: Part, world: World): Arbitrary<string> {
  if (part.format === 'uuid') return fc.constantFrom(...world.ids(name));
  if (part.pattern?.includes('\\d{4}')) return goodDates;
  if (name === 'email') return fc.nat(1e6).map((n) => `user-${n}@example.com`);
  if (name === 'timezone') return fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC');
  if (name === 'time_of_day') return fc.constantFrom('00:00', '07:30', '23:59:59');
  if (name === 'content') return fc.constantFrom('', 'aGVsbG8=', 'AAAA\nAAAA');
  if (name === 'body')
    return fc.constantFrom('<p>Call <b>back</b></p>', '<a href="https://x.example">x</a>', 'text');
  return line;
}

/** One member as JSON writes it. */
const member = (name: string, value: string) => `${JSON.stringify(name)}:${value}`;

/** Names as callers may also write them; the gateway reads members in any letter case. */
const spelled = (name: string): Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(name) },
    { weight: 1, arbitrary: fc.constant(name.toUpperCase()) },
  );

const strangers = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'id', 'modified', 'unknown', ''];

/** Members that nobody has asked for. */
const strange: Arbitrary<string> = fc
  .tuple(fc.constantFrom(...strangers), values)
  .map(([name, value]) => member(name, value));

/**
 * JSON texts for a schema of the contract.
 * @param wrong of a hundred values, how many are not of the schema
 * @param name what the value is called, which tells what an id is of
 */
export function jsonFor(part: Part, world: World, wrong: number, name = ''): Arbitrary<string> {
  const fits = fitting(part, world, wrong, name);
  if (wrong === 0) return fits;
  return fc.oneof({ weight: 100 - wrong, arbitrary: fits }, { weight: wrong, arbitrary: values });
}

/** Schemas whose texts are being described. */
const open = new Set<string>();

/** Describes the texts of a schema. Inside itself, as in filters of filters, it is null. */
function once(ref: string, describe: () => Arbitrary<string>): Arbitrary<string> {
  if (open.has(ref)) return fc.constant('null');
  open.add(ref);
  try {
    return describe();
  } finally {
    open.delete(ref);
  }
}

function fitting(part: Part, world: World, wrong: number, name: string): Arbitrary<string> {
  if (part.$ref)
    return once(part.$ref, () =>
      fitting(resolve(part), world, wrong, `${name}${part.$ref.split('/').pop()}`),
    );
  if (part.anyOf) return fc.oneof(...(part.anyOf as Part[]).map((one) => fitting(one, world, wrong, name)));
  if (part.type === 'null') return fc.constant('null');
  if (part.properties) return object(part, world, wrong, name);
  if (part.items) {
    const items = jsonFor(part.items, world, wrong, name);
    const long = wrong > 0 ? [fc.array(items, { minLength: 100, maxLength: 101 })] : [];
    return fc
      .oneof({ weight: 15, arbitrary: fc.array(items, { maxLength: 3 }) }, ...long)
      .map((texts) => `[${texts.join()}]`);
  }
  return scalar(name, part, world);
}

function object(part: Part, world: World, wrong: number, kind: string): Arbitrary<string> {
  const required = new Set<string>(part.required);
  const members = Object.entries<Part>(part.properties).map(([name, inner]) => {
    const called = name === 'id' || name === 'name' ? `${kind} ${name}`.trim() : name;
    const text = fc
      .tuple(spelled(name), jsonFor(inner, world, wrong, called))
      .map(([n, value]) => member(n, value));
    const left = required.has(name) ? wrong : 70;
    return left === 0
      ? text
      : fc.oneof({ weight: left, arbitrary: fc.constant('') }, { weight: 100 - left, arbitrary: text });
  });
  const further = wrong === 0 ? fc.constant([]) : fc.array(strange, { maxLength: 2 });
  return fc.tuple(fc.tuple(...members), further).map((parts) => `{${parts.flat(2).filter(Boolean).join()}}`);
}

/** Returns the places of a record that a patch can name: its members, and what is in lists of them. */
function placesOf(model: Part): Arbitrary<string> {
  const names = Object.keys(resolve(model).properties);
  const below = [
    '',
    '',
    '',
    '',
    '/0',
    '/-',
    '/1',
    '/0/name',
    '/0/value',
    '/id',
    '/-1',
    '/01',
    '/99999999999',
    '/__proto__',
  ];
  return fc.oneof(
    {
      weight: 9,
      arbitrary: fc.tuple(fc.constantFrom(...names), fc.constantFrom(...below)).map(([a, b]) => `/${a}${b}`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '/', 'name', '//', '/~0', '/~2', '/__proto__/x', '/constructor'),
    },
    { weight: 1, arbitrary: texts },
  );
}

/** Returns a patch of a record: mostly operations that could be done. */
export function patchFor(model: Part, world: World): Arbitrary<string> {
  const place = placesOf(model).map((path) => JSON.stringify(path));
  const properties: Record<string, Part> = resolve(model).properties;
  const simple = fc
    .constantFrom(...Object.entries(properties))
    .chain(([name, part]) =>
      fc
        .tuple(fc.constantFrom('replace', 'add', 'REPLACE'), jsonFor(part, world, 5, name))
        .map(([op, value]) => `{"op":"${op}","path":"/${name}","value":${value}}`),
    );
  const any = fc
    .tuple(fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'bad'), place, place, values)
    .map(([op, path, from, value]) => `{"op":"${op}","path":${path},"from":${from},"value":${value}}`);
  const custom = fc.constant(
    '{"op":"add","path":"/custom_fields/-","value":{"name":"Depot","value":"North"}}',
  );
  const operation = fc.oneof(
    { weight: 4, arbitrary: simple },
    { weight: 3, arbitrary: any },
    { weight: 1, arbitrary: custom },
    { weight: 1, arbitrary: values },
  );
  const list = fc.array(operation, { maxLength: 3 }).map((operations) => `[${operations.join()}]`);
  const many = simple.map((one) => `[${Array(501).fill(one).join()}]`);
  return fc.oneof(
    { weight: 40, arbitrary: list },
    { weight: 1, arbitrary: many },
    { weight: 1, arbitrary: values },
  );
}

/** Values of parameters that take JSON. */
const valuesInJson: Readonly<Record<string, readonly string[]>> = {
  filter: ['{}', '{"term":"van"}'],
  order_by: ['[]', 'null'],
};

/** Returns a value of a query parameter. */
export function parameterFor(name: string, part: Part): Arbitrary<string> {
  const usual = part.type === 'integer' ? ['-1', '1', '2', '500'] : ['', 'van', 'true', '%'];
  const fits = fc.constantFrom<string>(...(part.enum ?? valuesInJson[name] ?? usual));
  const wrong = fc.oneof(
    texts.filter((text) => text.length < 3_000),
    numbers,
  );
  return fc.oneof({ weight: name === 'term' ? 1 : 3, arbitrary: fits }, { weight: 1, arbitrary: wrong });
}
