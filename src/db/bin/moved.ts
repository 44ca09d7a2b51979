import type { ModelName } from '../../domain/models.js';
import { modelColumns } from '../sql/columns.js';
import type { Condition } from '../sql/query.js';

type Model = ModelName;

/** A foreign key: a field that holds the id of another model's row. */
export interface ForeignKey {
  readonly model: Model;
  readonly field: string;
  readonly to: Model;
  readonly onDelete: 'Cascade' | 'Restrict' | 'SetNull';
  /** True if the field may be null. */
  readonly isOptional: boolean;
}

/** All foreign keys of the models. A test compares them with the database's. */
export const allForeignKeys: readonly ForeignKey[] = Object.entries(modelColumns).flatMap(
  ([model, columns]) =>
    Object.entries(columns).flatMap(([field, { to, onDelete, nullable = false }]) =>
      to && onDelete ? [{ model: model as Model, field, to, onDelete, isOptional: nullable }] : [],
    ),
);

/**
 * Rows that a separate statement deletes together with a record. A foreign key would block the deletion
 * otherwise.
 */
export interface Alongside {
  readonly model: Model;
  /** Their field with the record's id. */
  readonly field: string;
  readonly where: Condition;
}

/** Rows that a deletion affects. */
export interface MovedRows {
  readonly model: Model;
  /**
   * Foreign keys that lead from the record to the rows, nearest first. The path of the record itself is
   * empty.
   */
  readonly path: readonly Pick<ForeignKey, 'model' | 'field'>[];
  readonly where?: Condition;
  /** Field that is set to null while its row stays. Rows without such a field are deleted. */
  readonly pointer?: string;
  /** True for rows that would be deleted, but are reassigned to the bin entry instead. */
  readonly isKept?: boolean;
}

/** Models whose rows stay in their table while in the bin. They have a foreign key to the entry. */
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
 * Lists the rows that a deletion affects. They are the records, the rows deleted with them, and the rows that
 * refer to them. The list follows from the foreign keys, so it includes new tables automatically.
 * @returns the deleted ones first, each after the row that it belongs to
 */
export function movedRows(model: Model, alongside: readonly Alongside[] = []): readonly MovedRows[] {
  const all: MovedRows[] = [
    ...walk(model, []),
    ...alongside.map(({ where, ...key }) => ({ model: key.model, path: [key], where })),
  ];
  return [...all.filter(({ pointer }) => !pointer), ...all.filter(({ pointer }) => pointer)];
}
