import type { Session } from '../../db/connection/session.js';
import {
  obstacleOf,
  type ReminderObstacle,
  reminderObstacles,
  type WorkersState,
} from '../../domain/reminders/obstacle.js';
import { may } from '../../domain/roles.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import {
  countedDays,
  mostMailsCounted,
  type ReminderHealth,
  readHealth,
  readLateSince,
} from '../../reminders/shown/health.js';
import { type MailDoor, notSetUp, type TrialResult } from '../../reminders/shown/mail-door.js';
import { readWorkers } from '../../reminders/workers.js';
import { builder } from '../builder.js';

/** A caller's view of reminders. What nobody asks for is not read. */
interface Health {
  readonly session: Session;
  readonly mail: MailDoor | undefined;
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
async function isMailSetUp({ workers, mail }: Health): Promise<boolean> {
  return (await workers()).hasMail ?? mail?.from !== undefined;
}

/** Says what is wrong with mail. What the server said may name hosts and users, and is for administrators. */
async function mailProblem(health: Health): Promise<string | null> {
  if (!(await isMailSetUp(health))) return notSetUp;
  const { mailProblem: said } = await health.workers();
  if (said === null) return null;
  return may(health.session.caller.role, 'administer') ? said : 'The mail server takes no mail.';
}

const MailHealthType = builder.objectRef<Health>('MailHealth').implement({
  description: 'Whether mail can be sent.',
  fields: (t) => ({
    isSetUp: t.boolean({
      description: 'Whether there is a mail server (`SMTP_URL`). Without one nothing is decided or sent.',
      resolve: isMailSetUp,
    }),
    from: t.string({
      nullable: true,
      description: 'The sender of mails.',
      resolve: ({ mail }) => mail?.from ?? null,
    }),
    hasLinks: t.boolean({
      description: 'Whether mails have links (`PUBLIC_URL`).',
      resolve: ({ mail }) => mail?.origin !== undefined,
    }),
    problem: t.string({
      nullable: true,
      description:
        'What keeps mail from being sent, in plain words. Admins get the words of the mail server, if it has refused mail.',
      resolve: mailProblem,
    }),
  }),
});

const obstacles: Readonly<Record<ReminderObstacle, string>> = {
  NO_WORKER: 'No worker runs: neither `serve` with `WORKER=on` nor `worker`.',
  NO_MAIL: 'No mail server is set up (`SMTP_URL`).',
  MAIL_REFUSED: 'The mail server took no mail when it was last tried.',
  STANDSTILL: 'Workers run, but have not decided for ten minutes what is due.',
};

const ReminderObstacleEnum = builder.enumType('ReminderObstacle', {
  description: 'What keeps reminders from being sent.',
  values: Object.fromEntries(
    reminderObstacles.map((obstacle) => [obstacle, { description: obstacles[obstacle] }]),
  ) as Record<ReminderObstacle, { description: string }>,
});

const counted = `They are counted up to ${mostMailsCounted.toLocaleString('en')}.`;

const ReminderHealthType = builder.objectRef<Health>('ReminderHealth').implement({
  description: 'How reminders do in the workspaces that the caller sees.',
  fields: (t) => ({
    obstacle: t.field({
      type: ReminderObstacleEnum,
      nullable: true,
      description: 'What keeps reminders from being sent; null when nothing does.',
      resolve: async (health) => {
        const [workers, lateSince] = await Promise.all([health.workers(), readLateSince(health.session)]);
        const hasMail = await isMailSetUp(health);
        return obstacleOf({ ...workers, hasMail }, lateSince, health.session.now);
      },
    }),
    silentTeamIds: t.idList({
      description:
        'Workspaces whose reminders go nowhere, whatever else holds: those of the demo, unless `DEMO_MAIL_TO` is set.',
      resolve: async ({ session: { caller }, workers }) =>
        (await workers()).hasDemoMail
          ? []
          : caller.teamIds.filter((id) => isDemoWorkspace(id, caller.organizationId)),
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When a worker last looked for reminders that are due; null when none has.',
      resolve: async ({ workers }) => (await workers()).decidedAt,
    }),
    lastRun: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Up to when the reminders of a workspace were last decided.',
      resolve: async ({ counts }) => (await counts()).lastRun,
    }),
    nextRun: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When there is something to decide next. If it has long passed, nobody decides.',
      resolve: async ({ counts }) => (await counts()).nextRun,
    }),
    queued: t.int({
      description: `Deliveries that are not settled. ${counted}`,
      resolve: async ({ counts }) => (await counts()).queued,
    }),
    oldestQueued: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the oldest of them was queued.',
      resolve: async ({ counts }) => (await counts()).oldestQueued,
    }),
    failedToday: t.int({
      description: `Deliveries that were given up today, where their workspaces are. ${counted}`,
      resolve: async ({ counts }) => (await counts()).failedToday,
    }),
    withoutRecipient: t.int({
      description: `Reminders of the last ${countedDays} days that none of their own recipients could be told by. ${counted}`,
      resolve: async ({ counts }) => (await counts()).withoutRecipient,
    }),
    mail: t.field({
      type: MailHealthType,
      description: 'Whether mail can be sent.',
      resolve: (health) => health,
    }),
  }),
});

builder.queryField('reminderHealth', (t) =>
  t.field({
    type: ReminderHealthType,
    description: 'Whether reminders are decided and sent.',
    resolve: (_root, _args, { session, mail }) => ({
      session,
      mail,
      counts: once(() => readHealth(session)),
      workers: once(() => readWorkers(session.database, session.now)),
    }),
  }),
);

const TestMailResult = builder.objectRef<TrialResult>('TestMailResult').implement({
  description: 'What became of a test mail.',
  fields: (t) => ({
    isSent: t.exposeBoolean('isSent', { description: 'Whether the mail server has taken it.' }),
    answer: t.exposeString('answer', {
      description: 'What the mail server said, or what kept the mail from it.',
    }),
  }),
});

builder.mutationField('sendTestMail', (t) =>
  t.field({
    type: TestMailResult,
    nullable: true,
    description: 'Sends a mail to try the settings, and answers what the mail server said. Five a minute.',
    authScopes: { administer: true },
    args: { to: t.arg.string({ required: true, description: 'The address.' }) },
    resolve: async (_root, { to }, { session, mail }) =>
      mail ? mail.tryOut(session, to) : { isSent: false, answer: notSetUp },
  }),
);
