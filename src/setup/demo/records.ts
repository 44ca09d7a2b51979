import { leadDays, standardRecipients } from '../../domain/reminders/policy.js';
import type { DemoData } from './data.js';
import { age, type DemoIds, type DemoPlace, dateFrom, daysFrom } from './place.js';

/** Returns the columns that every record has. */
function baseColumns({ organizationId, teamId, now }: DemoPlace) {
  const created = daysFrom(now, -age);
  return { organizationId, teamId, created, modified: created };
}

/** Creates the rows that others refer to: types, places and people. */
export function directoryRows(data: DemoData, ids: DemoIds, place: DemoPlace) {
  const base = baseColumns(place);
  return {
    contactTypes: data.contactTypes.map((name) => ({ ...base, id: ids.contactType(name), name })),
    policies: data.policies.map(({ name, timeOfDay, steps }) => ({
      ...{ ...base, id: ids.policy(name), name, timeOfDay, leadDays: leadDays(steps) },
    })),
    steps: data.policies.flatMap(({ name, steps }) =>
      steps.map(({ recipients = standardRecipients, ...step }, position) => ({
        ...step,
        ...{ id: ids.step(name, step.offsetDays), policyId: ids.policy(name), position },
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
export function fleetRows(data: DemoData, ids: DemoIds, place: DemoPlace) {
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
export function itemRows(data: DemoData, ids: DemoIds, place: DemoPlace) {
  const base = baseColumns(place);
  return {
    items: data.items.map(({ category, days, fields, contacts, locations, tags, ...item }) => ({
      ...base,
      ...item,
      id: ids.item(item.name),
      categoryId: ids.category(category),
      expirationDate: days === null ? null : dateFrom(place.now, days),
      contactId: contacts[0] === undefined ? null : ids.contact(contacts[0]),
      customFields: Object.entries(fields).map(([name, value]) => {
        return { id: ids.field(`${category}: ${name}`), name, value };
      }),
    })),
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
    itemTags: data.items.flatMap(({ name, tags }) =>
      tags.map((tag, position) => ({ itemId: ids.item(name), tagId: ids.tag(tag), position })),
    ),
  };
}
