import { isObjectType } from 'graphql';
import { largestFile } from '../../../domain/files.js';
import { sentUpload } from '../../../uploads/notifications.js';
import { findReceived, receiveUpload } from '../../../uploads/receiving.js';
import { addUpload, addUploadRules } from '../../../uploads/sending.js';
import { confirmUpload, decisionRules, retryUpload } from '../../../uploads/settling.js';
import { builder, graphqlOnly, typeOf } from '../../builder.js';
import { onVersion, versionArgument } from '../../define/versions.js';

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
    type: typeOf('uploadNotification'),
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

const AddUploadInput = builder.inputType('AddUploadInput', {
  description: `A file of at most ${largestFile / 1024 / 1024} MiB, given as one of \`content\`, \`file\` and \`resumableUploadId\`, and where it belongs. What is omitted follows from the file name and the document.`,
  extensions: { rules: addUploadRules },
  fields: (t) => ({
    file: t.field({
      type: 'Upload',
      description: 'The file itself, as a multipart upload.',
      ...graphqlOnly,
    }),
    content: t.string({ description: "The file's bytes, in base64." }),
    resumableUploadId: t.id({
      description:
        'The id of a complete upload at `/v1/resumable-uploads`. It can be used once: repeats return the same notification.',
    }),
    fileName: t.string({ description: "The file's name. Default: the one that was sent with it." }),
    contentType: t.string({ description: "The file's media type. Default: the one that was sent with it." }),
    expirationItemId: t.id({
      description: 'The item that the file belongs to. If omitted, a new item is created.',
    }),
    name: t.string({ description: "The new item's name. Default: that of the file." }),
    expirationDate: t.field({ type: 'Date', description: 'The day the item expires.' }),
    category: t.string({
      description: "The name of the item's document type. If none has this name, one is created.",
    }),
    contactEmail: t.string({
      description: "The e-mail address of the item's contact. If none has this address, one is created.",
    }),
    teamId: t.id({
      description:
        "The workspace of the upload and of a new item. Default: that of the resumable upload, else the caller's own.",
    }),
    trustScan: t.boolean({
      description: 'True to use the date that is read from the document, if it is certain. Default: false.',
    }),
  }),
});

builder.mutationField('addUpload', (t) =>
  t.field({
    extensions: { checksInput: true },
    type: typeOf('uploadNotification'),
    nullable: true,
    description:
      'Stores a file and files it under an item at once. A worker then reads the document; `suggestions` has what it found.',
    args: { input: t.arg({ type: AddUploadInput, required: true, description: 'The file.' }) },
    resolve: (_root, { input }, { session }) => addUpload(session, input),
  }),
);

builder.mutationField('retryUpload', (t) =>
  t.field({
    type: typeOf('uploadNotification'),
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
    type: typeOf('uploadNotification'),
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
