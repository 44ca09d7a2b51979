import * as z from 'zod';
import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { columnsSql, type RowOf } from '../../db/sql/columns.js';
import { visibleRowSql } from '../../db/sql/conditions.js';
import type { Condition } from '../../db/sql/query.js';
import { sql } from '../../db/sql/sql.js';
import { entityKinds } from '../../domain/events.js';
import { limits } from '../../domain/rules.js';
import { declareList } from '../declare/declare.js';
import { computed, inGraphql, inNeither } from '../declare/fields.js';
import { link } from '../declare/linked-fields.js';

const kindsRule = z
  .array(z.int32().min(1).max(entityKinds.size))
  .max(limits.entries, `must have at most ${limits.entries} entries`)
  .nullish();

/** Unexpired entries of the bin: deleted records. */
export const binEntries = declareList('BinEntry', {
  listName: 'bin',
  fields: {
    id: inGraphql(),
    typeId: inNeither(),
    kind: computed(
      'RecordKind!',
      ['typeId'],
      'The kind of the deleted record.',
      ({ typeId }: RowOf<'BinEntry'>) => typeId,
    ),
    recordId: inGraphql(undefined, { type: 'ID' }),
    name: inGraphql(),
    deletedAt: inGraphql(),
    expiresAt: inGraphql(),
    deletedById: inNeither(),
    deletedBy: link('deletedById', 'The user who deleted it. Null if that user no longer exists.', {
      hasNone: false,
    }),
    teamId: inNeither(undefined, { to: 'team' }),
    team: link('teamId', 'The workspace that it was in. Null if the workspace no longer exists.'),
  },
  filter: {
    term: { in: ['name'], description: 'Part of the name, ignoring case.' },
    kinds: {
      type: '[RecordKind]',
      description: 'Records of these kinds.',
      rule: kindsRule,
      where: (kinds) => ({ typeId: { in: kinds } }),
    },
    recordId: 'The deleted record with this id.',
    teamId: 'Records that were in this workspace.',
    deletedById: 'Records deleted by this user.',
  },
  only: ({ now }) => ({ expiresAt: { gt: now } }),
  sortable: ['id', 'name', 'deletedAt', 'expiresAt'],
  order: { field: 'deletedAt', direction: 'desc' },
  indexed: ['deletedAt'],
  ranges: ['expiresAt'],
});

/** Locks and reads the newest matching entry that has not expired. */
export async function lockEntry(
  tx: Transaction,
  where: Condition,
  now: Date,
): Promise<RowOf<'BinEntry'> | undefined> {
  const statement = sql`
    SELECT ${columnsSql('BinEntry')} FROM bin_entries AS record
    WHERE ${visibleRowSql(tx, 'BinEntry', { ...where, expiresAt: { gt: now } })}
    ORDER BY record.deleted_at DESC, record.id DESC LIMIT 1 FOR UPDATE`;
  const [entry] = await tx.run<RowOf<'BinEntry'>>(named('bin_entries.lock', statement));
  return entry;
}
