import type { GraphQLSchema } from 'graphql';
import { isUuid } from '../../domain/rules.js';
import type { ListKind } from '../../imports/options.js';
import type { Declared } from '../../records/declare/declare.js';
import type { Resource } from '../../records/resource.js';
import {
  type ImportTarget,
  listsByImport,
  type Mapping,
  mapHeaders,
  resourceOf,
  targetOf,
} from '../import/headers/mapping.js';
import { checkHeaders, type FileRow, recordsIn } from '../import/read-file.js';
import type { WorkspaceArchive } from './archive-reader.js';
import type { ImportedKind } from './import-ids.js';
import { listPath } from './manifest.js';
import { refuseZip } from './zip-directory.js';

/** Kinds of records in the order of their import. Each comes after those that its rows name. */
export const importOrder = [
  'TYPES',
  'LOCATIONS',
  'CONTACTS',
  'COMPANIES',
  'VEHICLES',
  'ITEMS',
] as const satisfies readonly ListKind[];

/** The most records of an imported workspace. Their ids are in memory. */
export const mostRecords = 500_000;

/** A row of a list in an archive. */
export interface ArchivedRow extends FileRow {
  /** Id of the record in the archive, in lower case. */
  readonly id: string;
}

/** A list in an archive. Its rows are parsed as they are read, and can be read several times. */
export interface ArchivedList {
  readonly kind: ListKind;
  /** Name of the list, as exports have it. */
  readonly name: string;
  readonly of: ImportedKind;
  readonly resource: Resource & Declared;
  readonly target: ImportTarget;
  readonly headers: readonly string[];
  readonly mapping: Mapping;
  readonly rows: AsyncIterable<ArchivedRow>;
}

/** Checks that bytes are UTF-8. @throws GatewayError BAD_REQUEST */
async function* utf8(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of bytes) {
    try {
      decoder.decode(piece, { stream: true });
    } catch {
      throw refuseZip(`${name} is not in UTF-8`);
    }
    yield piece;
  }
}

/** Reads the rows of a CSV file in an archive, its header first. */
export const archivedRows = (archive: WorkspaceArchive, path: string): AsyncGenerator<FileRow> =>
  recordsIn(utf8(path, archive.read(path)), ',');

async function* withIds(
  archive: WorkspaceArchive,
  path: string,
  headers: readonly string[],
): AsyncGenerator<ArchivedRow> {
  const at = headers.indexOf('id');
  let isHead = true;
  for await (const row of archivedRows(archive, path)) {
    if (isHead) {
      isHead = false;
      continue;
    }
    const id = row.cells[at]?.trim().toLowerCase() ?? '';
    if (!isUuid(id)) throw refuseZip(`line ${row.line} of ${path} has no id`);
    yield { ...row, id };
  }
}

/** Opens a list of an archive. Returns undefined if the archive lacks it. @throws GatewayError BAD_REQUEST */
export async function openList(
  schema: GraphQLSchema,
  archive: WorkspaceArchive,
  kind: ListKind,
): Promise<ArchivedList | undefined> {
  const name = listsByImport[kind];
  const path = listPath(name);
  if (!archive.find(path)) return undefined;
  const target = targetOf(schema, kind);
  const resource = resourceOf(target);
  for await (const head of archivedRows(archive, path)) {
    checkHeaders(head);
    const headers = head.cells;
    const mapping = mapHeaders(schema, target, { headers }, { mapping: [] }, true);
    // Every record comes into the chosen workspace.
    const columns = mapping.columns.map((column) => (column === 'team_id' ? undefined : column));
    if (!columns.includes('id')) throw refuseZip(`${path} has no column with ids`);
    return {
      ...{ kind, name, of: resource.kind as ImportedKind, resource, target, headers },
      mapping: { ...mapping, columns },
      rows: { [Symbol.asyncIterator]: () => withIds(archive, path, headers) },
    };
  }
  throw refuseZip(`${path} has no header`);
}
