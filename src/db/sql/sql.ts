import * as runtime from '@prisma/client/runtime/client';

/**
 * Tags of SQL: `sql` makes a statement whose `${…}` are parameters, `raw` inserts a text that is not from a
 * caller, `join` lists parts, and `empty` is nothing. They are those of Prisma, so both can send a statement.
 */
export const { sqltag: sql, join, raw, empty, Sql } = runtime;

/** A piece of SQL with its parameters. */
export type Sql = runtime.Sql;
