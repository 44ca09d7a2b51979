import { newId } from '../../src/domain/rules.js';
import type { TestGateway } from '../support/gateway.js';

/** The operations on many items at once. */
export const renew = `mutation ($ids: [ID!]!, $expirationDate: Date!, $details: String) {
  items: renewExpirationItems(ids: $ids, expirationDate: $expirationDate, details: $details) {
    id expirationDate details renewals { nodes { previousDate expirationDate details user { id } } } } }`;
export const update = `mutation ($ids: [ID!]!, $input: UpdateExpirationItemInput!) {
  items: updateExpirationItems(ids: $ids, input: $input) { id name isActive teamId tags { name } contacts { email } category { name } } }`;
export const remove = `mutation ($ids: [ID!]!) { items: deleteExpirationItems(ids: $ids) { id name tags { name } } }`;

/** Returns the same operation with only the ids selected. */
export const idsAlone = (operation: string) => `${operation.slice(0, operation.search(/\{\s*id /))} { id } }`;

/** Their names and descriptions, and their arguments besides ids. */
export const operations: [string, string, object][] = [
  ['renewExpirationItems', renew, { expirationDate: '2030-01-01' }],
  ['updateExpirationItems', update, { input: { isActive: false } }],
  ['deleteExpirationItems', remove, {}],
];

/** Items of one workspace, created without the API. */
export async function makeItems(gateway: TestGateway, count: number): Promise<string[]> {
  const { prisma } = gateway.database;
  const { organizationId, teamId } = gateway;
  const place = { organizationId, teamId };
  const id = '11111111-1111-4111-8111-111111111111';
  await prisma.category.upsert({ where: { id }, create: { ...place, id, name: 'Bulk' }, update: {} });
  const times = { created: gateway.clock.now, modified: gateway.clock.now };
  const expirationDate = new Date('2027-01-01');
  const rows = Array.from({ length: count }, (_, n) => {
    return { ...place, ...times, id: newId(), name: `Item ${n}`, expirationDate, categoryId: id };
  });
  await prisma.expirationItem.createMany({ data: rows });
  return rows.map(({ id }) => id);
}
