import { countOutsideFiles } from '../../db/backup/outside-files.js';
import { type RestoreProgress, restoreBackup } from '../../db/backup/restore.js';
import { DatabaseClient } from '../../db/hosts/client.js';
import { migrate } from '../../db/migrations/migrate.js';
import { silentText } from '../../db/queue/silence.js';
import { formatBytes, inFiles, inWords } from '../commands/backup.js';
import { withServer } from '../process/server.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { input } from '../terminal/stdin.js';

export interface RestoreCommandOptions extends ReportOptions {
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
