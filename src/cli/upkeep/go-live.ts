import { endSilence } from '../../db/queue/silence.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';

/** Lets gateways and workers of a restored database send again. */
export async function goLiveCommand(io: Io, options: ReportOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'go-live'), quietLog(io, options), async ({ database }) => {
    const wasSilent = await endSilence(database);
    const text = wasSilent
      ? 'This database is the real one: gateways and workers send what has been waiting.'
      : 'This database was live already.';
    await report(io, options, { wasSilent }, text);
  });
}
