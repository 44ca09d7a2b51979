import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { autoRenewRule } from '../domain/reminders/renewal.js';
import { rules } from '../domain/rules.js';
import type { Category } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn, noNotes, noneBy } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
import { defineResource, type RulesFor } from '../records/resource.js';
import { resolvePolicy } from './reminder-policies.js';

const categoryRules = {
  name: rules.name,
  isActive: rules.flag(true),
  teamId: rules.uuid,
  customFields: rules.fieldDefinitions,
  reminderPolicyId: rules.uuid,
  autoRenew: autoRenewRule,
} satisfies RulesFor<Category>;

const categoryFilter = z.object({ term: rules.line, isActive: rules.choice, teamId: rules.uuid });

export type CategoryFilter = z.input<typeof categoryFilter>;

/** Document types: their rules, and how they are read and written. */
export const categories = defineResource(z.object(categoryRules), {
  kind: 'category',
  references: [{ field: 'reminderPolicyId', to: 'reminderPolicy', path: ['reminderPolicyId'] }],
  retired: { field: 'isActive', when: false },
  uniqueBy: ['name', 'teamId'],
  indexed: ['name'],
  orderKeys: linkedNames({ team: ['teamId', 'team'] }),
  manyOf: { teamIds: inColumn('teamId') },
  links: { EXPIRATION_ITEMS: noneBy('expirationItem', 'categoryId'), NOTES: noNotes('category') },
  where: (filter) => filterCondition(categoryFilter, filter, ['name']),
  resolve: resolvePolicy,
  title: (category: Category) => category.name,
  rows: defineRows('Category'),
});
