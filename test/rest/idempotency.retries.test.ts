import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { eventually } from '../support/eventually.js';
import { testTime, useGateway } from '../support/gateway.js';
import { whileLocked } from '../support/locks.js';
import { isReplay, keyed, shown, written } from './idempotency.support.js';
import { create, eventsOf, expectBadRequest, expectError, expectNothingWritten } from './support.js';

const gateway = useGateway();
beforeEach(() => {
  gateway.clock.now = testTime;
});

const van = { body: { name: 'Van', year: 2024 } };
const post = (request = keyed(van)) => gateway.send('POST', '/v1/vehicles', request);

describe('at once', () => {
  test('20 requests with one key write once', async () => {
    const before = await written(gateway);
    const request = keyed(van);
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(request)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made.filter((answer) => !isReplay(answer))).toHaveLength(1);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expectError(refused, 409, 'CONFLICT', /`Idempotency-Key`/);
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    const after = await written(gateway);
    expect(after).toEqual({ ...before, vehicles: before.vehicles + 1, events: before.events + 1 });
  });

  test('a concurrent twin gets 409, and the answer once the first is done', async () => {
    const vehicle = await create(gateway);
    const put = keyed({ body: { name: 'Twice' } });
    const send = (request = put) => gateway.send('PUT', `/v1/vehicles/${vehicle.id}`, request);
    const first = await whileLocked(gateway, vehicle, async (waiting) => {
      const pending = send();
      await waiting();
      expectError(await send(), 409, 'CONFLICT', /still running/);
      return { pending };
    });
    const answer = await first.pending;
    expect([answer.status, isReplay(answer)]).toEqual([200, false]);
    const replay = await send();
    expect([isReplay(replay), shown(replay)]).toEqual([true, shown(answer)]);
    expect(await eventsOf(gateway, vehicle)).toHaveLength(2);
  });
});

describe('a retry', () => {
  test('of a rejected request runs, because nothing was written: even with another body', async () => {
    const key = newId();
    const vin = `VIN ${newId()}`;
    const taken = await create(gateway, { vin });
    const send = (body: object) => post(keyed({ body }, key));
    await expectNothingWritten(gateway, async () => {
      expectError(await send({ vin }), 409, 'CONFLICT', /^vin/);
      expectBadRequest(await send({ year: 'x' }), /^year/);
    });
    expect(taken.vin).toBe(vin);
    const made = await send({ vin: `${vin} other` });
    expect([made.status, isReplay(made)]).toEqual([201, false]);
    expect(shown(await send({ vin: `${vin} other` }))).toEqual(shown(made));
  });

  test('is answered as the first was, whatever has become of the record and of If-Match', async () => {
    const { id } = await create(gateway);
    const known = await gateway.send('PUT', `/v1/vehicles/${id}`, { body: { name: 'Known' } });
    const headers = { 'If-Match': known.headers.get('etag') ?? '' };
    const request = keyed({ body: [{ op: 'replace', path: '/name', value: 'Mine' }], headers });
    const send = () => gateway.send('PATCH', `/v1/vehicles/${id}`, request);
    const first = await send();
    expect(first.json.name).toBe('Mine');
    await gateway.send('PUT', `/v1/vehicles/${id}`, { body: { name: 'Theirs' } });
    expect(shown(await send())).toEqual(shown(first));
    expect((await gateway.database.prisma.vehicle.findUnique({ where: { id } }))?.name).toBe('Theirs');
  });

  test('of a patch that changed nothing is 304 again', async () => {
    const { id } = await create(gateway);
    const request = keyed({ body: [] });
    for (let again = 0; again < 2; again++) {
      expect((await gateway.send('PATCH', `/v1/vehicles/${id}`, request)).status).toBe(304);
    }
  });

  test('gets the answer that never came, when the caller was gone', async () => {
    const vehicle = await create(gateway);
    const [key, body] = [newId(), JSON.stringify({ name: 'Unheard' })];
    const path = `/v1/vehicles/${vehicle.id}`;
    const headers = { Authorization: `Bearer ${gateway.admin}`, 'Idempotency-Key': key };
    await whileLocked(gateway, vehicle, async (waiting) => {
      const lost = httpRequest(gateway.url + path, { method: 'PUT', headers });
      lost.on('error', () => {});
      lost.end(body);
      await waiting();
      await new Promise((resolve) => lost.once('close', resolve).destroy());
    });
    const retry = () =>
      gateway.send('PUT', path, keyed({ raw: body, headers: { 'Content-Type': 'application/json' } }, key));
    const replay = await eventually(async () => {
      const answer = await retry();
      expect(answer.status).toBe(200);
      return answer;
    });
    expect([isReplay(replay), replay.json.name]).toEqual([true, 'Unheard']);
    expect(await eventsOf(gateway, vehicle)).toHaveLength(2);
  });

  test('runs anew when the connection was lost before the end', async () => {
    const vehicle = await create(gateway);
    const request = keyed({ body: { name: 'Second try' } });
    const send = () => gateway.send('PUT', `/v1/vehicles/${vehicle.id}`, request);
    const { pending } = await whileLocked(gateway, vehicle, async (waiting) => {
      const pending = send();
      const [{ pid } = { pid: 0 }] = await waiting();
      await gateway.database.prisma.$queryRaw`SELECT pg_terminate_backend(${pid}::int)`;
      return { pending };
    });
    expectError(await pending, 503, 'UNAVAILABLE');
    const answer = await send();
    expect([answer.status, isReplay(answer)]).toEqual([200, false]);
    expect(await eventsOf(gateway, vehicle)).toHaveLength(2);
  });
});
