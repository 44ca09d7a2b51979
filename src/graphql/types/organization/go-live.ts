import type { Session } from '../../../db/connection/session.js';
import { endSilence } from '../../../db/queue/silence.js';
import { logEvent } from '../../../records/event-logs.js';
import { checkRunsGateway } from '../../../reminders/mail-server.js';
import { builder } from '../../builder.js';
import { healthOf, ReminderHealthType } from '../reminders/reminder-health.js';

/** Ends the silence for an administrator, with the event, if the database was silent. */
async function goLive(session: Session): Promise<void> {
  const { database, caller, now } = session;
  await checkRunsGateway(session, 'That decision');
  // Not in the caller's transaction: with row-level security, callers do not see the table.
  if (!(await endSilence(database))) return;
  const description = 'The restored database went live: what waited is sent';
  const about = { teamId: caller.user.teamId, entities: [], details: {} };
  await session.inTransaction((tx) =>
    logEvent(tx, { caller, now }, { type: 'organization changed', description, ...about }),
  );
}

builder.mutationField('goLive', (t) =>
  t.field({
    type: ReminderHealthType,
    nullable: true,
    description:
      'Says that a database that was restored from a backup is the real one, and not a copy. From then on, the gateway sends what has been waiting. Otherwise it changes nothing. Only for the organization that set up the gateway.',
    authScopes: { administer: true },
    resolve: async (_root, _args, context) => {
      await goLive(context.session);
      return healthOf(context);
    },
  }),
);
