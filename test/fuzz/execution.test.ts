import fc from 'fast-check';
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exactText, parseExact } from '../../src/domain/text/json.js';
import { executeByPlan, executeInSlices, executeWithoutPlan } from '../support/both-executors.js';
import type { TestGateway } from '../support/gateway.js';
import { Unhandled } from '../support/unhandled.js';
import { expectAlive } from './answers.js';
import { createAwkward } from './awkward-records.js';
import { linkRecords } from './links.js';
import { bothConditions, Operations, type ValidOperation } from './operations.js';
import { patience, seed, settings } from './runs.js';
import { type Answer, answerOf, countNulls, expectSame } from './same.js';
import { anonymous, translated } from './twins.js';
import { createWorld, type World } from './world.js';

let world: World;
let twin: World;
let unhandled: Unhandled;
beforeAll(async () => {
  [world, twin] = await Promise.all([createWorld(), createWorld()]);
  await Promise.all([linkRecords(world.gateway), linkRecords(twin.gateway)]);
  // The twin lacks them, because it is compared by what random operations change.
  await createAwkward(world.gateway);
  unhandled = new Unhandled();
});
afterAll(async () => {
  await unhandled.close();
  await Promise.all([world.gateway.close(), twin.gateway.close()]);
});

const readers = ['admin', 'admin', 'member', 'viewer', 'uploader'] as const;
type Reader = (typeof readers)[number];

/** Plans are executed in one go, and in turns of the event loop. */
const byPlan = [executeByPlan, executeInSlices];

/** Sends an operation as a client does. Its answer is written as text and compressed, and read again. */
async function sendOver(
  gateway: TestGateway,
  { query, variables }: ValidOperation,
  reader: Reader,
): Promise<Answer> {
  const { text } = await gateway.send('POST', '/graphql', {
    token: gateway[reader],
    body: { query, variables },
    headers: { 'Accept-Encoding': 'gzip' },
  });
  await unhandled.expectNone(query);
  const answer = parseExact(text) as Answer;
  // Its text is what is written at once, also where it was written in parts.
  expect(text, query).toBe(exactText(answer));
  return answer;
}

/** Executes with one executor; neither leaves a rejection unheard, as no resolver throws. */
async function answered(
  execute: typeof executeByPlan,
  gateway: TestGateway,
  { query, document, variables }: ValidOperation,
  reader: Reader,
): Promise<Answer> {
  const result = await execute(gateway, { document, variables, token: gateway[reader] });
  await unhandled.expectNone(query);
  return answerOf(result);
}

const codesOf = ({ errors = [] }: Answer) => errors.map(({ extensions }) => extensions?.code);

describe(`documents over every field, seed ${seed}`, () => {
  test(
    'are answered by the plan as by graphql-js',
    async () => {
      let [failed, shown, carried, nested] = [0, 0, 0, 0];
      const operations = new Operations(world, 'query');
      await fc.assert(
        fc.asyncProperty(
          operations,
          fc.constantFrom(...readers),
          fc.constantFrom(...byPlan, undefined),
          async (operation, reader, execute) => {
            for (const variables of bothConditions(operation)) {
              const same = { ...operation, variables };
              const ours = execute
                ? await answered(execute, world.gateway, same, reader)
                : await sendOver(world.gateway, same, reader);
              const theirs = await answered(executeWithoutPlan, world.gateway, same, reader);
              const text = `${operation.query} ${JSON.stringify(variables)} of ${reader}`;
              // The door refuses variables in its own words, and may tell fewer of their faults.
              if (!execute && ours.data === undefined)
                expect(new Set(codesOf(ours)), text).toEqual(new Set(codesOf(theirs)));
              else expectSame(ours, theirs, text);
              expect(codesOf(ours), text).not.toContain('INTERNAL_ERROR');
              if (ours.errors) failed++;
              if (ours.errors && ours.data) shown++;
              const nulls = ours.data === undefined ? undefined : countNulls(ours);
              carried += nulls?.carried ?? 0;
              nested += nulls?.nested ?? 0;
            }
          },
        ),
        settings(600),
      );
      expect(failed).toBeGreaterThan(20);
      expect(shown).toBeGreaterThan(5);
      expect(nested).toBeGreaterThan(10);
      expect(carried).toBeGreaterThan(50);
      await expectAlive(world.gateway);
    },
    patience,
  );

  test(
    'change a world as graphql-js changes its twin',
    async () => {
      let [failed, done] = [0, 0];
      const operations = new Operations(world, 'mutation').filter(
        // They would take the caller's own rights away.
        ({ query }) => !/deleteTeam|revokeAccessToken|updateUser|deactivateUser/.test(query),
      );
      await fc.assert(
        fc.asyncProperty(operations, fc.constantFrom(...byPlan), async (operation, execute) => {
          const text = `${operation.query} ${JSON.stringify(operation.variables)}`;
          const query = translated(operation.query, world, twin);
          const variables = JSON.parse(translated(JSON.stringify(operation.variables), world, twin));
          const same = { query, variables, document: parse(query) };
          const ours = await answered(execute, world.gateway, operation, 'admin');
          const theirs = await answered(executeWithoutPlan, twin.gateway, same, 'admin');
          expectSame(anonymous(ours) as Answer, anonymous(theirs) as Answer, text);
          expect(codesOf(ours), text).not.toContain('INTERNAL_ERROR');
          if (ours.errors) failed++;
          else done++;
        }),
        settings(200),
      );
      expect(failed).toBeGreaterThan(10);
      expect(done).toBeGreaterThan(20);
      await expectAlive(world.gateway);
    },
    patience,
  );
});
