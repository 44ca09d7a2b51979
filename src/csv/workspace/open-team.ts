import { Session } from '../../db/connection/session.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { partsReader, readArchive } from '../../db/files/archive-parts.js';
import { keepPlans } from '../../db/sql/by-index.js';
import { GatewayError } from '../../domain/errors.js';
import type { ClaimedImport } from '../../imports/queue.js';
import { keptFileDays } from '../../imports/workspace-file.js';
import { Identifier } from '../import/match-rows.js';
import { type ImportWork, readUsers } from '../import/open-import.js';
import { RowPlanner } from '../import/plan-rows.js';
import { RowReader } from '../import/read-rows.js';
import { foresee, type RowOutcome, writeRows } from '../import/write-rows.js';
import { type ArchivedList, importOrder, openList } from './archive-lists.js';
import { openArchive, type WorkspaceArchive } from './archive-reader.js';
import { findImported } from './find-imported.js';
import { ImportedRecords } from './import-ids.js';
import { RowTranslator, type TranslatedRow } from './translate-rows.js';

/** A list of an import of a workspace, with what its rows need. */
export interface OpenedList {
  readonly list: ArchivedList;
  readonly reader: RowReader;
  readonly planner: RowPlanner;
  readonly translator: RowTranslator;
}

/** An import of a workspace whose archive has been read. */
export interface OpenedTeam {
  readonly work: ImportWork;
  readonly claimed: ClaimedImport;
  readonly session: Session;
  readonly teamId: string;
  readonly archive: WorkspaceArchive;
  readonly lists: readonly OpenedList[];
  readonly targets: ImportedRecords;
}

/** Returns a session of the person who imports, in the workspace into which they do. */
export function sessionIn({ work, session }: Pick<OpenedTeam, 'work' | 'session'>): Session {
  return new Session(work.database, { caller: session.caller, now: work.clock() });
}

/** Returns the session of an import. @throws GatewayError FORBIDDEN; NOT_FOUND for a deleted workspace */
function ownSession({ database, clock }: ImportWork, { session, teamId }: ClaimedImport): Session {
  if (!session)
    throw new GatewayError('FORBIDDEN', 'The person who created the import is no administrator any more.');
  const { caller } = session;
  if (teamId === null || !caller.teamIds.includes(teamId))
    throw new GatewayError('NOT_FOUND', 'The workspace that the import is for was deleted.');
  return new Session(database, { caller: { ...caller, user: { ...caller.user, teamId } }, now: clock() });
}

/** Opens the archive of an import, and finds the records that its rows are about. */
export async function openTeam(
  work: ImportWork,
  claimed: ClaimedImport,
  signal: AbortSignal,
): Promise<OpenedTeam> {
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
    const table = { headers, rows: { async *[Symbol.asyncIterator]() {} } };
    const reader = new RowReader(target, table, mapping, claimed.options, users);
    const planner = new RowPlanner(target, resource, reader, new Identifier(kind, resource, claimed.options));
    lists.push({ list, reader, planner, translator: new RowTranslator(list, targets, users) });
  }
  return { work, claimed, session, teamId, archive, lists, targets };
}

/** The outcome of a row of an archive. */
export interface TeamRowOutcome extends Omit<RowOutcome, 'row'> {
  readonly translated: TranslatedRow;
}

/** Processes rows in a transaction. Those whose records belong to other workspaces stay as they are. */
export async function outcomesOf(
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
