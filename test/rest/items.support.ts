import { expect } from 'vitest';
import type { TestGateway, TestRequest, TestResponse } from '../support/gateway.js';

/** The fields of an item that tests look at, in GraphQL. */
const fields = `id name expirationDate status timeOfDay details isActive teamId contactId
  category { id name } assignedTo { id } contacts { id email } locations { id name } tags { id name }
  customFields { id name value } attachments { nodes { id name contentType contentLength content } }
  renewals { nodes { previousDate expirationDate details user { id } } }`;

/** An item with its files and renewals as plain lists, as in REST. */
// biome-ignore lint/suspicious/noExplicitAny: an item has what was asked for.
const plain = (item: any) => ({
  ...item,
  attachments: item.attachments.nodes,
  renewals: item.renewals.nodes,
});

/** Creates an item, which the REST contract cannot do. */
export async function createItem(gateway: TestGateway, input: object = {}, token?: string) {
  const whole = { name: 'Licence', expirationDate: '2027-06-01', ...input };
  const { data, errors } = await gateway.graphql(
    `mutation ($input: CreateExpirationItemInput!) { createExpirationItem(input: $input) { ${fields} } }`,
    { input: whole },
    token,
  );
  expect(errors).toBeUndefined();
  return plain(data.createExpirationItem);
}

/** Reads an item. */
export async function readItem(gateway: TestGateway, { id }: { id: string }) {
  const { data } = await gateway.graphql(`query ($id: ID!) { expirationItem(id: $id) { ${fields} } }`, {
    id,
  });
  return data.expirationItem && plain(data.expirationItem);
}

/** Updates an item with the contract's PUT; required members are filled in unless the test says otherwise. */
export function put(
  gateway: TestGateway,
  { id }: { id: string },
  body: object = {},
  request: TestRequest = {},
  query = '',
): Promise<TestResponse> {
  const whole = { name: 'Licence', expiration_date: '2027-06-01', ...body };
  return gateway.send('PUT', `/v1/expirationitems/${id}${query}`, { body: whole, ...request });
}

/** Renews an item with the contract's PUT. */
export function renew(
  gateway: TestGateway,
  { id }: { id: string },
  body: object,
  request: TestRequest = {},
): Promise<TestResponse> {
  return gateway.send('PUT', `/v1/expirationitems/${id}/renew`, { body, ...request });
}

/** Returns what a rejected write must leave unchanged. */
export async function storedItems({ database: { prisma } }: TestGateway) {
  return Promise.all([
    prisma.expirationItem.findMany({
      include: { contacts: true, locations: true, tags: true, renewals: true },
    }),
    prisma.attachment.findMany(),
    prisma.eventLog.count(),
    prisma.contact.count(),
    prisma.tag.count(),
    prisma.location.count(),
    prisma.category.count(),
  ]);
}

/** Runs requests that must be rejected, and expects that they write nothing. */
export async function expectNothingStored(gateway: TestGateway, work: () => Promise<unknown>): Promise<void> {
  const before = await storedItems(gateway);
  await work();
  expect(await storedItems(gateway)).toEqual(before);
}
