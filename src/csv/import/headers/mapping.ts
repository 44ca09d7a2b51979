import { type GraphQLInputObjectType, type GraphQLSchema, getNamedType } from 'graphql';
import { badField } from '../../../domain/errors.js';
import { resources } from '../../../graphql/resources.js';
import type { ImportOptions, ListKind } from '../../../imports/options.js';
import type { Declared } from '../../../records/declare/declare.js';
import type { Resource } from '../../../records/resource.js';
import { contractInput } from '../../../rest/body.js';
import type { ExportKind } from '../../../rest/exports.js';
import { exportedList } from '../../../rest/exports.js';
import { modelOf } from '../../../rest/routes.js';
import { fieldName } from '../../../web/parameters.js';
import { isResultFile, resultHeaders, unguarded } from '../../cells.js';
import { columnsOf, customPrefix } from '../../columns.js';
import type { FileTable } from '../read-file.js';
import { type PeerFile, peerFileOf } from './peers.js';
import { foldHeader, synonyms } from './synonyms.js';

/** The exported lists that have the kinds of imported records. */
export const listsByImport = {
  ITEMS: 'items',
  CONTACTS: 'contacts',
  VEHICLES: 'vehicles',
  LOCATIONS: 'locations',
  COMPANIES: 'companies',
  TYPES: 'types',
} as const satisfies Record<ListKind, ExportKind>;

/** Columns that stand for something else than a member of the record. */
const further: Partial<Record<ListKind, readonly string[]>> = {
  ITEMS: ['contact_email'],
  LOCATIONS: ['path'],
};

/** A kind of records that can be imported. */
export interface ImportTarget {
  readonly kind: ListKind;
  /** Name of the records' type in GraphQL. */
  readonly type: string;
  readonly createInput: GraphQLInputObjectType;
  readonly updateInput: GraphQLInputObjectType;
  /** Columns whose cells are written. */
  readonly columns: ReadonlySet<string>;
  /** Columns that an export has and that nobody writes. */
  readonly shown: ReadonlySet<string>;
  readonly hasCustomFields: boolean;
}

/** Finds the resource of the records that an import writes. */
export const resourceOf = ({ type }: ImportTarget): Resource & Declared =>
  // The declared resources differ in their columns, which only their own declarations use.
  resources.find(({ model }) => model === type) as never as Resource & Declared;

/** Describes a kind of records that can be imported. */
export function targetOf(schema: GraphQLSchema, kind: ListKind): ImportTarget {
  const list = listsByImport[kind];
  const { type } = modelOf(exportedList(list).model);
  const input = (verb: string) =>
    contractInput(schema.getType(`${verb}${type}Input`) as GraphQLInputObjectType) as GraphQLInputObjectType;
  const createInput = input('Create');
  const { columns, hasCustomFields } = columnsOf(schema, list);
  const names = columns.map(({ name }) => name);
  // The bytes of files are in no cell.
  const isTaken = (name: string) => name !== 'attachments' && fieldName(name) in createInput.getFields();
  return {
    kind,
    type,
    createInput,
    updateInput: input('Update'),
    columns: new Set([...names.filter(isTaken), ...(further[kind] ?? [])]),
    shown: new Set(names.filter((name) => !isTaken(name))),
    hasCustomFields,
  };
}

/** Returns the name of the GraphQL type of a column's values. */
export const typeOfColumn = ({ createInput }: ImportTarget, column: string): string | undefined => {
  const field = createInput.getFields()[fieldName(column)];
  return field && getNamedType(field.type).name;
};

/** A file's columns. */
export interface Mapping {
  /** The columns of a row's cells; undefined for what is not imported. */
  readonly columns: readonly (string | undefined)[];
  /** Number of times that the cells were guarded, by an export and a result file. */
  readonly guards: number;
  /** Set if another program exported the file. */
  readonly peer: PeerFile | undefined;
}

/** Returns whether headers are those of an exported file, whose custom fields come last. */
function isExported(schema: GraphQLSchema, kind: ListKind, headers: readonly string[]): boolean {
  const own = columnsOf(schema, listsByImport[kind]).columns.map(({ name }) => name);
  return (
    own.every((name, at) => headers[at] === name) &&
    headers.slice(own.length).every((name) => unguarded(name).startsWith(customPrefix))
  );
}

/**
 * Finds the columns of a file by its headers.
 * @param isExport true if it was exported here, if its headers need not tell
 * @throws GatewayError BAD_REQUEST for a mapping to an unknown column, or two headers of one column
 */
export function mapHeaders(
  schema: GraphQLSchema,
  target: ImportTarget,
  { headers }: Pick<FileTable, 'headers'>,
  { mapping }: Pick<ImportOptions, 'mapping'>,
  isExport?: boolean,
): Mapping {
  const known = new Map<string, string>();
  const isResult = isResultFile(headers);
  const before = isResult
    ? headers.slice(0, -resultHeaders.length).map((header) => unguarded(header))
    : headers;
  const isOurs = isExport ?? isExported(schema, target.kind, before);
  const columns = [...target.columns, ...target.shown];
  for (const column of columns)
    for (const word of synonyms[column] ?? []) known.set(foldHeader(word), column);
  for (const column of columns) known.set(foldHeader(column), column);
  const chosen = new Map(mapping.map(({ header, column }) => [foldHeader(header), column]));
  const peer = isOurs ? undefined : peerFileOf(target.kind, before);
  const found = headers.map((written, at) => {
    const sent = before[at] ?? written;
    const header = isOurs ? unguarded(sent) : sent;
    const wanted = chosen.get(foldHeader(header));
    if (wanted === null || wanted === '') return undefined;
    const name = wanted ?? (peer ? (peer.columns[at] ?? '') : header);
    const custom = /^custom:(.+)$/is.exec(isOurs ? name : name.trim())?.[1];
    if (custom !== undefined)
      return target.hasCustomFields ? `${customPrefix}${isOurs ? custom : custom.trim()}` : undefined;
    const column = known.get(foldHeader(name));
    if (wanted != null && !column)
      throw badField(['mapping'], `names the unknown column ${JSON.stringify(wanted)}`);
    return column;
  });
  // The ids of a result are those of the file, where it has them.
  const own = found.slice(0, before.length);
  for (let at = before.length; at < found.length; at += 1) if (own.includes(found[at])) found[at] = undefined;
  const twice = found.find((column, at) => column !== undefined && found.indexOf(column) !== at);
  if (twice !== undefined)
    throw badField(['mapping'], `has two headers for ${twice}: map one of them to an empty column`);
  return {
    columns: found.map((column) => (column && target.shown.has(column) ? undefined : column)),
    guards: Number(isResult) + Number(isOurs),
    peer,
  };
}
