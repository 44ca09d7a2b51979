import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { nextData, quiet, subscribe, transports } from '../live/support.js';
import { hours, isReplay, keyed, shown, written } from '../rest/idempotency.support.js';
import { createItem } from '../rest/items.support.js';
import { create as createVehicle } from '../rest/support.js';
import { type TestRequest, testTime, useGateway } from '../support/gateway.js';
import { whileLocked } from '../support/locks.js';
import { create as createToken } from './access-tokens.support.js';

const gateway = useGateway();
beforeEach(() => {
  gateway.clock.now = testTime;
});

const send = (request: TestRequest) => gateway.send('POST', '/graphql', request);
const make = 'mutation($input: CreateVehicleInput!) { createVehicle(input: $input) { id name created } }';
const van = (input: object = {}) => ({
  body: { query: make, variables: { input: { name: 'Van', ...input } } },
});

/** Expects a request to be refused as a whole, with a status of its own. */
async function expectRefused(request: TestRequest, status: number, code: string): Promise<Headers> {
  const before = await written(gateway);
  const answer = await send(request);
  expect([answer.status, answer.json]).toEqual([
    status,
    {
      errors: [{ message: expect.stringMatching(/`Idempotency-Key`/), extensions: { code, violations: [] } }],
    },
  ]);
  expect(await written(gateway)).toEqual(before);
  return answer.headers;
}

describe('a mutation with a key', () => {
  test('is done once, and answered again byte for byte', async () => {
    const query = `mutation($input: CreateExpirationItemInput!) {
      first: createExpirationItem(input: $input) {
        id name status created tags { name } contacts { email } locations { name } category { name } team { name }
        eventLogs { totalCount nodes { description relatedEntities { id record { __typename } } } }
      }
      second: createVehicle(input: { name: "With it" }) { id customFields { id } }
    }`;
    const input = {
      name: 'Licence',
      expirationDate: '2027-01-01',
      tags: [{ name: 'yearly' }],
      contacts: [{ email: 'bo@example.com' }],
      locations: [{ name: 'Depot' }],
      customFields: [{ name: '1', value: 'one' }],
    };
    const request = keyed({ body: { query, variables: { input } } });
    const first = await send(request);
    expect(first.json.errors).toBeUndefined();
    expect(first.json.data.first).toMatchObject({ status: 'CURRENT', tags: [{ name: 'yearly' }] });
    expect(first.json.data.first.eventLogs.totalCount).toBe(1);
    expect([first.status, isReplay(first)]).toEqual([200, false]);
    const after = await written(gateway);
    gateway.clock.now = new Date(testTime.getTime() + hours(23));
    const replay = await send(request);
    expect([isReplay(replay), shown(replay)]).toEqual([true, shown(first)]);
    expect(await written(gateway)).toEqual(after);
    gateway.clock.now = new Date(testTime.getTime() + hours(24));
    const anew = await send(request);
    expect([anew.status, isReplay(anew), anew.json.errors]).toEqual([200, false, undefined]);
    expect(anew.json.data.second.id).not.toBe(first.json.data.second.id);
  });

  test('is answered in the form that the retry asks for', async () => {
    const key = newId();
    const first = await send(keyed(van(), key));
    const headers = { Accept: 'application/graphql-response+json' };
    const replay = await send(keyed({ ...van(), headers }, key));
    expect([replay.text, isReplay(replay)]).toEqual([first.text, true]);
    expect(replay.headers.get('content-type')).toContain('graphql-response+json');
  });

  test.each<[string, object]>([
    ['other variables', { variables: { input: { name: 'Bus' } } }],
    ['another document', { query: make.replace('created', 'modified') }],
    [
      'another operation',
      { query: `${make.replace('(', ' A(')} mutation B { __typename }`, operationName: 'A' },
    ],
  ])('is 422 with %s', async (_name, other) => {
    const key = newId();
    await send(keyed(van(), key));
    await expectRefused(keyed({ body: { ...van().body, ...other } }, key), 422, 'UNPROCESSABLE');
  });

  test('is 422 when the key is that of a request to the other door', async () => {
    const key = newId();
    await gateway.send('POST', '/v1/vehicles', keyed({ body: { name: 'Van' } }, key));
    await expectRefused(keyed(van(), key), 422, 'UNPROCESSABLE');
  });

  test('is 409 while it is at work', async () => {
    const { id } = await createVehicle(gateway);
    const query = `mutation { updateVehicle(id: "${id}", input: { name: "Twice" }) { id name } }`;
    const request = keyed({ body: { query } });
    const { pending } = await whileLocked(gateway, { id }, async (waiting) => {
      const pending = send(request);
      await waiting();
      const headers = await expectRefused(request, 409, 'CONFLICT');
      expect(headers.get('retry-after')).toBe('1');
      return { pending };
    });
    const first = await pending;
    expect(first.json).toEqual({ data: { updateVehicle: { id, name: 'Twice' } } });
    const replay = await send(request);
    expect([isReplay(replay), shown(replay)]).toEqual([true, shown(first)]);
  });

  test('20 at once write once', async () => {
    const before = await written(gateway);
    const request = keyed(van());
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(request)));
    const made = answers.filter(({ status }) => status === 200);
    expect(made.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    const codes = answers.flatMap(({ json }) => json.errors ?? []).map(({ extensions }) => extensions.code);
    expect(codes).toEqual(Array(20 - made.length).fill('CONFLICT'));
    const after = await written(gateway);
    expect(after).toEqual({ ...before, vehicles: before.vehicles + 1, events: before.events + 1 });
  });

  test.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['not ASCII', 'clé'],
  ])('is 400 when the key is %s', async (_name, key) => {
    await expectRefused(keyed(van(), key), 400, 'BAD_REQUEST');
  });

  test("is another user's own", async () => {
    const key = newId();
    const answers = [];
    for (const token of [gateway.admin, gateway.member])
      answers.push(await send(keyed({ ...van(), token }, key)));
    expect(answers.some(isReplay)).toBe(false);
    expect(answers[0]?.json.data.createVehicle.id).not.toBe(answers[1]?.json.data.createVehicle.id);
  });
});

describe('a document of several mutations', () => {
  const query = `mutation($vin: String) {
    first: createVehicle(input: { name: "First" }) { id }
    second: createVehicle(input: { name: "Second", vin: $vin }) { id }
    third: createVehicle(input: { name: "Third" }) { id }
  }`;
  const vin = newId();
  const document = (name = vin) => ({ body: { query, variables: { vin: name } } });

  test('is all or nothing with a key; refused, it can be sent again', async () => {
    await createVehicle(gateway, { vin });
    const before = await written(gateway);
    const request = keyed(document());
    for (let again = 0; again < 2; again++) {
      const { status, json, headers } = await send(request);
      expect([status, json]).toEqual([
        200,
        {
          data: null,
          errors: [
            expect.objectContaining({
              path: ['second'],
              extensions: {
                ...{ code: 'CONFLICT', field: 'vin' },
                violations: [{ path: ['input', 'vin'], message: 'is already in use', rule: 'conflict' }],
              },
            }),
          ],
        },
      ]);
      expect(headers.get('idempotency-replayed')).toBeNull();
    }
    expect(await written(gateway)).toEqual(before);
    await gateway.database.prisma.vehicle.updateMany({ where: { vin }, data: { vin: null } });
    const done = await send(request);
    expect([done.json.errors, isReplay(done)]).toEqual([undefined, false]);
    expect((await written(gateway)).vehicles).toBe(before.vehicles + 3);
    expect(shown(await send(request))).toEqual(shown(done));
  });

  test('is one by one without it', async () => {
    const before = await written(gateway);
    const { data } = (await send(document())).json;
    expect([data.first, data.second, data.third]).toEqual([
      { id: expect.anything() },
      null,
      { id: expect.anything() },
    ]);
    expect((await written(gateway)).vehicles).toBe(before.vehicles + 2);
  });

  test('begins anew when it and another wait for each other', async () => {
    const [a, b] = [await createVehicle(gateway), await createVehicle(gateway)];
    const both = (name: string, [first, second]: { id: string }[]) => `mutation {
      first: updateVehicle(id: "${first?.id}", input: { name: "${name}" }) { name }
      second: updateVehicle(id: "${second?.id}", input: { name: "${name}" }) { name }
    }`;
    // Each holds what the other one goes on to.
    const answers = await Promise.all(
      [both('Here', [a, b]), both('There', [b, a])].map((query) => send(keyed({ body: { query } }))),
    );
    expect(answers.map(({ json }) => json)).toEqual(
      ['Here', 'There'].map((name) => ({ data: { first: { name }, second: { name } } })),
    );
  });

  test('is announced once it is committed, and not at all if it is rolled back', async () => {
    await quiet(gateway);
    const events = await subscribe(
      gateway,
      { query: 'subscription { eventLogged { description } }' },
      transports['graphql-sse'],
    );
    try {
      await send(keyed(document()));
      await send(keyed(document(newId())));
      const told = [];
      for (let count = 0; count < 3; count++) told.push(await nextData(events));
      expect(told).toEqual(
        ['First', 'Second', 'Third'].map((name) => ({
          eventLogged: { description: `Vehicle "${name}" was created` },
        })),
      );
    } finally {
      await events.return?.();
    }
  });
});

test('a file that comes along is a part of the request', async () => {
  const { id } = await createItem(gateway);
  const key = newId();
  const upload = (text: string) => {
    const raw = new FormData();
    const query =
      'mutation($file: Upload!) { addAttachment(itemId: "ID", input: { file: $file }) { id name } }';
    raw.set('operations', JSON.stringify({ query: query.replace('ID', id), variables: { file: null } }));
    raw.set('map', '{"0": ["variables.file"]}');
    raw.set('0', new File([text], 'scan.txt', { type: 'text/plain' }));
    return keyed({ raw, headers: { 'Apollo-Require-Preflight': '1' } }, key);
  };
  const first = await send(upload('one'));
  expect(first.json.data.addAttachment.name).toBe('scan.txt');
  // Another boundary around the same parts.
  const replay = await send(upload('one'));
  expect([isReplay(replay), replay.text]).toEqual([true, first.text]);
  await expectRefused(upload('two'), 422, 'UNPROCESSABLE');
  expect(await gateway.database.prisma.attachment.count({ where: { itemId: id } })).toBe(1);
});

test('a file that stands in many places is read once', async () => {
  const raw = new FormData();
  const places = Array.from({ length: 19_000 }, (_, at) => `variables.files.${at}`);
  const variables = { files: places.map(() => null) };
  raw.set('operations', JSON.stringify({ query: 'mutation { __typename }', variables }));
  raw.set('map', JSON.stringify({ 0: places }));
  raw.set('0', new File(['x'.repeat(10_000_000)], 'scan.txt'));
  const used = process.cpuUsage();
  const answer = await send(keyed({ raw, headers: { 'Apollo-Require-Preflight': '1' } }));
  expect([answer.status, answer.json]).toEqual([200, { data: { __typename: 'Mutation' } }]);
  // Read as often as it stands there, it takes minutes of the processor's time.
  expect(process.cpuUsage(used).user / 1e6).toBeLessThan(30);
});

test('a query takes no key, good or bad', async () => {
  for (const key of ['q', '', 'q']) {
    const answer = await send(keyed({ body: { query: '{ me { name } }' } }, key));
    expect([answer.status, isReplay(answer), answer.json.errors]).toEqual([200, false, undefined]);
  }
});

test('a secret that is shown once is replayed to its caller, and unreadable for others', async () => {
  const input = { name: 'Scanner 4711', role: 'UPLOADER', signed: true };
  const key = newId();
  const request = keyed({ body: { query: createToken, variables: { input } } }, key);
  const first = await send(request);
  const { token, signingSecret } = first.json.data.createAccessToken;
  const replay = await send(request);
  expect([isReplay(replay), replay.text]).toEqual([true, first.text]);
  const row = await gateway.database.prisma.idempotencyKey.findFirstOrThrow({ where: { key } });
  const bytes = Buffer.from(row.sealed);
  for (const secret of [token, signingSecret, input.name, 'createAccessToken']) {
    expect(bytes.includes(secret)).toBe(false);
  }
  expect(await gateway.database.prisma.accessToken.count({ where: { name: input.name } })).toBe(1);
});

test('an upload is stored with its answer, and replayed as stored', async () => {
  const query = 'mutation { receiveUpload(input: { id: 4711, action: "fp.upload" }) { id state } }';
  const request = keyed({ body: { query } });
  const first = await send(request);
  expect(first.json).toEqual({ data: { receiveUpload: { id: expect.anything(), state: 'RECEIVED' } } });
  const before = await written(gateway);
  expect(shown(await send(request))).toEqual(shown(first));
  expect(await written(gateway)).toEqual(before);
});
