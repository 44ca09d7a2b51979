import { isObjectType } from 'graphql';
import { limits } from '../../domain/rules.js';
import { isUploadReason } from '../../domain/uploads/reasons.js';
import { sentTags } from '../../domain/uploads/upload.js';
import {
  sentUpload,
  type UploadFilter,
  uploadEndpoints,
  uploadNotifications,
} from '../../uploads/notifications.js';
import { findReceived, receiveUpload } from '../../uploads/receiving.js';
import { confirmUpload, decisionRules, retryUpload } from '../../uploads/settling.js';
import { builder, Node } from '../builder.js';
import { idOf, linkTo } from '../define/links.js';
import { defineReads } from '../define/reads.js';
import { onVersion, versionArgument } from '../define/versions.js';
import { needs } from '../execution/selection.js';
import { weighing } from '../limits/cost.js';
import { UploadReasonEnum } from './reasons.js';

const UploadState = builder.enumType('UploadState', {
  description: 'The state of an upload notification.',
  values: {
    RECEIVED: { description: 'It is stored and will be filed.' },
    FILED: { description: 'It became an attachment.' },
    FAILED: { description: 'It could not be filed and needs a person.' },
    IGNORED: { description: 'Its action requires no work.' },
  },
});

/** A message of an upload service that a file was stored. */
export const UploadNotification = builder.prismaObject('UploadNotification', {
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id'),
    notificationId: t.expose('notificationId', { type: 'BigInt', nullable: true }),
    action: t.exposeString('action', { nullable: true }),
    timestamp: t.expose('timestamp', { type: 'BigInt', nullable: true }),
    container: t.exposeString('container', { nullable: true }),
    url: t.exposeString('url', { nullable: true }),
    filename: t.exposeString('filename', { nullable: true }),
    client: t.exposeString('client', { nullable: true }),
    key: t.exposeString('key', { nullable: true }),
    type: t.exposeString('type', { nullable: true }),
    status: t.exposeString('status', { nullable: true }),
    size: t.expose('size', { type: 'BigInt', nullable: true }),
    uploadTags: t.field({
      type: 'JSON',
      nullable: true,
      extensions: {
        ...weighing(limits.text).extensions,
        ...needs({ fields: ['uploadTags', 'uploadTagsText'] }).extensions,
      },
      description: "The file's tags as the sender wrote them. Numbers keep all their digits.",
      resolve: (upload) => sentTags(upload),
    }),
    uploadTagsText: t.exposeString('uploadTagsText', { nullable: true, ...weighing(limits.text) }),
    state: t.expose('state', { type: UploadState }),
    error: t.exposeString('error', { nullable: true, authScopes: { read: true } }),
    reasonCode: t.field({
      type: UploadReasonEnum,
      nullable: true,
      description:
        'The code for why it could not be filed. Null if it could, or if an older version of the gateway tried.',
      ...needs({ fields: ['errorCode'] }),
      authScopes: { read: true },
      resolve: ({ errorCode }) => (isUploadReason(errorCode) ? errorCode : null),
    }),
    attempts: t.exposeInt('attempts'),
    receivedAt: t.expose('receivedAt', { type: 'DateTime' }),
    filedAt: t.expose('filedAt', { type: 'DateTime', nullable: true }),
    modified: t.expose('modified', { type: 'DateTime' }),
    suggestedExpirationDate: t.expose('suggestedExpirationDate', {
      type: 'Date',
      nullable: true,
      authScopes: { read: true },
    }),
    suggestedFrom: t.exposeString('suggestedFrom', { nullable: true, authScopes: { read: true } }),
    // Whoever may send uploads and read nothing sees what was sent, and not what it came to.
    expirationItemId: t.id({
      ...idOf(
        'expirationItem',
        'expirationItemId',
        'The id of the item that it was filed under, if the caller may see it.',
      ),
      authScopes: { read: true },
    }),
    attachmentId: t.id({
      ...idOf(
        'attachment',
        'attachmentId',
        'The id of the attachment that was created from it, if the caller may see it.',
      ),
      authScopes: { read: true },
    }),
    expirationItem: t.field({
      ...linkTo('expirationItem', 'expirationItemId', 'The item that it was filed under.'),
      authScopes: { read: true },
    }),
    team: t.field({
      ...linkTo('team', 'teamId', 'The workspace that received it.'),
      authScopes: { read: true },
    }),
    attachment: t.field({
      ...linkTo('attachment', 'attachmentId', 'The attachment that was created from it.'),
      authScopes: { read: true },
    }),
  }),
});

const UploadTextInput = builder.inputType('UploadTextInput', {
  description: 'The file of an upload notification.',
  fields: (t) => ({
    container: t.string({ description: 'Storage container.' }),
    url: t.string({ description: 'The URL of the file.' }),
    filename: t.string({ description: 'File name.' }),
    client: t.string({ description: 'The client that sent the file.' }),
    key: t.string({ description: 'Storage key.' }),
    type: t.string({ description: 'Media type.' }),
    status: t.string({ description: "The sender's status of the file." }),
    size: t.field({ type: 'BigInt', description: 'Size in bytes.' }),
    uploadTags: t.field({ type: 'JSON', description: 'Tags of the file: any JSON object.' }),
  }),
});

const ReceiveUploadInput = builder.inputType('ReceiveUploadInput', {
  description: 'A message about a file, as the upload service sends it.',
  extensions: { rules: sentUpload },
  fields: (t) => ({
    id: t.field({ type: 'BigInt', description: "The sender's id of the notification." }),
    action: t.string({ description: 'What happened to the file. `fp.upload` means that it was stored.' }),
    timestamp: t.field({ type: 'BigInt', description: "The sender's time of the event." }),
    text: t.field({ type: UploadTextInput, description: 'The file.' }),
  }),
});

builder.mutationField('receiveUpload', (t) =>
  t.field({
    type: UploadNotification,
    nullable: true,
    description:
      'Stores an upload notification. Notifications with the same id and action, or without an id the same content, are stored once: repeats return the first one, or null if the caller may not see it.',
    // Upload services may send notifications and write nothing else.
    skipTypeScopes: true,
    authScopes: { upload: true },
    args: {
      input: t.arg({ type: ReceiveUploadInput, required: true, description: 'The notification.' }),
    },
    resolve: async (_root, { input }, { session, body }, { returnType }) => {
      const dedupeKey = await receiveUpload(session, input, body);
      // Of what is not shown, as in REST, nothing is read.
      return isObjectType(returnType) ? findReceived(session, dedupeKey) : null;
    },
  }),
);

builder.mutationField('retryUpload', (t) =>
  t.field({
    type: UploadNotification,
    nullable: true,
    description: 'Retries an upload that could not be filed, from the beginning.',
    args: {
      id: t.arg.id({ required: true, description: "The upload notification's id." }),
      ...versionArgument(),
    },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => retryUpload(session, id)),
  }),
);

const ConfirmUploadInput = builder.inputType('ConfirmUploadInput', {
  description:
    "A person's decision about an upload. Omitted fields are taken from the sender's tags or the file name.",
  extensions: { rules: decisionRules },
  fields: (t) => ({
    expirationItemId: t.id({
      description: 'The item that the file belongs to. If omitted, a new item is created.',
    }),
    name: t.string({ description: "The new item's name." }),
    expirationDate: t.field({
      type: 'Date',
      description: 'The day the item expires. Null if it has no date yet.',
    }),
    category: t.string({
      description: "The name of the item's document type. If none has this name, one is created.",
    }),
    contactEmail: t.string({
      description: "The e-mail address of the item's contact. If none has this address, one is created.",
    }),
    teamId: t.id({ description: "The new item's workspace." }),
  }),
});

builder.mutationField('confirmUpload', (t) =>
  t.field({
    extensions: { checksInput: true },
    type: UploadNotification,
    nullable: true,
    description:
      "Settles an upload with a person's decision. It files the upload, or corrects the item if it is already filed.",
    args: {
      id: t.arg.id({ required: true, description: "The upload notification's id." }),
      input: t.arg({ type: ConfirmUploadInput, required: true, description: 'The decision.' }),
      ...versionArgument('the upload notification'),
    },
    resolve: (_root, { id, input: { expirationItemId, ...input }, ifVersion }, { session }) => {
      const decision = { ...input, itemId: expirationItemId };
      return onVersion(session, ifVersion, () => confirmUpload(session, id, decision));
    },
  }),
);

const UploadFilterInput = builder.inputRef<UploadFilter>('UploadNotificationFilter').implement({
  description: 'Filters a list of upload notifications.',
  fields: (t) => ({
    term: t.string({ description: 'Part of the file name, action, URL, key or error, ignoring case.' }),
    state: t.field({ type: UploadState, description: 'Notifications in this state.' }),
    filename: t.string({ description: 'Notifications about files with this name.' }),
    receivedAfter: t.field({ type: 'DateTime', description: 'Notifications received after this time.' }),
    receivedBefore: t.field({ type: 'DateTime', description: 'Notifications received before this time.' }),
  }),
});

defineReads({
  type: UploadNotification,
  resource: uploadNotifications,
  names: ['uploadNotification', 'uploadNotifications'],
  filter: UploadFilterInput,
  order: uploadEndpoints.order,
});
