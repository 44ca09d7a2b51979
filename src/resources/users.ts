import * as z from 'zod';
import { defineRows } from '../db/sql/select.js';
import { rules } from '../domain/rules.js';
import type { User } from '../generated/prisma/client.js';
import { filterCondition } from '../records/lists/filter.js';
import type { Readable } from '../records/lists/readable.js';

const userFilter = z.object({ term: rules.line });

export type UserFilter = z.input<typeof userFilter>;

/** Users of an organization, as a readable resource. Records can be assigned to any of them. */
export const users: Readable<User> = {
  noun: 'user',
  sortable: new Map<string, z.ZodType>([
    ['id', z.guid()],
    ['name', z.string()],
    ['email', z.string()],
  ]),
  indexed: [],
  where: (filter) => filterCondition(userFilter, filter, ['name', 'email']),
  rows: defineRows('User'),
};
