import { askingLimits } from '../../../domain/document-requests.js';
import type { HolderKind } from '../../../items/holders.js';
import { load } from '../../../records/loaders.js';
import { acceptDocumentRequest, acceptRules } from '../../../requests/accept.js';
import {
  cancelDocumentRequest,
  createDocumentRequest,
  declineDocumentRequest,
  declineRules,
  requestRules,
  resendDocumentRequest,
} from '../../../requests/ask.js';
import {
  type DocumentRequest,
  heldIdOf,
  requestedHolderColumns,
} from '../../../requests/document-requests.js';
import {
  countRequests,
  createDocumentRequests,
  findStopped,
  gapsRules,
  type MadeRequests,
  type RefusedRequest,
  type RequestCount,
  sentRules,
} from '../../../requests/many.js';
import { builder, typeOf } from '../../builder.js';
import { listOf } from '../../define/records.js';
import { defineValue } from '../../define/values.js';
import { onVersion, versionArgument } from '../../define/writes.js';
import { needs } from '../../execution/selection.js';
import { withTypeName } from '../records.js';
import { HolderKindEnum, HolderUnion } from './holders.js';

builder.objectField(typeOf('documentRequest'), 'holder', (t) =>
  t.field({
    type: HolderUnion,
    nullable: true,
    description: 'The record whose document is asked for, if one was named and the caller may see it.',
    ...needs({ fields: ['holderKind', ...requestedHolderColumns] }),
    resolve: async (row, _args, { session }) => {
      const request = row as DocumentRequest;
      const [kind, id] = [request.holderKind as HolderKind | null, heldIdOf(request)];
      const record = kind && id ? await load(session, kind, id) : null;
      return kind && record && withTypeName(kind, record);
    },
  }),
);

const CreateDocumentRequestInput = builder.inputType('CreateDocumentRequestInput', {
  description:
    'A request for a document: for the renewal of an item, or for a document of a type. Either a contact or an address is asked.',
  extensions: { rules: requestRules },
  fields: (t) => ({
    id: t.id({ description: 'The id of the new record, a UUID. If omitted, the server generates one.' }),
    expirationItemId: t.id({
      description: 'The item that the document renews. Without one, it becomes a new item.',
    }),
    categoryId: t.id({ description: 'The document type. Default: that of the item.' }),
    holderKind: t.field({
      type: HolderKindEnum,
      description: 'The kind of the record whose document it is.',
    }),
    holderId: t.id({ description: 'The record whose document it is. Default: the first one of the item.' }),
    requirementId: t.id({
      description:
        'The requirement of the record that needs the document. The request ends by itself when it is no longer in use, or the record is exempt from it. It also says the document type, if nothing else does.',
    }),
    recipientId: t.id({ description: 'The contact who is asked.' }),
    email: t.string({ description: 'The address that is asked, instead of a contact.' }),
    language: t.string({
      description:
        'The language of the mails and the page. Default: that of the recipient, else of the organization.',
    }),
    message: t.string({ description: 'What the recipient is told, as plain text.' }),
    dueOn: t.field({ type: 'Date', description: 'The day by which the document is needed.' }),
    teamId: t.id({
      description:
        'The workspace that asks. Default: that of the item or the record, else the default workspace of the caller.',
    }),
  }),
});

const DocumentRequestGapsInput = builder.inputType('DocumentRequestGapsInput', {
  description: 'What records lack: each requirement that a record does not meet.',
  extensions: { rules: gapsRules },
  fields: (t) => ({
    filter: t.field({
      type: listOf('holderCompliance').filter,
      description: 'Only records that match this filter of `compliances`.',
    }),
    holderIds: t.idList({
      extensions: { entryLimit: askingLimits.atOnce },
      description: 'Only these records.',
    }),
    requirementIds: t.idList({ description: 'Only what these requirements ask for.' }),
  }),
});

const CreateDocumentRequestsInput = builder.inputType('CreateDocumentRequestsInput', {
  description: 'Many requests for documents, at most 500: each of them, or what records lack, or both.',
  extensions: { rules: sentRules },
  fields: (t) => ({
    requests: t.field({
      type: [CreateDocumentRequestInput],
      extensions: { entryLimit: askingLimits.atOnce },
      description: 'The requests. Each may have a message, a day and a language of its own.',
    }),
    gaps: t.field({
      type: DocumentRequestGapsInput,
      description:
        'Asks for what records lack. A person, the contact of a vehicle, the main contact of a company, or the contact of the item that expires is asked.',
    }),
    language: t.string({ description: 'The language of those that have none of their own.' }),
    message: t.string({ description: 'What the recipients are told, as plain text.' }),
    dueOn: t.field({ type: 'Date', description: 'The day by which the documents are needed.' }),
  }),
});

const RefusedDocumentRequest = defineValue<RefusedRequest, 'wanted' | 'error'>(
  'RefusedDocumentRequest',
  'A request for a document that was not made, and why.',
  {
    index: ['Int', 'Its place in `requests`. Null for a gap.', { nullable: true }],
    code: [
      'String',
      'The code of the error, such as `CONFLICT` if the recipient is already asked for it.',
      { resolve: ({ error }) => error.code },
    ],
    message: ['String', 'The reason, in words.', { resolve: ({ error }) => error.message }],
    field: [
      'String',
      'The member that is wrong, if it is one.',
      {
        nullable: true,
        resolve: ({ error }, { door }) => {
          const { naming } = door;
          return error.fieldPath.length > 0
            ? error.fieldPath.map((part) => (typeof part === 'string' ? naming(part) : part)).join('.')
            : null;
        },
      },
    ],
    expirationItemId: [
      'ID',
      'The item to renew.',
      { nullable: true, resolve: ({ wanted }) => wanted.expirationItemId ?? null },
    ],
    categoryId: [
      'ID',
      'The document type.',
      { nullable: true, resolve: ({ wanted }) => wanted.categoryId ?? null },
    ],
    holderKind: [
      HolderKindEnum,
      'The kind of the record whose document it is.',
      { nullable: true, resolve: ({ wanted }) => wanted.holderKind ?? null },
    ],
    holderId: [
      'ID',
      'The record whose document it is.',
      { nullable: true, resolve: ({ wanted }) => wanted.holderId ?? null },
    ],
  },
);

const CreatedDocumentRequests = defineValue<MadeRequests>(
  'CreatedDocumentRequests',
  'The requests that were made, and those that were not.',
  {
    created: [
      [typeOf('documentRequest')],
      'The requests that were made.',
      { limits: { maxItems: askingLimits.atOnce } },
    ],
    refused: [
      [RefusedDocumentRequest],
      'Those that were not made.',
      { limits: { maxItems: askingLimits.atOnce } },
    ],
  },
);

const DocumentRequestCount = defineValue<RequestCount>(
  'DocumentRequestCount',
  'How many requests for documents are in a state.',
  {
    // The declaration of requests defines this enum, under the name that Prisma gives it.
    state: ['DocumentRequestState', 'The state.'],
    count: ['Int', 'The number of requests.'],
    overdue: ['Int', 'Those among them that nobody has answered by the day on which they were needed.'],
  },
);

builder.queryFields((t) => ({
  documentRequestCounts: t.field({
    type: [DocumentRequestCount],
    description: 'Counts the requests for documents that the caller may see by their states.',
    args: {
      filter: t.arg({
        type: listOf('documentRequest').filter,
        description: 'Only requests that match this filter.',
      }),
    },
    extensions: { cost: 100 },
    resolve: (_root, { filter }, { session }) => countRequests(session, filter ?? {}),
  }),
  stoppedAddresses: t.stringList({
    description:
      'Returns those of some addresses that get no mails, because their owners, a mail server or an admin stopped them.',
    authScopes: { write: true },
    args: {
      addresses: t.arg.stringList({
        required: true,
        extensions: { entryLimit: askingLimits.atOnce },
        description: 'The addresses, at most 500.',
      }),
    },
    resolve: (_root, { addresses }, { session }) => findStopped(session, addresses),
  }),
}));

const AcceptDocumentRequestInput = builder.inputType('AcceptDocumentRequestInput', {
  description: 'A decision to accept what was received.',
  extensions: { rules: acceptRules },
  fields: (t) => ({
    expirationDate: t.field({
      type: 'Date',
      description:
        'The day on which the document expires. It is needed to renew an item, and must be later than its date.',
    }),
    name: t.string({ description: "The new item's name. Default: document type and record." }),
  }),
});

const DeclineDocumentRequestInput = builder.inputType('DeclineDocumentRequestInput', {
  description: 'Why an answer is sent back.',
  extensions: { rules: declineRules },
  fields: (t) => ({
    reason: t.string({ required: true, description: 'The reason, which the recipient reads.' }),
  }),
});

builder.mutationFields((t) => ({
  createDocumentRequest: t.field({
    type: typeOf('documentRequest'),
    nullable: true,
    description:
      'Asks somebody for a document by a link in a mail. What is asked of a recipient within a minute is one mail.',
    args: {
      input: t.arg({ type: CreateDocumentRequestInput, required: true, description: 'The request.' }),
    },
    resolve: (_root, { input }, { session }) => createDocumentRequest(session, input),
  }),
  createDocumentRequests: t.field({
    type: CreatedDocumentRequests,
    nullable: true,
    description:
      'Asks for many documents. What cannot be asked for is returned with the reason, and the others are made. Each recipient gets one mail.',
    args: {
      input: t.arg({ type: CreateDocumentRequestsInput, required: true, description: 'The requests.' }),
    },
    extensions: { cost: 500 },
    resolve: (_root, { input }, { session }) => createDocumentRequests(session, input),
  }),
  resendDocumentRequest: t.field({
    type: typeOf('documentRequest'),
    nullable: true,
    description: "Sends a request's mail again, with a new link. The link before it ends.",
    args: { id: t.arg.id({ required: true, description: "The request's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => resendDocumentRequest(session, id)),
  }),
  cancelDocumentRequest: t.field({
    type: typeOf('documentRequest'),
    nullable: true,
    description: 'Ends a request. Its link no longer shows it, and files that were received are deleted.',
    args: { id: t.arg.id({ required: true, description: "The request's id." }), ...versionArgument() },
    resolve: (_root, { id, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => cancelDocumentRequest(session, id)),
  }),
  acceptDocumentRequest: t.field({
    type: typeOf('documentRequest'),
    nullable: true,
    description:
      'Accepts what was received: it renews the item, or becomes a new one of the record, with the files. `confirmUpload` of one of the files does the same.',
    args: {
      id: t.arg.id({ required: true, description: "The request's id." }),
      input: t.arg({ type: AcceptDocumentRequestInput, required: true, description: 'The decision.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => acceptDocumentRequest(session, id, input)),
  }),
  declineDocumentRequest: t.field({
    type: typeOf('documentRequest'),
    nullable: true,
    description:
      'Sends an answer back with a reason. What was received is deleted, and a mail with the same link asks again.',
    args: {
      id: t.arg.id({ required: true, description: "The request's id." }),
      input: t.arg({ type: DeclineDocumentRequestInput, required: true, description: 'The reason.' }),
      ...versionArgument(),
    },
    resolve: (_root, { id, input, ifVersion }, { session }) =>
      onVersion(session, ifVersion, () => declineDocumentRequest(session, id, input)),
  }),
}));
