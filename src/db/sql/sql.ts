import * as runtime from '@prisma/client/runtime/client';

/**
 * Tags of SQL statements with parameters, made by Prisma's runtime. `sql` turns each `${…}` into a parameter,
 * `raw` inserts a text that is not from a caller, `join` lists parts, and `empty` is nothing. Both Prisma and
 * our own statements can send them.
 */
export const { sqltag: sql, join, raw, empty, Sql } = runtime;

/** A piece of SQL with its parameters. */
export type Sql = runtime.Sql;
