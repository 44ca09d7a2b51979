import { readConfig } from '../config.js';
import { findOrganization } from '../data/accounts.js';
import { ensureOrganization } from '../data/bootstrap.js';
import { loadDemo } from '../data/demo.js';
import { withDatabase } from './database.js';
import { type Io, quietLog, report } from './io.js';

/** What `demo` can be told. */
export interface DemoOptions {
  readonly organization?: string;
  readonly json?: boolean;
}

/** Loads the demo workspace into an organization that does not have it. */
export async function demoCommand(io: Io, options: DemoOptions): Promise<void> {
  await withDatabase(readConfig(io.env), quietLog(io), async ({ database }) => {
    const now = new Date();
    await ensureOrganization(database, { demo: false, now });
    const { id, name } = await findOrganization(database, options.organization);
    const { teamId, created } = await loadDemo(database, id, now);
    const text = created
      ? `Loaded the demo workspace into "${name}".`
      : `"${name}" has the demo workspace already.`;
    await report(io, options, { organization: id, workspace: teamId, created }, text);
  });
}
