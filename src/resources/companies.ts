import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import type { Company } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn, noNotes, noPointer } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const companyRules = {
  name: rules.line,
  doingBusinessAs: rules.line,
  phone: rules.line,
  website: rules.line,
  addressLine1: rules.line,
  addressLine2: rules.line,
  city: rules.line,
  province: rules.line,
  postalCode: rules.line,
  countryId: rules.uuid,
  taxId: rules.line,
  taxTypeId: rules.int,
  typeId: rules.uuid,
  primaryContactId: rules.uuid,
  assignedToId: rules.uuid,
  teamId: rules.uuid,
  isArchived: rules.flag(false),
  customFields: rules.customFields,
} satisfies RulesFor<Company>;

const companyFilter = z.object({
  term: rules.line,
  isArchived: rules.choice,
  teamId: rules.uuid,
  primaryContactId: rules.uuid,
  assignedToId: rules.uuid,
});

export type CompanyFilter = z.input<typeof companyFilter>;

/** Companies: their rules, and how they are read and written. */
export const companies = defineResource(z.object(companyRules), {
  kind: 'company',
  references: [
    { field: 'primaryContactId', to: 'contact', path: ['primaryContactId'] },
    { field: 'assignedToId', to: 'user', path: ['assignedTo', 'id'] },
  ],
  retired: { field: 'isArchived', when: true },
  uniqueBy: ['taxId'],
  indexed: ['name'],
  orderKeys: linkedNames({
    primaryContact: ['primaryContactId', 'contact'],
    assignedTo: ['assignedToId', 'user'],
    team: ['teamId', 'team'],
  }),
  manyOf: {
    teamIds: inColumn('teamId'),
    primaryContactIds: inColumn('primaryContactId'),
    assignedToIds: inColumn('assignedToId'),
  },
  links: {
    PRIMARY_CONTACT: noPointer('primaryContactId'),
    ASSIGNED_TO: noPointer('assignedToId'),
    NOTES: noNotes('company'),
  },
  customFields: true,
  where: (filter) =>
    filterCondition(companyFilter, filter, ['name', 'doingBusinessAs', 'taxId', 'phone', 'city']),
  title: (company: Company) => company.name ?? company.doingBusinessAs ?? company.taxId,
  rows: defineRows('Company'),
});
