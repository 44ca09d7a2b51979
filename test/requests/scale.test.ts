import { randomUUID as newId } from 'node:crypto';
import { expect, test } from 'vitest';
import { ask } from '../graphql/support.js';
import { evaluateTurns, openOffice, queueRequestMails } from './support.js';

const asking = { perDay: 1_000, mails: 2, mailDays: 7, linkDays: 3 };

const create = `mutation ($input: CreateDocumentRequestsInput!) { createDocumentRequests(input: $input) {
  created { id } refused { code message } } }`;

test('a thousand gaps of a filter become one mail for each person, and no more are sent than a workspace may', async () => {
  const office = await openOffice({ REQUESTS_PER_DAY: '1000', REQUEST_MAILS: '2', REQUEST_LINK_DAYS: '3' });
  try {
    const { gateway } = office;
    const { organizationId, teamId, database } = gateway;
    const { prisma } = database;
    const place = { organizationId, teamId };
    const categoryId = newId();
    await prisma.category.create({ data: { ...place, id: categoryId, name: 'Insurance' } });
    const people = Array.from({ length: 100 }, (_, n) => ({
      ...{ ...place, id: newId(), name: `Person ${n}`, email: `person${n}@example.org` },
    }));
    await prisma.contact.createMany({ data: people });
    const vehicles = Array.from({ length: 1_001 }, (_, n) => ({
      ...{ ...place, id: newId(), name: `Truck ${n}` },
      assignedToContactId: people[n % people.length]?.id ?? null,
    }));
    await prisma.vehicle.createMany({ data: vehicles });
    const requirement = { name: 'Insured', holderKind: 'VEHICLE', anyOf: [categoryId] };
    await ask(
      gateway,
      'mutation ($input: CreateRequirementInput!) { createRequirement(input: $input) { id } }',
      {
        input: requirement,
      },
    );
    await evaluateTurns(database, () => gateway.clock.now);
    const ids = vehicles.map(({ id }) => id);
    const many = async (from: number, to: number) => {
      const input = { gaps: { filter: { kind: 'VEHICLE' }, holderIds: ids.slice(from, to) } };
      return (await ask(gateway, create, { input })).createDocumentRequests;
    };
    for (const from of [0, 500]) {
      const { created, refused } = await many(from, from + 500);
      expect([created.length, refused]).toEqual([500, []]);
    }
    expect((await many(1_000, 1_001)).refused).toEqual([
      { code: 'TOO_MANY_REQUESTS', message: expect.stringMatching(/at most 1000 documents/) },
    ]);
    const mailed = async (days: number) => {
      gateway.clock.now = new Date(gateway.clock.now.getTime() + days * 86_400_000);
      const { now } = gateway.clock;
      const queueing = async () => {
        while (await queueRequestMails(database, now, asking));
      };
      await Promise.all([queueing(), queueing()]);
      return prisma.delivery.groupBy({ by: ['address'], _count: true });
    };
    const first = await mailed(0.01);
    expect([first.length, new Set(first.map(({ _count }) => _count))]).toEqual([100, new Set([1])]);
    // Each mail lets the link live for three days, and the second one is the last.
    const { expiresAt } = await prisma.documentRequestLink.findFirstOrThrow();
    expect(expiresAt).toEqual(new Date(gateway.clock.now.getTime() + 3 * 86_400_000));
    for (const days of [7, 7, 7])
      expect(new Set((await mailed(days)).map(({ _count }) => _count))).toEqual(new Set([2]));
  } finally {
    await office.close();
  }
});
