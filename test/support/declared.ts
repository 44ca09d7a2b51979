import type { RecordKind } from '../../src/domain/models.js';
import { type Declared, kindNamed } from '../../src/records/declare/declare.js';
import type { ColumnField } from '../../src/records/declare/fields.js';

/** Two values of a type, of which the first comes before the second. A text has the column's name. */
const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
  Boolean: [false, true],
  Float: [-0.5, 19_999.99],
  Int: [-2_147_483_648, 2_147_483_647],
  UUID: ['11111111-1111-4111-8111-111111111111', '21111111-1111-4111-8111-111111111111'],
};

/** A plain column: it points at nothing, and callers write it. */
interface Plain {
  readonly name: string;
  readonly of: string;
  readonly values: readonly [unknown, unknown];
  /** What it is when a record is created without it. */
  readonly standard: unknown;
  readonly door: ColumnField['door'];
}

/** Lists the plain columns that a resource declares, with values to write into them. */
export function plainColumns({ fields, columns }: Declared): Plain[] {
  return Object.entries(fields).flatMap(([name, field]): Plain[] => {
    const column = columns[name];
    if (field.kind !== 'column' || !column || !field.rule) return [];
    const to: RecordKind | undefined = kindNamed(field, column);
    const values = column.type === 'String' ? ([`${name} 1`, `${name} 2`] as const) : pairs[column.type];
    if (to || !values) return [];
    return [
      { name, of: column.type, values, standard: field.rule.safeParse(undefined).data, door: field.door },
    ];
  });
}
