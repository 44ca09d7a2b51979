import { foreignKeys } from '../../generated/foreign-keys.js';
import type { Prisma } from '../../generated/prisma/client.js';
import type { Condition } from '../sql/query.js';

type Model = Prisma.ModelName;

/** A foreign key: a field that holds the id of another model's row. */
export interface ForeignKey {
  readonly model: Model;
  readonly field: string;
  readonly to: Model;
  readonly onDelete: 'Cascade' | 'Restrict' | 'SetNull';
  /** Whether a row can be without it. */
  readonly isOptional: boolean;
}

/** All foreign keys of the models. A test compares them with the database's. */
export const allForeignKeys: readonly ForeignKey[] = foreignKeys;

/** Rows that are deleted with a record by a statement of their own. A foreign key would keep it otherwise. */
export interface Alongside {
  readonly model: Model;
  /** Field of theirs with the record's id. */
  readonly field: string;
  readonly where: Condition;
}

/** Rows that a deletion concerns. */
export interface MovedRows {
  readonly model: Model;
  /** Foreign keys that lead from the record to the rows, the nearest first. The record itself needs none. */
  readonly path: readonly Pick<ForeignKey, 'model' | 'field'>[];
  readonly where?: Condition;
  /** Field that loses its value. Its rows stay; those without are deleted. */
  readonly pointer?: string;
  /** True for rows that would be deleted, and become the bin entry's instead. */
  readonly isKept?: boolean;
}

/** Models whose rows stay in their table in the bin. A foreign key of theirs leads to the entry. */
const keptModels: ReadonlySet<Model> = new Set(
  allForeignKeys.filter(({ to, model }) => to === 'BinEntry' && model !== 'BinRow').map(({ model }) => model),
);

function walk(model: Model, path: MovedRows['path']): MovedRows[] {
  const below = allForeignKeys
    .filter(({ to }) => to === model)
    .flatMap((key): MovedRows[] => {
      const further = [...path, key];
      const left = { model: key.model, path: further, pointer: key.field };
      if (key.onDelete === 'SetNull') return [left];
      if (key.onDelete !== 'Cascade') return [];
      return keptModels.has(key.model) ? [{ ...left, isKept: true }] : walk(key.model, further);
    });
  return [{ model, path }, ...below];
}

/**
 * Lists the rows that a deletion concerns. They are the records, what goes with them, and what points
 * at them. It follows from the foreign keys, so a new table is among them by itself.
 * @returns those that are deleted first, each after what it belongs to
 */
export function movedRows(model: Model, alongside: readonly Alongside[] = []): readonly MovedRows[] {
  const all: MovedRows[] = [
    ...walk(model, []),
    ...alongside.map(({ where, ...key }) => ({ model: key.model, path: [key], where })),
  ];
  return [...all.filter(({ pointer }) => !pointer), ...all.filter(({ pointer }) => pointer)];
}
