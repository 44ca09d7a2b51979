import * as z from 'zod';
import { createFileLink, longestLink } from '../../access/file-links.js';
import type { Session } from '../../db/connection/session.js';
import type { RowOf } from '../../db/sql/conditions.js';
import { pointer } from '../../db/sql/tree.js';
import { noDateAlias, type Status } from '../../domain/dates.js';
import { paths } from '../../domain/doors/paths.js';
import { argumentError, badField } from '../../domain/errors.js';
import {
  base64Length,
  encodeBase64,
  FileContent,
  FileError,
  fileReference,
  largestFile,
} from '../../domain/files.js';
import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import type { ItemDate } from '../../domain/reminders/policy.js';
import { type AutoRenew, autoRenewRule } from '../../domain/reminders/renewal.js';
import { type FieldDefinition, limits } from '../../domain/rules.js';
import { withArticle } from '../../domain/text/names.js';
import {
  acknowledgeItem,
  acknowledgementRules,
  acknowledgementsByItem,
  deleteAcknowledgement,
  findAcknowledgement,
  setAcknowledgement,
} from '../../items/acknowledgements.js';
import {
  addAttachment,
  attachFile,
  fileRules,
  removeAttachment,
  restoreFile,
} from '../../items/attachment-files.js';
import { contentByAttachment, isStoredByAttachment } from '../../items/attachments.js';
import { expirationItems, renewalDate } from '../../items/expiration-items.js';
import { copyItem, copyRules, renewalRules, renewItem, renewItems } from '../../items/renewals.js';
import {
  type CountedKind,
  type Counts,
  countByLinked,
  countNotices,
  type LinkedCount,
  monthsAhead,
  mostSummarized,
  type Summary,
  summarize,
} from '../../items/summary.js';
import { type BatchLoader, loadBatched } from '../../records/loaders.js';
import { updateRecord } from '../../records/record.js';
import { builder, typeOf, versionField } from '../builder.js';
import { presentIn } from '../define/coerce.js';
import { fileToken } from '../define/patch.js';
import { linkTo, listOf } from '../define/records.js';
import {
  atomic,
  idsArgument,
  onVersion,
  onVersions,
  versionArgument,
  versionsArgument,
} from '../define/writes.js';
import { needs, selectionForField } from '../execution/selection.js';
import { ItemDateEnum } from './records.js';

/** The statuses of items. */
export const ExpirationStatus = builder.enumType('ExpirationStatus', {
  description: "An item's status today, in the time zone of its workspace.",
  values: {
    CURRENT: { value: 'current', description: 'Its first reminder is not due yet.' },
    NOTIFYING: { value: 'notifying', description: 'The first reminder is due.' },
    EXPIRED: { value: 'expired', description: 'Its date is past.' },
    ARCHIVED: { value: 'archived', description: 'It is not in use.' },
    NO_DATE: { value: 'nodate', description: 'It was filed from a scan without a date.' },
    NODATE: {
      value: noDateAlias,
      description: 'The same as `NO_DATE`, for use in filters. Fields never return it.',
      deprecationReason: 'Send `NO_DATE`. It goes in version 1.0.',
    },
    MISSING: { value: 'missing', description: 'Its document is required but absent.' },
  } as const satisfies Record<
    Exclude<Uppercase<Status>, 'NODATE'> | 'NO_DATE',
    { value: Status; description: string; deprecationReason?: string }
  > &
    Record<'NODATE', object>,
});

/** Defines the input type of a nested record: its id or its natural key. */
function reference(name: string, key: 'email' | 'name', what: string) {
  return builder.inputType(`${name}Reference`, {
    description: `Refers to a ${what} by its id, or else by its ${key}. If no ${what} has that ${key}, one is created.`,
    fields: (t) => ({
      id: t.id({ description: `The ${what}'s id.` }),
      [key]: t.string({ description: `The ${what}'s ${key}.` }),
    }),
  });
}

reference('Category', 'name', 'document type');
const ContactReference = reference('Contact', 'email', 'contact');
reference('Location', 'name', 'location');
reference('Tag', 'name', 'tag');

const AttachToItemInput = builder.inputType('AttachToExpirationItemInput', {
  description: `A file for an item, at most ${largestFile / 1024 / 1024} MiB.`,
  extensions: { rules: fileRules },
  fields: (t) => ({
    name: t.string({ description: "The file's name." }),
    contentType: t.string({ description: "The file's media type." }),
    content: t.string({ required: true, description: "The file's bytes, in base64." }),
  }),
});

const SetContactsInput = builder.inputType('SetExpirationItemContactsInput', {
  description: 'The contacts of an item.',
  extensions: { rules: z.object({ contacts: z.array(z.unknown()).max(limits.entries) }) },
  fields: (t) => ({
    contacts: t.field({
      type: [ContactReference],
      required: true,
      description: 'All contacts of the item, in order. An empty list removes them all.',
    }),
  }),
});

const CopyExpirationItemInput = builder.inputType('CopyExpirationItemInput', {
  description: 'Values in which a copy differs from the original item.',
  extensions: { rules: copyRules },
  fields: (t) => ({
    name: t.string({ description: "The copy's name. Default: that of the original followed by ` (copy)`." }),
    expirationDate: t.field({
      type: 'Date',
      description: "The copy's expiration date. Default: that of the original.",
    }),
    withAttachments: t.boolean({
      description: 'True to copy the files as well, at most 256 MiB. Default: false.',
    }),
  }),
});

const RenewExpirationItemInput = builder.inputType('RenewExpirationItemInput', {
  description: 'A renewal.',
  extensions: { rules: renewalRules },
  fields: (t) => ({
    expirationDate: t.field({
      type: 'Date',
      required: true,
      description: 'The new expiration date. It must be later than the current one.',
    }),
    details: t.string({ description: 'New details for the item. If omitted, it keeps its details.' }),
  }),
});

builder.mutationFields((t) => {
  const item = { type: typeOf('expirationItem'), nullable: true as const };
  const id = t.arg.id({ required: true, description: "The item's id." });
  return {
    attachToExpirationItem: t.field({
      ...item,
      extensions: { checksInput: true },
      description: 'Adds a file to an item, after its other files, and returns the item.',
      args: {
        id,
        input: t.arg({ type: AttachToItemInput, required: true, description: 'The file.' }),
        ...versionArgument(),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => attachFile(session, id, input)),
    }),
    setExpirationItemContacts: t.field({
      ...item,
      extensions: { checksInput: true },
      description: 'Replaces the contacts of an item and leaves everything else unchanged.',
      args: {
        id,
        input: t.arg({ type: SetContactsInput, required: true, description: 'The contacts.' }),
        ...versionArgument(),
      },
      resolve: async (_root, { id, input, ifVersion }, context, info) => {
        const { session } = context;
        const values = presentIn(input, context, SetContactsInput.name);
        const selection = selectionForField(info, expirationItems.rows.model);
        const change = () => updateRecord(session, expirationItems, id, values, selection);
        return (await onVersion(session, ifVersion, change)).row;
      },
    }),
    copyExpirationItem: t.field({
      extensions: { checksInput: true },
      ...item,
      description:
        'Creates a new item with the values and links of another one, but without its renewals and history.',
      args: {
        id: t.arg.id({ required: true, description: "The item's id." }),
        input: t.arg({
          type: CopyExpirationItemInput,
          description: 'Values in which the copy differs from the original.',
        }),
        ...versionArgument(),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => copyItem(session, id, input ?? {})),
    }),
    renewExpirationItem: t.field({
      ...item,
      extensions: { checksInput: true },
      description: "Moves an item's expiration date forward and records the renewal in its history.",
      args: {
        id: t.arg.id({ required: true, description: "The item's id." }),
        input: t.arg({ type: RenewExpirationItemInput, required: true, description: 'The renewal.' }),
        ...versionArgument(),
      },
      resolve: async (_root, { id, input, ifVersion }, { session }) =>
        (await onVersion(session, ifVersion, () => renewItem(session, id, input))).row,
    }),
    renewExpirationItems: t.field({
      type: [typeOf('expirationItem')],
      nullable: true,
      description: `Moves the expiration dates of several items forward and records the renewals in their histories. The new date must be later than the current one of every item. ${atomic}`,
      extensions: { loose: ['expirationDate', 'details'] },
      args: {
        ...idsArgument(),
        input: t.arg({ type: RenewExpirationItemInput, required: true, description: 'The renewal.' }),
        ...versionsArgument(),
      },
      resolve: (_root, { ids, ifVersions, input }, { session }) =>
        onVersions(session, ids, ifVersions, () => renewItems(session, ids, input)),
    }),
  };
});

const StatusCount = builder.objectRef<Counts['byStatus'][number]>('StatusCount').implement({
  description: 'The number of items with a status.',
  fields: (t) => ({
    status: t.expose('status', { type: ExpirationStatus, description: 'The status.' }),
    count: t.exposeInt('count', { description: 'The number of items.' }),
  }),
});

const MonthCount = builder.objectRef<Counts['byMonth'][number]>('MonthCount').implement({
  description: 'The number of items that expire in a month.',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'The month, `YYYY-MM`.' }),
    count: t.exposeInt('count', {
      description: 'The number of items whose date is in this month.',
    }),
  }),
});

const CategoryCount = builder.objectRef<Counts['byCategory'][number]>('CategoryCount').implement({
  description: 'The number of items of a document type.',
  fields: (t) => ({
    category: t.field(linkTo('category', 'categoryId', 'The document type, if the caller may see it.')),
    count: t.exposeInt('count', { description: 'The number of items.' }),
  }),
});

/** Defines the type of a number of items. They are linked to a record. */
function defineCount(name: string, kind: CountedKind, what: string) {
  // As the field of one kind: of several at once, the compiler cannot tell that type and records go together.
  const link = linkTo(kind as 'tag', 'linkedId', `The ${what}.`);
  return builder.objectRef<LinkedCount>(`${name}Count`).implement({
    description: `The number of items with ${withArticle(what)}.`,
    fields: (t) => ({
      [kind]: t.field(link),
      count: t.exposeInt('count', { description: 'The number of items.' }),
    }),
  });
}

/** Fields of the summary with numbers of items by linked records. */
const countedBy = [
  [
    'byContact',
    'contact',
    defineCount('Contact', 'contact', 'contact'),
    'contact, either as the main one or as one of several',
  ],
  [
    'byLocation',
    'location',
    defineCount('Location', 'location', 'location'),
    'location, not counting the locations inside it',
  ],
  ['byTag', 'tag', defineCount('Tag', 'tag', 'tag'), 'tag'],
  ['byAssignedTo', 'user', defineCount('User', 'user', 'assigned user'), 'assigned user'],
  ['byTeam', 'team', defineCount('Team', 'team', 'workspace'), 'workspace'],
] as const;

const ExpirationSummary = builder.objectRef<Summary>('ExpirationSummary').implement({
  description: 'The number of items, by various criteria.',
  fields: (t) => ({
    total: t.int({
      description: 'The number of items that match the filter.',
      resolve: async (summary) => (await summary.counts()).total,
    }),
    isComplete: t.boolean({
      description: `False if ${mostSummarized} or more items match. Then all numbers are those of that many of them.`,
      resolve: async (summary) => (await summary.counts()).isComplete,
    }),
    byStatus: t.field({
      type: [StatusCount],
      description: 'The number of items per status.',
      resolve: async (summary) => [...(await summary.counts()).byStatus],
    }),
    byMonth: t.field({
      type: [MonthCount],
      description: `The number of items in the current month and each of the ${monthsAhead - 1} after it, including zeros. It counts current, notifying and expired items by their expiration date. The current month is that of the workspace in the filter, or else of the caller's own workspace.`,
      resolve: async (summary) => [...(await summary.counts()).byMonth],
    }),
    noticeByMonth: t.field({
      type: [MonthCount],
      extensions: { cost: 5_000 },
      description:
        'The number of items whose last day to give notice is in each month of `byMonth`, including zeros. It counts items in use that are not missing.',
      resolve: (summary, _args, { session }) => countNotices(session, summary),
    }),
    byCategory: t.field({
      type: [CategoryCount],
      description:
        'The number of items per document type, the largest first. Only those with items are listed.',
      resolve: async (summary) => [...(await summary.counts()).byCategory],
    }),
    ...Object.fromEntries(
      countedBy.map(([field, kind, type, what]) => [
        field,
        t.field({
          type: [type],
          extensions: { cost: 5_000 },
          description: `The number of items per ${what}, the largest first. Only those with items are listed.`,
          args: {
            first: t.arg.int({
              required: true,
              defaultValue: defaultPageSize,
              description: `How many entries to return, at most ${maxPageSize}.`,
            }),
          },
          resolve: (summary, { first }, { session }) => countByLinked(session, summary, kind, first),
        }),
      ]),
    ),
  }),
});

builder.queryField('expirationSummary', (t) =>
  t.field({
    type: ExpirationSummary,
    description: 'Counts the items that the caller may see.',
    args: {
      filter: t.arg({
        type: listOf('expirationItem').filter,
        description: 'Counts only items that match this filter.',
      }),
    },
    resolve: (_root, { filter }, { session }) => summarize(session, filter ?? {}),
  }),
);

builder.objectRef<FieldDefinition>('CategoryCustomField').implement({
  description: 'A custom field that items of a document type have.',
  fields: (t) => ({
    id: t.exposeID('id', { description: "The custom field's id, the same in every item." }),
    name: t.exposeString('name', { nullable: true, description: "The custom field's name." }),
    internalName: t.exposeString('internalName', {
      nullable: true,
      description: "The custom field's name in another system. Stored as sent.",
    }),
  }),
});

builder.inputType('CategoryCustomFieldInput', {
  description: 'A custom field that items of a document type have.',
  fields: (t) => ({
    id: t.id({ description: "The custom field's id. If omitted, the server generates one." }),
    name: t.string({ description: "The custom field's name, at most 255 characters." }),
    internalName: t.string({ description: 'Its name in another system, at most 255 characters.' }),
  }),
});

const RenewalUnitEnum = builder.enumType('RenewalUnit', {
  description: 'Units of the interval at which items are renewed.',
  values: {
    DAYS: { description: 'Days.' },
    MONTHS: { description: 'Months. In a shorter month, the 31st becomes the last day.' },
    YEARS: { description: 'Years. In years without February 29, it becomes February 28.' },
  } as const,
});

const RenewalBaseEnum = builder.enumType('RenewalBase', {
  description: 'Days from which the interval of a renewal by people is counted.',
  values: {
    OLD_DATE: { description: 'The expiration date.' },
    TODAY: { description: 'The day on which the item is renewed.' },
  } as const,
});

const renewal = {
  description:
    'Renews items automatically at midnight after their date, to the first date that has not passed. The interval is also that of the dates that are proposed to people.',
  every: 'The number of units between two dates.',
  unit: 'The unit.',
  from: 'The day from which proposals to people are counted. Automatic renewals count from the expiration date.',
  byPeople: 'True if items are renewed by people only. Nothing is renewed automatically then.',
  requireAcknowledgement: 'True if an item is renewed only after somebody has acknowledged its date.',
};

builder.objectRef<AutoRenew>('AutoRenew').implement({
  description: renewal.description,
  fields: (t) => ({
    every: t.exposeInt('every', { description: renewal.every }),
    unit: t.expose('unit', { type: RenewalUnitEnum, description: renewal.unit }),
    from: t.field({
      type: RenewalBaseEnum,
      description: renewal.from,
      resolve: ({ from }) => from ?? 'OLD_DATE',
    }),
    byPeople: t.boolean({ description: renewal.byPeople, resolve: ({ byPeople }) => byPeople ?? false }),
    requireAcknowledgement: t.exposeBoolean('requireAcknowledgement', {
      description: renewal.requireAcknowledgement,
    }),
  }),
});

builder.inputType('AutoRenewInput', {
  description: renewal.description,
  fields: (t) => ({
    every: t.int({ required: true, description: renewal.every }),
    unit: t.field({ type: RenewalUnitEnum, required: true, description: renewal.unit }),
    from: t.field({ type: RenewalBaseEnum, description: `${renewal.from} Default: OLD_DATE.` }),
    byPeople: t.boolean({ description: `${renewal.byPeople} Default: false.` }),
    requireAcknowledgement: t.boolean({ description: renewal.requireAcknowledgement }),
  }),
});

const AcknowledgementType = builder.objectRef<RowOf<'Acknowledgement'>>('Acknowledgement').implement({
  description:
    "Records that somebody has taken note of an item's date. It stops repeated and escalated reminders.",
  extensions: { rules: acknowledgementRules },
  fields: (t) => ({
    expirationItemId: t.exposeID('itemId', { description: 'The item whose date was acknowledged.' }),
    about: t.expose('about', { type: ItemDateEnum, description: 'Which date of the item was acknowledged.' }),
    expirationDate: t.expose('expirationDate', {
      type: 'Date',
      description: 'The date that was acknowledged.',
    }),
    note: t.exposeString('note', { nullable: true, description: 'The note left with the acknowledgement.' }),
    silence: t.exposeBoolean('silence', {
      description: 'True if all reminders for the date stop, not only repeated and escalated ones.',
    }),
    snoozeUntil: t.expose('snoozeUntil', {
      type: 'Date',
      nullable: true,
      description: 'The day the acknowledgement ends and reminders resume.',
    }),
    version: t.string(versionField),
    created: t.expose('created', { type: 'DateTime', description: 'When it was acknowledged.' }),
    user: t.field(linkTo('user', 'userId', 'The user who acknowledged it.')),
  }),
});

/** Finds the acknowledgement of a date of an item. */
const currentOf = (all: readonly RowOf<'Acknowledgement'>[], about: ItemDate, date: Date | null) =>
  all.find((one) => one.about === about && one.expirationDate.getTime() === date?.getTime()) ?? null;

builder.prismaObjectFields('ExpirationItem', (t) => ({
  acknowledgement: t.field({
    type: AcknowledgementType,
    nullable: true,
    description: "The acknowledgement of the item's current date.",
    ...needs({ fields: ['expirationDate'] }),
    resolve: async ({ id, expirationDate }, _args, { session }) => {
      const all = await loadBatched(session, acknowledgementsByItem, id);
      return currentOf(all, 'EXPIRATION', expirationDate);
    },
  }),
  noticeAcknowledgement: t.field({
    type: AcknowledgementType,
    nullable: true,
    description: "The acknowledgement of the item's current last day to give notice.",
    ...needs({ fields: ['noticeDate'] }),
    resolve: async ({ id, noticeDate }, _args, { session }) => {
      const all = await loadBatched(session, acknowledgementsByItem, id);
      return currentOf(all, 'NOTICE', noticeDate);
    },
  }),
  renewalDate: t.field({
    type: 'Date',
    nullable: true,
    description:
      'The date that a renewal by an interval leads to. It is later than the present one, has not passed, and keeps the day of the month of earlier renewals: the 31st returns after a 30th. If it would be after 9999-12-31, it is null.',
    args: {
      every: t.arg.int({
        required: true,
        defaultValue: 1,
        description: 'The number of units, for at most a hundred years.',
      }),
      unit: t.arg({
        type: RenewalUnitEnum,
        required: true,
        defaultValue: 'MONTHS',
        description: renewal.unit,
      }),
    },
    ...needs({ fields: ['expirationDate'], joins: [[pointer('teamId', 'team'), ['timezone']]] }),
    resolve: (item, { every, unit }, { session }) => {
      const rule = autoRenewRule.safeParse({ every, unit });
      if (rule.success) return renewalDate(item, session, rule.data);
      const { message = '' } = rule.error.issues[0] ?? {};
      throw argumentError('BAD_REQUEST', `The interval ${message}.`, ['every']);
    },
  }),
}));

const AcknowledgementInput = builder.inputType('AcknowledgementInput', {
  description: "An acknowledgement of an item's current date.",
  extensions: { rules: acknowledgementRules },
  fields: (t) => ({
    about: t.field({
      type: ItemDateEnum,
      description: 'Which date of the item is acknowledged. Default: the expiration date.',
    }),
    note: t.string({ description: 'A note to leave with the acknowledgement.' }),
    silence: t.boolean({ description: 'True if all reminders for the date stop.' }),
    snoozeUntil: t.field({
      type: 'Date',
      description: "The day reminders resume. It must be after today in the item's workspace.",
    }),
  }),
});

builder.queryField('acknowledgement', (t) =>
  t.field({
    type: AcknowledgementType,
    nullable: true,
    description:
      "Returns the acknowledgement of an item's current date, or null if nobody has acknowledged it.",
    args: {
      id: t.arg.id({ required: true, description: "The item's id." }),
      about: t.arg({
        type: ItemDateEnum,
        description: 'The date of the item that was acknowledged. Default: the expiration date.',
      }),
    },
    resolve: (_root, { id, about }, { session }) => findAcknowledgement(session, id, about ?? 'EXPIRATION'),
  }),
);

builder.mutationFields((t) => {
  const id = t.arg.id({ required: true, description: "The item's id." });
  const about = t.arg({
    type: ItemDateEnum,
    description: 'The date of the item that was acknowledged. Default: the expiration date.',
  });
  const ofAcknowledgement = { type: AcknowledgementType, nullable: true as const };
  return {
    acknowledgeExpirationItem: t.field({
      type: typeOf('expirationItem'),
      nullable: true,
      description: "Acknowledges an item's current date. This stops repeated and escalated reminders.",
      extensions: { loose: ['note', 'silence', 'snoozeUntil'] },
      args: {
        id,
        input: t.arg({ type: AcknowledgementInput, required: true, description: 'The acknowledgement.' }),
        ...versionArgument(),
      },
      resolve: (_root, { id, ifVersion, input }, { session }) =>
        onVersion(session, ifVersion, () => acknowledgeItem(session, id, input)),
    }),
    setAcknowledgement: t.field({
      ...ofAcknowledgement,
      description:
        "Acknowledges an item's current date and returns the acknowledgement. It replaces an earlier one.",
      args: {
        id,
        input: t.arg({
          type: AcknowledgementInput,
          required: true,
          description: 'The acknowledgement.',
        }),
        ...versionArgument('the acknowledgement'),
      },
      resolve: (_root, { id, input, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => setAcknowledgement(session, id, input)),
    }),
    deleteAcknowledgement: t.field({
      ...ofAcknowledgement,
      description: "Withdraws the acknowledgement of an item's current date and returns it as it was.",
      args: { id, about, ...versionArgument('the acknowledgement') },
      resolve: (_root, { id, about, ifVersion }, { session }) =>
        onVersion(session, ifVersion, () => deleteAcknowledgement(session, id, about ?? 'EXPIRATION')),
    }),
  };
});

/**
 * Loads attachments' bytes in base64, or why they cannot be read. Each is encoded once in a request, however often
 * it is answered.
 */
const encodedContents: BatchLoader<string | FileError | null> = async (session, ids) =>
  (await contentByAttachment(session, ids)).map((found) =>
    found === null || found instanceof FileError ? found : encodeBase64(found),
  );

const addressOf =
  "It needs the same access token as this query. With `expiresIn`, it works without one, for use in `<img>` and `<a>`. Such a link stops working when its time is up, when the caller's token ends, or when the caller may no longer see the file. Null if the bytes are not stored here.";
const expiresIn = `The number of seconds for which the link works without a token, at most ${longestLink}. If omitted, it always needs one.`;

/** Returns the path of a file's bytes. @returns null if they are not stored here */
async function pathOf(session: Session, id: string, seconds: number | null | undefined) {
  if (!(await loadBatched(session, isStoredByAttachment, id))) return null;
  const path = paths.attachment.replace('{id}', id);
  if (seconds == null) return path;
  return `${path}?link=${await createFileLink(session, { kind: 'attachment', id }, seconds)}`;
}

builder.prismaObjectFields('Attachment', (t) => ({
  content: t.string({
    nullable: true,
    description:
      "The file's bytes, in base64. Null if they are not stored here. If they are missing, damaged or cannot be read now, it is null, and an error says why.",
    extensions: {
      cost: 500,
      isFileContent: true,
      ...needs({ fields: ['contentLength', 'sourceUrl'] }).extensions,
    },
    resolve: async ({ id, contentLength, sourceUrl }, _args, { session, fileContent, answer }) => {
      if (fileContent === 'none') return null;
      if (fileContent === 'reference') return fileReference(id);
      // Of a file that a scan told of, there may be nothing but the size that its sender told.
      const isTold = sourceUrl !== null || contentLength > largestFile;
      if (isTold && !(await loadBatched(session, isStoredByAttachment, id))) return null;
      if (fileContent === 'token') return fileToken(id, Number(contentLength));
      const bytes = base64Length(Number(contentLength));
      const found = await answer.expect(bytes, session.slices, () =>
        loadBatched(session, encodedContents, id),
      );
      if (found instanceof FileError) throw found;
      return found;
    },
  }),
  contentUrl: t.string({
    nullable: true,
    description: `The address where GET returns the file's bytes. ${addressOf}`,
    args: { expiresIn: t.arg.int({ description: expiresIn }) },
    ...needs({}),
    resolve: async ({ id }, { expiresIn }, { session, origin = '' }) => {
      const path = await pathOf(session, id, expiresIn);
      return path === null ? null : `${origin}${path}`;
    },
  }),
  downloadUrl: t.string({
    nullable: true,
    description: `A path on this server where GET returns the file's bytes. ${addressOf}`,
    deprecationReason: 'Ask for `contentUrl`, which is a whole address. It goes in version 1.0.',
    args: { expiresIn: t.arg.int({ description: expiresIn }) },
    ...needs({}),
    resolve: ({ id }, { expiresIn }, { session }) => pathOf(session, id, expiresIn),
  }),
}));

builder.inputType('AttachmentInput', {
  description:
    'Either an existing attachment, given by its id, or a new one, given by its content. Other content replaces the file of an existing one; its former bytes go to the bin.',
  fields: (t) => ({
    id: t.id({ description: 'The id of an attachment of this item, which is kept.' }),
    name: t.string({ description: 'The name of a new file, or of one that replaces another.' }),
    contentType: t.string({ description: 'The media type of a new file, or of one that replaces another.' }),
    content: t.string({
      description: 'The bytes in base64. If omitted or null, an existing attachment keeps its file.',
    }),
  }),
});

const AddAttachmentInput = builder.inputType('AddAttachmentInput', {
  description: `A file for an item, at most ${largestFile / 1024 / 1024} MiB. Give either \`content\` or \`file\`.`,
  fields: (t) => ({
    itemId: t.id({ description: 'The id of the item. Required.' }),
    name: t.string({ description: "The file's name. Default: that of `file`." }),
    contentType: t.string({ description: "The file's media type. Default: that of `file`." }),
    content: t.string({ description: "The file's bytes, in base64." }),
    file: t.field({ type: 'Upload', description: 'The file itself, as a multipart upload.' }),
  }),
});

/** Reads the file of an input. */
async function readFileInput({ content, file, name, contentType }: typeof AddAttachmentInput.$inferInput) {
  if (file && content == null) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return {
      name: name ?? file.name,
      contentType: contentType ?? file.type,
      content: new FileContent(bytes),
    };
  }
  if (file || content == null) {
    throw argumentError('BAD_REQUEST', 'Send either `content` or `file`.', ['content']);
  }
  return { name, contentType, content };
}

builder.mutationFields((t) => ({
  addAttachment: t.field({
    extensions: { checksInput: true, loose: ['itemId'] },
    type: typeOf('attachment'),
    nullable: true,
    description: 'Adds a file to an item, after its other files.',
    args: {
      input: t.arg({ type: AddAttachmentInput, required: true, description: 'The file.' }),
      ...versionArgument('the item'),
    },
    resolve: async (_root, { input, ifVersion }, { session }) => {
      const { itemId } = input;
      // Its type cannot say so, as long as it may also come beside the input.
      if (itemId == null) throw badField(['itemId'], 'is required', 'required');
      const file = await readFileInput(input);
      return onVersion(session, ifVersion, () => addAttachment(session, itemId, file));
    },
  }),
  removeAttachment: t.field({
    type: typeOf('attachment'),
    nullable: true,
    description: 'Removes a file from its item and returns it as it was.',
    args: {
      id: t.arg.id({ required: true, description: "The attachment's id." }),
      ...versionArgument('its item, which this changes'),
    },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => removeAttachment(session, id)),
  }),
  restoreAttachment: t.field({
    type: typeOf('attachment'),
    nullable: true,
    description:
      'Restores a replaced file from the bin: adds it to its item as another file, after the others. Its id is the `recordId` of its entry.',
    args: {
      id: t.arg.id({ required: true, description: "The file's id in the bin." }),
      ...versionArgument('its entry in the bin'),
    },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => restoreFile(session, id)),
  }),
}));
