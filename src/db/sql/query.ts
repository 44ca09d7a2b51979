/** What everything that is read has. */
export interface Identified {
  readonly id: string;
}

/** A Prisma `where`, whatever its model. */
export type Condition = Record<string, unknown>;

/** What a `findMany` needs to read a part of an ordered list. */
export interface ListQuery {
  readonly where: Condition;
  /** The parts of the order that a cursor leaves: no row is in two, and an index can find where each begins. */
  readonly ranges?: readonly Condition[];
  readonly orderBy: Condition[];
  readonly skip?: number;
  readonly take: number;
}
