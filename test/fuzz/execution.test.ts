import fc from 'fast-check';
import { type ExecutionResult, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { executeByPlan, executeWithoutPlan } from '../support/both-executors.js';
import { expectAlive } from './answers.js';
import { type Operation, printed } from './documents.js';
import { patience, seed, settings } from './runs.js';
import { type Conditions, spoiledOperations } from './spoiled.js';
import { createWorld, type World } from './world.js';

let world: World;
/** Promises that were rejected while ours were executed and that nobody heard of. */
const unheard: unknown[] = [];
const listen = (reason: unknown) => void unheard.push(reason);
beforeAll(async () => {
  world = await createWorld();
  process.on('unhandledRejection', listen);
});
afterAll(async () => {
  process.off('unhandledRejection', listen);
  await world.gateway.close();
});

const queries = Object.keys(printed.getQueryType()?.getFields() ?? {});

/** Node tells of unheard rejections when the microtasks are done. */
async function expectNoneUnheard(text: string): Promise<void> {
  await new Promise(setImmediate);
  expect(unheard.splice(0), text).toEqual([]);
}

/**
 * Runs graphql-js and forgets the promises that it abandons: those are its fault, which ours is to be without. Nothing of
 * ours is under way meanwhile.
 */
async function theirs(work: () => Promise<ExecutionResult>): Promise<ExecutionResult> {
  const result = await work();
  await new Promise(setImmediate);
  unheard.length = 0;
  return result;
}

/** Where the null is that an error has led to. */
function nullOf(data: unknown, path: readonly (string | number)[]): string {
  let [at, depth] = [data, 0];
  while (at !== null && at !== undefined && depth < path.length)
    at = (at as unknown[])[path[depth++] as number];
  return path.slice(0, depth).join('.');
}

/** The places of nulls, each once: which of several errors that lead to one is told is open (GraphQL, section 6.4.4). */
const nullsOf = ({ data, errors = [] }: ExecutionResult) =>
  [...new Set(errors.map(({ path = [] }) => nullOf(data, path)))].sort();

const messagesOf = ({ errors = [] }: ExecutionResult) =>
  new Map(errors.map(({ path, message }) => [String(path), message]));

function expectSame(ours: ExecutionResult, theirs: ExecutionResult, text: string): void {
  expect(JSON.stringify(ours.data ?? null), text).toBe(JSON.stringify(theirs.data ?? null));
  expect(nullsOf(ours), text).toEqual(nullsOf(theirs));
  const there = messagesOf(theirs);
  for (const [path, message] of messagesOf(ours)) expect(message, text).toBe(there.get(path) ?? message);
}

/** The operation as callers send it; undefined of one that does not validate. */
function documentOf({ query }: Operation) {
  const document = parse(query);
  return validate(schema, document).length === 0 ? document : undefined;
}

describe(`documents with conditions, fragments and faults, seed ${seed}`, () => {
  test(
    'are answered by the plan as by graphql-js',
    async () => {
      let [valid, failed] = [0, 0];
      await fc.assert(
        fc.asyncProperty(spoiledOperations(queries, world), async (operation) => {
          const document = documentOf(operation);
          fc.pre(document !== undefined);
          const asked = { document, variables: JSON.parse(operation.variables) as Conditions };
          const ours = await executeByPlan(world.gateway, asked);
          await expectNoneUnheard(operation.query);
          expectSame(ours, await theirs(() => executeWithoutPlan(world.gateway, asked)), operation.query);
          valid++;
          if (ours.errors) failed++;
        }),
        settings(400),
      );
      expect(failed).toBeGreaterThan(valid / 20);
      expect(failed).toBeLessThan(valid);
    },
    patience,
  );

  test(
    'leave the gateway up, whichever way they come',
    async () => {
      const { gateway } = world;
      await fc.assert(
        fc.asyncProperty(spoiledOperations(queries, world), fc.boolean(), async (operation, byGet) => {
          const { query, variables } = operation;
          const params = new URLSearchParams({ query, variables });
          const { status, text } = byGet
            ? await gateway.send('GET', `/graphql?${params}`)
            : await gateway.send('POST', '/graphql', { body: { query, variables: JSON.parse(variables) } });
          expect(status, text).toBeLessThan(500);
          await expectNoneUnheard(query);
        }),
        settings(150),
      );
      await expectAlive(gateway);
    },
    patience,
  );
});
