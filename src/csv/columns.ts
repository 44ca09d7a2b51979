import { stringify } from 'csv-stringify/sync';
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isObjectType,
} from 'graphql';
import type { Session } from '../db/connection/session.js';
import type { ExportKind } from '../domain/doors/paths.js';
import { formatNoticeRule, type NoticeRule } from '../domain/notice.js';
import { maxPageSize } from '../domain/paging.js';
import { isConnection } from '../graphql/define/connection.js';
import type { HolderKind } from '../items/holders.js';
import { customFieldNames } from '../records/lists/filter.js';
import type { ListedResource } from '../records/resource.js';
import { exportedList, modelOf } from '../rest/routes.js';
import { fieldName } from '../web/parameters.js';
import { holderSelection, holderText } from './holder-cells.js';

/** A row of a list as GraphQL returns it. */
export type Shown = Readonly<Record<string, unknown>>;

/** A column of a file. */
interface CsvColumn {
  /** The member's name in the REST contract. */
  readonly name: string;
  /** The fields to ask GraphQL for. */
  readonly selection: string;
  /** Returns the text of a row's cell. */
  readonly read: (row: Shown) => string;
  /** Set if the cell has a list, which GraphQL shows in pages. */
  readonly paged?: PagedList;
}

/** A list in a cell. Its first page is read with the row, and others after it. */
export interface PagedList {
  /** Name of the field. */
  readonly field: string;
  /** Selects the entries of a page. */
  readonly entries: string;
}

const pagedList = (field: string, fields: string): PagedList => ({
  field,
  entries: `{ nodes { ${fields} } pageInfo { hasNextPage endCursor } }`,
});

const firstPage = ({ field, entries }: PagedList): string => `${field}(first: ${maxPageSize}) ${entries}`;

/** The columns of a file. */
export interface CsvColumns {
  readonly columns: readonly CsvColumn[];
  /** True if the rows have custom fields, each of which becomes a column. */
  readonly hasCustomFields: boolean;
}

/** Separator of the entries of a list in a cell. */
export const listSeparator = '; ';

/** Writes a value as the text of a cell. An object is its JSON. */
function cellOf(value: unknown): string {
  if (value == null) return '';
  if (Array.isArray(value)) return value.map(cellOf).join(listSeparator);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A member whose value is one record or several, as cells show it. */
interface Nested {
  readonly fields: string;
  readonly show: (entry: Shown) => string;
}

/** Shows a name in a list. A name that looks like several is replaced by the id, which is unambiguous. */
const byKey = (key: string): Nested => ({
  fields: `id ${key}`,
  show: (entry) => {
    const text = cellOf(entry[key]).trim();
    return text === '' || text.includes(';') ? cellOf(entry.id) : text;
  },
});

/** Members that are shown by a field of their records. */
const nested: Readonly<Record<string, Nested>> = {
  assigned_to: byKey('email'),
  attachments: byKey('name'),
  contacts: byKey('email'),
  locations: byKey('name'),
  tags: byKey('name'),
  user: { fields: 'name', show: ({ name }) => cellOf(name) },
  custom_fields: { fields: 'name', show: ({ name }) => cellOf(name).replaceAll(';', ',') },
  related_entities: { fields: 'id typeId', show: ({ id, typeId }) => `${typeId}:${id}` },
};

const byId: Nested = { fields: 'id', show: ({ id }) => cellOf(id) };

/** Members of a workspace's export. It names records by id, because names need not be unique. */
const nestedById: Readonly<Record<string, Nested>> = { ...nested, contacts: byId, locations: byId };

/** Members that have no column, because another column shows the same. */
const shownElsewhere = new Set(['category']);

const heldBy = pagedList('holders', holderSelection);

/** Makes the column of an item's holders. */
const holdersColumn = (show: (kind: HolderKind, holder: Shown) => string): CsvColumn => ({
  name: 'holders',
  selection: firstPage(heldBy),
  paged: heldBy,
  read: ({ holders }) =>
    ((holders as Shown).nodes as readonly Shown[])
      .map((holder) => show(cellOf(holder.__typename).toLowerCase() as HolderKind, holder))
      .join(listSeparator),
});

/** Columns of a workspace's export that differ from those of a list. */
const byIds: Readonly<Record<string, CsvColumn>> = {
  holders: holdersColumn((kind, { id }) => holderText(kind, { id })),
};

/** A document type of a requirement, whose ids have a column of their own. */
const categoryName = byKey('name');

/** Columns of a file beyond the members of its model. */
const added: Partial<Record<ExportKind, readonly CsvColumn[]>> = {
  items: [
    {
      name: 'notice_date',
      selection: 'noticeDate',
      read: ({ noticeDate }) => cellOf(noticeDate),
    },
    {
      name: 'notice_rule',
      selection: 'noticeRule { unit count before }',
      read: ({ noticeRule }) => (noticeRule ? formatNoticeRule(noticeRule as NoticeRule) : ''),
    },
    { name: 'renew_until', selection: 'renewUntil', read: ({ renewUntil }) => cellOf(renewUntil) },
    { name: 'renewals_left', selection: 'renewalsLeft', read: ({ renewalsLeft }) => cellOf(renewalsLeft) },
    holdersColumn(holderText),
  ],
  renewals: [
    {
      name: 'expiration_item_id',
      selection: 'expirationItem { id name }',
      read: ({ expirationItem }) => cellOf((expirationItem as Shown | null)?.id),
    },
    {
      name: 'expiration_item_name',
      selection: '',
      read: ({ expirationItem }) => cellOf((expirationItem as Shown | null)?.name),
    },
  ],
  requirements: [
    {
      name: 'category_names',
      selection: `categories { ${categoryName.fields} }`,
      read: ({ categories }) => (categories as readonly Shown[]).map(categoryName.show).join(listSeparator),
    },
  ],
};

function leafColumn(name: string, { name: field, type }: GraphQLField<unknown, unknown>): CsvColumn {
  // The contract writes the words of an enum in lower case.
  const isWord = isEnumType(getNamedType(type));
  return {
    name,
    selection: field,
    read: ({ [field]: value }) => (isWord ? cellOf(value).toLowerCase() : cellOf(value)),
  };
}

function nestedColumn(
  name: string,
  { name: field, type }: GraphQLField<unknown, unknown>,
  known: Nested | undefined,
): CsvColumn {
  if (!known) throw new Error(`No cell shows ${name}.`);
  const { fields, show } = known;
  const paged = isConnection(getNullableType(type)) ? pagedList(field, fields) : undefined;
  return {
    name,
    selection: paged ? firstPage(paged) : `${field} { ${fields} }`,
    ...(paged && { paged }),
    read(row) {
      const value = paged ? (row[field] as Shown | null)?.nodes : row[field];
      const entries = [value ?? []].flat() as Shown[];
      return entries.map(show).join(listSeparator);
    },
  };
}

/**
 * Derives the columns of a file from the model that REST shows.
 * @param withIds true if lists show contacts and locations by their ids
 */
export function columnsOf(schema: GraphQLSchema, kind: ExportKind, withIds = false): CsvColumns {
  const { type, members } = modelOf(exportedList(kind).model);
  const shown = schema.getType(type) as GraphQLObjectType;
  const fieldOf = (member: string) => shown.getFields()[fieldName(member)] as GraphQLField<unknown, unknown>;
  const isCustom = (member: string) =>
    member === 'custom_fields' && getNamedType(fieldOf(member).type).name === 'CustomField';
  const columns = members
    .filter((member) => !shownElsewhere.has(member) && !isCustom(member))
    .map((member) => {
      const field = fieldOf(member);
      if (isLeafType(getNamedType(field.type))) return leafColumn(member, field);
      return nestedColumn(member, field, (withIds ? nestedById : nested)[member]);
    });
  return {
    columns: [
      ...columns,
      ...(added[kind] ?? []).map((column) => (withIds ? (byIds[column.name] ?? column) : column)),
    ],
    hasCustomFields: isObjectType(shown) && members.some(isCustom),
  };
}

/** Prefix of a column with the values of a custom field. */
export const customPrefix = 'custom:';

/** A column of a file that depends on the rows of its list. */
export interface FurtherColumn {
  readonly head: string;
  /** Returns the text of a row's cell. */
  readonly read: (row: Shown) => string;
}

/** Columns of a file that depend on the rows of its list. */
export interface FurtherColumns {
  /** The fields to ask GraphQL for. */
  readonly selection: string;
  /**
   * Finds the columns that a list needs.
   * @param filter the list's filter, as its query takes it
   * @param most the most columns to find
   */
  find(session: Session, filter: object, most: number): Promise<readonly FurtherColumn[]>;
  /** Says that there are more. */
  readonly tooMany: string;
}

/** Returns the columns with custom fields. Of several fields with a name, a cell shows the first. */
export const customColumns = (resource: ListedResource): FurtherColumns => ({
  selection: 'customFields { name value }',
  find: async (session, filter, most) => {
    const names = await customFieldNames(session, resource, filter, most);
    return names.map((name) => ({
      head: `${customPrefix}${name}`,
      read: ({ customFields }) =>
        cellOf((customFields as readonly Shown[]).find((field) => field.name === name)?.value),
    }));
  },
  tooMany: 'custom fields',
});

/** Mark at the start of a file, by which spreadsheets recognize UTF-8. */
export const byteOrderMark = '\ufeff';

/** Characters with which a formula starts, also in their full width (OWASP, CSV injection). */
const formula = '[=+\\-@\\t\\r\\n\\uff0b\\uff0d\\uff1d\\uff20]';

const needsGuard = new RegExp(`^(?='*${formula})`);
const guard = new RegExp(`^'(?='*${formula})`);

/** Puts an apostrophe before what a spreadsheet would take for a formula. */
export const guarded = (text: string): string => text.replace(needsGuard, "'");

/** Removes the apostrophes that `guarded` has put before a text so many times. */
export function unguarded(text: string, times = 1): string {
  let bare = text;
  for (let time = 0; time < times; time += 1) bare = bare.replace(guard, '');
  return bare;
}

/** Headers of the columns that a result file has behind those of the imported file. */
export const resultHeaders = ['_result', '_id', '_error'] as const;

/** Returns whether headers are those of a result file. */
export const isResultFile = (headers: readonly string[]): boolean =>
  resultHeaders.every((name, at) => headers.at(at - resultHeaders.length) === name);

/** Writes records as CSV (RFC 4180), with CRLF at the end of each. */
export function writeCsv(records: readonly (readonly string[])[]): string {
  return stringify(records as string[][], {
    record_delimiter: 'windows',
    // A lone line break, or the separator of another country's spreadsheets, would split the cell.
    quoted_match: /[\r\n\t;]/,
  });
}
