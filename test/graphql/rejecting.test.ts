import { type GraphQLResolveInfo, type GraphQLSchema, isAbstractType, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { projectSchema } from '../../src/rest/projection.js';

/** Throws at whatever is done with it. */
const hostile: object = new Proxy(() => {}, {
  get() {
    throw new Error('is hostile');
  },
  has() {
    throw new Error('is hostile');
  },
  apply() {
    throw new Error('is hostile');
  },
  getPrototypeOf() {
    throw new Error('is hostile');
  },
});

type Call = (...args: unknown[]) => unknown;

/** Returns the functions of a schema that an executor calls, by where they stand. */
function functionsOf(schema: GraphQLSchema): [string, Call][] {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type): [string, unknown][] => {
      if (isAbstractType(type)) return [[`${type.name} resolveType`, type.resolveType]];
      if (!isObjectType(type)) return [];
      const fields = Object.values(type.getFields()).flatMap(
        ({ name, resolve, subscribe }): [string, unknown][] => [
          [`${type.name}.${name}`, resolve],
          [`${type.name}.${name} subscribe`, subscribe],
        ],
      );
      return [[`${type.name} isTypeOf`, type.isTypeOf], ...fields];
    })
    .filter((entry): entry is [string, Call] => typeof entry[1] === 'function');
}

describe.each([
  ['gateway', schema],
  ['REST door', projectSchema(schema)],
])('the schema of the %s', (_whose, schema) => {
  test('has no resolver that throws at once, whatever it is given', async () => {
    const functions = functionsOf(schema);
    let rejected = 0;
    for (const [where, call] of functions) {
      for (const source of [hostile, undefined]) {
        const thrown = () => {
          try {
            return call(source, hostile, hostile, {} as GraphQLResolveInfo, {});
          } catch (error) {
            throw new Error(`${where} threw`, { cause: error });
          }
        };
        const [result] = await Promise.allSettled([thrown()]);
        expect(String(result.status === 'rejected' && result.reason)).not.toContain(' threw');
        if (result.status === 'rejected') rejected++;
      }
    }
    expect(functions.length).toBeGreaterThan(100);
    expect(rejected).toBeGreaterThan(functions.length);
  });
});
