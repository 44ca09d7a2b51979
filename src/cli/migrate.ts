import { readConfig } from '../config.js';
import { withDatabase } from './database.js';
import { type Io, quietLog, report } from './io.js';

/** Applies the migrations that the database does not have yet, and reports their names. */
export async function migrateCommand(io: Io, options: { readonly json?: boolean }): Promise<void> {
  await withDatabase(readConfig(io.env), quietLog(io), ({ applied }) => {
    const text = applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date.';
    return report(io, options, { applied }, text);
  });
}
