import { randomUUID as newId } from 'node:crypto';
import { expect } from 'vitest';
import { ask } from '../graphql/support.js';
import type { TestGateway } from '../support/gateway.js';

/** Members of a link that tests look at. */
export const linkMembers = `id name holderKind holderId url uses lastUsedAt revokedAt version teamId
  user { id } revokedBy { id } holder { ... on Vehicle { name } ... on Contact { contactName: name } }`;

const create = `mutation ($input: CreateComplianceLinkInput!) { createComplianceLink(input: $input) { ${linkMembers} } }`;
const revoke = 'mutation ($id: ID!) { revokeComplianceLink(id: $id) { id url revokedAt revokedBy { id } } }';

/** What tests do with stickers of a gateway. */
export function stickersOf(gateway: TestGateway) {
  let visitors = 0;
  const place = () => ({ organizationId: gateway.organizationId, teamId: gateway.teamId });
  return {
    place,
    /** Returns the header of a visitor whom no limit knows. */
    visitor() {
      visitors += 1;
      return { 'X-Forwarded-For': `10.2.${visitors >> 8}.${visitors & 255}` };
    },
    async vehicle(values: object = {}): Promise<string> {
      const id = newId();
      const data = { ...place(), id, name: 'Truck 101', licensePlate: 'BT 1014', ...values };
      await gateway.database.prisma.vehicle.create({ data });
      return id;
    },
    /** Requires a document of a kind of records, which no other requirement is of. */
    async require(values: object = {}): Promise<string> {
      const categoryId = newId();
      const { prisma } = gateway.database;
      await prisma.category.create({ data: { ...place(), id: categoryId, name: 'Secret insurance' } });
      const rule = { name: 'Insured', holderKind: 'vehicle', anyOf: [categoryId], ...values };
      await prisma.requirement.create({ data: { ...place(), id: newId(), ...rule } });
      return categoryId;
    },
    /** Gives a vehicle a document. */
    async paper(vehicleId: string, categoryId: string, expires: string, notifyOn: string | null = null) {
      const [id, holder] = [
        newId(),
        { kind: 'VEHICLE', holderId: vehicleId, vehicleId, position: 0 } as const,
      ];
      const dates = {
        expirationDate: new Date(expires),
        notifyOn: notifyOn === null ? null : new Date(notifyOn),
      };
      const item = { ...place(), id, categoryId, name: 'Secret policy', ...dates };
      await gateway.database.prisma.expirationItem.create({ data: { ...item, holders: { create: holder } } });
    },
    async create(input: object, token?: string) {
      return (await ask(gateway, create, { input }, token)).createComplianceLink;
    },
    async revoke(id: string) {
      return (await ask(gateway, revoke, { id })).revokeComplianceLink;
    },
    async link(vehicleId: string): Promise<string> {
      return (await this.create({ holderKind: 'VEHICLE', holderId: vehicleId })).url;
    },
    async read(id: string) {
      const document = `query ($id: ID!) { complianceLink(id: $id) { ${linkMembers} } }`;
      return (await ask(gateway, document, { id })).complianceLink;
    },
    /** Opens the page of a link. */
    async open(link: string, init: RequestInit = {}) {
      expect(link).toMatch(/\/gate\//);
      const { pathname, search } = new URL(link);
      const headers = { ...this.visitor(), ...init.headers };
      const response = await fetch(`${gateway.url}${pathname}${search}`, { ...init, headers });
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

/** Returns what a page says: its title, the sign, and all other words. */
export function saidOn(page: string) {
  const words = (html = '') =>
    html
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  return {
    title: /<h1[^>]*>(.*?)<\/h1>/.exec(page)?.[1],
    sign: /class="verdict (\w+)"/.exec(page)?.[1],
    state: /<strong>(.*?)<\/strong>/.exec(page)?.[1],
    facts: words(/<dl>(.*?)<\/dl>/s.exec(page)?.[1]),
  };
}
