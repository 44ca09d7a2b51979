import { enums } from '../../prisma/generated/columns.js';
import type { RowOf } from '../db/sql/conditions.js';
import { rules } from '../domain/rules.js';
import { demoId } from '../domain/text/demo.js';
import { holderKinds } from '../items/holders.js';
import { declareList } from '../records/declare/declare.js';
import { computed, exposed, link, unexposed, visibleId } from '../records/declare/fields.js';
import { seenIds } from '../records/lists/filter.js';

/** A stored request for a document. */
export type DocumentRequest = RowOf<'DocumentRequest'>;

/** Columns of which one has the id of the record whose document is asked for. */
export const requestedHolderColumns = ['vehicleId', 'contactId', 'companyId', 'locationId'] as const;

/** Returns the id of the record whose document is asked for. Null if none was named, or it is gone. */
export const heldIdOf = (
  request: Pick<DocumentRequest, (typeof requestedHolderColumns)[number]>,
): string | null => requestedHolderColumns.map((column) => request[column]).find((id) => id !== null) ?? null;

/** Requests for documents. They are made, answered by a link in a mail, and accepted. */
export const documentRequests = declareList('DocumentRequest', {
  fields: {
    id: exposed(),
    state: exposed(undefined, {
      enum: {
        about: 'How far a request for a document has come.',
        values: {
          OPEN: 'A mail is on its way, for the first time or because an answer was sent back.',
          SENT: 'The mail was sent, and nothing has come back yet.',
          OPENED: 'The recipient has opened the page of the link.',
          RECEIVED: 'An answer waits for somebody to accept it or to send it back.',
          ACCEPTED: 'The document was accepted.',
          CANCELLED: 'It ended without its answer; `ending` says why.',
          LAPSED: 'Nobody answered until the link ended.',
        },
      },
    }),
    ending: exposed(undefined, {
      enum: {
        about: 'Why a request for a document ended without its answer.',
        values: {
          MEMBER: 'Somebody cancelled it.',
          MET: 'A valid document arrived another way, or the item was renewed.',
          ITEM_GONE: 'The item to renew was deleted or archived.',
          HOLDER_GONE: 'The record whose document it is was deleted or is no longer in use.',
          TYPE_GONE: 'The document type was deleted.',
          RECIPIENT_GONE: 'The contact was deleted, is no longer in use, or has another address.',
          NOT_REQUIRED:
            'The requirement that needs it is no longer in use, was deleted, or applies to the record no more.',
          EXEMPT: 'The record whose document it is was exempted from the requirement.',
        },
      },
    }),
    categoryId: visibleId(
      'categoryId',
      'The id of the document type that is asked for, if the caller may see it.',
    ),
    category: link('categoryId', 'The document type that is asked for.', { hasNone: false }),
    itemId: visibleId('itemId', 'The item that the document renews or became, if the caller may see it.'),
    item: link('itemId', 'The item that the document renews or, once it was accepted, became.', {
      hasNone: false,
    }),
    renews: exposed(),
    itemDate: exposed(),
    holderKind: exposed(undefined, {
      type: 'HolderKind',
      description: 'The kind of the record whose document it is. Null if none was named.',
    }),
    vehicleId: unexposed(),
    contactId: unexposed(),
    companyId: unexposed(),
    locationId: unexposed(),
    holderId: computed(
      'ID',
      requestedHolderColumns,
      'The id of the record whose document it is. Null if none was named, or it is gone.',
      heldIdOf,
      { door: 'both' },
    ),
    recipientId: visibleId('recipientId', 'The id of the contact who is asked, if the caller may see it.'),
    recipient: link('recipientId', 'The contact who is asked, if the caller may see it.', { hasNone: false }),
    requirementId: visibleId(
      'requirementId',
      'The requirement that needs the document, if the caller may see it. Null for others.',
    ),
    requirement: link('requirementId', 'The requirement that needs the document.', {
      ordered: false,
      hasNone: false,
    }),
    isRequired: exposed(),
    isReminded: exposed(),
    everyDays: exposed(),
    email: exposed(),
    language: exposed(),
    message: exposed(undefined, { long: true }),
    dueOn: exposed(),
    declinedReason: exposed(undefined, { long: true }),
    answer: exposed(undefined, { long: true }),
    statedDate: exposed(),
    heldItemId: visibleId(
      'heldItemId',
      'The archived item that keeps the received files until somebody decides. Null before and after.',
    ),
    heldItem: link('heldItemId', 'The archived item that keeps the received files until somebody decides.', {
      ordered: false,
      hasNone: false,
    }),
    linkId: unexposed(),
    deliveryId: unexposed(),
    delivery: link('deliveryId', 'The last mail to the recipient.', { ordered: false, hasNone: false }),
    userId: unexposed(),
    user: link('userId', 'The user who asked for the document.', { ordered: false, hasNone: false }),
    settledById: unexposed(),
    settledBy: link('settledById', 'The user who accepted or cancelled it.', {
      ordered: false,
      hasNone: false,
    }),
    sentAt: exposed(),
    openedAt: exposed(),
    receivedAt: exposed(),
    settledAt: exposed(),
    teamId: exposed(undefined, { description: 'The workspace that asks.' }),
    team: link('teamId', 'The workspace that asks.', { ordered: false }),
    created: exposed(),
    modified: exposed(),
  },
  filter: {
    term: {
      in: ['email', 'message', 'answer'],
      description: 'Part of the address, the message or the answer, ignoring case.',
    },
    state: 'Requests in this state.',
    teamId: 'Requests of this workspace.',
    categoryId: 'Requests for documents of this type.',
    itemId: 'Requests about this item.',
    recipientId: 'Requests to this contact.',
    holderId: {
      type: 'ID',
      rule: rules.uuid,
      description: 'Requests for documents of this vehicle, person, company or location.',
      where: (id: string, _all, session) => ({
        OR: holderKinds.map((kind) => ({ [`${kind}Id`]: seenIds(session, kind, id) })),
      }),
    },
    vehicleId: 'Requests for documents of this vehicle.',
    contactId: 'Requests for documents of this person.',
    companyId: 'Requests for documents of this company.',
    locationId: 'Requests for documents of this location.',
  },
  ranges: ['dueOn', 'created', 'receivedAt'],
  sortable: ['id', 'dueOn', 'receivedAt', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: ['created'],
  rest: {
    tag: 'Document requests',
    about: 'Requests for documents, which people answer by a link in a mail.',
    model: 'DocumentRequestModel',
    records: {
      '/v1/documentrequests': { kind: 'request', name: 'Cargo insurance' },
      '/v1/documentrequests/{id}/accept': { kind: 'request', name: 'Chloe Tremblay' },
      '/v1/documentrequests/{id}/decline': { kind: 'request', name: 'Licence Hugo Martin' },
    },
    term: 'certificate',
    routes: {
      'GET /v1/documentrequests': {
        origin: 'addition',
        list: 'documentrequests',
        parameters: ['term', 'state', 'page', 'sort', 'sortDirection'],
        added: ['item_id', 'category_id', 'holder_id', 'recipient_id', 'team_id'],
        states: enums.DocumentRequestState,
        summary: 'Lists requests for documents, the last first.',
      },
      'POST /v1/documentrequests': {
        origin: 'addition',
        errors: ['BAD_REQUEST', 'CONFLICT'],
        summary: 'Asks somebody for a document, by a link in a mail.',
        example: {
          ...{ category_id: demoId('category', 'Insurance policy'), holder_kind: 'vehicle' },
          ...{ holder_id: demoId('vehicle', 'Truck 101'), email: 'ann.lee@example.com' },
          message: 'Front and back, please.',
        },
      },
      'GET /v1/documentrequests/{id}': { origin: 'addition' },
      'POST /v1/documentrequests/{id}/accept': {
        kind: 'write',
        origin: 'addition',
        field: 'acceptDocumentRequest',
        errors: ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'],
        summary: 'Accepts what was received: renews the item, or creates one with the files.',
        example: { expiration_date: '2031-06-30' },
      },
      'POST /v1/documentrequests/{id}/decline': {
        kind: 'write',
        origin: 'addition',
        field: 'declineDocumentRequest',
        errors: ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'],
        summary: 'Sends an answer back with a reason, and asks again by a mail.',
        example: { reason: 'The second page is missing.' },
      },
      'POST /v1/documentrequests/{id}/resend': {
        kind: 'act',
        origin: 'addition',
        field: 'resendDocumentRequest',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Sends the mail of a request again, with a new link.',
      },
      'POST /v1/documentrequests/{id}/cancel': {
        kind: 'act',
        origin: 'addition',
        field: 'cancelDocumentRequest',
        errors: ['NOT_FOUND', 'CONFLICT'],
        summary: 'Ends a request.',
      },
    },
  },
});
