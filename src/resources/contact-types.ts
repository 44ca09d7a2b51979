import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import type { ContactType } from '../generated/prisma/client.js';
import { filterCondition } from '../records/list.js';
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
  where: (filter) => filterCondition(contactTypeFilter, filter, ['name']),
  title: (contactType: ContactType) => contactType.name,
  rows: defineRows('ContactType'),
});
