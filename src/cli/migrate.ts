import { withDatabase } from './database.js';
import { type Io, quietLog, type ReportOptions, report } from './io.js';
import { readSettings } from './settings.js';

/** Applies the migrations that the database does not have yet, and reports their names. */
export async function migrateCommand(io: Io, options: ReportOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'migrate'), quietLog(io, options), ({ applied }) => {
    const text = applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date.';
    return report(io, options, { applied }, text);
  });
}
