import { deleteOrganization } from '../../db/organization/delete.js';
import { freezeOrganization, removeGuards, unfreezeOrganization } from '../../db/organization/freeze.js';
import { GatewayError } from '../../domain/errors.js';
import { findOrganization, type Named } from '../../setup/accounts.js';
import { inWords } from '../commands/backup.js';
import { withDatabase } from '../database.js';
import { withAbort } from '../process/signals.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { createProgress } from '../terminal/progress.js';
import { askQuestion } from '../terminal/question.js';

export interface DeleteOrganizationOptions extends ReportOptions {
  /** Name of the organization, in place of the answer to the question. */
  readonly yes?: string;
}

/** Deletes an organization, once its name has been typed. */
export async function deleteOrganizationCommand(
  io: Io,
  idOrName: string,
  options: DeleteOrganizationOptions,
): Promise<void> {
  const config = readSettings(io.env, 'organization delete');
  const progress = createProgress(io, options);
  await withAbort(io.signals ?? process, 'nothing was deleted', (signal) =>
    withDatabase(config, quietLog(io, options), async ({ database, directUrl }) => {
      const organization = await findOrganization(database, idOrName);
      const { id, name } = organization;
      if ((options.yes ?? (await ask(io, organization, signal))) !== name)
        throw new GatewayError(
          'BAD_REQUEST',
          `That is not the name ${JSON.stringify(name)}. Nothing was deleted.`,
        );
      await freezeOrganization(directUrl, id, { signal });
      const counts = await deleteOrganization(directUrl, id, {
        signal,
        onProgress: ({ table, done, tables }) =>
          progress.show(() => `Deleting: table ${done + 1} of ${tables}, ${table}`),
      })
        .finally(progress.clear)
        .catch(async (error) => {
          await unfreezeOrganization(directUrl, id);
          throw error;
        });
      await removeGuards(directUrl, id);
      const text = `Deleted ${JSON.stringify(name)} (${id}), ${inWords(counts)}.`;
      await report(io, options, { id, name, rows: counts }, text);
    }),
  );
}

/** Asks for the name of the organization. @throws GatewayError BAD_REQUEST without a terminal */
function ask(io: Io, { id, name }: Named, signal: AbortSignal): Promise<string> {
  const called = JSON.stringify(name);
  const text = `This deletes everything of ${called} (${id}) permanently.\nType its name to go on: `;
  return askQuestion(io, { text, otherwise: `To delete ${called}, add --yes with its name.` }, signal);
}
