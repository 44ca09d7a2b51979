import { badField } from '../../domain/errors.js';
import { encodeCursor, type Order, readWindow } from '../../domain/paging.js';
import { reasonCode, reasonText } from '../../domain/reminders/reasons.js';
import { load, loadBatched } from '../../records/loaders.js';
import type { FoundTarget } from '../../reminders/evaluate/targets.js';
import { type NextReminder, nextReminders, readingOf, seenBy } from '../../reminders/shown/next.js';
import { previewReminder } from '../../reminders/shown/preview.js';
import { mostTargets } from '../../reminders/shown/reminders.js';
import {
  listUpcoming,
  mostDays,
  mostWorkspaces,
  type UpcomingReminder,
} from '../../reminders/shown/upcoming.js';
import { builder, typeOf } from '../builder.js';
import { linkTo } from '../define/links.js';
import { needs } from '../execution/selection.js';
import { NotToldReasonEnum } from './reasons.js';
import { ReminderStep } from './reminder-policies.js';

const UpcomingRecipient = builder.objectRef<FoundTarget>('UpcomingRecipient').implement({
  description: 'Somebody whom a reminder would be for.',
  fields: (t) => ({
    address: t.exposeString('address', { description: 'The address.' }),
    reason: t.string({
      nullable: true,
      description: 'Why they would not be told, in plain words; told when null.',
      resolve: ({ reason }) => reasonText(reason),
    }),
    reasonCode: t.field({
      type: NotToldReasonEnum,
      nullable: true,
      description: 'Code of why they would not be told; told when null.',
      resolve: ({ reason }) => reasonCode(reason),
    }),
    isFallback: t.exposeBoolean('isFallback', {
      description: 'Whether they are told because nobody else could be.',
    }),
  }),
});

const recipients = {
  type: [UpcomingRecipient] as [typeof UpcomingRecipient],
  description: `Whom it would be for, the first ${mostTargets}.`,
};

const NextReminderType = builder.objectRef<NextReminder>('NextReminder').implement({
  description: 'The reminder of an item that comes next, if all stays as it is.',
  fields: (t) => ({
    on: t.expose('on', { type: 'Date', description: 'The day on which it comes, where the workspace is.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it comes.' }),
    step: t.field({
      type: ReminderStep,
      description: 'The step of the policy whose recipients are told.',
      resolve: ({ step }) => step,
    }),
    recipients: t.field({ ...recipients, resolve: (next) => [...next.recipients] }),
  }),
});

builder.prismaObjectField('ExpirationItem', 'nextReminder', (t) =>
  t.field({
    type: NextReminderType,
    nullable: true,
    description: 'The reminder that comes next, if all stays as it is; null when none does.',
    ...needs({}),
    resolve: ({ id }, _args, { session }) => loadBatched(session, nextReminders, id),
  }),
);

const orders: readonly Order[] = [{ field: 'at', direction: 'asc' }];
const list = 'UpcomingReminder';
const cursorOf = ({ at, key }: UpcomingReminder) =>
  encodeCursor(orders, list, { values: [at.toISOString()], id: key });

const UpcomingReminderType = builder.objectRef<UpcomingReminder>(list).implement({
  description: 'A reminder that will be told, if all stays as it is.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When it comes.' }),
    itemName: t.exposeString('itemName', { description: "The item's name." }),
    expirationDate: t.expose('expirationDate', { type: 'Date', description: 'The date that it is about.' }),
    occurrence: t.exposeInt('occurrence', { description: 'Number of the repetition, from 0 on.' }),
    isAfterSnooze: t.exposeBoolean('isAfterSnooze', {
      description: 'Whether it comes because somebody has put it off until then.',
    }),
    step: t.field({
      type: ReminderStep,
      description: 'The step that it comes by.',
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
      description: 'The policy that the step is of.',
      resolve: ({ step }, _args, { session }) => load(session, 'reminderPolicy', step.policyId),
    }),
  }),
});

const UpcomingEdge = builder.objectRef<UpcomingReminder>('UpcomingReminderEdge').implement({
  description: 'A reminder to come, and where it stands.',
  fields: (t) => ({
    cursor: t.string({ description: 'Where it stands: for `after`.', resolve: cursorOf }),
    node: t.field({ type: UpcomingReminderType, description: 'The reminder.', resolve: (one) => one }),
  }),
});

interface UpcomingPage {
  readonly rows: readonly UpcomingReminder[];
  readonly more: boolean;
  readonly isFirst: boolean;
}

const UpcomingConnection = builder.objectRef<UpcomingPage>('UpcomingReminderConnection').implement({
  description: 'A part of the reminders to come, in the order of time.',
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
      description: 'Whether there are more.',
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
    description: 'What will be told in the next days, and to whom, the first first, if all stays as it is.',
    args: {
      days: t.arg.int({ required: true, description: `Days from now on, 1 to ${mostDays}.` }),
      teamId: t.arg.id({
        description: `A workspace; all that the caller sees when left out, if they are no more than ${mostWorkspaces}.`,
      }),
      first: t.arg.int({ description: 'Rows from the start, at most 500; 100 when left out.' }),
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
    description: 'A mail that would tell of an item.',
    fields: (t) => ({
      subject: t.exposeString('subject', { description: 'Its subject.' }),
      text: t.exposeString('text', { description: 'Its part in plain text.' }),
      html: t.exposeString('html', { description: 'Its part in HTML, which loads nothing.' }),
    }),
  });

builder.queryField('previewReminder', (t) =>
  t.field({
    type: ReminderPreview,
    nullable: true,
    description: 'The mail that would tell of an item. Nothing is sent, and its links do nothing.',
    args: {
      itemId: t.arg.id({ required: true, description: "The item's id." }),
      stepId: t.arg.id({ description: 'As it is on the day of this step; as it is today when left out.' }),
      language: t.arg.string({
        description: "Its language: de, en, es, fr, it or nl; the caller's when left out.",
      }),
    },
    resolve: (_root, args, { session, mail }) => previewReminder(session, args, mail?.origin),
  }),
);
