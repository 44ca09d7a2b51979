import { type Sql, sql } from './sql.js';

/**
 * Returns SQL that compares two e-mail addresses as identities. Only the case of ASCII letters is ignored:
 * PostgreSQL folds more, so that the Kelvin sign would be a `k`, and another mailbox be taken for somebody's.
 * The first comparison is the one that an index has.
 */
export const sameAddressSql = (one: Sql, other: Sql): Sql => sql`
  (lower(${one}) = lower(${other}) AND lower(${one} COLLATE "C") = lower(${other} COLLATE "C"))`;
