import { byKind, type ModelName, type ModelRow, models, type RecordKind } from '../../domain/models.js';
import { Prisma } from '../../generated/prisma/client.js';

export type { RecordKind } from '../../domain/models.js';

/** The table of models by Prisma's names. It does not compile while a model of the schema lacks its row. */
export const modelInfo: Readonly<Record<Prisma.ModelName, ModelRow>> = models;

// Nor while the table has a row of no model.
Prisma.ModelName satisfies Record<ModelName, string>;

/** Tables of the kinds of records. */
export const tables = byKind<RecordKind, string>(({ noun, table }) => (noun ? table : undefined));

/** Kinds of records. If two records have the same id, the id means the one whose kind comes first. */
export const recordKinds = Object.keys(tables) as RecordKind[];

/** Public names of the kinds of records. */
export const recordNames = byKind<RecordKind, string>(({ noun }) => noun);

/** Name of a kind's model, which is the name of its GraphQL type as well. */
export function modelName<Kind extends RecordKind>(kind: Kind): Capitalize<Kind> & Prisma.ModelName {
  // What the compiler knows of a text's first letter, it does not know of the code that changes it.
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}` as Capitalize<Kind> & Prisma.ModelName;
}
