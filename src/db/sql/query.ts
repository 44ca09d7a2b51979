import type { Sql } from './sql.js';

export interface Identified {
  readonly id: string;
}

/** A condition in the form of a Prisma `where`, for any model. */
export type Condition = Record<string, unknown>;

/** A query for a part of an ordered list, like the arguments of Prisma's `findMany`. */
export interface ListQuery {
  readonly where: Condition;
  /** Keyset ranges after the cursor. They do not overlap, and an index can find the start of each. */
  readonly ranges?: readonly Condition[];
  readonly orderBy: Condition[];
  /** Query to read from instead of the table. It adds the order's computed columns. */
  readonly from?: Sql | undefined;
  readonly skip?: number;
  readonly take: number;
  /** True if an index has exactly the matching rows, in their order. */
  readonly isIndexed?: boolean;
}
