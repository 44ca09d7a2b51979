import type { ModelColumn } from '../../db/sql/columns.js';
import type { RecordKind } from '../../db/sql/models.js';
import { kindOf } from '../../domain/models.js';
import { canBeHidden, noneJoined, noPointer } from '../lists/links.js';
import { linkedNames } from '../lists/order.js';
import type { NoLink } from '../lists/readable.js';
import type { Reference } from '../resource.js';
import type { ColumnField, Field } from './fields.js';
import type { LinkField, LinksField } from './linked-fields.js';

type Columns = Readonly<Record<string, ModelColumn>>;

type Fields = Readonly<Record<string, Field>>;

/** Returns the kind of records that a column names. */
export function kindNamed(field: ColumnField, column: ModelColumn): RecordKind | undefined {
  return field.to ?? (column.to && (kindOf(column.to) as RecordKind));
}

/** Returns the kind of records that a resource's column names; undefined for none. */
export function kindOfColumn(fields: Fields, columns: Columns, name: string): RecordKind | undefined {
  const [field, column] = [fields[name], columns[name]];
  return column && kindNamed((field ?? {}) as ColumnField, column);
}

/** Lists the columns whose links may be hidden, and that no answer shows. */
export function hiddenLinks(fields: Fields, columns: Columns): [column: string, kind: RecordKind][] {
  return fieldsOf(fields, 'column').flatMap(([name, { door }]) => {
    const kind = door === 'hidden' ? kindOfColumn(fields, columns, name) : undefined;
    return kind && canBeHidden(kind) ? [[name, kind]] : [];
  });
}

/** Returns the name of the ids that a field with several records is written by. */
export const idsOf = ({ join }: LinksField) => `${join.kind}Ids`;

/** Lists the fields of a kind, with their names. */
const fieldsOf = <Kind extends Field['kind']>(fields: Fields, kind: Kind) =>
  Object.entries(fields).filter(
    (entry): entry is [string, Extract<Field, { kind: Kind }>] => entry[1].kind === kind,
  );

/** Derives how the ids of several records are stored, and what events call them. */
export function joinedLists(fields: Fields) {
  const lists = fieldsOf(fields, 'links');
  if (lists.length === 0) return {};
  const named = fieldsOf(fields, 'link').filter(([, { written }]) => written === 'named');
  return {
    lists: Object.fromEntries(lists.map(([, field]) => [idsOf(field), field.join])),
    eventNames: Object.fromEntries([
      ...named.map(([name, { column }]) => [column, name]),
      ...lists.map(([name, field]) => [idsOf(field), name]),
    ]),
  };
}

/** Derives sort keys and "has none" filters from the links of a resource. */
export function fromLinks(fields: Fields, columns: Columns, hasNone: Readonly<Record<string, NoLink>>) {
  const all = fieldsOf(fields, 'link');
  const kindOf = ({ column }: LinkField) => kindOfColumn(fields, columns, column) as RecordKind;
  const ordered = all.filter(([, { ordered = true }]) => ordered);
  const optional = all.filter(([, link]) => columns[link.column]?.nullable && link.hasNone !== false);
  const word = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const links = {
    ...Object.fromEntries(optional.map(([name, link]) => [word(name), noPointer(link.column, kindOf(link))])),
    ...Object.fromEntries(
      fieldsOf(fields, 'links').map(([name, { join }]) => [word(name), noneJoined(join)]),
    ),
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
    const [link, { written } = {}] =
      fieldsOf(fields, 'link').find(([, other]) => other.written && other.column === name) ?? [];
    // What callers may name by its natural key, the resource finds.
    if (!to || written === 'named') return [];
    return [{ field: name, to, path: link ? [link, 'id'] : [name] }];
  });
}
