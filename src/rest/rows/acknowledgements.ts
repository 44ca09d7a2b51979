import type { Heading, Route } from '../route.js';

const path = '/v1/expirationitems/{id}/acknowledgement';

/** Words of the reference, and the records that its examples name. */
export const heading: Heading = {
  records: { [path]: { kind: 'item', name: 'Fleet insurance', deleted: 'Fire extinguisher check' } },
};

/** Rows of /v1 about acknowledgements, each by its item. */
export const rows: readonly Route[] = [
  {
    kind: 'read',
    method: 'GET',
    path,
    origin: 'addition',
    field: 'acknowledgement',
    model: 'AcknowledgementModel',
    errors: ['NOT_FOUND'],
    tag: 'Expiration items',
    summary: "Reads the acknowledgement of an item's present date.",
  },
  {
    kind: 'write',
    method: 'POST',
    path,
    origin: 'addition',
    field: 'setAcknowledgement',
    model: 'AcknowledgementModel',
    errors: ['NOT_FOUND', 'BAD_REQUEST'],
    tag: 'Expiration items',
    summary:
      "Acknowledges an item's present date, in place of what was said of it before: nothing is repeated or escalated any more.",
    example: { note: 'The broker sends the new policy.', silence: false },
  },
  {
    kind: 'delete',
    method: 'DELETE',
    path,
    origin: 'addition',
    field: 'deleteAcknowledgement',
    model: 'AcknowledgementModel',
    errors: ['NOT_FOUND'],
    tag: 'Expiration items',
    summary: "Takes back the acknowledgement of an item's present date, and answers it as it was.",
  },
];
