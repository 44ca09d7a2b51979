import { createHash } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import type { Session } from '../../db/connection/session.js';
import { modelName, recordNames } from '../../db/sql/models.js';
import { readRows } from '../../db/sql/select.js';
import type { RecordKind } from '../../domain/models.js';
import { isUuid } from '../../domain/rules.js';
import type { ListKind } from '../../imports/options.js';
import type { Declared } from '../../records/declare/declare.js';
import type { Resource } from '../../records/resource.js';
import { memberName } from '../../web/parameters.js';
import { listSeparator, unguarded } from '../columns.js';
import { holdersInCell } from '../holder-cells.js';
import { checkHeaders, type FileRow, recordsIn } from '../import/read-file.js';
import {
  entriesIn,
  type ImportTarget,
  listsByImport,
  type Mapping,
  mapHeaders,
  resourceOf,
  targetOf,
  type UsersByEmail,
} from '../import/rows.js';
import { listPath, refuseZip, type WorkspaceArchive } from './archive.js';

/**
 * Returns the id that an imported record gets in its new workspace (UUID version 8). It is always the same one, so that importing again doubles nothing, and no record of another workspace has it. Like the
 * old one, it begins with the time at which the record was made, so that records stay in their order.
 */
export function importedId(teamId: string, id: string): string {
  const bytes = createHash('sha256').update(`${teamId.toLowerCase()} ${id.toLowerCase()}`).digest();
  Buffer.from(id.replaceAll('-', ''), 'hex').copy(bytes, 0, 0, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex', 0, 16);
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

/** The record that a row of an imported workspace is about. */
export interface ImportedRecord {
  readonly id: string;
  /**
   * The place of the record. `new`: it does not exist yet; `here`: it does; `elsewhere`: another workspace of the
   * organization has it, so that it is used and not changed; `refused`: its row cannot be imported.
   */
  readonly state: 'new' | 'here' | 'elsewhere' | 'refused';
}

/** Kinds of records that imported rows are about. */
type ImportedKind = 'category' | 'location' | 'contact' | 'company' | 'vehicle' | 'expirationItem';

/** The records of an imported workspace, by their kinds and their ids there. */
export class ImportedRecords {
  readonly #byKind = new Map<ImportedKind, Map<string, ImportedRecord>>();

  /** Returns the records of a kind, by their ids in the archive. */
  of(kind: ImportedKind): Map<string, ImportedRecord> {
    const known = this.#byKind.get(kind) ?? new Map<string, ImportedRecord>();
    this.#byKind.set(kind, known);
    return known;
  }

  /** Returns the records of a kind, if the archive can have any. */
  ofAny(kind: string): ReadonlyMap<string, ImportedRecord> | undefined {
    return this.#byKind.get(kind as ImportedKind);
  }

  /** The number of records. */
  get count(): number {
    return [...this.#byKind.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Notes that a row cannot be imported, so that others do not name its record. */
  refuse(kind: ImportedKind, id: string): void {
    const target = this.of(kind).get(id);
    if (target) this.of(kind).set(id, { ...target, state: 'refused' });
  }
}

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
export const maxRecords = 500_000;

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

/** A row with the ids that its records have here. */
export interface TranslatedRow {
  /** Id of the record in the archive. */
  readonly id: string;
  readonly target: ImportedRecord;
  readonly row: FileRow;
  /** Records that it names and that the import creates. */
  readonly named: readonly { readonly kind: RecordKind; readonly id: string }[];
  /** Columns in which something was left out, and why. */
  readonly notes: readonly { readonly column: string; readonly message: string }[];
}

/** Columns of items that list records of another kind. */
const listColumns: Readonly<Record<string, RecordKind>> = { contacts: 'contact', locations: 'location' };

/** An entry of a cell that names a record by its id. */
interface LinkedEntry {
  readonly kind: RecordKind;
  readonly text: string;
}

/** Returns the columns whose cells are ids, with the kinds of their records. */
function idColumns({ kind, resource }: ArchivedList): ReadonlyMap<string, RecordKind> {
  const single = resource.references.flatMap(({ field, to, path }): [string, RecordKind][] =>
    path.length === 1 ? [[memberName(field), to]] : [],
  );
  return new Map([...single, ...(kind === 'ITEMS' ? Object.entries(listColumns) : [])]);
}

/** Replaces the ids in an archive's rows by those of their new workspace. */
export class RowTranslator {
  readonly #list: ArchivedList;
  readonly #targets: ImportedRecords;
  readonly #users: UsersByEmail;
  readonly #columns: ReadonlyMap<string, RecordKind>;

  constructor(list: ArchivedList, targets: ImportedRecords, users: UsersByEmail) {
    this.#list = list;
    this.#targets = targets;
    this.#users = users;
    this.#columns = idColumns(list);
  }

  #text(row: ArchivedRow, column: string): string {
    return unguarded(row.cells[this.#list.mapping.columns.indexOf(column)] ?? '').trim();
  }

  /** Returns the columns of a row with linked records, and their entries. */
  #entries(row: ArchivedRow): (readonly [column: string, entries: readonly LinkedEntry[]])[] {
    const usual = [...this.#columns].map(
      ([column, kind]) =>
        [column, entriesIn(this.#text(row, column)).map((text) => ({ kind, text }))] as const,
    );
    if (this.#list.kind !== 'ITEMS') return usual;
    const holders = holdersInCell('holders', this.#text(row, 'holders'));
    return [...usual, ['holders', holders.flatMap(({ kind, text }) => (kind ? [{ kind, text }] : []))]];
  }

  /** Finds out which ids exist that rows name and that the archive does not have. */
  async #existing(session: Session, rows: readonly ArchivedRow[]): Promise<ReadonlySet<string>> {
    const wanted = new Map<RecordKind, Set<string>>();
    for (const { kind, text } of rows.flatMap((row) =>
      this.#entries(row).flatMap(([, entries]) => entries),
    )) {
      const id = text.toLowerCase();
      if (!isUuid(id) || this.#targets.ofAny(kind)?.has(id)) continue;
      const ids = wanted.get(kind) ?? new Set();
      wanted.set(kind, ids.add(id));
    }
    const found = new Set<string>();
    for (const [kind, ids] of wanted) {
      if (ids.size === 0) continue;
      // Records of all kinds have ids.
      const existing = await readRows(session, modelName(kind), { where: { id: { in: [...ids] } } }, [
        'id',
      ] as never);
      for (const { id } of existing as readonly { readonly id: string }[]) found.add(`${kind} ${id}`);
    }
    return found;
  }

  /** Translates rows. Cells that name what exists nowhere are left out. */
  async translate(session: Session, rows: readonly ArchivedRow[]): Promise<TranslatedRow[]> {
    const existing = await this.#existing(session, rows);
    const idOf = (kind: RecordKind, id: string): string | undefined => {
      const target = this.#targets.ofAny(kind)?.get(id);
      if (target) return target.state === 'refused' ? undefined : target.id;
      return existing.has(`${kind} ${id}`) ? id : undefined;
    };
    return rows.map((row) => this.#translateRow(row, idOf));
  }

  #translateRow(row: ArchivedRow, idOf: (kind: RecordKind, id: string) => string | undefined): TranslatedRow {
    const { columns } = this.#list.mapping;
    const target = this.#targets.of(this.#list.of).get(row.id);
    if (!target) throw new Error('A row of an archive changed while it was imported.');
    const cells = [...row.cells];
    const notes: TranslatedRow['notes'][number][] = [];
    const named: TranslatedRow['named'][number][] = [];
    const leftOut = new Set<string>();
    const set = (column: string, text: string) => {
      cells[columns.indexOf(column)] = text;
    };
    set('id', target.id);
    for (const [column, entries] of this.#entries(row)) {
      if (entries.length === 0) continue;
      const idIn = ({ kind, text }: LinkedEntry) => (isUuid(text) ? idOf(kind, text.toLowerCase()) : text);
      const known = entries.flatMap((entry) => {
        const id = idIn(entry);
        return id === undefined ? [] : column === 'holders' ? `${entry.kind}: ${id}` : id;
      });
      const missing = new Set(entries.flatMap((entry) => (idIn(entry) === undefined ? entry.kind : [])));
      for (const kind of missing)
        notes.push({ column, message: `names no ${recordNames[kind]} that exists, and was left out` });
      for (const { kind, text } of entries) {
        const other = this.#targets.ofAny(kind)?.get(text.toLowerCase());
        if (other?.state === 'new') named.push({ kind, id: other.id });
      }
      if (known.length === 0) leftOut.add(column);
      else set(column, known.join(listSeparator));
    }
    const user = this.#text(row, 'assigned_to').toLowerCase();
    if (user !== '' && !isUuid(user) && !this.#users.has(user)) {
      notes.push({ column: 'assigned_to', message: 'names no user that exists, and was left out' });
      leftOut.add('assigned_to');
    }
    return { id: row.id, target, row: { line: row.line, cells, leftOut }, named, notes };
  }
}
