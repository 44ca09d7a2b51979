import type { Transaction } from '../../db/connection/transaction.js';
import { withStagedFiles } from '../../db/files/staging.js';
import { preferIndexes } from '../../db/sql/by-index.js';
import { GatewayError } from '../../domain/errors.js';
import {
  type Batch,
  type ClaimedImport,
  quietReminders,
  readBatch,
  settleFailure,
  settlePreview,
  storeBatch,
} from '../../imports/queue.js';
import type { RowResult } from '../../imports/results.js';
import { releaseArchives } from '../../imports/workspace-file.js';
import { logEvent } from '../../records/event-logs.js';
import { NewNames, shareNewNames } from '../../records/named/named-new.js';
import { batchesOf, batchRows, type ImportWork } from '../import/open-import.js';
import { type ImportOutcome, Undone } from '../import/process-import.js';
import { resultOf } from '../import/write-rows.js';
import type { ArchivedRow } from './archive-lists.js';
import {
  type ArchivedFile,
  archivedFiles,
  attachFiles,
  fileBatches,
  planFiles,
  readContents,
} from './attach-files.js';
import {
  type OpenedList,
  type OpenedTeam,
  openTeam,
  outcomesOf,
  sessionIn,
  type TeamRowOutcome,
} from './open-team.js';
import { previewTeam } from './preview-team.js';

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
