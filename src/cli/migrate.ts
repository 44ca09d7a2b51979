import { readConfig } from '../config.js';
import { type OpenDatabase, withDatabase } from './database.js';
import { type Io, quietLog, report } from './io.js';

/** Signals end the process by themselves, also while it waits for the database's server. */
const untilEnded = new Promise<string>(() => {});

/** Applies the migrations that the database does not have yet, and reports their names. */
export async function migrateCommand(io: Io, options: { readonly json?: boolean }): Promise<void> {
  const work = ({ applied }: OpenDatabase) => {
    const text = applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The database is up to date.';
    return report(io, options, { applied }, text);
  };
  await withDatabase(readConfig(io.env), quietLog(io), work, { stop: untilEnded });
}
