import { DatabaseClient } from '../../db/hosts/client.js';
import { grantsFor } from '../../db/server/grants.js';
import { withServer } from '../process/server.js';
import { readSettings } from '../settings.js';
import { type Io, print, quietLog, type ReportOptions } from '../terminal/io.js';

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
