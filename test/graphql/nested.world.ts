import { entityTypes } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import type { TestGateway } from '../support/gateway.js';
import { makeWorld } from './items.world.js';

type Row = { id: string } & Record<string, unknown>;

/**
 * Fills a gateway with records of all types that point at each other, in three workspaces, one of which members
 * see.
 */
export async function makeNestedWorld(gateway: TestGateway, items: number) {
  const { prisma } = gateway.database;
  const { organizationId, userId } = gateway;
  const world = await makeWorld(gateway, items);
  const at = <T>(list: readonly T[], n: number) => list[n % list.length] as T;
  const place = (n: number) => ({ id: newId(), organizationId, teamId: at(world.teams, n).id, name: `${n}` });
  const several = <T extends object>(many: number, more: (n: number) => T) =>
    Array.from({ length: many }, (_, n) => ({ ...place(n), ...more(n) }));
  const maybe = (rows: readonly { id: string }[], n: number) => (n % 4 ? at(rows, n).id : null);
  const assignedToId = (n: number) => (n % 3 ? userId : null);

  const contactTypes = several(3, () => ({}));
  await prisma.contactType.createMany({ data: contactTypes });
  const contacts = several(30, (n) => ({
    email: `w${n}@example.com`,
    typeId: maybe(contactTypes, n),
    locationId: maybe(world.locations, n),
    assignedToId: assignedToId(n),
  }));
  await prisma.contact.createMany({ data: contacts });
  const vehicles = several(30, (n) => ({
    locationId: maybe(world.locations, n + 1),
    assignedToContactId: maybe(world.contacts, n),
    assignedToId: assignedToId(n),
  }));
  await prisma.vehicle.createMany({ data: vehicles });
  const companies = several(20, (n) => ({
    primaryContactId: maybe(world.contacts, n),
    assignedToId: assignedToId(n),
  }));
  await prisma.company.createMany({ data: companies });
  const held = (kind: 'VEHICLE' | 'CONTACT' | 'COMPANY' | 'LOCATION', rows: readonly { id: string }[]) =>
    world.items.map(({ id: itemId }, n) => {
      const { id: holderId } = at(rows, n * 7);
      return { itemId, kind, holderId, [`${kind.toLowerCase()}Id`]: holderId, position: n % 3 };
    });
  await prisma.itemHolder.createMany({
    data: [
      ...held('VEHICLE', vehicles),
      ...held('CONTACT', world.contacts),
      ...held('COMPANY', companies),
      ...held('LOCATION', world.locations),
    ],
  });

  // Each workspace has one from its beginning.
  const policies = (await prisma.reminderPolicy.findMany()) as unknown as Row[];

  const watches = several(20, (n) => ({ contactId: maybe(world.contacts, n), userId: assignedToId(n) }));
  await prisma.watch.createMany({ data: watches });

  const mailTexts = world.categories.map(({ id: categoryId }) => ({
    ...{ ...several(1, () => ({ senderName: 'Office' }))[0], categoryId, scope: 'CATEGORY' as const },
  }));
  await prisma.mailText.createMany({ data: mailTexts.map(({ name: _, ...row }) => row as never) });

  const requirements = several(4, () => ({ holderKind: 'vehicle' }));
  await prisma.requirement.createMany({ data: requirements });
  const exemptions = several(12, (n) => {
    const { id: requirementId, teamId } = at(requirements, n);
    const of = { requirementId, teamId, holderKind: 'vehicle', vehicleId: at(vehicles, n).id, userId };
    return { ...of, from: new Date(Date.UTC(2026, 10, 1 + n)), reason: `Reason ${n}` };
  });
  await prisma.exemption.createMany({ data: exemptions.map(({ name: _, ...row }) => row) });

  const complianceLinks = several(7, (n) => ({
    ...{ holderKind: 'vehicle', vehicleId: at(vehicles, n).id, userId, uses: n },
    ...{ hash: Buffer.from(`link ${n}`), sealedSecret: Buffer.from('-') },
  }));
  await prisma.complianceLink.createMany({ data: complianceLinks });

  const documentRequests = several(9, (n) => ({
    vehicleId: at(vehicles, n).id,
    holderKind: 'vehicle',
    userId,
  }));
  await prisma.documentRequest.createMany({ data: documentRequests.map(({ name: _, ...row }) => row) });

  // Notes and events are about a few records of each kind.
  const subjects: [keyof typeof entityTypes, Row[]][] = [
    ['expirationItem', world.items.slice(0, 5).map(({ id }) => ({ id }))],
    ['category', world.categories],
    ['vehicle', vehicles.slice(0, 5)],
    ['company', companies.slice(0, 5)],
    ['contact', world.contacts],
    ['contactType', contactTypes],
    ['location', world.locations],
    ['tag', world.tags],
    ['reminderPolicy', policies],
    ['watch', watches.slice(0, 5)],
    ['mailText', mailTexts as Row[]],
    ['requirement', requirements.slice(0, 2)],
    ['documentRequest', documentRequests.slice(0, 4) as Row[]],
  ];
  const notes = several(60, (n) => ({ bodyText: `Note ${n}` }));
  await prisma.note.createMany({ data: notes });
  const events = several(120, (n) => ({ typeId: (n % 3) + 1, description: `Event ${n}`, userId }));
  await prisma.eventLog.createMany({ data: events.map(({ name: _, ...row }) => row) });
  const abouts = [...subjects, ['note', notes.slice(0, 5)] as const].flatMap(([kind, rows]) =>
    rows.map(({ id }) => ({ id, kind: entityTypes[kind] })),
  );
  const about = (n: number, many: number) => [...Array(many).keys()].map((i) => at(abouts, n * 3 + i * 7));
  await prisma.noteRelation.createMany({
    data: notes.flatMap((note, n) =>
      about(n, n % 3).map(({ id, kind }, position) => {
        return { noteId: note.id, entityId: id, entityType: kind, position };
      }),
    ),
  });
  await prisma.eventLogEntity.createMany({
    data: events.flatMap((event, n) =>
      about(n, 1 + (n % 2)).map(({ id, kind }, position) => {
        return { eventId: event.id, entityId: id, typeId: kind, position };
      }),
    ),
  });
  // Reminders of a few items, some of them by one delivery.
  const deliveries = several(12, (n) => ({
    ...{ kind: 'MAIL' as const, dedupeKey: `${n}`, subjectKind: 'digest', address: `w${n}@example.com` },
  }));
  await prisma.delivery.createMany({ data: deliveries.map(({ name: _, ...row }) => row) });
  const reminders = several(40, (n) => ({
    ...{ itemId: at(world.items, n % 7).id, itemName: `Item ${n}`, stepKey: newId() },
    ...{ expirationDate: new Date(0), slot: new Date((n % 5) * 1_000), decidedAt: new Date(n * 1_000) },
    state: at(['TOLD', 'SKIPPED'] as const, n),
  }));
  await prisma.reminder.createMany({ data: reminders.map(({ name: _, ...row }) => row) });
  await prisma.reminderTarget.createMany({
    data: reminders.flatMap(({ id: reminderId }, n) =>
      Array.from({ length: n % 3 }, (_, k) => ({
        ...{ reminderId, recipientKey: `mail:w${k}@example.com`, address: `w${k}@example.com` },
        deliveryId: at(deliveries, n + k).id,
      })),
    ),
  });
  const channels = several(5, (n) => ({
    ...{ kind: 'NTFY' as const, name: `Channel ${n}`, host: 'ntfy.sh', sealedUrl: new Uint8Array([1]) },
  }));
  await prisma.channel.createMany({ data: channels });
  // Messages to a few webhook endpoints.
  const endpoints = several(3, (n) => ({ url: `https://example.com/${n}`, eventTypes: ['*'], teamIds: [] }));
  await prisma.webhookEndpoint.createMany({ data: endpoints.map(({ teamId: _, ...row }) => row) });
  const messages = several(10, () => ({
    ...{ eventId: newId(), type: 'vehicle.updated', body: '{}', occurredAt: new Date(0) },
  }));
  await prisma.webhookMessage.createMany({ data: messages.map(({ name: _, ...row }) => row) });
  await prisma.webhookDelivery.createMany({
    data: messages.flatMap(({ id: messageId, organizationId }, n) =>
      endpoints.slice(0, 1 + (n % 3)).map(({ id: endpointId }, k) => ({
        ...{ id: newId(), organizationId, messageId, endpointId, lastError: `Error ${k}` },
        ...{ state: at(['SENT', 'FAILED'] as const, n), created: new Date((n % 4) * 1_000) },
      })),
    ),
  });
  return world;
}
