import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import type { Tag } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import { inColumn, noNotes, noneJoined } from '../records/lists/links.js';
import { linkedNames } from '../records/lists/order.js';
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
  orderKeys: linkedNames({ team: ['teamId', 'team'] }),
  manyOf: { teamIds: inColumn('teamId') },
  links: {
    EXPIRATION_ITEMS: noneJoined('expirationItem', 'expiration_item_tags', 'tagId', 'itemId'),
    NOTES: noNotes('tag'),
  },
  where: (filter) => filterCondition(tagFilter, filter, ['name']),
  title: (tag: Tag) => tag.name,
  rows: defineRows('Tag'),
});
