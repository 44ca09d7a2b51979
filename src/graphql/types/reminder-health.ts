import {
  countedDays,
  mostMailsCounted,
  type ReminderHealth,
  readHealth,
} from '../../reminders/shown/health.js';
import { notSetUp, type TrialResult } from '../../reminders/shown/mail-door.js';
import { builder } from '../builder.js';

interface MailHealth {
  readonly from: string | undefined;
  readonly origin: string | undefined;
}

const MailHealthType = builder.objectRef<MailHealth>('MailHealth').implement({
  description: 'Whether mail can be sent.',
  fields: (t) => ({
    isSetUp: t.boolean({
      description: 'Whether there is a mail server (`SMTP_URL`). Without one nothing is decided or sent.',
      resolve: ({ from }) => from !== undefined,
    }),
    from: t.string({
      nullable: true,
      description: 'The sender of mails.',
      resolve: ({ from }) => from ?? null,
    }),
    hasLinks: t.boolean({
      description: 'Whether mails have links (`PUBLIC_URL`).',
      resolve: ({ origin }) => origin !== undefined,
    }),
    problem: t.string({
      nullable: true,
      description: 'What keeps mail from being sent, in plain words.',
      resolve: ({ from }) => (from === undefined ? notSetUp : null),
    }),
  }),
});

const counted = `They are counted up to ${mostMailsCounted.toLocaleString('en')}.`;

const ReminderHealthType = builder
  .objectRef<ReminderHealth & { readonly mail: MailHealth }>('ReminderHealth')
  .implement({
    description: 'How reminders do in the workspaces that the caller sees.',
    fields: (t) => ({
      lastRun: t.expose('lastRun', {
        type: 'DateTime',
        nullable: true,
        description: 'Up to when the reminders of a workspace were last decided.',
      }),
      nextRun: t.expose('nextRun', {
        type: 'DateTime',
        nullable: true,
        description: 'When there is something to decide next. If it has long passed, nobody decides.',
      }),
      queued: t.exposeInt('queued', { description: `Deliveries that are not settled. ${counted}` }),
      oldestQueued: t.expose('oldestQueued', {
        type: 'DateTime',
        nullable: true,
        description: 'When the oldest of them was queued.',
      }),
      failedToday: t.exposeInt('failedToday', {
        description: `Deliveries that were given up today, where their workspaces are. ${counted}`,
      }),
      withoutRecipient: t.exposeInt('withoutRecipient', {
        description: `Reminders of the last ${countedDays} days that none of their own recipients could be told by. ${counted}`,
      }),
      mail: t.field({
        type: MailHealthType,
        description: 'Whether mail can be sent.',
        resolve: ({ mail }) => mail,
      }),
    }),
  });

builder.queryField('reminderHealth', (t) =>
  t.field({
    type: ReminderHealthType,
    description: 'Whether reminders are decided and sent.',
    resolve: async (_root, _args, { session, mail }) => ({
      ...(await readHealth(session)),
      mail: { from: mail?.from, origin: mail?.origin },
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
