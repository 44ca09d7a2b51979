import { countPlaces, findLostFiles, moveFiles } from '../../db/files/move.js';
import { withDatabase } from '../database.js';
import { checkFileStores } from '../file-stores.js';
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
      if (lost > 0) throw new Error(`The bytes of ${inFiles(lost)} are gone: see \`files check\`.`);
    }),
  );
}

/** Counts files by place, and names those whose bytes are gone. */
export async function checkFilesCommand(io: Io, options: ReportOptions): Promise<void> {
  const config = readSettings(io.env, 'files check');
  await withAbort(io.signals ?? process, 'not all files were checked', (signal) =>
    withDatabase(config, quietLog(io, options), async ({ database }) => {
      await checkFileStores(database);
      const places = await countPlaces(database);
      const lost = await findLostFiles(database, signal);
      const addresses = new Map(database.files.all.map(({ kind, address }) => [kind, address]));
      const lines = [
        ...places.map(({ store, files, bytes }) => {
          const place = store === null ? 'the database' : addresses.get(store);
          return `${inFiles(files)} (${formatBytes(bytes)}) in ${place}`;
        }),
        ...lost.map(({ store, objectKey }) => `gone from ${addresses.get(store)}: ${objectKey}`),
      ];
      await report(io, options, { places, lost }, lines.join('\n') || 'There are no files.');
      if (lost.length > 0) throw new Error(`The bytes of ${inFiles(lost.length)} are gone.`);
    }),
  );
}
