import { type RestoreProgress, restoreBackup } from '../../db/backup/restore.js';
import { migrate } from '../../db/migrations/migrate.js';
import { withServer } from '../process/server.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { input } from '../terminal/stdin.js';
import { formatBytes, inWords } from './backup.js';

export interface RestoreCommandOptions extends ReportOptions {
  /** True to replace the contents of the database. */
  readonly force?: boolean;
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
      const restoring = { force: options.force ?? false, signal, onProgress };
      const counts = await restoreBackup(directUrl, source, restoring).finally(progress.clear);
      const applied = await migrate(directUrl, { log });
      const text = `Restored ${inWords(counts)} from ${file === '-' ? 'stdin' : file}.`;
      await report(io, options, { file, rows: counts, applied }, text);
    }),
  );
}

function progressText({ step, bytes, size }: RestoreProgress): string {
  const part = size ? `, ${Math.floor((100 * bytes) / size)} %` : '';
  return `${step === 'check' ? 'Checking' : 'Restoring'}: ${formatBytes(bytes)}${part}`;
}
