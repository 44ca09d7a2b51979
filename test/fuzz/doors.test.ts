import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { streams } from '../live/support.js';
import { executeWithoutPlan } from '../support/both-executors.js';
import { Unhandled, unhandledErrors } from '../support/unhandled.js';
import { expectAlive } from './answers.js';
import { doorsOf } from './doors.js';
import { linkRecords } from './links.js';
import { Operations } from './operations.js';
import { patience, seed, settings } from './runs.js';
import { answerOf, expectSame } from './same.js';
import { createWorld, type World } from './world.js';

let world: World;
let doors: ReturnType<typeof doorsOf>;
let unhandled: Unhandled;
beforeAll(async () => {
  world = await createWorld();
  await linkRecords(world.gateway);
  doors = doorsOf(world.gateway);
  unhandled = new Unhandled();
});
afterAll(async () => {
  doors.close();
  expect(await unhandledErrors(world.gateway)).toBe(0);
  await unhandled.close();
  await world.gateway.close();
});

describe(`documents over every field, seed ${seed}`, () => {
  test.each(['POST', 'GET', 'SSE', 'WebSocket'] as const)(
    'are answered over %s as by graphql-js',
    async (door) => {
      const { gateway } = world;
      // URLs have a bound.
      const operations = new Operations(world, 'query').filter(
        ({ query }) => door !== 'GET' || query.length < 4_000,
      );
      let failed = 0;
      await fc.assert(
        fc.asyncProperty(operations, async (operation) => {
          const { query, document, variables } = operation;
          const ours = await doors[door](operation);
          await unhandled.expectNone(query);
          const theirs = answerOf(await executeWithoutPlan(gateway, { document, variables }));
          // Variables are checked at the door before they are executed, in words of its own (variables.ts).
          const told = theirs.data === undefined ? ours : JSON.parse(JSON.stringify(theirs));
          if (theirs.data === undefined)
            expect([ours.data, ours.errors?.[0]?.extensions?.code]).toEqual([undefined, 'BAD_REQUEST']);
          expectSame(ours, told, `${query} ${JSON.stringify(variables)}`);
          if (ours.errors) failed++;
        }),
        settings(250),
      );
      expect(failed).toBeGreaterThan(5);
      await streams(gateway, 0);
      await unhandled.expectNone();
      expect(await unhandledErrors(gateway)).toBe(0);
      await expectAlive(gateway);
    },
    patience,
  );
});
