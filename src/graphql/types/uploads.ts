import { isObjectType } from 'graphql';
import type { Box as BoxShape } from '../../domain/documents/finding.js';
import { largestFile } from '../../domain/files.js';
import {
  type Suggestion,
  type SuggestionField,
  type SuggestionSource,
  suggestionRules,
} from '../../domain/uploads/suggestions.js';
import { settleUpload } from '../../requests/accept.js';
import { decisionRules, retryUpload } from '../../uploads/filed-uploads.js';
import { sentUpload } from '../../uploads/notifications.js';
import { addUpload, addUploadRules, findReceived, receiveUpload } from '../../uploads/received-uploads.js';
import { builder, graphqlOnly, typeOf } from '../builder.js';
import { onVersion, versionArgument } from '../define/writes.js';
import { HolderReference } from './items/holders.js';

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
    uploadTags: t.field({
      type: 'JSON',
      description: 'Tags of the file, if `text` has none: any JSON object.',
    }),
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
    holderId: t.id({
      description:
        'The id of the vehicle, person, company or location that the new item is a paper of. This and the following ones may be combined. Nothing is created.',
    }),
    vehicleVin: t.string({
      description:
        'The vehicle identification number of the vehicle that the new item is a paper of. It must name exactly one.',
    }),
    licensePlate: t.string({
      description:
        'The licence plate of the vehicle that the new item is a paper of. It must name exactly one.',
    }),
    holderEmail: t.string({
      description: 'The e-mail address of the person that the new item is a paper of.',
    }),
    companyId: t.id({ description: 'The id of the company that the new item is a paper of.' }),
    companyTaxId: t.string({
      description: 'The tax number of the company that the new item is a paper of.',
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
    renew: t.boolean({
      description:
        'True to renew an item with the document: `expirationItemId`, or the one that the file is filed under. `expirationDate` must be later than its date. A file moves to it from an item that was made for the file, which goes into the bin.',
    }),
    holders: t.field({
      type: [HolderReference],
      description:
        'What the item is a paper of. An item that is filed already keeps the others that it has. If omitted, what the tags name.',
    }),
  }),
});

builder.mutationField('confirmUpload', (t) =>
  t.field({
    extensions: { checksInput: true },
    type: typeOf('uploadNotification'),
    nullable: true,
    description:
      "Settles an upload with a person's decision. It files the upload, or corrects the item if it is already filed. A file that answers a request for a document is accepted.",
    args: {
      id: t.arg.id({ required: true, description: "The upload notification's id." }),
      input: t.arg({ type: ConfirmUploadInput, required: true, description: 'The decision.' }),
      ...versionArgument('the upload notification'),
    },
    resolve: (_root, { id, input: { expirationItemId, ...input }, ifVersion }, { session }) => {
      const decision = { ...input, itemId: expirationItemId };
      return onVersion(session, ifVersion, () => settleUpload(session, id, decision));
    },
  }),
);

/** Makes the values of an enum out of words with their descriptions. */
const valuesOf = <Word extends string>(words: Readonly<Record<Word, string>>) =>
  Object.fromEntries(
    Object.entries<string>(words).map(([word, description]) => [
      word.toUpperCase(),
      { value: word, description },
    ]),
  ) as Record<string, { value: Word; description: string }>;

const Field = builder.enumType('UploadSuggestionField', {
  description: 'The details that are suggested for a document.',
  values: valuesOf<SuggestionField>({
    expiration_date: 'The last valid day, as `YYYY-MM-DD`.',
    document_number: 'The number of the document, or of an item that it mentions.',
    name: 'The name of the holder, or of an item that the document mentions.',
    document_type: 'The name of one of the document types.',
    contact: 'The e-mail address of one of the contacts, who is then told.',
    vehicle: 'The id of one of the vehicles, whose paper it may be.',
    person: 'The id of one of the contacts, whose paper it may be.',
    expiration_item: 'The id of one of the items, which the document may renew.',
  }),
});

const Source = builder.enumType('UploadSuggestionSource', {
  description: 'Where the gateway found a detail.',
  values: valuesOf<SuggestionSource>({
    TEXT: 'In the text of the file.',
    OCR: 'In text that was recognized in a picture.',
    MRZ: 'In a machine-readable zone, as on passports. Its check digits agree.',
    BARCODE: 'In a barcode, as on driving licences.',
    WORKSPACE:
      'Among the records of the workspace, because the document mentions it. It may be only similar.',
    FILE_NAME: "In the file's name. No label says what it means, or the document says another.",
  }),
});

const Box = builder.objectRef<BoxShape>('Box').implement({
  description:
    "A rectangle on a page, in parts of the page's width and height from 0 to 1. Pictures are upright, as browsers show them.",
  fields: (t) => ({
    x: t.exposeFloat('x', { description: 'Distance from the left.' }),
    y: t.exposeFloat('y', { description: 'Distance from the top.' }),
    width: t.exposeFloat('width', { description: 'Width.' }),
    height: t.exposeFloat('height', { description: 'Height.' }),
  }),
});

builder.objectRef<Suggestion>('UploadSuggestion').implement({
  description: 'A detail found in a document.',
  extensions: { rules: suggestionRules },
  fields: (t) => ({
    field: t.field({ type: Field, description: 'Which detail it is.', resolve: ({ field }) => field }),
    value: t.exposeString('value', { description: 'The detail itself.' }),
    name: t.string({
      nullable: true,
      description: 'What the vehicle, person or item is called. Null for other details.',
      resolve: ({ name }) => name ?? null,
    }),
    confidence: t.exposeInt('confidence', { description: 'How certain it is, from 0 to 100.' }),
    source: t.field({
      type: Source,
      description: 'Where it was found.',
      resolve: ({ source }) => source,
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'The number of its page, from 1. Null if unknown.',
    }),
    box: t.field({
      type: Box,
      nullable: true,
      description: 'Its place on the page. Null if unknown.',
      resolve: ({ box }) => box,
    }),
    words: t.exposeString('words', {
      nullable: true,
      description: 'The words of the document around it, at most 120 characters.',
    }),
    reason: t.exposeString('reason', { description: 'A sentence that says why it is suggested.' }),
  }),
});
