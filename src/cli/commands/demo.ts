import { GatewayError } from '../../domain/errors.js';
import { findOrganization } from '../../setup/accounts.js';
import { ensureOrganization } from '../../setup/bootstrap.js';
import { hasDemo, loadDemo } from '../../setup/demo/demo.js';
import { unloadDemo } from '../../setup/demo/remove.js';
import { withDatabase } from '../database.js';
import { readSettings } from '../settings.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { askQuestion } from '../terminal/question.js';

export interface DemoOptions extends ReportOptions {
  readonly organization?: string;
  /** True to remove it. */
  readonly remove?: boolean;
  /** True to do it without a question. */
  readonly yes?: boolean;
}

/** Loads the demo workspace into an organization that does not have it, or removes it. */
export async function demoCommand(io: Io, options: DemoOptions): Promise<void> {
  await withDatabase(readSettings(io.env, 'demo'), quietLog(io, options), async ({ database }) => {
    const now = new Date();
    const isNew = await ensureOrganization(database, { demo: false, now });
    const { id, name } = await findOrganization(database, options.organization);
    const called = JSON.stringify(name);
    const isThere = await hasDemo(database, id);
    if (options.remove) {
      const what = `This removes the demo's workspaces from ${called} permanently, with all that people have added to them.`;
      if (isThere) await confirm(io, options, what);
      const removed = await unloadDemo(database, id, now);
      const text = removed ? `Removed the demo from ${called}.` : `${called} has no demo.`;
      return report(io, options, { organization: id, removed }, text);
    }
    const what = `This loads a workspace with fictitious records into ${called}; \`demo --remove\` removes it.`;
    if (!isNew && !isThere) await confirm(io, options, what);
    const { teamId, created } = await loadDemo(database, id, now);
    const text = created
      ? `Loaded the demo workspace into ${called}.`
      : `${called} already has the demo workspace.`;
    await report(io, options, { organization: id, workspace: teamId, created }, text);
  });
}

/** Asks whether to go on. @throws GatewayError BAD_REQUEST unless the answer is yes */
async function confirm(io: Io, { yes }: DemoOptions, what: string): Promise<void> {
  if (yes) return;
  const otherwise = `${what} To do that, add --yes.`;
  const answer = await askQuestion(io, { text: `${what}\nType yes to go on: `, otherwise });
  if (answer.trim().toLowerCase() !== 'yes')
    throw new GatewayError('BAD_REQUEST', 'That is not yes. Nothing was changed.');
}
