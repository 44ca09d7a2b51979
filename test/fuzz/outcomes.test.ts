import fc from 'fast-check';
import { execute as executeByGraphql } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execute } from '../../src/graphql/execution/execute.js';
import { printedSchema } from './documents.js';
import { bothConditions, Operations } from './operations.js';
import { drawOf, Outcomes } from './outcomes.js';
import { patience, seed, settings } from './runs.js';
import { expectSame } from './same.js';
import { oneField, selection } from './selections.js';

/** Rejections that nobody heard of. They are not counted as the gateway's, as graphql-js leaves some as well. */
const unheard: unknown[] = [];
const listen = (reason: unknown) => void unheard.push(reason);
beforeAll(() => void process.on('unhandledRejection', listen));
afterAll(() => void process.off('unhandledRejection', listen));

/** Tells which rejections were not heard so far: Node does so when the microtasks are done. */
async function unheardSoFar(): Promise<unknown[]> {
  await new Promise(setImmediate);
  return unheard.splice(0);
}

const schema = printedSchema();
const outcomes = new Outcomes(schema);
const world = { ids: () => ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] };

describe(`documents over resolvers that answer anything, seed ${seed}`, () => {
  test.each(['query', 'mutation', 'subscription'] as const)(
    'are executed as by graphql-js: %s',
    async (kind) => {
      let [failed, shown] = [0, 0];
      const operations = new Operations(world, kind, kind === 'subscription' ? oneField : selection);
      await fc.assert(
        fc.asyncProperty(operations, fc.nat(), async (operation, draw) => {
          outcomes.draw = drawOf(draw);
          const { query, document } = operation;
          for (const variableValues of bothConditions(operation)) {
            const args = { schema, document, variableValues };
            outcomes.hears = false;
            const ours = await execute(args);
            expect(await unheardSoFar(), query).toEqual([]);
            outcomes.hears = true;
            const theirs = await executeByGraphql(args);
            await unheardSoFar();
            expectSame(ours, theirs, `${query} ${JSON.stringify(variableValues)}`);
            if (ours.errors) failed++;
            if (ours.errors && ours.data) shown++;
          }
        }),
        settings({ query: 900, mutation: 200, subscription: 100 }[kind]),
      );
      expect(failed).toBeGreaterThan(10);
      expect(shown).toBeGreaterThan(failed / 4);
    },
    patience,
  );
});
