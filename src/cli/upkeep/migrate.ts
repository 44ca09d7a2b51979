import { type OpenDatabase, withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';

/** Signals end the process by default, even while it waits for the database server. */
const untilEnded = new Promise<string>(() => {});

export interface MigrateCommandOptions extends ReportOptions {
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
