import { freezeOrganization, unfreezeOrganization } from '../../db/organization/freeze.js';
import { findOrganization } from '../../setup/accounts.js';
import { withDatabase } from '../database.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';

/** Freezes an organization. */
export async function freezeOrganizationCommand(
  io: Io,
  idOrName: string,
  options: ReportOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization freeze');
  await withAbort(io.signals ?? process, 'the organization is not frozen', (signal) =>
    withDatabase(config, quietLog(io, options), async ({ database, directUrl }) => {
      const { id, name } = await findOrganization(database, idOrName);
      await freezeOrganization(directUrl, id, { signal });
      const text = `Froze ${JSON.stringify(name)} (${id}): it can be read, but not changed.`;
      await report(io, options, { id, name, frozen: true }, text);
    }),
  );
}

/** Lets a frozen organization be changed again. */
export async function unfreezeOrganizationCommand(
  io: Io,
  idOrName: string,
  options: ReportOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization unfreeze');
  await withDatabase(config, quietLog(io, options), async ({ database, directUrl }) => {
    const { id, name } = await findOrganization(database, idOrName);
    await unfreezeOrganization(directUrl, id);
    await report(
      io,
      options,
      { id, name, frozen: false },
      `${JSON.stringify(name)} (${id}) can be changed again.`,
    );
  });
}
