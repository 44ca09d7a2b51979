import { createSofa, createSofaRouter } from 'sofa-api';
import { v5 as uuidv5 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { innerIdOf } from '../../src/domain/doors/route.js';
import { GatewayError } from '../../src/domain/errors.js';
import { schema } from '../../src/graphql/schema.js';
import { exampleId, exampleInnerId } from '../../src/rest/openapi/responses.js';
import { routes } from '../../src/rest/routes.js';
import { configureRest, contractPath, type RestConfig, type SofaRoute } from '../../src/rest/sofa.js';
import { errorResponse } from '../../src/web/errors.js';
import { sessionOf } from '../support/both-executors.js';
import { makeForExamples, startFirstTime } from '../support/first-start.js';
import type { TestGateway } from '../support/gateway.js';

type SofaConfig = Parameters<typeof createSofa>[0];

const config = configureRest(schema);
const served = Object.values(config.routes);

/** Writes the error that the configuration throws, as the server does. */
function errorHandler(errors: readonly unknown[]): Response {
  try {
    return config.errorHandler(errors);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { status, headers, body } = errorResponse(error);
    return new Response(body, { status, headers });
  }
}

/** Mounts SOFA's own router on a configuration. */
const mount = (config: RestConfig) =>
  createSofaRouter(createSofa({ ...config, errorHandler } as object as SofaConfig));

/** The reference. */
const router = mount(config);

interface Asked {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to SOFA's router, as the administrator of a gateway. */
async function askSofa(
  gateway: TestGateway,
  method: string,
  path: string,
  { headers, body }: { readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<Asked> {
  const init = { method, ...(headers && { headers }), ...(body !== undefined && { body }) };
  const session = await sessionOf(gateway);
  const response = await router.fetch(`http://localhost${path}`, init, { session } as object);
  return { status: response.status, text: await response.text() };
}

/** Gives ids that the server makes anew each time the same names, in the order of the answer. */
function withSameIds(text: string): string {
  const made = [...new Set(text.match(/\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}\b/g))];
  return made.reduce((known, id, at) => known.replaceAll(id, uuidv5(`${at}`, uuidv5.URL)), text);
}

function pathOf({ declared, path }: SofaRoute, id = exampleId(declared)): string {
  const inner = innerIdOf(declared.path);
  const whole = path.replace(':id', id);
  return inner === undefined ? whole : whole.replace(`:${inner}`, exampleInnerId(declared));
}

/** Leaves the bytes of files out, which the server adds to an answer while it sends it. */
const withoutFiles = (route: SofaRoute) =>
  'fileContent' in route.declared && route.declared.fileContent ? '?includeFileContent=false' : '';

/** Two gateways with the same demo. What one has deleted is there for SOFA's router in the other. */
let ours: TestGateway;
let theirs: TestGateway;
beforeAll(async () => {
  [ours, theirs] = await Promise.all([startFirstTime(), startFirstTime()]);
  for (const gateway of [ours, theirs]) await makeForExamples(gateway);
});
afterAll(() => Promise.all([ours.close(), theirs.close()]));

test('the configuration has each declared route, in the spelling of SOFA', () => {
  expect(served.map((route) => `${route.method} ${contractPath(route)}`)).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`),
  );
});

/** SOFA cannot say whose list is wanted, because the root field of a list has no argument `id`. */
const isCompared = ({ path, declared: { kind } }: SofaRoute) =>
  kind === 'read' || kind === 'act' || kind === 'delete' || (kind === 'list' && !path.includes(':id'));

const isWriting = ({ declared: { kind } }: SofaRoute) => kind === 'write' || kind === 'patch';

/** What deletes comes last, so that there are records for the others. */
const inOrder = served
  .filter((route) => isCompared(route) || isWriting(route))
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

describe.each(inOrder)('$method $path', (route) => {
  const { method, declared } = route;

  if (isWriting(route)) {
    test('has an example, which both gateways are sent', async () => {
      for (const gateway of [ours, theirs]) {
        const body = 'example' in declared ? declared.example : undefined;
        const { status, text } = await gateway.send(method, pathOf(route), { body });
        expect(status, text).toBe(route.responseStatus);
      }
    });
    return;
  }

  test("gets the same answer from SOFA's own router", async () => {
    const answer = await ours.send(method, pathOf(route) + withoutFiles(route));
    expect(answer.status, answer.text).toBe(200);
    if (method === 'GET') {
      expect(await askSofa(ours, method, pathOf(route))).toEqual({ status: 200, text: answer.text });
      return;
    }
    const reference = await askSofa(theirs, method, pathOf(route));
    expect(reference.status, reference.text).toBe(200);
    expect(withSameIds(reference.text)).toBe(withSameIds(answer.text));
  });

  if (declared.kind !== 'act' && declared.kind !== 'delete') return;
  test('gets the same error about a record that is not there', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const answer = await ours.send(method, pathOf(route, id));
    expect(answer.status).toBe(404);
    expect(await askSofa(theirs, method, pathOf(route, id))).toEqual({ status: 404, text: answer.text });
  });
});

describe("where SOFA's router differs", () => {
  const vehicles = '/v1/vehicles';
  const vehicle = async () => (await ours.send('POST', vehicles, { body: { name: 'Van' } })).json;

  test('a record that is not there is null, not 404', async () => {
    const path = `${vehicles}/00000000-0000-4000-8000-000000000000`;
    expect(await askSofa(ours, 'GET', path)).toEqual({ status: 200, text: 'null' });
    expect((await ours.send('GET', path)).status).toBe(404);
  });

  test('a record that the caller has is sent again, not 304', async () => {
    const { id } = await vehicle();
    const path = `${vehicles}/${id}`;
    const { headers, text } = await ours.send('GET', path);
    const condition = { 'If-None-Match': String(headers.get('etag')) };
    expect(await askSofa(ours, 'GET', path, { headers: condition })).toEqual({ status: 200, text });
    expect((await ours.send('GET', path, { headers: condition })).status).toBe(304);
  });

  test('the body of a write has a member `input`', async () => {
    const { id, ...known } = await vehicle();
    const body = JSON.stringify({ input: { name: 'Van' } });
    const created = await askSofa(ours, 'POST', vehicles, { body });
    expect(created.status).toBe(201);
    expect(JSON.parse(created.text)).toEqual({ ...known, id: expect.not.stringMatching(id) });
    const replaced = await askSofa(ours, 'PUT', `${vehicles}/${id}`, { body });
    expect(JSON.parse(replaced.text)).toMatchObject({ id, name: 'Van' });
  });

  test('64-bit integers are rounded', async () => {
    let input: unknown;
    const reading = mount({
      ...config,
      execute: ({ variableValues }) => {
        ({ input } = variableValues ?? {});
        return { data: {} };
      },
    });
    const body = '{"input":{"id":9007199254740993}}';
    const context = { session: await sessionOf(ours) } as object;
    await reading.fetch('http://localhost/v1/bulkscan/receive', { method: 'POST', body }, context);
    expect(input).toEqual({ id: 2 ** 53 });
  });
});
