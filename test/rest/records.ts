import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';

/** Everything that a rejected write must leave unchanged. */
async function everything({ database: { prisma } }: TestGateway) {
  const orderBy = { id: 'asc' as const };
  return Promise.all([
    prisma.contact.findMany({ orderBy }),
    prisma.contactType.findMany({ orderBy }),
    prisma.company.findMany({ orderBy }),
    prisma.location.findMany({ orderBy }),
    prisma.tag.findMany({ orderBy }),
    prisma.team.findMany({ orderBy }),
    prisma.membership.findMany({ orderBy: [{ userId: 'asc' }, { teamId: 'asc' }] }),
    prisma.eventLog.findMany({ orderBy }),
  ]);
}

/** Runs requests that must be rejected, and expects that they write nothing. */
export async function expectNoTrace(gateway: TestGateway, work: () => Promise<unknown>): Promise<void> {
  const before = await everything(gateway);
  await work();
  expect(await everything(gateway)).toEqual(before);
}

/** Creates a record. */
export async function made(gateway: TestGateway, path: string, body: object = {}, token = gateway.admin) {
  const response = await gateway.send('POST', path, { body, token });
  expect(response.status, response.text).toBe(201);
  return response.json;
}
