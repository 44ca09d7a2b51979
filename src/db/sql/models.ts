import { byKind, type ModelName, type ModelRow, models, type RecordKind } from '../../domain/models.js';
import { Prisma } from '../../generated/prisma/client.js';

export type { RecordKind } from '../../domain/models.js';

/** Table of models by Prisma's names. It does not compile if a model of the schema is missing. */
export const modelInfo: Readonly<Record<Prisma.ModelName, ModelRow>> = models;

// It does not compile either if the table has a row without a model.
Prisma.ModelName satisfies Record<ModelName, string>;

/** Table names by record kind. */
export const tables = byKind<RecordKind, string>(({ noun, table }) => (noun ? table : undefined));

/** Kinds of records, in order of precedence. If two records have the same id, the first kind wins. */
export const recordKinds = Object.keys(tables) as RecordKind[];

/** Public names of the record kinds. */
export const recordNames = byKind<RecordKind, string>(({ noun }) => noun);

/** Returns the Prisma model of a record kind, which is also its GraphQL type. */
export function modelName<Kind extends RecordKind>(kind: Kind): Capitalize<Kind> & Prisma.ModelName {
  // The compiler understands `Capitalize`, but not the code that does it.
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}` as Capitalize<Kind> & Prisma.ModelName;
}
