import type { Session } from '../../../db/connection/session.js';
import {
  obstacleOf,
  type ReminderObstacle,
  reminderObstacles,
  type WorkersState,
} from '../../../domain/reminders/obstacle.js';
import { may } from '../../../domain/roles.js';
import { isDemoWorkspace } from '../../../domain/text/demo.js';
import type { CurrentMail } from '../../../reminders/mail-server.js';
import {
  countedDays,
  mostMailsCounted,
  type ReminderHealth,
  readHealth,
  readLateSince,
} from '../../../reminders/shown/health.js';
import { notSetUp } from '../../../reminders/shown/mail-door.js';
import { readWorkers } from '../../../reminders/workers.js';
import { builder } from '../../builder.js';
import type { Context } from '../../context.js';

/** A caller's view of reminders. What nobody asks for is not read. */
interface Health {
  readonly session: Session;
  readonly setup: () => Promise<Partial<CurrentMail> | undefined>;
  readonly counts: () => Promise<ReminderHealth>;
  readonly workers: () => Promise<WorkersState>;
}

/** Makes what is read once, when it is first asked for. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** Tells whether there is a mail server: where a worker runs, it is the worker's. */
async function isMailSetUp({ workers, setup }: Health): Promise<boolean> {
  return (await workers()).hasMail ?? (await setup())?.mail !== undefined;
}

/** Says what is wrong with mail. What the server said may name hosts and users, and is for administrators. */
async function mailProblem(health: Health): Promise<string | null> {
  const { problem: lostKey } = (await health.setup()) ?? {};
  if (lostKey === undefined && !(await isMailSetUp(health))) return notSetUp;
  const said = lostKey ?? (await health.workers()).mailProblem;
  if (said === null) return null;
  return may(health.session.caller.role, 'administer') ? said : 'The mail server accepts no mail.';
}

const MailHealthType = builder.objectRef<Health>('MailHealth').implement({
  description: 'The state of outgoing mail.',
  fields: (t) => ({
    isSetUp: t.boolean({
      description: 'True if a mail server is configured. Without one, no reminders are decided or sent.',
      resolve: isMailSetUp,
    }),
    from: t.string({
      nullable: true,
      description: 'The sender of mails.',
      resolve: async ({ setup }) => (await setup())?.mail?.from ?? null,
    }),
    hasLinks: t.boolean({
      description: 'True if mails contain links (`PUBLIC_URL`).',
      resolve: async ({ setup }) => (await setup())?.origin !== undefined,
    }),
    problem: t.string({
      nullable: true,
      description:
        'What prevents mail from being sent, in plain words. If the mail server refused mail, admins get its own words.',
      resolve: mailProblem,
    }),
  }),
});

const obstacles: Readonly<Record<ReminderObstacle, string>> = {
  RESTORED:
    'The database was restored from a backup and sends nothing until it is said to be the real one (`goLive`).',
  NO_WORKER: 'No worker is running: neither `serve` with `WORKER=on` nor `worker`.',
  NO_MAIL: 'No mail server is configured (`SMTP_URL`).',
  MAIL_REFUSED: 'The mail server refused mail at the last attempt.',
  STANDSTILL: 'Workers are running but have not decided due reminders for ten minutes.',
};

const ReminderObstacleEnum = builder.enumType('ReminderObstacle', {
  description: 'What prevents reminders from being sent.',
  values: Object.fromEntries(
    reminderObstacles.map((obstacle) => [obstacle, { description: obstacles[obstacle] }]),
  ) as Record<ReminderObstacle, { description: string }>,
});

const counted = `The count stops at ${mostMailsCounted.toLocaleString('en')}.`;

/** The state of reminders, and what keeps them from being sent. */
export const ReminderHealthType = builder.objectRef<Health>('ReminderHealth').implement({
  description: 'The state of reminders in the workspaces that the caller may see.',
  fields: (t) => ({
    obstacle: t.field({
      type: ReminderObstacleEnum,
      nullable: true,
      description: 'What prevents reminders from being sent. Null if nothing does.',
      resolve: async (health) => {
        const [workers, lateSince] = await Promise.all([health.workers(), readLateSince(health.session)]);
        const hasMail = await isMailSetUp(health);
        return obstacleOf({ ...workers, hasMail }, lateSince, health.session.now);
      },
    }),
    silentTeamIds: t.idList({
      description: 'Workspaces that never send reminders: those of the demo, unless `DEMO_MAIL_TO` is set.',
      resolve: async ({ session: { caller }, workers }) =>
        (await workers()).hasDemoMail
          ? []
          : caller.teamIds.filter((id) => isDemoWorkspace(id, caller.organizationId)),
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a worker last looked for due reminders. Null if none ever has.',
      resolve: async ({ workers }) => (await workers()).decidedAt,
    }),
    lastRunAt: t.field({
      type: 'DateTime',
      nullable: true,
      extensions: { formerName: 'lastRun' },
      description: "The latest time up to which a workspace's reminders have been decided.",
      resolve: async ({ counts }) => (await counts()).lastRun,
    }),
    nextRunAt: t.field({
      type: 'DateTime',
      nullable: true,
      extensions: { formerName: 'nextRun' },
      description:
        'When the next decision is due. If this time is long past, reminders are not being decided.',
      resolve: async ({ counts }) => (await counts()).nextRun,
    }),
    queued: t.int({
      description: `The number of deliveries that are not settled yet. ${counted}`,
      resolve: async ({ counts }) => (await counts()).queued,
    }),
    oldestQueuedAt: t.field({
      type: 'DateTime',
      nullable: true,
      extensions: { formerName: 'oldestQueued' },
      description: 'When the oldest of these was queued.',
      resolve: async ({ counts }) => (await counts()).oldestQueued,
    }),
    failedToday: t.int({
      description: `The number of deliveries given up today, in the time zones of their workspaces. ${counted}`,
      resolve: async ({ counts }) => (await counts()).failedToday,
    }),
    withoutRecipient: t.int({
      description: `The number of reminders in the last ${countedDays} days that reached none of their own recipients. ${counted}`,
      resolve: async ({ counts }) => (await counts()).withoutRecipient,
    }),
    mail: t.field({
      type: MailHealthType,
      description: 'The state of outgoing mail.',
      resolve: (health) => health,
    }),
  }),
});

/** Returns the caller's view of reminders. */
export const healthOf = ({ session, mail }: Context): Health => ({
  session,
  setup: once(async () => mail?.server.read()),
  counts: once(() => readHealth(session)),
  workers: once(() => readWorkers(session.database, session.now)),
});

builder.queryField('reminderHealth', (t) =>
  t.field({
    type: ReminderHealthType,
    description: 'Returns whether reminders are decided and sent.',
    resolve: (_root, _args, context) => healthOf(context),
  }),
);
