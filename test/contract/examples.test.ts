import { v5 as uuidv5 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { evaluateTurns } from '../../src/compliance/turns.js';
import type { Route } from '../../src/domain/doors/route.js';
import type { ErrorCode } from '../../src/domain/errors.js';
import { exampleError } from '../../src/rest/openapi/responses.js';
import { operationIdOf, routes } from '../../src/rest/routes.js';
import { makeForExamples, startFirstTime } from '../support/first-start.js';
import type { TestGateway, TestRequest } from '../support/gateway.js';
import { acceptedBodies, operationOf, resolve, successOf } from '../support/openapi.js';

/** A part of the document, whatever it holds. */
// biome-ignore lint/suspicious/noExplicitAny: the document is data, and a wrong step in it fails the test.
type Part = any;

const parametersOf = ({ method, path }: Route, place: string): Part[] =>
  (operationOf(method, path).parameters ?? [])
    .map(resolve)
    .filter((parameter: Part) => parameter.in === place);

/** Returns the path of a row with the ids of its examples. */
const pathOf = (route: Route) =>
  parametersOf(route, 'path').reduce(
    (path, { name, example }) => path.replace(`{${name}}`, example),
    route.path,
  );

/** Returns what a reference sends of the query string when nothing in its form is changed. */
const untouched = (route: Route) =>
  new URLSearchParams(
    parametersOf(route, 'query').flatMap(({ name, schema }) =>
      schema.default === undefined ? [] : [[name, String(schema.default)]],
    ),
  );

/** Returns the bodies of a row's examples, by their media types. */
function requestsOf({ method, path }: Route): TestRequest[] {
  const { requestBody } = operationOf(method, path);
  if (!requestBody) return [{}];
  // The example of a form only names a file.
  const shown = acceptedBodies(requestBody).filter(([type]) => type !== 'multipart/form-data');
  return shown.map(([type, { example }]) => ({
    raw: JSON.stringify(example),
    headers: { 'Content-Type': type },
  }));
}

/** Returns ids that the server makes anew each time the same names, so that answers can be compared. */
function withSameIds(operationId: string, text: string): string {
  const made = [...new Set(text.match(/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}\b/g))];
  return made.reduce(
    (known, id, index) => known.replaceAll(id, uuidv5(`${operationId} ${index}`, uuidv5.URL)),
    text,
  );
}

/** Reads an answer as the document shows it. Of a file's bytes it has the beginning. */
const shownAs = (operationId: string, text: string): unknown =>
  JSON.parse(withSameIds(operationId, text), (member, value) =>
    member === 'content' && typeof value === 'string' ? value.slice(0, 120) : value,
  );

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startFirstTime();
  await makeForExamples(gateway);
  await evaluateTurns(gateway.database, () => gateway.clock.now);
  // The events of one moment, and the rows of one urgency, are ordered by their ids, which are random.
  await gateway.database.sql('DELETE FROM event_logs WHERE type_id = 34');
  await gateway.database.sql('UPDATE holder_compliances SET id = holder_id');
});
afterAll(() => gateway.close());

/** What the gateway answered to the examples, by operation. */
const answers: Record<string, unknown> = {};

/** What deletes comes last, so that there are records for the others. */
const inOrder = routes.toSorted((a, b) => Number(a.kind === 'delete') - Number(b.kind === 'delete'));

describe.each(inOrder)('$method $path', (route) => {
  const { method, kind } = route;

  test('has examples that succeed as they stand, right after a first start', async () => {
    const sent = `${pathOf(route)}?${untouched(route)}`;
    for (const [index, request] of requestsOf(route).entries()) {
      // Answers are checked against the document as well (gateway.send).
      const { status, text, json } = await gateway.send(method, sent, request);
      // A patch in another media type may find the change made.
      const others = kind === 'patch' && index > 0 ? [304] : [];
      expect([successOf(route), ...others], text).toContain(status);
      const shown = text === '' ? undefined : shownAs(operationIdOf(route), text);
      if (index === 0 && kind !== 'list' && shown) answers[operationIdOf(route)] = shown;
      if (kind === 'list') expect(json.total).toBeGreaterThan(0);
    }
    if (kind !== 'list') return;
    const { text } = await gateway.send('GET', `${pathOf(route)}?paging=2`);
    answers[operationIdOf(route)] = shownAs(operationIdOf(route), text);
  });

  const queries = method === 'GET' ? parametersOf(route, 'query') : [];
  if (queries.length === 0) return;
  test('has parameters with examples that find something', async () => {
    for (const { name, schema } of queries) {
      const [value] = schema.examples ?? [];
      expect(value, name).toBeDefined();
      const query = new URLSearchParams({ [name]: value });
      const { status, text, json } = await gateway.send(method, `${pathOf(route)}?${query}`);
      expect(status, text).toBe(200);
      if (kind === 'list') expect(json.total, name).toBeGreaterThan(0);
    }
  });
});

test('the answers in the document are those of this gateway', async () => {
  const text = `${JSON.stringify(answers, null, 2)}\n`;
  const toDo =
    'If this change is meant: `npx vitest run test/contract/examples.test.ts -u`, then `npm run contracts`.';
  await expect(text, toDo).toMatchFileSnapshot('../../schema/v1.answers.json');
});

describe('the examples of errors', () => {
  const vehicle = pathOf(
    routes.find(({ path, kind }) => path === '/v1/vehicles/{id}' && kind === 'read') as Route,
  );
  const once = { 'Idempotency-Key': 'the-example' };

  test.each<readonly [string, string, string, TestRequest]>([
    ['BAD_REQUEST', 'POST', '/v1/vehicles', { body: { name: 'x'.repeat(256) } }],
    ['UNAUTHORIZED', 'GET', '/v1/vehicles', { token: 'egw_wrong' }],
    ['FORBIDDEN', 'POST', '/v1/vehicles', { body: {}, token: 'viewer' }],
    ['NOT_FOUND', 'GET', '/v1/vehicles/unknown', {}],
    ['CONFLICT', 'POST', '/v1/contacts', { body: { email: 'aisha@mapleridge.example' } }],
    ['PRECONDITION_FAILED', 'PUT', vehicle, { body: {}, headers: { 'If-Match': '"old-1"' } }],
    ['PAYLOAD_TOO_LARGE', 'POST', '/v1/vehicles', { raw: 'x'.repeat(2 ** 20 + 1) }],
    ['UNSUPPORTED_MEDIA_TYPE', 'POST', '/v1/vehicles', { raw: 'x', headers: { 'Content-Type': 'text/csv' } }],
    ['UNPROCESSABLE', 'POST', '/v1/vehicles', { body: { name: 'Second' }, headers: once }],
  ])('%s is what the gateway says', async (code, method, path, { token, headers, ...request }) => {
    await gateway.send('POST', '/v1/vehicles', { body: { name: 'First' }, headers: once });
    const caller = token === 'viewer' ? gateway.viewer : token;
    const { json } = await gateway.send(method, path, {
      ...request,
      ...(caller !== undefined && { token: caller }),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    expect(json).toEqual(exampleError(code as ErrorCode));
  });
});
