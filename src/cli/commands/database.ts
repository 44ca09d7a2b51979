import { countOutsideFiles } from '../../db/backup/backup.js';
import { type RestoreProgress, restoreBackup } from '../../db/backup/restore.js';
import { countStoredFiles, examineFiles, type FileFault, moveFiles } from '../../db/files/maintenance.js';
import type { FileStores } from '../../db/files/store.js';
import { DatabaseClient } from '../../db/hosts/hosts.js';
import { migrate } from '../../db/migrations/migrate.js';
import { endSilence, silentText } from '../../db/queue/loop.js';
import { addEventPartitions, deleteOldDeliveries, deleteOldEvents } from '../../db/retention/retention.js';
import { grantsFor } from '../../db/server/grants.js';
import { GatewayError } from '../../domain/errors.js';
import type { FileProblem } from '../../domain/files.js';
import type { Log } from '../../domain/log.js';
import { findOrganization } from '../../setup/accounts.js';
import { ensureOrganization } from '../../setup/bootstrap.js';
import { hasDemo, loadDemo, unloadDemo } from '../../setup/demo/demo.js';
import { checkFileStores, checkNamedStores, type OpenDatabase, withDatabase } from '../database.js';
import { withServer } from '../process/server.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { askQuestion, type Io, input, print, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { formatBytes, inFiles, inWords } from './backup.js';

/** Signals end the process by default, even while it waits for the database server. */
const untilEnded = new Promise<string>(() => {});

interface MigrateCommandOptions extends ReportOptions {
  /** True to try failed migrations again. */
  readonly retry?: boolean;
}

/** Applies pending migrations, and reports their names. */
export async function migrateCommand(io: Io, options: MigrateCommandOptions): Promise<void> {
  const work = ({ applied }: OpenDatabase) => {
    const lines = applied.map((name) => `Applied ${name}`);
    return report(io, options, { applied }, lines.join('\n') || 'The database is up to date.');
  };
  const config = { ...readSettings(io.env, 'migrate'), migrate: true };
  await withDatabase(config, quietLog(io, options), work, { stop: untilEnded, retry: options.retry });
}

/** Prints the statements that let a role read and write the gateway's tables. */
export async function grantsCommand(io: Io, role: string, options: ReportOptions): Promise<void> {
  await withServer(readSettings(io.env, 'grants'), quietLog(io, options), async ({ directUrl }) => {
    const client = new DatabaseClient({ connectionString: directUrl });
    client.on('error', () => {}); // the query fails as well
    try {
      await client.connect();
      const statements = await grantsFor(client, role);
      await print(io.stdout, options.json ? JSON.stringify(statements) : statements.join('\n'));
    } finally {
      await client.end();
    }
  });
}

interface MaintainOptions extends ReportOptions {
  /** Months for which partitions are made ahead of time. */
  readonly months: number;
}

/** Makes partitions of the event log, and deletes old ones. Only the owner of the tables may. */
export async function maintainCommand(io: Io, { months, ...options }: MaintainOptions): Promise<void> {
  const config = readSettings(io.env, 'maintain');
  const { eventLogDays, deliveryDays } = config;
  await withDatabase(config, quietLog(io, options), async ({ database }) => {
    const now = new Date();
    const made = await addEventPartitions(database, now, eventLogDays, months);
    const events = await deleteOldEvents(database, now, eventLogDays);
    const deliveries = await deleteOldDeliveries(database, now, deliveryDays);
    const text = `Made ${made} partitions of the event log. Deleted ${events} events and ${deliveries} deliveries.`;
    await report(io, options, { made, events, deliveries }, text);
  });
}

/** Lets gateways and workers of a restored database send again. */
export async function goLiveCommand(io: Io, options: ReportOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'go-live'), quietLog(io, options), async ({ database }) => {
    const wasSilent = await endSilence(database);
    const text = wasSilent
      ? 'This database is the real one: gateways and workers send what has been waiting.'
      : 'This database was live already.';
    await report(io, options, { wasSilent }, text);
  });
}

interface RestoreCommandOptions extends ReportOptions {
  /** True to replace the contents of the database. */
  readonly force?: boolean;
  /** True if the database is the real one, and no copy. */
  readonly live?: boolean;
}

/** Restores a backup, and applies newer migrations. */
export async function restoreCommand(io: Io, file: string, options: RestoreCommandOptions): Promise<void> {
  const config = readSettings(io.env, 'restore');
  const log = quietLog(io, options);
  const source = file === '-' ? input(io) : file;
  const progress = createProgress(io, options);
  const onProgress = (at: RestoreProgress) => progress.show(() => progressText(at));
  await withAbort(io.signals ?? process, 'nothing was restored', (signal) =>
    withServer(config, log, async ({ directUrl }) => {
      const restoring = { force: options.force ?? false, live: options.live ?? false, signal, onProgress };
      const counts = await restoreBackup(directUrl, source, restoring).finally(progress.clear);
      const applied = await migrate(directUrl, { log });
      const outside = await countOutside(directUrl);
      const done = `Restored ${inWords(counts)} from ${file === '-' ? 'stdin' : file}.`;
      const more = `The bytes of ${inFiles(outside)} were not in it: name their place in FILES or FILES_FROM, and look for them with \`files check\`.`;
      const text = [done, outside > 0 ? more : '', options.live ? '' : silentText].filter(Boolean).join(' ');
      const live = options.live ?? false;
      await report(io, options, { file, rows: counts, applied, outside, live }, text);
    }),
  );
}

/** Counts the files of a restored database whose bytes are outside it. */
async function countOutside(url: string): Promise<number> {
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    return await countOutsideFiles(client);
  } finally {
    await client.end();
  }
}

function progressText({ step, bytes, size }: RestoreProgress): string {
  const part = size ? `, ${Math.floor((100 * bytes) / size)} %` : '';
  return `${step === 'check' ? 'Checking' : 'Restoring'}: ${formatBytes(bytes)}${part}`;
}

interface DemoOptions extends ReportOptions {
  readonly organization?: string;
  /** True to remove it. */
  readonly remove?: boolean;
  /** True to do it without a question. */
  readonly yes?: boolean;
}

/** Loads the demo workspace into an organization that does not have it, or removes it. */
export async function demoCommand(io: Io, options: DemoOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'demo'), quietLog(io, options), async ({ database }) => {
    const now = new Date();
    const isNew = await ensureOrganization(database, { demo: false, now });
    const { id, name } = await findOrganization(database, options.organization);
    const called = JSON.stringify(name);
    const isThere = await hasDemo(database, id);
    if (options.remove) {
      const what = `This removes the demo's workspaces from ${called} permanently, with all that people have added to them.`;
      if (isThere) await confirm(io, options, what);
      const removed = await unloadDemo(database, id, now);
      const text = removed ? `Removed the demo from ${called}.` : `${called} has no demo.`;
      return report(io, options, { organization: id, removed }, text);
    }
    const what = `This loads a workspace with fictitious records into ${called}; \`demo --remove\` removes it.`;
    if (!isNew && !isThere) await confirm(io, options, what);
    const { teamId, created } = await loadDemo(database, id, now);
    const text = created
      ? `Loaded the demo workspace into ${called}.`
      : `${called} already has the demo workspace.`;
    await report(io, options, { organization: id, workspace: teamId, created }, text);
  });
}

/** Asks whether to go on. @throws GatewayError BAD_REQUEST unless the answer is yes */
async function confirm(io: Io, { yes }: DemoOptions, what: string): Promise<void> {
  if (yes) return;
  const otherwise = `${what} To do that, add --yes.`;
  const answer = await askQuestion(io, { text: `${what}\nType yes to go on: `, otherwise });
  if (answer.trim().toLowerCase() !== 'yes')
    throw new GatewayError('BAD_REQUEST', 'That is not yes. Nothing was changed.');
}

/** Moves all files to where FILES says, while gateways run. */
export async function moveFilesCommand(io: Io, options: ReportOptions): Promise<void> {
  const config = readSettings(io.env, 'files move');
  const log = quietLog(io, options);
  const progress = createProgress(io, options);
  const stopped = 'files that were moved stay where they are now; run it again to move the rest';
  await withAbort(io.signals ?? process, stopped, (signal) =>
    withDatabase(config, log, async ({ database }) => {
      await checkFileStores(database);
      const place = database.files.target?.address ?? 'the database';
      const onMoved = ({ moved }: { moved: number }) =>
        progress.show(() => `Moving files to ${place}: ${moved}`);
      const { moved, lost } = await moveFiles(database, { signal, onMoved }).finally(progress.clear);
      const text = `Moved ${inFiles(moved)} to ${place}.`;
      await report(io, options, { moved, lost, place }, text);
      if (lost > 0)
        throw new Error(`The bytes of ${inFiles(lost)} are missing or damaged: see \`files check\`.`);
    }),
  );
}

const problemWords: Readonly<Record<FileProblem, string>> = {
  missing: 'missing from',
  damaged: 'damaged in',
  unavailable: 'cannot be read from',
};

/** Describes a file whose bytes cannot be read, for people. */
function faultText({ store, objectKey, id, itemId, name, problem, reason }: FileFault, { all }: FileStores) {
  const place = all.find(({ kind }) => kind === store)?.address ?? 'the database';
  // A name may contain what controls a terminal.
  const owner = itemId === null ? 'in the bin' : `${JSON.stringify(name)} of the item ${itemId}`;
  return `${problemWords[problem]} ${place}: ${objectKey ?? id} (${owner}): ${reason}`;
}

/** Returns a log for a command that names each file that fails itself. */
const withoutFailures = (log: Log, { verbose }: ReportOptions): Log =>
  verbose ? log : { ...log, warn: () => {} };

/** Counts files by place, reads all of them, and names those that cannot be read. */
export async function checkFilesCommand(io: Io, options: ReportOptions): Promise<void> {
  const config = readSettings(io.env, 'files check');
  const log = quietLog(io, options);
  const progress = createProgress(io, options);
  await withAbort(io.signals ?? process, 'not all files were checked', (signal) =>
    withDatabase(config, withoutFailures(log, options), async ({ database }) => {
      await checkNamedStores(database);
      const { files } = database;
      // Files can be read from a store that is full.
      for (const store of files.all) {
        await store.check().catch(({ message }: Error) => log.warn({}, message));
      }
      const places = await countStoredFiles(database);
      const onChecked = (checked: number) => progress.show(() => `Reading files: ${checked}`);
      const { checked, filled, faults } = await examineFiles(database, { signal, onChecked }).finally(
        progress.clear,
      );
      const lines = [
        ...places.map(({ store, files: count, bytes }) => {
          const place = files.all.find(({ kind }) => kind === store)?.address ?? 'the database';
          return `${inFiles(count)} (${formatBytes(bytes)}) in ${place}`;
        }),
        ...(filled > 0 ? [`The SHA-256 of ${inFiles(filled)} is known from now on.`] : []),
        ...faults.map((fault) => faultText(fault, files)),
      ];
      const told = { places, checked, filled, lost: faults };
      await report(io, options, told, lines.join('\n') || 'There are no files.');
      if (faults.length > 0)
        throw new Error(`The bytes of ${inFiles(faults.length)} are missing, damaged or cannot be read.`);
    }),
  );
}
