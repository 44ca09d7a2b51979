import type { Session } from '../../db/connection/session.js';
import { modelName, type RecordKind, recordNames } from '../../db/sql/models.js';
import { readRows } from '../../db/sql/select.js';
import { isUuid } from '../../domain/rules.js';
import { memberName } from '../../web/parameters.js';
import { unguarded } from '../cells.js';
import { listSeparator } from '../columns.js';
import { entriesIn } from '../import/cells.js';
import type { FileRow } from '../import/read-file.js';
import type { UsersByEmail } from '../import/read-rows.js';
import type { ArchivedList, ArchivedRow } from './archive-lists.js';
import type { ImportedRecord, ImportedRecords } from './import-ids.js';

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

  /** Finds out which ids exist that rows name and that the archive does not have. */
  async #existing(session: Session, rows: readonly ArchivedRow[]): Promise<ReadonlySet<string>> {
    const wanted = new Map<RecordKind, Set<string>>();
    for (const [column, kind] of this.#columns) {
      const ids = rows.flatMap((row) => entriesIn(this.#text(row, column).toLowerCase()));
      const others = ids.filter((id) => isUuid(id) && !this.#targets.ofAny(kind)?.has(id));
      wanted.set(kind, new Set([...(wanted.get(kind) ?? []), ...others]));
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
    for (const [column, kind] of this.#columns) {
      const entries = entriesIn(this.#text(row, column));
      if (entries.length === 0) continue;
      const known = entries.flatMap((entry) =>
        isUuid(entry) ? (idOf(kind, entry.toLowerCase()) ?? []) : entry,
      );
      if (known.length < entries.length)
        notes.push({ column, message: `names no ${recordNames[kind]} that exists, and was left out` });
      const targets = this.#targets.ofAny(kind);
      for (const entry of entries) {
        const other = targets?.get(entry.toLowerCase());
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
