import { expect } from 'vitest';
import { eventTypes } from '../../src/domain/models.js';
import { type TestGateway, testTime } from '../support/gateway.js';
import { ask } from './support.js';

const fields = 'id name role user { id name } expiresAt lastUsedAt created revokedAt signed';

export const create = `mutation ($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) { token signingSecret accessToken { ${fields} } } }`;
export const revoke = `mutation ($id: ID!) { revokeAccessToken(id: $id) { ${fields} } }`;
export const read = `query ($id: ID!) { accessToken(id: $id) { ${fields} } }`;
export const list = `query ($first: Int, $after: String, $filter: AccessTokenFilter, $orderBy: [AccessTokenOrder!]) {
  accessTokens(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
    totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } } }`;

/** The values of every new token. */
export const plain = { name: 'CI', role: 'MEMBER' };

/** Returns a time after that of the tests, in milliseconds. */
export const later = (ms: number) => new Date(testTime.getTime() + ms).toISOString();

/** Creates a token through the API. */
export async function make(gateway: TestGateway, input: object = {}, by = gateway.admin) {
  return (await ask(gateway, create, { input: { ...plain, ...input } }, by)).createAccessToken;
}

/** Returns the events of a tenant's tokens. */
export function eventsOf(
  { database: { prisma }, organizationId }: TestGateway,
  type: 'token created' | 'token revoked',
) {
  const where = { typeId: eventTypes[type], organizationId };
  return prisma.eventLog.findMany({ where, include: { entities: true }, orderBy: { id: 'asc' } });
}

/** Expects that no token and no event is written meanwhile. */
export async function expectNothingWritten(
  { database: { prisma } }: TestGateway,
  work: () => Promise<unknown>,
): Promise<void> {
  const everything = async () => [
    await prisma.accessToken.findMany({ omit: { lastUsedAt: true }, orderBy: { id: 'asc' } }),
    await prisma.eventLog.count(),
  ];
  const before = await everything();
  await work();
  expect(await everything()).toEqual(before);
}
