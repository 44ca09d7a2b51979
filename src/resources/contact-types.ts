import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import type { ContactType } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn, noNotes, noneBy } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const contactTypeRules = {
  name: rules.line,
  teamId: rules.uuid,
  isActive: rules.flag(true),
} satisfies RulesFor<ContactType>;

const contactTypeFilter = z.object({ term: rules.line, isActive: rules.choice, teamId: rules.uuid });

export type ContactTypeFilter = z.input<typeof contactTypeFilter>;

/** Contact types: their rules, and how they are read and written. */
export const contactTypes = defineResource(z.object(contactTypeRules), {
  kind: 'contactType',
  references: [],
  retired: { field: 'isActive', when: false },
  uniqueBy: ['name'],
  indexed: ['name'],
  orderKeys: linkedNames({ team: ['teamId', 'team'] }),
  manyOf: { teamIds: inColumn('teamId') },
  links: { CONTACTS: noneBy('contact', 'typeId'), NOTES: noNotes('contactType') },
  where: (filter) => filterCondition(contactTypeFilter, filter, ['name']),
  title: (contactType: ContactType) => contactType.name,
  rows: defineRows('ContactType'),
});
