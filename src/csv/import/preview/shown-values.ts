import type { Session } from '../../../db/connection/session.js';
import type { Transaction } from '../../../db/connection/transaction.js';
import type { RecordKind } from '../../../db/sql/models.js';
import { formatDate } from '../../../domain/dates.js';
import { load } from '../../../records/loaders.js';
import { newNamesIn } from '../../../records/named/named-new.js';
import type { Resource } from '../../../records/resource.js';
import { fieldName } from '../../../web/parameters.js';
import { customPrefix, listSeparator } from '../../columns.js';
import type { StoredField } from '../compare.js';

/** Values of a record, by field. */
export type Values = Readonly<Record<string, unknown>>;

/** A column of links: the field of their ids, their kind, and their key. */
interface LinkColumn {
  readonly field: string;
  readonly to: RecordKind;
  readonly key: string;
}

/** Columns that name linked records by a key. All other columns of links have ids. */
const namedLinks: Readonly<Record<string, LinkColumn>> = {
  assigned_to: { field: 'assignedToId', to: 'user', key: 'email' },
  category_name: { field: 'categoryId', to: 'category', key: 'name' },
  contact_email: { field: 'contactIds', to: 'contact', key: 'email' },
  contacts: { field: 'contactIds', to: 'contact', key: 'email' },
  locations: { field: 'locationIds', to: 'location', key: 'name' },
  tags: { field: 'tagIds', to: 'tag', key: 'name' },
};

/** Returns whether the cells of a column name linked records. */
export const isNamedLink = (column: string): boolean => Object.hasOwn(namedLinks, column);

function linkOf({ references }: Pick<Resource, 'references'>, column: string): LinkColumn | undefined {
  if (isNamedLink(column)) return namedLinks[column];
  const found = references.find(({ field }) => field === fieldName(column));
  return found && { ...found, key: 'id' };
}

/** Returns the text of a stored value; null if it is empty. */
function textOf(value: unknown): string | null {
  if (value instanceof Date) return formatDate(value);
  // The fields of a document type.
  if (Array.isArray(value))
    return value.map(({ name }: StoredField) => name ?? '').join(listSeparator) || null;
  return value === null || value === undefined || value === '' ? null : String(value);
}

/**
 * Returns the text of a record in a column; null if it is empty. Links to records that the caller
 * does not see are not shown.
 */
export async function shownValue(
  tx: Transaction,
  session: Session,
  resource: Pick<Resource, 'references'>,
  column: string,
  values: Values,
): Promise<string | null> {
  if (column.startsWith(customPrefix)) {
    const fields = (values.customFields ?? []) as readonly StoredField[];
    return textOf(fields.find(({ name }) => name === column.slice(customPrefix.length))?.value);
  }
  const link = linkOf(resource, column);
  if (!link) return textOf(values[fieldName(column)]);
  const ids = [(values[link.field] ?? []) as string | readonly string[]].flat();
  const entries = await Promise.all(
    ids.map(async (id) => {
      const row = newNamesIn(tx).find(id) ?? (await load(session, link.to, id));
      const text = textOf((row as Values | null)?.[link.key])?.trim();
      return row && (!text || text.includes(';') ? id : text);
    }),
  );
  return textOf(entries.filter((entry) => entry !== null).join(listSeparator));
}
