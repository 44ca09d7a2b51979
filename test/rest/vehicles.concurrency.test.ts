import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';
import { create, eventsOf, expectError, patch } from './support.js';

const gateway = useGateway();

const times = <T>(count: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => work(i)));

async function vehicleNow({ id }: { id: string }) {
  const { json } = await gateway.send('GET', '/v1/vehicles?paging=500');
  return json.vehicles.find((vehicle: { id: string }) => vehicle.id === id);
}

test('50 patches of one vehicle at once: each is kept, each has its event', async () => {
  const vehicle = await create(gateway);
  const responses = await times(50, (i) =>
    patch(gateway, vehicle, [{ op: 'add', path: '/custom_fields/-', value: { name: `${i}` } }]),
  );
  expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(200));
  const { custom_fields } = await vehicleNow(vehicle);
  const names = custom_fields
    .map(({ name }: { name: string }) => Number(name))
    .sort((a: number, b: number) => a - b);
  expect(names).toEqual(Array.from({ length: 50 }, (_, i) => i));
  // Each saw what came before it, and each made a version of its own.
  const lengths = responses.map(({ json }) => json.custom_fields.length).sort((a, b) => a - b);
  expect(lengths).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  expect(new Set(responses.map(({ headers }) => headers.get('etag'))).size).toBe(50);
  expect(new Set(responses.map(({ json }) => json.modified)).size).toBe(50);
  const [, ...events] = await eventsOf(gateway, vehicle);
  expect(events).toHaveLength(50);
});

test('20 creates with one vin at once: one is made, 19 conflict', async () => {
  const responses = await times(20, (i) =>
    gateway.send('POST', '/v1/vehicles', { body: { vin: i % 2 ? 'RACE 1' : ' race 1', name: 'Racer' } }),
  );
  const made = responses.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expectError(response, 409, 'CONFLICT', /^vin\b/);
  }
  expect(await gateway.database.prisma.vehicle.count({ where: { name: 'Racer' } })).toBe(1);
  expect(
    await gateway.database.prisma.eventLog.count({ where: { description: { contains: 'Racer' } } }),
  ).toBe(1);
});

test('20 creates with one id at once: one is made, 19 conflict', async () => {
  const id = '018f0000-0000-7000-8000-0000000000ff';
  const responses = await times(20, () => gateway.send('POST', '/v1/vehicles', { body: { id } }));
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 409)).toHaveLength(19);
  expect(await eventsOf(gateway, { id })).toHaveLength(1);
});

test('replaces and patches that race with If-Match: exactly one wins', async () => {
  const { id } = await create(gateway, { name: 'Start' });
  const first = await gateway.send('PUT', `/v1/vehicles/${id}`, { body: { name: 'Known' } });
  const headers = { 'If-Match': first.headers.get('etag') ?? '' };
  const responses = await times(20, (i) =>
    i % 2
      ? gateway.send('PUT', `/v1/vehicles/${id}`, { body: { name: `${i}` }, headers })
      : patch(gateway, { id }, [{ op: 'replace', path: '/name', value: `${i}` }], { headers }),
  );
  const [winner, ...others] = responses.filter(({ status }) => status === 200);
  expect(others).toEqual([]);
  for (const response of responses.filter(({ status }) => status !== 200)) {
    expectError(response, 412, 'PRECONDITION_FAILED');
  }
  expect(await vehicleNow({ id })).toEqual(winner?.json);
  expect(await eventsOf(gateway, { id })).toHaveLength(3);
});
