import { type EntityKind, type EventName, entityTypes, eventTypes } from '../../domain/models.js';
import { noticeDateOf } from '../../domain/notice.js';
import { leadDays, standardRecipients } from '../../domain/reminders/policy.js';
import type { Ending } from '../../domain/reminders/reasons.js';
import type { UploadReason } from '../../domain/uploads/upload.js';
import { type HolderKind, holderKinds } from '../../items/holders.js';
import { age, type DemoContext, type DemoData, type DemoIds, dateFrom, daysFrom } from './data.js';

/** Returns the columns that every record has. */
function baseColumns({ organizationId, teamId, now }: DemoContext) {
  const created = daysFrom(now, -age);
  return { organizationId, teamId, created, modified: created };
}

/** Creates the rows that others refer to: types, places and people. */
export function directoryRows(data: DemoData, ids: DemoIds, place: DemoContext) {
  const base = baseColumns(place);
  return {
    contactTypes: data.contactTypes.map((name) => ({ ...base, id: ids.contactType(name), name })),
    policies: data.policies.map(({ name, timeOfDay, steps }) => ({
      ...{ ...base, id: ids.policy(name), name, timeOfDay, leadDays: leadDays(steps) },
    })),
    steps: data.policies.flatMap(({ name, steps }) =>
      steps.map(({ recipients = standardRecipients, ...step }, position) => ({
        ...step,
        ...{ id: ids.step(`${name}: ${step.offsetDays}`), policyId: ids.policy(name), position },
        recipients: [...recipients],
      })),
    ),
    categories: data.categories.map(({ name, fields, policy }) => ({
      ...base,
      id: ids.category(name),
      name,
      reminderPolicyId: policy === undefined ? null : ids.policy(policy),
      customFields: fields.map((field) => ({
        id: ids.field(`${name}: ${field}`),
        name: field,
        internalName: null,
      })),
    })),
    tags: data.tags.map((name) => ({ ...base, id: ids.tag(name), name })),
    locations: data.locations.map(({ name, within }) => ({
      ...base,
      id: ids.location(name),
      name,
      parentLocationId: within === undefined ? null : ids.location(within),
    })),
    contacts: data.contacts.map(({ type, location, ...contact }) => ({
      ...base,
      ...contact,
      id: ids.contact(contact.name),
      typeId: ids.contactType(type),
      locationId: ids.location(location),
    })),
  };
}

/** Creates the rows of companies and vehicles. */
export function fleetRows(data: DemoData, ids: DemoIds, place: DemoContext) {
  const base = baseColumns(place);
  return {
    companies: data.companies.map(({ contact, ...company }) => ({
      ...base,
      ...company,
      id: ids.company(company.name),
      primaryContactId: ids.contact(contact),
    })),
    vehicles: data.vehicles.map(({ location, contact, ...vehicle }) => ({
      ...base,
      ...vehicle,
      id: ids.vehicle(vehicle.name),
      locationId: ids.location(location),
      assignedToContactId: contact && ids.contact(contact),
    })),
  };
}

/** Creates the rows of expiration items and of their links. */
export function itemRows(data: DemoData, ids: DemoIds, place: DemoContext) {
  const base = baseColumns(place);
  return {
    items: data.items.map(
      ({ category, days, notice, fields, contacts, holders: _held, locations, tags, ...item }) => ({
        ...base,
        ...item,
        id: ids.item(item.name),
        categoryId: ids.category(category),
        expirationDate: days === null ? null : dateFrom(place.now, days),
        noticeDate: days === null || !notice ? null : noticeDateOf(dateFrom(place.now, days), notice),
        ...(notice && { noticeRule: notice }),
        contactId: contacts[0] === undefined ? null : ids.contact(contacts[0]),
        customFields: Object.entries(fields).map(([name, value]) => {
          return { id: ids.field(`${category}: ${name}`), name, value };
        }),
      }),
    ),
    itemContacts: data.items.flatMap(({ name, contacts }) =>
      contacts.map((contact, position) => ({
        itemId: ids.item(name),
        contactId: ids.contact(contact),
        position,
      })),
    ),
    itemLocations: data.items.flatMap(({ name, locations }) =>
      locations.map((location, position) => {
        return { itemId: ids.item(name), locationId: ids.location(location), position };
      }),
    ),
    itemHolders: data.items.flatMap(({ name, holders = {} }) =>
      holderKinds
        .flatMap((kind) => (holders[kind] ?? []).map((holder) => ({ kind, id: ids[kind](holder) })))
        .map(({ kind, id }, position) => ({
          ...{ itemId: ids.item(name), holderId: id, [`${kind}Id`]: id, position },
          kind: kind.toUpperCase() as Uppercase<HolderKind>,
        })),
    ),
    itemTags: data.items.flatMap(({ name, tags }) =>
      tags.map((tag, position) => ({ itemId: ids.item(name), tagId: ids.tag(tag), position })),
    ),
  };
}

/** Creates the rows of requirements. */
export function requirementRows(data: DemoData, ids: DemoIds, place: DemoContext) {
  return data.requirements.map(({ name, kind, contactType, anyOf }) => ({
    ...{ ...baseColumns(place), id: ids.requirement(name), name, holderKind: kind },
    applies: contactType === undefined ? {} : { typeId: ids.contactType(contactType) },
    anyOf: anyOf.map((type) => ids.category(type)),
  }));
}

/** Creates the rows of notes and of their relations. */
export function noteRows(data: DemoData, ids: DemoIds, { organizationId, teamId, user, now }: DemoContext) {
  const rows = data.notes.map(({ name, text, daysAgo, about: { items = [], vehicles = [] } }) => {
    const [id, created] = [ids.note(name), daysFrom(now, -daysAgo)];
    const entities = [
      ...items.map((item) => ({ entityId: ids.item(item), entityType: entityTypes.expirationItem })),
      ...vehicles.map((vehicle) => ({ entityId: ids.vehicle(vehicle), entityType: entityTypes.vehicle })),
    ];
    return {
      note: {
        id,
        organizationId,
        teamId,
        name,
        bodyText: text,
        body: `<p>${text}</p>`,
        authorId: user.id,
        created,
        modified: created,
      },
      relations: entities.map((entity, position) => ({ noteId: id, ...entity, position })),
    };
  });
  return { notes: rows.map(({ note }) => note), noteRelations: rows.flatMap(({ relations }) => relations) };
}

/** Creates the rows of renewals; each moved its item's date by a year. */
export function renewalRows(
  data: DemoData,
  ids: DemoIds,
  { organizationId, teamId, user, now }: DemoContext,
) {
  return data.renewals.map(({ item, previousDays, daysAgo, details }) => ({
    id: ids.renewal(item),
    organizationId,
    teamId,
    itemId: ids.item(item),
    previousDate: dateFrom(now, previousDays),
    expirationDate: dateFrom(now, previousDays + 365),
    details,
    userId: user.id,
    created: daysFrom(now, -daysAgo),
  }));
}

/** Creates the rows of uploads. Each names an item that does not exist, so a person has to decide. */
export function uploadRows(data: DemoData, ids: DemoIds, { organizationId, teamId, user, now }: DemoContext) {
  return data.uploads.map(({ filename, expiresInDays, words, daysAgo }, index) => ({
    id: ids.upload(filename),
    organizationId,
    teamId,
    userId: user.id,
    notificationId: BigInt(4001 + index),
    action: 'fp.upload',
    filename,
    type: 'application/pdf',
    state: 'FAILED' as const,
    error: 'upload_Tags.expiration_item_id: names no expiration item that exists',
    errorCode: 'ITEM_NOT_FOUND' satisfies UploadReason,
    uploadTags: { expiration_item_id: ids.upload(filename) },
    uploadTagsText: JSON.stringify({ expiration_item_id: ids.upload(filename) }),
    attempts: 1,
    dedupeKey: `demo: ${filename}`,
    suggestedExpirationDate: dateFrom(now, expiresInDays),
    suggestedFrom: words,
    receivedAt: daysFrom(now, -daysAgo),
    modified: daysFrom(now, -daysAgo),
  }));
}

/** Creates the rows of requests for documents. None was sent; one was answered, as if by hand. */
export function requestRows(
  data: DemoData,
  ids: DemoIds,
  { organizationId, teamId, user, now }: DemoContext,
) {
  const created = daysFrom(now, -2);
  return data.requests.map(({ item: name, contact, to = contact, answer, dueInDays, ...request }) => {
    const item = data.items.find((one) => one.name === name);
    const category = item?.category ?? request.category;
    return {
      ...{ id: ids.request(name ?? contact ?? ''), organizationId, teamId, userId: user.id },
      ...{
        created,
        modified: created,
        itemId: item ? ids.item(item.name) : null,
        renews: item !== undefined,
      },
      itemDate: item?.days == null ? null : dateFrom(now, item.days),
      categoryId: category === undefined ? null : ids.category(category),
      ...(contact !== undefined && { holderKind: 'contact', contactId: ids.contact(contact) }),
      recipientId: to === undefined ? null : ids.contact(to),
      ...{
        message: request.message ?? null,
        dueOn: dueInDays === undefined ? null : dateFrom(now, dueInDays),
      },
      ...(answer !== undefined && { state: 'RECEIVED' as const, receivedAt: daysFrom(now, -1), answer }),
    };
  });
}

/** Creates the rows of mails that were not sent, because their recipients are fictitious. */
export function deliveryRows(data: DemoData, ids: DemoIds, { organizationId, teamId, now }: DemoContext) {
  const addresses = new Map(data.contacts.map(({ name, email }) => [name, email]));
  return data.deliveries.map(({ item, to, daysAgo }) => {
    const [id, created] = [ids.delivery(item), daysFrom(now, -daysAgo)];
    return {
      ...{ id, organizationId, teamId, kind: 'MAIL' as const, dedupeKey: `demo: ${item}`, created },
      ...{ subjectKind: 'item', subjectId: ids.item(item), address: addresses.get(to) ?? to },
      ...{ state: 'CANCELLED' as const, lastError: 'demo' satisfies Ending },
      ...{ settledAt: created, modified: created },
    };
  });
}

/** Creates the rows of acknowledgements of items' current dates. */
export function acknowledgementRows(
  data: DemoData,
  ids: DemoIds,
  { organizationId, teamId, user, now }: DemoContext,
) {
  const days = new Map(data.items.map((item) => [item.name, item.days ?? 0]));
  return data.acknowledgements.map(({ item, note, daysAgo }) => ({
    ...{ organizationId, teamId, itemId: ids.item(item), userId: user.id, via: 'CONSOLE' as const, note },
    ...{ id: ids.acknowledgement(item), created: daysFrom(now, -daysAgo) },
    expirationDate: dateFrom(now, days.get(item) ?? 0),
  }));
}

interface Happening {
  readonly type: EventName;
  readonly kind: EntityKind;
  readonly id: string;
  readonly description: string;
  readonly daysAgo: number;
}

function happenings(data: DemoData, ids: DemoIds, teamId: string): Happening[] {
  const made = `Workspace "${data.workspace.name}" was created with the demo data`;
  const ofItem = (type: EventName, name: string, description: string, daysAgo: number): Happening => {
    return { type, kind: 'expirationItem', id: ids.item(name), description, daysAgo };
  };
  return [
    { type: 'created', kind: 'team', id: teamId, description: made, daysAgo: 0 },
    ...data.renewals.map(({ item, daysAgo }) =>
      ofItem('renewed', item, `Expiration item "${item}" was renewed`, daysAgo),
    ),
  ];
}

/** Creates the rows of events and of their relations. */
export function eventRows(data: DemoData, ids: DemoIds, { organizationId, teamId, user, now }: DemoContext) {
  const rows = happenings(data, ids, teamId).map(({ type, kind, id: entityId, description, daysAgo }) => {
    const [id, created] = [ids.event(description), daysFrom(now, -daysAgo)];
    const acting = { userId: user.id, userName: user.name };
    return {
      event: { id, organizationId, teamId, typeId: eventTypes[type], description, ...acting, created },
      entity: { eventId: id, entityId, typeId: entityTypes[kind], position: 0 },
    };
  });
  return { events: rows.map(({ event }) => event), eventEntities: rows.map(({ entity }) => entity) };
}
