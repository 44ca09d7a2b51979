import { expect } from 'vitest';
import { vehicles } from '../../src/resources/vehicles.js';
import { plainColumns } from '../support/declared.js';
import type { TestGateway } from '../support/gateway.js';

const columns = plainColumns(vehicles);

/** Every field of a vehicle, with links by their ids. */
const vehicleFields = `fragment All on Vehicle {
  id ${columns.map(({ name }) => name).join(' ')} locationId assignedToContactId teamId created modified
  customFields { id name value }
  assignedTo { id name email teamId }
  location { id }
  assignedToContact { id }
  team { id }
}`;

/** Non-default values of a vehicle that callers write, except links. Tests mention the ones listed here. */
export const plain = {
  ...Object.fromEntries(columns.map(({ name, values: [, larger] }) => [name, larger])),
  name: 'Van 7',
  vin: '1FTSW21P34ED12345',
  licensePlate: 'AB 123',
  year: 2024,
  make: 'Ford',
  model: 'Transit',
  trim: 'XLT',
  color: 'white',
  bodyType: 'van',
  msrp: 45_999.95,
  primaryMeterTypeId: 1,
  primaryMeterReading: 2_147_483_647,
  ownershipId: 2,
  statusId: '11111111-1111-4111-8111-111111111111',
  isArchived: true,
  customFields: [{ id: '15111111-1111-4111-8111-111111111111', name: 'Axles', value: '2' }],
};

/** The same values when nothing is set. */
export const blank: { [Field in keyof typeof plain]: unknown } = {
  ...(Object.fromEntries(columns.map(({ name, standard }) => [name, standard])) as typeof plain),
  customFields: [],
};

/** The members that are not links, when nothing is set. */
export const unlinked = {
  locationId: null,
  assignedToContactId: null,
  assignedTo: null,
  location: null,
  assignedToContact: null,
};

/** A time-ordered UUID, as the server makes them. */
export const serverId = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
);

/** Sends an operation that must succeed, and returns its data. */
export async function ask(gateway: TestGateway, query: string, variables?: object, token = gateway.admin) {
  const response = await gateway.send('POST', '/graphql', { token, body: { query, variables } });
  expect(response.json?.errors, response.text).toBeUndefined();
  expect(response.status).toBe(200);
  return response.json.data;
}

/** The answer of a rejected field. */
export interface Refusal {
  readonly code: string;
  readonly field?: string;
  readonly message: string;
}

/** Sends an operation in which the resolver of one field must reject. Over HTTP that is not an error. */
export async function refusal(
  gateway: TestGateway,
  query: string,
  variables?: object,
  token = gateway.admin,
): Promise<Refusal> {
  const response = await gateway.send('POST', '/graphql', { token, body: { query, variables } });
  expect(response.json?.errors, response.text).toHaveLength(1);
  const [{ message, path, extensions: all }] = response.json.errors;
  const { retryAfter, violations, id, version, ...extensions } = all;
  expect(response.status).toBe(200);
  expect(path, 'the error names the field that failed').toBeInstanceOf(Array);
  expect(Object.keys(extensions).filter((name) => name !== 'code' && name !== 'field')).toEqual([]);
  expect(violations, 'an error says in one way what is wrong').toBeInstanceOf(Array);
  const [first] = violations;
  if (extensions.field === undefined) expect(message).toContain(first?.message ?? '');
  else expect(first.path.join('.'), message).toMatch(new RegExp(`(^|\\.)${extensions.field}$`));
  expect([id, version], 'only what has changed meanwhile tells its version').toEqual(
    extensions.code === 'PRECONDITION_FAILED'
      ? [expect.any(String), expect.any(String)]
      : [undefined, undefined],
  );
  expect(retryAfter, 'what passes says when to try again').toEqual(
    extensions.code === 'UNAVAILABLE' ? expect.any(Number) : undefined,
  );
  return { message, ...extensions };
}

/** Expects that a resolver rejects with this code, for this input field and reason. */
export async function expectRefusal(
  work: Promise<Refusal>,
  code: string,
  field?: string,
  message = /\S/,
): Promise<void> {
  const { message: said, ...extensions } = await work;
  expect(extensions, said).toStrictEqual({ code, ...(field !== undefined && { field }) });
  expect(said).toMatch(message);
}

export const create = `mutation ($input: CreateVehicleInput!) { vehicle: createVehicle(input: $input) { ...All } } ${vehicleFields}`;
export const update = `mutation ($id: ID!, $input: UpdateVehicleInput!) { vehicle: updateVehicle(id: $id, input: $input) { ...All } } ${vehicleFields}`;
export const replace = `mutation ($id: ID!, $input: ReplaceVehicleInput!) { vehicle: replaceVehicle(id: $id, input: $input) { ...All } } ${vehicleFields}`;
export const patch = `mutation ($id: ID!, $operations: [PatchOperationInput!]!) { vehicle: patchVehicle(id: $id, operations: $operations) { ...All } } ${vehicleFields}`;
export const remove = `mutation ($id: ID!) { vehicle: deleteVehicle(id: $id) { ...All } } ${vehicleFields}`;
export const read = `query ($id: ID!) { vehicle(id: $id) { ...All } } ${vehicleFields}`;

/** Creates a vehicle through the API, with a name unless one is given. */
export async function createVehicle(gateway: TestGateway, input: object = {}, token = gateway.admin) {
  return (await ask(gateway, create, { input: { name: 'Van', ...input } }, token)).vehicle;
}

/** Reads a vehicle through the API. */
export async function readVehicle(gateway: TestGateway, id: string, token = gateway.admin) {
  return (await ask(gateway, read, { id }, token)).vehicle;
}
