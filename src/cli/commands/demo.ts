import { findOrganization } from '../../setup/accounts.js';
import { ensureOrganization } from '../../setup/bootstrap.js';
import { loadDemo } from '../../setup/demo/demo.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';

export interface DemoOptions extends ReportOptions {
  readonly organization?: string;
}

/** Loads the demo workspace into an organization that does not have it. */
export async function demoCommand(io: Io, options: DemoOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'demo'), quietLog(io, options), async ({ database }) => {
    const now = new Date();
    await ensureOrganization(database, { demo: false, now });
    const { id, name } = await findOrganization(database, options.organization);
    const { teamId, created } = await loadDemo(database, id, now);
    const text = created
      ? `Loaded the demo workspace into "${name}".`
      : `"${name}" already has the demo workspace.`;
    await report(io, options, { organization: id, workspace: teamId, created }, text);
  });
}
