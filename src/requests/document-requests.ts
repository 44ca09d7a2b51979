import type { RowOf } from '../db/sql/conditions.js';
import { declareList } from '../records/declare/declare.js';
import {
  computed,
  exposed,
  exposedInGraphql,
  link,
  unexposed,
  visibleId,
} from '../records/declare/fields.js';

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
        },
      },
    }),
    categoryId: unexposed(),
    category: link('categoryId', 'The document type that is asked for.', { hasNone: false }),
    itemId: visibleId('itemId', 'The item that the document renews or became, if the caller may see it.'),
    item: link('itemId', 'The item that the document renews or, once it was accepted, became.', {
      hasNone: false,
    }),
    renews: exposed(),
    itemDate: exposed(),
    holderKind: exposedInGraphql(undefined, {
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
    recipientId: unexposed(),
    recipient: link('recipientId', 'The contact who is asked, if the caller may see it.', { hasNone: false }),
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
    vehicleId: 'Requests for documents of this vehicle.',
    contactId: 'Requests for documents of this person.',
    companyId: 'Requests for documents of this company.',
    locationId: 'Requests for documents of this location.',
  },
  ranges: ['dueOn', 'created', 'receivedAt'],
  sortable: ['id', 'dueOn', 'receivedAt', 'created'],
  order: { field: 'created', direction: 'desc' },
  indexed: ['created'],
});
