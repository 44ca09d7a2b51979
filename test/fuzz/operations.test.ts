import fc from 'fast-check';
import { isObjectType } from 'graphql';
import { expect, test } from 'vitest';
import { constructsIn } from './constructs.js';
import { printed } from './documents.js';
import { Operations } from './operations.js';
import { patience, seed } from './runs.js';

const ids = () => ['00000000-0000-4000-8000-000000000001'];

/** Counts the constructs of random operations. */
function countConstructs(kind: 'query' | 'mutation', numRuns: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const operation of fc.sample(new Operations({ ids }, kind), { seed, numRuns })) {
    for (const found of constructsIn(operation)) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return counts;
}

/** Counts of the queries that have each construct at least, among 500 random ones. */
const least: Readonly<Record<string, number>> = {
  'an alias': 75,
  'an odd alias': 25,
  introspection: 12,
  __typename: 50,
  'a record by its id alone': 5,
  'a cursor': 25,
  'merged fields': 25,
  'merged fields, one with a condition': 7,
  '@skip by a literal': 25,
  '@skip by a variable': 25,
  '@include by a literal': 25,
  '@include by a variable': 25,
  'an inline fragment without a type': 7,
  'a fragment on an object type': 25,
  'a fragment on an abstract type': 5,
  'a fragment in an abstract type': 5,
  'a fragment spread': 25,
  'a fragment in a fragment': 2,
  'a literal list or object': 12,
  'a default': 25,
  'a default overridden': 25,
  'a variable left out': 2,
  'a variable that is null': 5,
};

test(
  `random queries have every construct, and with mutations every field of the schema, seed ${seed}`,
  () => {
    const counts = countConstructs('query', 500);
    for (const [construct, most] of Object.entries(least)) {
      expect(counts.get(construct) ?? 0, construct).toBeGreaterThanOrEqual(most);
    }
    for (const name of countConstructs('mutation', 1_400).keys()) counts.set(name, 1);
    const fields = Object.values(printed.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => name !== 'Subscription')
      .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`));
    // All but a few that are far from the root, which longer runs find.
    const missing = fields.filter((field) => !counts.has(field));
    expect(missing.length, missing.join()).toBeLessThan(fields.length / 10);
  },
  patience,
);
