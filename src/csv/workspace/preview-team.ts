import type { Transaction } from '../../db/connection/transaction.js';
import { preferIndexes } from '../../db/sql/by-index.js';
import { exportKinds } from '../../domain/doors/exports.js';
import type { LeftOut, ListPreview, Preview, RowError } from '../../imports/options.js';
import { NewNames, shareNewNames } from '../../records/named/named-new.js';
import { batchesOf, batchRows } from '../import/open-import.js';
import { longestPreviewMs, previewLimits } from '../import/preview/preview-import.js';
import { archivedFiles, fileBatches, planFiles } from './attach-files.js';
import { type OpenedList, type OpenedTeam, outcomesOf, sessionIn } from './open-team.js';
import type { TranslatedRow } from './translate-rows.js';

/** The number of rows with each outcome. */
interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

const noCounts = (): Counts => ({ created: 0, updated: 0, unchanged: 0, failed: 0 });

const sumOf = ({ created, updated, unchanged, failed }: Counts) => created + updated + unchanged + failed;

/** Lets a transaction that reads find the records that earlier lists are going to create. */
function expectNamed(tx: Transaction, names: NewNames, rows: readonly TranslatedRow[]): void {
  shareNewNames(tx, names);
  for (const { kind, id } of rows.flatMap(({ named }) => named)) {
    names.expected.add(id);
    tx.lookUps.set(`${kind} ${id}`, Promise.resolve({}));
  }
}

/** Collects what an import of a workspace would do. */
class PreviewMaker {
  readonly #team: OpenedTeam;
  readonly #names = new NewNames({ isAhead: true });
  readonly #errors: RowError[] = [];
  readonly #lists: ListPreview[] = [];
  readonly #leftOut = new Map<string, { list: string; column: string; cells: number }>();

  constructor(team: OpenedTeam) {
    this.#team = team;
  }

  #addErrors(errors: readonly RowError[]): void {
    this.#errors.push(...errors.slice(0, previewLimits.errors - this.#errors.length));
  }

  /** Finds out what would become of the rows of a list. */
  async addList(opened: OpenedList, signal: AbortSignal): Promise<void> {
    const { work, targets } = this.#team;
    const { list, translator } = opened;
    const counts = noCounts();
    for await (const batch of batchesOf(list.rows, work.batchRows ?? batchRows)) {
      signal.throwIfAborted();
      const session = sessionIn(this.#team);
      const translated = await translator.translate(session, batch);
      // PostgreSQL itself refuses to write here.
      const outcomes = await work.database.inSnapshot(
        (tx) =>
          session.within(tx, async () => {
            await preferIndexes(tx);
            expectNamed(tx, this.#names, translated);
            return outcomesOf(tx, session, opened, translated, true);
          }),
        session.caller,
        longestPreviewMs,
      );
      for (const { action, errors, translated: one } of outcomes) {
        counts[action]++;
        this.#addErrors(errors.map((error) => ({ list: list.name, ...error })));
        if (action === 'failed') targets.refuse(list.of, one.id);
        for (const { column } of one.notes) {
          const key = `${list.name} ${column}`;
          const known = this.#leftOut.get(key) ?? { list: list.name, column, cells: 0 };
          this.#leftOut.set(key, { ...known, cells: known.cells + 1 });
        }
      }
    }
    this.#lists.push({ list: list.name, rows: sumOf(counts), ...counts, imported: true });
  }

  /** Finds out which files would be attached, and checks the bytes of each. */
  async addFiles(signal: AbortSignal): Promise<void> {
    const { targets, teamId, archive } = this.#team;
    const counts = noCounts();
    for await (const batch of fileBatches(archivedFiles(archive))) {
      for (const { file, action, error } of await planFiles(sessionIn(this.#team), targets, teamId, batch)) {
        signal.throwIfAborted();
        counts[action]++;
        if (error) this.#addErrors([error]);
        if (file.entry) for await (const _ of archive.read(file.entry.path));
      }
    }
    this.#lists.push({ list: 'files', rows: sumOf(counts), ...counts, imported: true });
  }

  /** Adds the lists of the archive that are not imported. */
  addOthers(): void {
    const { counts } = this.#team.archive.manifest;
    const known = new Set(this.#lists.map(({ list }) => list));
    for (const list of exportKinds)
      if (!known.has(list) && counts[list])
        this.#lists.push({ list, rows: counts[list], ...noCounts(), imported: false });
  }

  /** Returns the preview. */
  end(): Preview {
    const { manifest } = this.#team.archive;
    const lists = this.#lists;
    const sum = (name: keyof Counts) => lists.reduce((total, list) => total + list[name], 0);
    const files = manifest.entries.filter(({ path }) => path.startsWith('files/'));
    const leftOut: LeftOut[] = [...this.#leftOut.values()];
    return {
      ...{ columns: [], rows: [], errors: this.#errors },
      ...{
        created: sum('created'),
        updated: sum('updated'),
        unchanged: sum('unchanged'),
        failed: sum('failed'),
      },
      workspace: {
        name: manifest.team.name,
        exported: manifest.created,
        gateway: manifest.gateway,
        bytes: files.reduce((total, { size }) => total + size, 0),
        lists,
        leftOut,
      },
    };
  }
}

/** Finds out what an import of a workspace would do, and writes nothing. */
export async function previewTeam(
  team: OpenedTeam,
  signal: AbortSignal,
): Promise<{ readonly preview: Preview; readonly rowCount: number }> {
  const maker = new PreviewMaker(team);
  for (const opened of team.lists) await maker.addList(opened, signal);
  await maker.addFiles(signal);
  maker.addOthers();
  const preview = maker.end();
  return { preview, rowCount: preview.created + preview.updated + preview.unchanged + preview.failed };
}
