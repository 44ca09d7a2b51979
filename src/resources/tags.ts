import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import type { Tag } from '../generated/prisma/client.js';
import { filterCondition } from '../records/list.js';
import { defineResource, type RulesFor } from '../records/resource.js';

const tagRules = { name: rules.line, teamId: rules.uuid } satisfies RulesFor<Tag>;

const tagFilter = z.object({ term: rules.line, teamId: rules.uuid });

export type TagFilter = z.input<typeof tagFilter>;

/** Tags: their rules, and how they are read and written. */
export const tags = defineResource(z.object(tagRules), {
  kind: 'tag',
  references: [],
  uniqueBy: ['name', 'teamId'],
  indexed: ['name'],
  where: (filter) => filterCondition(tagFilter, filter, ['name']),
  title: (tag: Tag) => tag.name,
  rows: defineRows('Tag'),
});
