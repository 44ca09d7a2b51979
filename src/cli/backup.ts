import { readConfig } from '../config.js';
import { writeBackup } from '../database/backup.js';
import type { RowCounts } from '../database/backup-file.js';
import { migrate } from '../database/migrate.js';
import { restoreBackup } from '../database/restore.js';
import { type Io, quietLog, report } from './io.js';
import { withServer } from './server.js';
import { untilSignal } from './signals.js';

function inWords(counts: RowCounts): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${rows} rows of ${Object.keys(counts).length} tables`;
}

/** Backs the database up as it is: it is not migrated first, so that this can precede an upgrade. */
export async function backupCommand(
  io: Io,
  file: string,
  options: { readonly json?: boolean },
): Promise<void> {
  const config = readConfig(io.env);
  await untilSignal(io.signals ?? process, (stop) =>
    withServer(config, quietLog(io), async (url) => {
      const stopping = new AbortController();
      void stop.then((name) => stopping.abort(new Error(`Stopped by ${name}; there is no backup.`)));
      const { counts, bytes, migrations } = await writeBackup(url, file, stopping.signal);
      const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
      const text = `Backed up ${inWords(counts)} to ${file}, ${size}.`;
      await report(io, options, { file, bytes, migrations, rows: counts }, text);
    }),
  );
}

/** What `restore` can be told. */
export interface RestoreCommandOptions {
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Restores a backup, and applies the migrations that are newer. */
export async function restoreCommand(io: Io, file: string, options: RestoreCommandOptions): Promise<void> {
  const config = readConfig(io.env);
  const log = quietLog(io);
  await withServer(config, log, async (url) => {
    const counts = await restoreBackup(url, file, { force: options.force ?? false });
    const applied = await migrate(url, { log });
    const text = `Restored ${inWords(counts)} from ${file}.`;
    await report(io, options, { file, rows: counts, applied }, text);
  });
}
