import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorKinds } from '../../src/domain/errors.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Lines } from '../support/lines.js';
import { expectAlive, expectTold } from './answers.js';
import { patience, runs, seed, settings } from './runs.js';
import { type Answer, answersIn, type Call, calls, make, smuggled } from './wire.js';

let gateway: TestGateway;
const lines = new Lines();
beforeAll(async () => {
  const wire = {
    // Short, as many requests do not come to an end; longer than those take that do.
    headersTimeout: 1_000,
    requestTimeout: 1_500,
    checkInterval: 20,
    keepAliveTimeout: 50,
  };
  // What is no word about a single request.
  const log = pino({ level: 'warn' }, lines);
  gateway = await startGateway({}, { heartbeat: 100 }, { wire, log });
});
afterAll(() => gateway.close());

/** Statuses that HTTP has and the table of errors has not, and the codes that stand for them. */
const beyond: Record<number, readonly string[]> = {
  408: ['BAD_REQUEST'],
  417: ['BAD_REQUEST'],
  431: ['BAD_REQUEST'],
  // A transfer coding, a method.
  501: ['BAD_REQUEST', 'METHOD_NOT_ALLOWED'],
  505: ['BAD_REQUEST'],
};

function expectError({ status, headers, body }: Answer): void {
  const json = JSON.parse(body);
  expect(headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json; charset=utf-8$/);
  const { message, code } = json.errors ? { ...json.errors[0], ...json.errors[0].extensions } : json;
  if (!json.errors) expect(json).toStrictEqual({ message, ok: false, code });
  expect(beyond[status] ?? [code]).toContain(code);
  if (!beyond[status]) expect(errorKinds[code as keyof typeof errorKinds].status).toBe(status);
  expectTold(message);
}

/** Expects of all that came back on a connection: no fault, each answer whole, and one for each request. */
function expectAnswers(text: string): void {
  const answers = answersIn(text);
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  for (const [at, answer] of answers.entries()) {
    if (![501, 505].includes(answer.status)) expect(answer.status, text).toBeLessThan(500);
    if (answer.status >= 400 && answer.body !== '') expectError(answer);
    if (ids[at] !== null || answer.status === 101) continue;
    // What is no request is answered once, and then the connection is over.
    expect(answer.headers.get('connection'), text).toBe('close');
    expect(at, text).toBe(answers.length - 1);
  }
  const named = ids.filter((id) => id !== null);
  expect(new Set(named).size, text).toBe(named.length);
}

/** Connections that are open at once. */
const together = 25;

describe(`bytes on a socket, seed ${seed}`, () => {
  test(
    'are answered in order, or their connection is closed',
    async () => {
      const met = new Map<number, number>();
      const send = async (call: Call) => {
        const named = call.text.replaceAll('TOKEN', gateway.admin);
        const text = await make(gateway.url, { ...call, text: named });
        // Of one who did not wait, an answer may be cut off anywhere.
        if (call.leaves === 'first') return;
        expectAnswers(text);
        for (const { status } of answersIn(text)) met.set(status, (met.get(status) ?? 0) + 1);
      };
      await fc.assert(
        fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: together, size: 'max' }), async (all) => {
          await Promise.all(all.map(send));
          await expect.poll(gateway.app.connections).toBe(0);
          expect(lines.text).toBe('');
          await expectAlive(gateway);
        }),
        settings(5),
      );
      expect([...met.keys()]).toEqual(expect.arrayContaining([200, 400, 404]));
      if (process.env.FUZZ_RUNS) process.stdout.write(`${runs(0)} ${JSON.stringify([...met])}\n`);
    },
    patience,
  );

  test(
    'requests with two lengths are rejected, with everything inside',
    async () => {
      await fc.assert(
        fc.asyncProperty(smuggled, async (text) => {
          const answers = answersIn(await make(gateway.url, { text, cuts: [], leaves: 'half' }));
          expect(answers).toHaveLength(1);
          // On a machine that is busy, its head may seem to be late.
          expect([400, 408, 501]).toContain(answers[0]?.status);
        }),
        settings(60),
      );
    },
    patience,
  );
});
