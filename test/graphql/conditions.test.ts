import { buildSchema, execute as executeByGraphql, parse } from 'graphql';
import { expect, test } from 'vitest';
import { execute } from '../../src/graphql/execution/execute.js';

const schema = buildSchema('type Query { thing: Thing } type Thing { id: ID, name: String, thing: Thing }');
const names = Array.from({ length: 20 }, (_, at) => `b${at}`);
const thing = { id: '1', name: 'one', thing: { id: '2', name: 'two' } };

/** Numbers that look random and are the same in each run (a linear congruential generator). */
function* numbers(seed: number): Generator<number> {
  for (let number = seed; ; ) {
    number = (Math.imul(number, 1_664_525) + 1_013_904_223) >>> 0;
    yield number >>> 12;
  }
}

test('any mix of twenty conditions, of which few plans are kept, has the data of graphql-js', async () => {
  const fields = names.map((name, at) => {
    const condition = at % 2 ? `@skip(if: $${name})` : `@include(if: $${name})`;
    return `a${at}: thing ${condition} { id } thing ${condition} { id a${at}: name thing @skip(if: $b${19 - at}) { name } }`;
  });
  const document = parse(`query (${names.map((name) => `$${name}: Boolean!`)}) { ${fields.join(' ')} }`);
  const random = numbers(7);
  const met = new Set<string>();
  for (let run = 0; run < 1_000; run++) {
    const bits = random.next().value as number;
    const variableValues = Object.fromEntries(names.map((name, at) => [name, ((bits >> at) & 1) === 1]));
    const args = { schema, document, rootValue: { thing }, variableValues };
    const ours = await execute(args);
    expect(JSON.stringify(ours)).toBe(JSON.stringify(await executeByGraphql(args)));
    met.add(JSON.stringify(ours));
  }
  // So many mixes answer something else each.
  expect(met.size).toBeGreaterThan(900);
});
