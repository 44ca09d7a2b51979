import * as z from 'zod';
import { largestFile } from '../../../domain/files.js';
import { limits } from '../../../domain/rules.js';
import { noDateAlias, type Status } from '../../../domain/status.js';
import { attachFile, fileRules } from '../../../items/attachments/files.js';
import { copyItem, copyRules } from '../../../items/copy.js';
import { expirationItems } from '../../../items/expiration-items.js';
import { renewalRules, renewItem, renewItems } from '../../../items/renewals.js';
import { updateRecord } from '../../../records/record.js';
import { builder, typeOf } from '../../builder.js';
import { presentIn } from '../../define/coerce.js';
import { onVersion, onVersions, versionArgument, versionsArgument } from '../../define/versions.js';
import { atomic, idsArgument } from '../../define/writes.js';
import { selectionForField } from '../../execution/selection.js';

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
