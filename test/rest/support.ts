import { request as httpRequest, type RequestOptions } from 'node:http';
import { expect } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import { vehicles } from '../../src/resources/vehicles.js';
import { memberName } from '../../src/web/parameters.js';
import { plainColumns } from '../support/declared.js';
import type { Tenant, TestGateway, TestRequest, TestResponse } from '../support/gateway.js';

/** An id that does not exist. */
export const nowhere = '00000000-0000-4000-8000-000000000000';

const columns = plainColumns(vehicles).filter(({ door }) => door === 'both');

/** A vehicle of the contract (section 2) when nothing is set: every member with a plain default. */
export const blank = {
  ...Object.fromEntries(columns.map(({ name, standard }) => [memberName(name), standard])),
  location_id: null,
  assigned_to_contact_id: null,
  assigned_to: null,
  custom_fields: [],
};

/** Every scalar member of VehicleModel, with two values in order. */
export const scalars: Record<string, readonly [unknown, unknown]> = {
  id: ['018f0000-0000-7000-8000-00000000000a', '018f0000-0000-7000-8000-00000000000b'],
  ...Object.fromEntries(columns.map(({ name, values }) => [memberName(name), values])),
};

/** A time-ordered UUID, as the server makes them. */
export const serverId = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** Returns the statuses with which a POST may succeed. */
export async function create(gateway: TestGateway, body: object = {}, token?: string) {
  const response = await gateway.send('POST', '/v1/vehicles', { body, ...(token && { token }) });
  expect(response.status, response.text).toBe(201);
  return response.json;
}

/** Sends a patch, as the admin unless told otherwise. */
export function patch(
  gateway: TestGateway,
  { id }: { id: string },
  operations: unknown,
  request: TestRequest = {},
): Promise<TestResponse> {
  return gateway.send('PATCH', `/v1/vehicles/${id}`, { body: operations, ...request });
}

/** Expects the contract's error body (section 7) with exactly these three members. */
export function expectError(response: TestResponse, status: number, code: string, message = /\S/): void {
  expect(response.status, response.text).toBe(status);
  expect(response.json).toStrictEqual({ message: expect.stringMatching(message), ok: false, code });
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
}

/** Expects a 400 whose message matches. */
export function expectBadRequest(response: TestResponse, message = /\S/): void {
  expectError(response, 400, 'BAD_REQUEST', message);
}

/** Expects a 304: without body and headers about one, and with its code in a header. */
export function expectNotModified(response: TestResponse): void {
  expect(response.status, response.text).toBe(304);
  expect(response.text).toBe('');
  expect(response.headers.get('x-error-code')).toBe('NOT_MODIFIED');
  const content = [...response.headers.keys()].filter((name) => /^(content-|transfer-)/.test(name));
  expect(content).toEqual([]);
}

/** Returns everything that a rejected write must leave unchanged: the vehicles and the event log. */
export async function stored({ database: { prisma } }: TestGateway) {
  const [vehicles, events, entities] = await Promise.all([
    prisma.vehicle.findMany({ orderBy: { id: 'asc' } }),
    prisma.eventLog.findMany({ orderBy: { id: 'asc' } }),
    prisma.eventLogEntity.findMany({ orderBy: [{ eventId: 'asc' }, { entityId: 'asc' }] }),
  ]);
  return { vehicles, events, entities };
}

/** Runs requests that must be rejected, and expects that they write nothing. */
export async function expectNothingWritten(
  gateway: TestGateway,
  work: () => Promise<unknown>,
): Promise<void> {
  const before = await stored(gateway);
  await work();
  expect(await stored(gateway)).toEqual(before);
}

/** Returns the events of a vehicle, oldest first. */
export async function eventsOf({ database: { prisma } }: TestGateway, { id }: { id: string }) {
  return prisma.eventLog.findMany({
    where: { entities: { some: { entityId: id } } },
    include: { entities: true },
    orderBy: { id: 'asc' },
  });
}

/** Creates a location and a contact of a tenant, in its first workspace unless told otherwise. */
export async function createLinked(
  { database: { prisma } }: TestGateway,
  tenant: Tenant,
  teamId = tenant.teamId,
) {
  const [locationId, contactId] = [newId(), newId()];
  const { organizationId } = tenant;
  await prisma.location.create({
    data: { id: locationId, organizationId, teamId, name: `Yard ${locationId}` },
  });
  await prisma.contact.create({
    data: { id: contactId, organizationId, teamId, email: `${contactId}@example.com` },
  });
  return { locationId, contactId };
}

/** Sends a request with Node's own client, which sends exactly the given headers and chunks. */
export function sendRaw(
  url: string,
  options: RequestOptions,
  pieces: readonly (string | Uint8Array)[] = [],
): Promise<{
  status: number;
  text: string;
  headers: Record<string, unknown>;
  localPort: number | undefined;
}> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, options, async (response) => {
      const { localPort } = response.socket;
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers, localPort });
    });
    request.once('error', reject);
    for (const piece of pieces) request.write(piece);
    request.end();
  });
}
