import type { Session } from '../../db/connection/session.js';
import { pointer } from '../../db/sql/tree.js';
import { may } from '../../domain/caller.js';
import { badField } from '../../domain/errors.js';
import { encodeCursor, type Order, readWindow } from '../../domain/paging.js';
import { type MailWords, mailFields } from '../../domain/reminders/mail-words.js';
import { type ItemDate, type RecipientKind, recipientKinds } from '../../domain/reminders/policy.js';
import {
  obstacleOf,
  type ReminderObstacle,
  reasonCode,
  reasonText,
  reminderObstacles,
  type WorkersState,
} from '../../domain/reminders/reasons.js';
import { isDemoWorkspace } from '../../domain/text/demo.js';
import { load, loadBatched, loadJoined } from '../../records/loaders.js';
import type { FoundTarget } from '../../reminders/evaluate/plan-deliveries.js';
import {
  countedDays,
  maxMailsCounted,
  type ReminderHealth,
  readHealth,
  readTroubles,
  readWorkers,
} from '../../reminders/health.js';
import { type CurrentMail, notSetUp } from '../../reminders/mail-server.js';
import { type MailPreview, previewMailText, previewReminder } from '../../reminders/queries/previews.js';
import { maxTargets } from '../../reminders/queries/reminders.js';
import {
  listUpcoming,
  maxDays,
  maxWorkspaces,
  type NextReminder,
  nextReminders,
  readingOf,
  seenBy,
  type UpcomingReminder,
} from '../../reminders/queries/upcoming.js';
import { applyPolicy, type Policy } from '../../resources/reminder-policies.js';
import { builder, typeOf } from '../builder.js';
import type { Context } from '../context.js';
import { linkTo } from '../define/records.js';
import { onVersion, versionArgument } from '../define/writes.js';
import { needs } from '../execution/selection.js';
import { ItemDateEnum, NotNotifiedReasonEnum } from './records.js';

const [teamLink, categoryLink] = [pointer('teamId', 'team'), pointer('categoryId', 'category')];

const PolicySource = builder.enumType('ReminderPolicySource', {
  description: "Where an item's reminder policy comes from.",
  values: {
    ITEM: { description: 'The item itself.' },
    CATEGORY: { description: "The item's document type." },
    TEAM: { description: "The item's workspace." },
  } as const,
});

interface Effective {
  readonly policy: Policy;
  readonly from: 'ITEM' | 'CATEGORY' | 'TEAM';
}

const EffectivePolicy = builder.objectRef<Effective>('EffectiveReminderPolicy').implement({
  description: 'The reminder policy that an item follows. The closest policy applies as a whole.',
  fields: (t) => ({
    policy: t.field({
      type: typeOf('reminderPolicy'),
      description: 'The policy.',
      resolve: ({ policy }) => policy,
    }),
    from: t.field({
      type: PolicySource,
      description: 'Where the policy comes from.',
      resolve: ({ from }) => from,
    }),
  }),
});

builder.prismaObjectField('ExpirationItem', 'effectivePolicy', (t) =>
  t.field({
    type: EffectivePolicy,
    nullable: true,
    description:
      'The reminder policy that the item follows: its own, its document type’s or its workspace’s.',
    ...needs({
      fields: ['reminderPolicyId'],
      joins: [
        [teamLink, ['reminderPolicyId']],
        [categoryLink, ['reminderPolicyId']],
      ],
    }),
    resolve: async (item, _args, { session }): Promise<Effective | null> => {
      const sources = [
        ['ITEM', item.reminderPolicyId],
        ['CATEGORY', (await loadJoined(session, item, categoryLink))?.reminderPolicyId],
        ['TEAM', (await loadJoined(session, item, teamLink))?.reminderPolicyId],
      ] as const;
      for (const [from, id] of sources) {
        const policy = id ? await load(session, 'reminderPolicy', id) : null;
        if (policy) return { from, policy };
      }
      return null;
    },
  }),
);

const ApplyTo = builder.enumType('ApplyReminderPolicyTo', {
  description: 'Which reminders a changed reminder policy applies to.',
  values: {
    FUTURE_SLOTS: { description: 'Only reminders that become due from now on. This is the default.' },
    NOW: { description: "Also reminders that are already past: each item's last past step is sent." },
  } as const,
});

const ApplyInput = builder.inputType('ApplyReminderPolicyInput', {
  description: 'How to apply a reminder policy.',
  fields: (t) => ({
    applyTo: t.field({
      type: ApplyTo,
      required: true,
      description: 'Which reminders the policy applies to.',
    }),
  }),
});

builder.mutationField('applyReminderPolicy', (t) =>
  t.field({
    type: typeOf('reminderPolicy'),
    nullable: true,
    description: 'Applies a reminder policy to the items that follow it.',
    extensions: { loose: ['applyTo'] },
    args: {
      id: t.arg.id({ required: true, description: "The policy's id." }),
      input: t.arg({ type: ApplyInput, required: true, description: 'How to apply it.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => applyPolicy(session, id, input.applyTo === 'NOW')),
  }),
);

/** Descriptions of the parts that somebody can have in an item. */
const recipientDescriptions: Record<(typeof recipientKinds)[number], string> = {
  CONTACTS: 'The contacts of the item.',
  MAIN_CONTACT: 'The main contact of the item.',
  ASSIGNEE: 'The user the item is assigned to.',
  WATCHERS: 'Everybody who watches the item.',
  WORKSPACE_MEMBERS: 'The members of the workspace.',
  ADMINS: 'The admins of the organization.',
  ADDRESSES: 'The addresses of the step.',
};

const RecipientKindEnum = builder.enumType('RecipientKind', {
  description: 'Recipients of a reminder step, by their relation to the item.',
  values: Object.fromEntries(
    recipientKinds.map((kind) => [kind, { description: recipientDescriptions[kind] }]),
  ) as Record<(typeof recipientKinds)[number], { description: string }>,
});

/** A step, as it is stored or as it was just written. */
interface StepShape {
  readonly id: string;
  readonly about: ItemDate | null;
  readonly offsetDays: number;
  readonly repeatEveryDays: number | null;
  readonly repeatCount: number | null;
  readonly onlyUnacknowledged: boolean;
  readonly asksForDocument: boolean;
  readonly recipients: readonly string[];
  readonly addresses: readonly string[];
  readonly channelIds: readonly string[];
}

/** A step of a reminder policy. */
const ReminderStep = builder.objectRef<StepShape>('ReminderStep').implement({
  description: 'One step of a reminder policy: when to send a reminder, and to whom.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: "The step's id. It stays the same as long as the step's offset does.",
    }),
    about: t.expose('about', {
      type: ItemDateEnum,
      nullable: true,
      description: 'The date that the step counts from. If null, it counts from each date of an item.',
    }),
    offsetDays: t.exposeInt('offsetDays', {
      description: 'The number of days from the date. Negative means before it.',
    }),
    repeatEveryDays: t.exposeInt('repeatEveryDays', {
      nullable: true,
      description: 'The number of days between repetitions, until acknowledged. If null, it is not repeated.',
    }),
    repeatCount: t.exposeInt('repeatCount', {
      nullable: true,
      description: 'The maximum number of repetitions. Null means 365.',
    }),
    onlyUnacknowledged: t.exposeBoolean('onlyUnacknowledged', {
      description: 'True if the step is skipped once the date is acknowledged.',
    }),
    asksForDocument: t.exposeBoolean('asksForDocument', {
      description: 'True if its mails have a link by which the recipient sends the new document.',
    }),
    recipients: t.field({
      type: [RecipientKindEnum],
      description: 'The recipients, by their relation to the item.',
      // The rules let nothing else into it.
      resolve: ({ recipients }) => recipients as RecipientKind[],
    }),
    addresses: t.field({
      type: ['String'],
      description: 'Additional addresses to notify.',
      resolve: ({ addresses }) => [...addresses],
    }),
    channelIds: t.field({
      type: ['ID'],
      description: 'The chat channels to notify.',
      resolve: ({ channelIds }) => [...channelIds],
    }),
  }),
});

builder.inputType('ReminderStepInput', {
  description: 'One step of a reminder policy: when to send a reminder, and to whom.',
  fields: (t) => ({
    about: t.field({
      type: ItemDateEnum,
      description:
        'The date that the step counts from. If null, it counts from each date of an item. If omitted, a step with the same offset keeps its date.',
    }),
    offsetDays: t.int({
      required: true,
      description: 'The number of days from the date, -3650 to 3650. Negative means before it.',
    }),
    repeatEveryDays: t.int({ description: 'The number of days between repetitions, until acknowledged.' }),
    repeatCount: t.int({ description: 'The maximum number of repetitions. Default: 365.' }),
    onlyUnacknowledged: t.boolean({
      description: 'True if the step is skipped once the date is acknowledged.',
    }),
    asksForDocument: t.boolean({
      description:
        'True if its mails have a link by which the recipient sends the new document. A request for it is made with the first one. Not for steps about the last day to give notice.',
    }),
    recipients: t.field({
      type: [RecipientKindEnum],
      description:
        'The recipients. Default: CONTACTS, MAIN_CONTACT, ASSIGNEE and WATCHERS. May be empty if there are channels.',
    }),
    addresses: t.stringList({ description: 'Additional addresses to notify.' }),
    channelIds: t.idList({ description: 'Chat channels to notify. They belong to the same workspace.' }),
  }),
});

/** Descriptions of the places in a mail that own words have. */
const placesOfWords = {
  language: 'The language: de, en, es, fr, it or nl.',
  subject: 'The subject, at most 255 characters. If null, it is the built-in one.',
  opening: 'The lines before the item, at most 4096 characters. If null, there are none.',
  closing: 'The lines after the item, at most 4096 characters. If null, there are none.',
};

const fieldsOfWords = `In words, ${Object.keys(mailFields)
  .map((name) => `\`{{${name}}}\``)
  .join(', ')} are replaced.`;

builder.objectRef<MailWords>('MailWords').implement({
  description: `The own words of mails in one language. ${fieldsOfWords}`,
  fields: (t) => ({
    language: t.exposeString('language', { description: placesOfWords.language }),
    subject: t.exposeString('subject', { nullable: true, description: placesOfWords.subject }),
    opening: t.exposeString('opening', { nullable: true, description: placesOfWords.opening }),
    closing: t.exposeString('closing', { nullable: true, description: placesOfWords.closing }),
  }),
});

const MailWordsInput = builder.inputType('MailWordsInput', {
  description: `The own words of mails in one language. ${fieldsOfWords} Other fields are refused.`,
  fields: (t) => ({
    language: t.string({ required: true, description: placesOfWords.language }),
    subject: t.string({ description: placesOfWords.subject }),
    opening: t.string({ description: placesOfWords.opening }),
    closing: t.string({ description: placesOfWords.closing }),
  }),
});

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
      type: NotNotifiedReasonEnum,
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
  description: `The recipients, at most the first ${maxTargets}.`,
};

const NextReminderType = builder.objectRef<NextReminder>('NextReminder').implement({
  description: 'The next reminder of an item if nothing changes.',
  fields: (t) => ({
    about: t.expose('about', { type: ItemDateEnum, description: 'Which date of the item it is about.' }),
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
    about: t.expose('about', { type: ItemDateEnum, description: 'Which date of the item it is about.' }),
    expirationDate: t.expose('date', { type: 'Date', description: 'The date that it is about.' }),
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
      resolve: async (one, _args, { session }) =>
        (await one.recipients()).filter(seenBy(session.caller.teamIds)),
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
      days: t.arg.int({ required: true, description: `The number of days from now, 1 to ${maxDays}.` }),
      teamId: t.arg.id({
        description: `The id of a workspace. If omitted, all that the caller may see, up to ${maxWorkspaces}.`,
      }),
      first: t.arg.int({ description: 'Number of rows from the start, at most 500. Default: 100.' }),
      after: t.arg.string({ description: 'Only rows after this cursor.' }),
    },
    resolve: async (_root, { days, teamId, first, after }, { session }) => {
      if (days < 1 || days > maxDays) throw badField(['days'], `must be from 1 to ${maxDays}`, 'range');
      const wanted = teamId?.toLowerCase();
      const seen = session.caller.teamIds.filter((id) => wanted === undefined || id === wanted);
      if (seen.length > maxWorkspaces)
        throw badField(['teamId'], `is required of callers who see more than ${maxWorkspaces} workspaces`);
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
        slices: session.slices,
      });
      return { rows: rows.slice(0, limit), more: rows.length > limit, isFirst: position === undefined };
    },
  }),
);

const ReminderPreview = builder.objectRef<MailPreview>('ReminderPreview').implement({
  description: 'A preview of the reminder mail for an item.',
  fields: (t) => ({
    subject: t.exposeString('subject', { description: 'The subject of the mail.' }),
    text: t.exposeString('text', { description: 'The plain-text part of the mail.' }),
    html: t.exposeString('html', {
      description:
        'The HTML part of the mail. It loads no external content. A logo has an address that only the mail itself knows, `cid:…`.',
    }),
    senderName: t.exposeString('senderName', {
      nullable: true,
      description: "The sender's own name. If null, it is that of the mail server's settings.",
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
      about: t.arg({
        type: ItemDateEnum,
        description:
          'The date that the mail is about. Default: that of the step, or else the expiration date.',
      }),
      stepId: t.arg.id({
        description: 'Shows the mail as sent on the day of this step. Default: as sent today.',
      }),
      language: t.arg.string({
        description: "The language of the mail: de, en, es, fr, it or nl. Default: the caller's.",
      }),
    },
    resolve: async (_root, args, { session, services }) =>
      previewReminder(session, args, (await services?.mail.server.read())?.origin),
  }),
);

const PreviewMailTextInput = builder.inputType('PreviewMailTextInput', {
  description: 'A mail text that need not be stored.',
  fields: (t) => ({
    scope: t.field({
      // Declared with the resource, so the builder's types do not know it.
      type: 'MailTextScope' as never,
      description: 'What the mail text is for. Default: `TEAM`.',
    }),
    teamId: t.id({ description: "The workspace of an invented item. Default: the caller's." }),
    categoryId: t.id({ description: 'The document type of an invented item.' }),
    itemId: t.id({ description: 'The item of the mail. If omitted, an item is invented.' }),
    words: t.field({
      type: MailWordsInput,
      required: true,
      description: 'The words, in the language of the mail.',
    }),
    senderName: t.string({ description: "The sender's name." }),
    logo: t.string({ description: "The logo's data URL." }),
  }),
});

builder.queryField('previewMailText', (t) =>
  t.field({
    type: ReminderPreview,
    nullable: true,
    description:
      'Returns the reminder mail that a mail text would lead to. What the mail text lacks, less specific ones add. Nothing is stored or sent.',
    args: { input: t.arg({ type: PreviewMailTextInput, required: true, description: 'The mail text.' }) },
    resolve: async (_root, { input }, { session, services }) =>
      previewMailText(session, input, (await services?.mail.server.read())?.origin),
  }),
);

/** A caller's view of reminders. What nobody asks for is not read. */
interface Health {
  readonly session: Session;
  readonly setup: () => Promise<Partial<CurrentMail> | undefined>;
  readonly counts: () => Promise<ReminderHealth>;
  readonly workers: () => Promise<WorkersState>;
  readonly troubles: () => Promise<Awaited<ReturnType<typeof readTroubles>>>;
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
  const isAdmin = may(health.session.caller.role, 'administer');
  const said = lostKey ?? (await health.workers()).mailProblem;
  if (said !== null) return isAdmin ? said : 'The mail server accepts no mail.';
  const { refused, refusal } = await health.troubles();
  if (refused === 0) return null;
  return (isAdmin ? refusal : null) ?? 'The mail server refused some mails.';
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
  MAIL_REFUSED: 'The mail server does not answer, or has accepted no mail since it refused one.',
  STANDSTILL: 'Workers are running but have not decided due reminders for ten minutes.',
  SOME_MAIL_REFUSED: 'Some mails wait because a mail server refused them, for good or for more than an hour.',
};

const ReminderObstacleEnum = builder.enumType('ReminderObstacle', {
  description: 'What prevents reminders from being sent.',
  values: Object.fromEntries(
    reminderObstacles.map((obstacle) => [obstacle, { description: obstacles[obstacle] }]),
  ) as Record<ReminderObstacle, { description: string }>,
});

const counted = `The count stops at ${maxMailsCounted.toLocaleString('en')}.`;

/** The state of reminders, and what keeps them from being sent. */
export const ReminderHealthType = builder.objectRef<Health>('ReminderHealth').implement({
  description: 'The state of reminders in the workspaces that the caller may see.',
  fields: (t) => ({
    obstacle: t.field({
      type: ReminderObstacleEnum,
      nullable: true,
      description: 'What prevents reminders from being sent. Null if nothing does.',
      resolve: async (health) => {
        const [workers, { lateSince, refused }] = await Promise.all([health.workers(), health.troubles()]);
        const hasMail = await isMailSetUp(health);
        return obstacleOf({ ...workers, hasMail }, lateSince, refused, health.session.now);
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
export const healthOf = ({ session, services }: Context): Health => ({
  session,
  setup: once(async () => services?.mail.server.read()),
  counts: once(() => readHealth(session)),
  troubles: once(() => readTroubles(session)),
  workers: once(() => readWorkers(session.database, session.now)),
});

builder.queryField('reminderHealth', (t) =>
  t.field({
    type: ReminderHealthType,
    description: 'Returns whether reminders are decided and sent.',
    resolve: (_root, _args, context) => healthOf(context),
  }),
);
