import { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { partsReader, readArchive } from '../../db/files/file-parts.js';
import { withStagedFiles } from '../../db/files/staging.js';
import { keepPlans, preferIndexes } from '../../db/sql/select.js';
import { exportKinds } from '../../domain/doors/paths.js';
import { GatewayError } from '../../domain/errors.js';
import { keptFileDays, type RowResult, releaseArchives } from '../../imports/imports.js';
import type { LeftOut, ListPreview, Preview, RowError } from '../../imports/options.js';
import {
  type Batch,
  type ClaimedImport,
  quietReminders,
  readBatch,
  settleFailure,
  settlePreview,
  storeBatch,
} from '../../imports/queue.js';
import { logEvent } from '../../records/event-logs.js';
import { NewNames, shareNewNames } from '../../records/named.js';
import { Identifier } from '../import/match.js';
import { RowPlanner } from '../import/plan.js';
import {
  batchesOf,
  batchRows,
  foresee,
  type ImportOutcome,
  type ImportWork,
  longestPreviewMs,
  previewLimits,
  type RowOutcome,
  readUsers,
  resultOf,
  Undone,
  writeRows,
} from '../import/process.js';
import { RowReader } from '../import/rows.js';
import { openArchive, type WorkspaceArchive } from './archive.js';
import {
  type ArchivedFile,
  archivedFiles,
  attachFiles,
  fileBatches,
  planFiles,
  readContents,
} from './attach-files.js';
import { findImported } from './find-imported.js';
import {
  type ArchivedList,
  type ArchivedRow,
  ImportedRecords,
  importOrder,
  openList,
  RowTranslator,
  type TranslatedRow,
} from './lists.js';

/** A list of an import of a workspace, with what its rows need. */
interface OpenedList {
  readonly list: ArchivedList;
  readonly reader: RowReader;
  readonly planner: RowPlanner;
  readonly translator: RowTranslator;
}

/** An import of a workspace whose archive has been read. */
interface OpenedTeam {
  readonly work: ImportWork;
  readonly claimed: ClaimedImport;
  readonly session: Session;
  readonly teamId: string;
  readonly archive: WorkspaceArchive;
  readonly lists: readonly OpenedList[];
  readonly targets: ImportedRecords;
}

/** Returns a session of the person who imports, in the workspace into which they do. */
function sessionIn({ work, session }: Pick<OpenedTeam, 'work' | 'session'>): Session {
  return new Session(work.database, { caller: session.caller, now: work.clock() });
}

/** Returns the session of an import. @throws GatewayError FORBIDDEN; NOT_FOUND for a deleted workspace */
function ownSession({ database, clock }: ImportWork, { session, teamId }: ClaimedImport): Session {
  if (!session)
    throw new GatewayError('FORBIDDEN', 'The person who created the import is no longer an administrator.');
  const { caller } = session;
  if (teamId === null || !caller.teamIds.includes(teamId))
    throw new GatewayError('NOT_FOUND', 'The workspace that the import is for was deleted.');
  return new Session(database, { caller: { ...caller, user: { ...caller.user, teamId } }, now: clock() });
}

/** Opens the archive of an import, and finds the records that its rows are about. */
async function openTeam(work: ImportWork, claimed: ClaimedImport, signal: AbortSignal): Promise<OpenedTeam> {
  const { database, schema } = work;
  const session = ownSession(work, claimed);
  const { teamId } = session.caller.user;
  const gone = new GatewayError(
    'BAD_REQUEST',
    `The ZIP file is not there any more: it is kept for ${keptFileDays} days. Send it again.`,
  );
  if (claimed.size === null) throw gone;
  const archive = await openArchive(async (first, length) => {
    signal.throwIfAborted();
    const bytes = await readArchive(partsReader(database), claimed, first, length);
    if (!bytes) throw gone;
    return bytes;
  }, claimed.size);
  const users = await readUsers(session);
  const targets = new ImportedRecords();
  const lists: OpenedList[] = [];
  for (const kind of importOrder) {
    const found = await openList(schema, archive, kind);
    if (!found) continue;
    const list = await findImported(session, found, targets, teamId, signal);
    const { target, mapping, resource, headers } = list;
    const table = { headers, headerLine: 1, rows: { async *[Symbol.asyncIterator]() {} } };
    const reader = new RowReader(target, table, mapping, () => ({ order: undefined, is1904: false }), users);
    const planner = new RowPlanner(target, resource, reader, new Identifier(kind, resource, claimed.options));
    lists.push({ list, reader, planner, translator: new RowTranslator(list, targets, users) });
  }
  return { work, claimed, session, teamId, archive, lists, targets };
}

/** The outcome of a row of an archive. */
interface TeamRowOutcome extends Omit<RowOutcome, 'row'> {
  readonly translated: TranslatedRow;
}

/** Processes rows in a transaction. Those whose records belong to other workspaces stay as they are. */
async function outcomesOf(
  tx: Transaction,
  session: Session,
  { list, reader, planner }: OpenedList,
  translated: readonly TranslatedRow[],
  isReading: boolean,
): Promise<TeamRowOutcome[]> {
  const own = translated.filter(({ target }) => target.state !== 'elsewhere');
  const rows = own.map(({ row }) => reader.read(row));
  const identified = await planner.identify(session, rows);
  const planned = await planner.plan(tx, session, identified, isReading);
  if (!isReading) await keepPlans(tx);
  const outcomes = isReading
    ? foresee(session, list.resource, planned)
    : await writeRows(tx, session, list.resource, reader, planned);
  const byRow = new Map(own.map((one, at) => [one, outcomes[at]]));
  return translated.map((one): TeamRowOutcome => {
    const { action = 'unchanged', id = one.target.id, errors = [] } = byRow.get(one) ?? {};
    return { translated: one, action, id, errors };
  });
}

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
async function previewTeam(
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

/** Milliseconds that attaching a batch of files may take. */
const longestFilesMs = 120_000;

/** Returns an outcome as the result file shows it, with what was left out. */
function teamResult({ list }: OpenedList, outcome: TeamRowOutcome): RowResult {
  const { translated } = outcome;
  const [action, id, error] = resultOf(outcome);
  const notes = translated.notes.map(({ column, message }) => `${column}: ${message}`);
  const told = [...(error === null ? [] : [error]), ...notes].join('; ');
  return [action, id, told || null, list.name, translated.id];
}

/** Writes the batches of an import that are not written yet, one after the other. */
class TeamWriter {
  readonly #team: OpenedTeam;
  #number = 0;
  #isResuming = true;

  constructor(team: OpenedTeam) {
    this.#team = team;
  }

  /** Reads the outcomes of the next batch; undefined if it has to be written. */
  async #known(): Promise<readonly RowResult[] | undefined> {
    if (!this.#isResuming) return undefined;
    const { work, claimed } = this.#team;
    const known = await readBatch(work.database, claimed, this.#number);
    if (known) this.#number++;
    else this.#isResuming = false;
    return known;
  }

  /** Stores the outcomes of a batch with its records. @throws {Undone} if the import was cancelled or lost */
  async #store(tx: Transaction, results: readonly RowResult[], isLast: boolean): Promise<void> {
    const batch: Batch = { number: this.#number, results };
    if (!(await storeBatch(tx, this.#team.claimed, batch, isLast))) throw new Undone();
  }

  /** Writes rows of a list. */
  async rows(opened: OpenedList, batch: readonly ArchivedRow[]): Promise<void> {
    const { claimed, work, targets } = this.#team;
    const { list, translator } = opened;
    const known = await this.#known();
    let results = known;
    if (!results) {
      const session = sessionIn(this.#team);
      const translated = await translator.translate(session, batch);
      const write = async (tx: Transaction) => {
        await preferIndexes(tx);
        shareNewNames(tx, new NewNames({ isAhead: true }));
        const outcomes = await session.within(tx, () => outcomesOf(tx, session, opened, translated, false));
        const written = outcomes.map((outcome) => teamResult(opened, outcome));
        if (claimed.options.quiet && list.kind === 'ITEMS') {
          const ids = outcomes.flatMap(({ action, id }) =>
            action === 'unchanged' || id === null ? [] : [id],
          );
          await quietReminders(tx, ids, session.now);
        }
        await this.#store(tx, written, false);
        return written;
      };
      results = await work.database.inTransaction(write, session.caller);
      this.#number++;
    }
    for (const [action, , , , id] of results) if (action === 'failed' && id) targets.refuse(list.of, id);
  }

  /** Attaches files. */
  async files(files: readonly ArchivedFile[]): Promise<void> {
    if (await this.#known()) return;
    const { work, targets, teamId, archive } = this.#team;
    const session = sessionIn(this.#team);
    const planned = await planFiles(session, targets, teamId, files);
    const contents = await readContents(archive, planned);
    const write = async (tx: Transaction) => {
      const results = await session.within(tx, () => attachFiles(tx, session, planned, contents));
      await this.#store(tx, results, false);
    };
    await withStagedFiles(work.database, session.caller, (staged) =>
      work.database.inTransaction(write, session.caller, staged, longestFilesMs),
    );
    this.#number++;
  }

  /** Ends the import. */
  async end(): Promise<void> {
    const { work, claimed, archive } = this.#team;
    const session = sessionIn(this.#team);
    const { name } = archive.manifest.team;
    await work.database.inTransaction(async (tx) => {
      await logEvent(tx, session, {
        type: 'imported',
        teamId: session.caller.user.teamId,
        description: `The workspace ${name} was imported`,
        details: { import_id: { before: null, after: claimed.id } },
        entities: [],
      });
      await this.#store(tx, [], true);
    }, session.caller);
  }
}

/** Writes all rows of an import, and attaches its files. */
async function writeTeam(team: OpenedTeam, signal: AbortSignal): Promise<void> {
  const writer = new TeamWriter(team);
  for (const opened of team.lists) {
    for await (const batch of batchesOf(opened.list.rows, team.work.batchRows ?? batchRows)) {
      signal.throwIfAborted();
      await writer.rows(opened, batch);
    }
  }
  for await (const batch of fileBatches(archivedFiles(team.archive))) {
    signal.throwIfAborted();
    await writer.files(batch);
  }
  await writer.end();
}

/**
 * Makes the preview of an import of a workspace, or writes its records. If a worker dies, the next one goes on
 * with the next batch.
 * @throws what may be temporary; the import is continued later
 */
export async function importTeam(
  work: ImportWork,
  claimed: ClaimedImport,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const { database, clock } = work;
  try {
    const team = await openTeam(work, claimed, signal);
    if (claimed.state === 'READING') {
      const { preview, rowCount } = await previewTeam(team, signal);
      await settlePreview(database, claimed, preview, rowCount);
    } else {
      await writeTeam(team, signal);
      await releaseArchives(database, clock());
    }
    return 'done';
  } catch (error) {
    if (error instanceof Undone) return 'failed';
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    await settleFailure(database, claimed, error.message);
    return 'failed';
  }
}
