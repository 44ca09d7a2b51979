import { badField } from '../../../domain/errors.js';
import { encodeCursor, type Order, readWindow } from '../../../domain/paging.js';
import { reasonCode, reasonText } from '../../../domain/reminders/reasons.js';
import { load, loadBatched } from '../../../records/loaders.js';
import type { FoundTarget } from '../../../reminders/evaluate/targets.js';
import { type NextReminder, nextReminders, readingOf, seenBy } from '../../../reminders/shown/next.js';
import { previewReminder } from '../../../reminders/shown/preview.js';
import { mostTargets } from '../../../reminders/shown/reminders.js';
import {
  listUpcoming,
  mostDays,
  mostWorkspaces,
  type UpcomingReminder,
} from '../../../reminders/shown/upcoming.js';
import { builder, typeOf } from '../../builder.js';
import { linkTo } from '../../define/links.js';
import { needs } from '../../execution/selection.js';
import { NotToldReasonEnum } from '../records/reasons.js';
import { ReminderStep } from './reminder-policies.js';

const UpcomingRecipient = builder.objectRef<FoundTarget>('UpcomingRecipient').implement({
  description: 'A recipient of an upcoming reminder.',
  fields: (t) => ({
    address: t.exposeString('address', { description: 'The address.' }),
    reason: t.string({
      nullable: true,
      description: 'Why they would not be notified, in plain words. Null if they would be.',
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'The code for why they would not be notified. Null if they would be.',
      resolve: ({ reason }) => reasonCode(reason),
    }),
    isFallback: t.exposeBoolean('isFallback', {
      description: 'True if they are only notified because nobody else can be.',
    }),
  }),
});

const recipients = {
  type: [UpcomingRecipient] as [typeof UpcomingRecipient],
  description: `The recipients, at most the first ${mostTargets}.`,
};

const NextReminderType = builder.objectRef<NextReminder>('NextReminder').implement({
  description: 'The next reminder of an item if nothing changes.',
  fields: (t) => ({
    on: t.expose('on', {
      type: 'Date',
      description: 'The day the reminder will be sent, in the time zone of the workspace.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the reminder will be sent.' }),
    step: t.field({
      type: ReminderStep,
      description: 'The step of the policy that the reminder belongs to.',
      resolve: ({ step }) => step,
    }),
    recipients: t.field({ ...recipients, resolve: (next) => [...next.recipients] }),
  }),
});

builder.prismaObjectField('ExpirationItem', 'nextReminder', (t) =>
  t.field({
    type: NextReminderType,
    nullable: true,
    description: 'The next reminder if nothing changes. Null if there is none.',
    ...needs({}),
    resolve: ({ id }, _args, { session }) => loadBatched(session, nextReminders, id),
  }),
);

const orders: readonly Order[] = [{ field: 'at', direction: 'asc' }];
const list = 'UpcomingReminder';
const cursorOf = ({ at, key }: UpcomingReminder) =>
  encodeCursor(orders, list, { values: [at.toISOString()], id: key });

const UpcomingReminderType = builder.objectRef<UpcomingReminder>(list).implement({
  description: 'A reminder that will be sent if nothing changes.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When the reminder will be sent.' }),
    itemName: t.exposeString('itemName', { description: "The item's name." }),
    expirationDate: t.expose('expirationDate', { type: 'Date', description: 'The date that it is about.' }),
    occurrence: t.exposeInt('occurrence', { description: 'The number of the repetition, starting at 0.' }),
    isAfterSnooze: t.exposeBoolean('isAfterSnooze', {
      description: 'True if the reminder was snoozed until this time.',
    }),
    step: t.field({
      type: ReminderStep,
      description: 'The step that the reminder belongs to.',
      resolve: ({ step }) => step,
    }),
    recipients: t.field({
      ...recipients,
      resolve: (one, _args, { session }) => one.recipients.filter(seenBy(session.caller.teamIds)),
    }),
    expirationItem: t.field(linkTo('expirationItem', 'itemId', 'The item.')),
    team: t.field(linkTo('team', 'teamId', 'The workspace of its item.')),
    policy: t.field({
      type: typeOf('reminderPolicy'),
      nullable: true,
      description: 'The policy that the step belongs to.',
      resolve: ({ step }, _args, { session }) => load(session, 'reminderPolicy', step.policyId),
    }),
  }),
});

const UpcomingEdge = builder.objectRef<UpcomingReminder>('UpcomingReminderEdge').implement({
  description: 'An upcoming reminder, with its cursor.',
  fields: (t) => ({
    cursor: t.string({ description: 'The position of the entry, for use as `after`.', resolve: cursorOf }),
    node: t.field({ type: UpcomingReminderType, description: 'The reminder.', resolve: (one) => one }),
  }),
});

interface UpcomingPage {
  readonly rows: readonly UpcomingReminder[];
  readonly more: boolean;
  readonly isFirst: boolean;
}

const UpcomingConnection = builder.objectRef<UpcomingPage>('UpcomingReminderConnection').implement({
  description: 'A page of upcoming reminders, in chronological order.',
  fields: (t) => ({
    edges: t.field({
      type: [UpcomingEdge],
      description: 'The reminders with their cursors.',
      resolve: ({ rows }) => [...rows],
    }),
    nodes: t.field({
      type: [UpcomingReminderType],
      description: 'The reminders.',
      resolve: ({ rows }) => [...rows],
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'Tells whether there are more.',
      resolve: ({ rows, more, isFirst }) => {
        const [first, last] = [rows[0], rows.at(-1)];
        return {
          hasNextPage: more,
          hasPreviousPage: !isFirst,
          startCursor: first ? cursorOf(first) : null,
          endCursor: last ? cursorOf(last) : null,
        };
      },
    }),
  }),
});

builder.queryField('upcomingReminders', (t) =>
  t.field({
    type: UpcomingConnection,
    description:
      'Lists the reminders of the coming days with their recipients, in chronological order, as they will be sent if nothing changes.',
    args: {
      days: t.arg.int({ required: true, description: `The number of days from now, 1 to ${mostDays}.` }),
      teamId: t.arg.id({
        description: `The id of a workspace. If omitted, all that the caller may see, up to ${mostWorkspaces}.`,
      }),
      first: t.arg.int({ description: 'Number of rows from the start, at most 500. Default: 100.' }),
      after: t.arg.string({ description: 'Only rows after this cursor.' }),
    },
    resolve: async (_root, { days, teamId, first, after }, { session }) => {
      if (days < 1 || days > mostDays) throw badField(['days'], `must be from 1 to ${mostDays}`, 'range');
      const wanted = teamId?.toLowerCase();
      const seen = session.caller.teamIds.filter((id) => wanted === undefined || id === wanted);
      if (seen.length > mostWorkspaces)
        throw badField(['teamId'], `is required of callers who see more than ${mostWorkspaces} workspaces`);
      const { limit, after: position } = readWindow(orders, list, {
        first: first ?? null,
        after: after ?? null,
      });
      const at = new Date(String(position?.values[0]));
      if (position && Number.isNaN(at.getTime()))
        throw badField(['after'], 'is not a cursor of this list', 'format');
      const rows = await listUpcoming(readingOf(session), {
        ...{ teamIds: seen, now: session.now, days, limit: limit + 1 },
        after: position && { at, key: position.id },
      });
      return { rows: rows.slice(0, limit), more: rows.length > limit, isFirst: position === undefined };
    },
  }),
);

const ReminderPreview = builder
  .objectRef<Awaited<ReturnType<typeof previewReminder>>>('ReminderPreview')
  .implement({
    description: 'A preview of the reminder mail for an item.',
    fields: (t) => ({
      subject: t.exposeString('subject', { description: 'The subject of the mail.' }),
      text: t.exposeString('text', { description: 'The plain-text part of the mail.' }),
      html: t.exposeString('html', {
        description: 'The HTML part of the mail. It loads no external content.',
      }),
    }),
  });

builder.queryField('previewReminder', (t) =>
  t.field({
    type: ReminderPreview,
    nullable: true,
    description:
      'Returns the reminder mail for an item as a preview. Nothing is sent, and its links do not work.',
    args: {
      itemId: t.arg.id({ required: true, description: "The item's id." }),
      stepId: t.arg.id({
        description: 'Shows the mail as sent on the day of this step. Default: as sent today.',
      }),
      language: t.arg.string({
        description: "The language of the mail: de, en, es, fr, it or nl. Default: the caller's.",
      }),
    },
    resolve: async (_root, args, { session, mail }) =>
      previewReminder(session, args, (await mail?.server.read())?.origin),
  }),
);
