import * as z from 'zod';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { columnsSql } from '../../db/sql/columns.js';
import { visibleRowSql } from '../../db/sql/conditions.js';
import type { Condition } from '../../db/sql/query.js';
import { defineRows } from '../../db/sql/select.js';
import { entityKinds } from '../../domain/events.js';
import { limits, rules } from '../../domain/rules.js';
import { type BinEntry, Prisma } from '../../generated/prisma/client.js';
import { filterCondition } from '../lists/filter.js';
import { inColumn } from '../lists/links.js';
import { linkedNames } from '../lists/order.js';
import type { Readable } from '../lists/readable.js';

const { sql } = Prisma;

const binFilter = z.object({
  term: rules.line,
  kinds: z
    .array(z.int32().min(1).max(entityKinds.size))
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish(),
  recordId: rules.uuid,
  teamId: rules.uuid,
  deletedById: rules.uuid,
});

/** Filter of the bin. */
export type BinFilter = z.input<typeof binFilter>;

/** The bin's unexpired entries as a readable resource. */
export const binEntries: Readable<BinEntry> = {
  noun: 'bin entry',
  sortable: new Map<string, z.ZodType>([
    ['id', z.guid()],
    ['name', rules.line],
    ['deletedAt', z.date()],
    ['expiresAt', z.date()],
  ]),
  indexed: ['deletedAt'],
  orderKeys: linkedNames({ deletedBy: ['deletedById', 'user'], team: ['teamId', 'team'] }),
  ranges: { expiresAt: 'DateTime' },
  manyOf: { teamIds: inColumn('teamId'), deletedByIds: inColumn('deletedById') },
  where: (filter, { now }) => ({
    AND: [
      { expiresAt: { gt: now } },
      filterCondition(binFilter, filter, ['name'], { kinds: (kinds) => ({ typeId: { in: kinds } }) }),
    ],
  }),
  rows: defineRows('BinEntry'),
};

/** Locks and reads the newest matching entry that has not expired. */
export async function lockEntry(tx: Transaction, where: Condition, now: Date): Promise<BinEntry | undefined> {
  const statement = sql`
    SELECT ${columnsSql('BinEntry')} FROM bin_entries AS record
    WHERE ${visibleRowSql(tx, 'BinEntry', { ...where, expiresAt: { gt: now } })}
    ORDER BY record.deleted_at DESC, record.id DESC LIMIT 1 FOR UPDATE`;
  const [entry] = await tx.run<BinEntry>(named('bin_entries.lock', statement));
  return entry;
}
