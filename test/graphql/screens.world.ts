import { randomBytes } from 'node:crypto';
import { entityTypes } from '../../src/domain/models.js';
import { newId } from '../../src/domain/rules.js';
import type { TestGateway } from '../support/gateway.js';

/** What the screens open with. */
export interface ScreenIds {
  readonly item: string;
  readonly contact: string;
  readonly vehicle: string;
}

/**
 * Fills a gateway with so many of everything that a screen shows in a list, each with records of its own to lead
 * to, and with one item and one contact that all of it is about.
 */
export async function fillScreens(gateway: TestGateway, count: number): Promise<ScreenIds> {
  const { organizationId, teamId, userId } = gateway;
  const { prisma } = gateway.database;
  const place = { organizationId, teamId };
  const each = <Row>(make: (n: number) => Row) => Array.from({ length: count }, (_, n) => make(n));
  const named = () => each((n) => ({ ...place, id: newId(), name: `${n} ${newId()}` }));
  const at = (rows: readonly { id: string }[], n: number) => rows[n]?.id ?? '';

  const users = named().map((row) => ({ ...row, email: `${row.id}@example.com` }));
  await prisma.user.createMany({ data: users });
  await prisma.membership.createMany({ data: users.map(({ id }) => ({ userId: id, teamId })) });
  await prisma.accessToken.createMany({
    data: users.map(({ id, name }) => {
      return { id: newId(), organizationId, userId: id, name, role: 'MEMBER', hash: randomBytes(32) };
    }),
  });
  const teams = each(() => ({ id: newId(), organizationId, name: newId(), timezone: 'UTC' }));
  await prisma.team.createMany({ data: teams });
  const policies = named();
  await prisma.reminderPolicy.createMany({ data: policies });
  await prisma.reminderStep.createMany({
    data: policies.map(({ id }) => ({ id: newId(), policyId: id, position: 0, offsetDays: -7 })),
  });
  const categories = named().map((row, n) => ({
    ...row,
    reminderPolicyId: at(policies, n),
    customFields: [{ id: newId(), name: 'Number' }],
  }));
  await prisma.category.createMany({ data: categories });
  const tags = named();
  await prisma.tag.createMany({ data: tags });
  const types = named();
  await prisma.contactType.createMany({ data: types });
  const roots = named();
  const houses = named().map((row, n) => ({ ...row, parentLocationId: at(roots, n) }));
  const rooms = named().map((row, n) => ({ ...row, parentLocationId: at(houses, n) }));
  await prisma.location.createMany({ data: [...roots, ...houses, ...rooms] });
  const contacts = named().map((row, n) => {
    return { ...row, email: `${row.id}@example.com`, typeId: at(types, n), locationId: at(houses, n) };
  });
  await prisma.contact.createMany({ data: contacts });
  const contact = at(contacts, 0);
  const vehicles = named().map((row, n) => {
    const assigned = { assignedToId: at(users, n), assignedToContactId: contact };
    return { ...row, ...assigned, locationId: at(rooms, n) };
  });
  await prisma.vehicle.createMany({ data: vehicles });
  const vehicle = at(vehicles, 0);
  await prisma.company.createMany({ data: named().map((row) => ({ ...row, primaryContactId: contact })) });

  const items = named().map((row, n) => ({
    ...row,
    categoryId: at(categories, n),
    contactId: at(contacts, n),
    assignedToId: at(users, n),
    expirationDate: new Date(Date.UTC(2026, 10, 21 + n)),
    customFields: [{ id: newId(), name: 'Number', value: `${n}` }],
  }));
  await prisma.expirationItem.createMany({ data: items });
  const link = (n: number) => ({ itemId: at(items, n), position: 0 });
  await prisma.expirationItemContact.createMany({
    data: each((n) => ({ ...link(n), contactId: contact })),
  });
  await prisma.expirationItemLocation.createMany({
    data: each((n) => ({ ...link(n), locationId: at(rooms, n) })),
  });
  await prisma.expirationItemTag.createMany({ data: each((n) => ({ ...link(n), tagId: at(tags, n) })) });
  const attachments = each((n) => ({ ...place, ...link(n), id: newId(), name: 'f', contentLength: 1n }));
  await prisma.attachment.createMany({ data: attachments });
  await prisma.attachmentContent.createMany({
    data: attachments.map(({ id }) => ({ attachmentId: id, content: new Uint8Array([1]) })),
  });
  await prisma.uploadNotification.createMany({
    data: attachments.map(({ id, itemId }) => {
      const became = { state: 'FILED', expirationItemId: itemId, attachmentId: id } as const;
      return { ...place, ...became, id: newId(), dedupeKey: id, type: 'application/pdf' };
    }),
  });
  await prisma.acknowledgement.createMany({
    data: items.map(({ id, expirationDate }, n) => {
      return { ...place, itemId: id, expirationDate, userId: at(users, n), via: 'API' };
    }),
  });
  const [created, slot] = [new Date('2026-11-20T08:00:00Z'), new Date('2026-11-20T08:00:00Z')];
  const deliveries = items.map(({ id }) => {
    const mail = { kind: 'MAIL', state: 'FAILED', subjectKind: 'item', subjectId: id } as const;
    return { ...place, ...mail, id: newId(), dedupeKey: id, address: `${id}@example.com`, created };
  });
  await prisma.delivery.createMany({ data: deliveries });
  const told = items.map(({ id, name, expirationDate }) => {
    const decided = { stepKey: newId(), slot, decidedAt: slot, state: 'SKIPPED' } as const;
    return { ...place, ...decided, id: newId(), itemId: id, itemName: name, expirationDate };
  });
  await prisma.reminder.createMany({ data: told });
  await prisma.reminderTarget.createMany({
    data: told.map(({ id: reminderId }, n) => {
      return { reminderId, recipientKey: 'mail:a', address: 'a', deliveryId: at(deliveries, n) };
    }),
  });
  const item = at(items, 0);
  const expirationDate = new Date('2027-01-01');
  const renewal = (itemId: string, n: number) => {
    return { ...place, id: newId(), itemId, expirationDate, userId: at(users, n) };
  };
  await prisma.renewal.createMany({ data: each((n) => renewal(at(items, n), n)) });
  await prisma.renewal.createMany({ data: each((n) => renewal(item, n)) });

  // Each is about a record of its own, and about the item or the contact that a screen shows.
  const notes = [...named(), ...named()];
  await prisma.note.createMany({
    data: notes.map((row, n) => ({ ...row, bodyText: row.name, authorId: at(users, n % count) })),
  });
  const events = [...named(), ...named()];
  await prisma.eventLog.createMany({
    data: events.map(({ name, ...row }, n) => {
      return { ...row, typeId: 1, description: name, userId: at(users, n % count) || userId };
    }),
  });
  const abouts = (n: number) => [
    { id: at(items, n % count), kind: entityTypes.expirationItem },
    { id: at(rooms, n % count), kind: entityTypes.location },
    { id: vehicle, kind: entityTypes.vehicle },
    n < count ? { id: contact, kind: entityTypes.contact } : { id: item, kind: entityTypes.expirationItem },
  ];
  const distinct = (n: number) => [...new Map(abouts(n).map((about) => [about.id, about])).values()];
  await prisma.noteRelation.createMany({
    data: notes.flatMap(({ id: noteId }, n) =>
      distinct(n).map(({ id, kind }, position) => ({ noteId, entityId: id, entityType: kind, position })),
    ),
  });
  await prisma.eventLogEntity.createMany({
    data: events.flatMap(({ id: eventId }, n) =>
      distinct(n).map(({ id, kind }, position) => ({ eventId, entityId: id, typeId: kind, position })),
    ),
  });
  return { item, contact, vehicle };
}
