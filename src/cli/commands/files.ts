import type { Log } from '../../db/embedded/log.js';
import { examineFiles, type FileFault } from '../../db/files/examine.js';
import { moveFiles } from '../../db/files/move.js';
import { countPlaces } from '../../db/files/placed.js';
import type { FileStores } from '../../db/files/store.js';
import type { FileProblem } from '../../domain/files.js';
import { withDatabase } from '../database.js';
import { checkFileStores, checkNamedStores } from '../file-stores.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { formatBytes, inFiles } from './backup.js';

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
export const withoutFailures = (log: Log, { verbose }: ReportOptions): Log =>
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
      const places = await countPlaces(database);
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
