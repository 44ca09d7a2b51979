import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import type { Contact } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn, noNotes, noneBy, noPointer } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const contactRules = {
  name: rules.line,
  email: rules.email,
  timezone: rules.timezone,
  mobile: rules.line,
  phone: rules.line,
  assignedToId: rules.uuid,
  typeId: rules.uuid,
  contactId: rules.line,
  locationId: rules.uuid,
  teamId: rules.uuid,
  isActive: rules.flag(true),
  customFields: rules.customFields,
} satisfies RulesFor<Contact>;

const contactFilter = z.object({
  term: rules.line,
  email: rules.line,
  isActive: rules.choice,
  teamId: rules.uuid,
  typeId: rules.uuid,
  locationId: rules.uuid,
  assignedToId: rules.uuid,
});

export type ContactFilter = z.input<typeof contactFilter>;

/** Contacts: their rules, and how they are read and written. */
export const contacts = defineResource(z.object(contactRules), {
  kind: 'contact',
  references: [
    { field: 'typeId', to: 'contactType', path: ['typeId'] },
    { field: 'locationId', to: 'location', path: ['locationId'] },
    { field: 'assignedToId', to: 'user', path: ['assignedTo', 'id'] },
  ],
  retired: { field: 'isActive', when: false },
  uniqueBy: ['email'],
  indexed: ['name'],
  orderKeys: linkedNames({
    type: ['typeId', 'contactType'],
    location: ['locationId', 'location'],
    assignedTo: ['assignedToId', 'user'],
    team: ['teamId', 'team'],
  }),
  manyOf: {
    teamIds: inColumn('teamId'),
    typeIds: inColumn('typeId'),
    locationIds: inColumn('locationId'),
    assignedToIds: inColumn('assignedToId'),
  },
  links: {
    TYPE: noPointer('typeId'),
    LOCATION: noPointer('locationId'),
    ASSIGNED_TO: noPointer('assignedToId'),
    VEHICLES: noneBy('vehicle', 'assignedToContactId'),
    COMPANIES: noneBy('company', 'primaryContactId'),
    NOTES: noNotes('contact'),
  },
  customFields: true,
  where: (filter) =>
    filterCondition(contactFilter, filter, ['name', 'email', 'phone', 'mobile', 'contactId'], {
      email: (email) => ({ email: { key: email } }),
    }),
  title: (contact: Contact) => contact.name ?? contact.email,
  rows: defineRows('Contact'),
});
