import type { ModelColumn } from '../../db/sql/columns.js';
import type { RecordKind } from '../../db/sql/models.js';
import { kindOf } from '../../domain/models.js';
import { noPointer } from '../lists/links.js';
import { linkedNames } from '../lists/order.js';
import type { NoLink } from '../lists/readable.js';
import type { Reference } from '../resource.js';
import type { ColumnField, Field, LinkField } from './fields.js';

type Columns = Readonly<Record<string, ModelColumn>>;

type Fields = Readonly<Record<string, Field>>;

/** Returns the kind of records that a column names. */
export function kindNamed(field: ColumnField, column: ModelColumn): RecordKind | undefined {
  return field.to ?? (column.to && (kindOf(column.to) as RecordKind));
}

/** Derives sort keys and "has none" filters from the links of a resource. */
export function fromLinks(fields: Fields, columns: Columns, hasNone: Readonly<Record<string, NoLink>>) {
  const all = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'link' ? [[name, field] as const] : [],
  );
  const kindOf = ({ column }: LinkField) =>
    kindNamed(fields[column] as ColumnField, columns[column] as ModelColumn) as RecordKind;
  const ordered = all.filter(([, { ordered = true }]) => ordered);
  const optional = all.filter(([, link]) => columns[link.column]?.nullable && link.hasNone !== false);
  const word = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const links = {
    ...Object.fromEntries(optional.map(([name, { column }]) => [word(name), noPointer(column)])),
    ...hasNone,
  };
  return {
    ...(ordered.length > 0 && {
      orderKeys: linkedNames(
        Object.fromEntries(ordered.map(([name, link]) => [name, [link.column, kindOf(link)] as const])),
      ),
    }),
    ...(Object.keys(links).length > 0 && { links }),
  };
}

/** Lists the written columns that name other records, with their places in an input. */
export function referencesOf(fields: Fields, columns: Columns): Reference[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const column = columns[name];
    if (field.kind !== 'column' || !field.rule || !column || name === 'teamId') return [];
    const to = kindNamed(field, column);
    if (!to) return [];
    const [link] =
      Object.entries(fields).find(
        ([, other]) => other.kind === 'link' && other.written && other.column === name,
      ) ?? [];
    return [{ field: name, to, path: link ? [link, 'id'] : [name] }];
  });
}
