import { declareEndpoints } from '../records/declare/endpoints.js';

/** Endpoints of expiration items. */
export const itemEndpoints = declareEndpoints({
  model: 'ExpirationItem',
  list: 'expiration_items',
  order: { field: 'expirationDate', direction: 'asc' },
  rest: {
    tag: 'Expiration items',
    about: 'Things that expire, such as documents, licences and inspections, with their dates and files.',
    model: 'ExpirationItem',
    members: [
      'id',
      'name',
      'expirationDate',
      'status',
      'timeOfDay',
      'category',
      'details',
      'assignedTo',
      'statusId',
      'modified',
      'categoryName',
      'isActive',
      'teamId',
      'contacts',
      'attachments',
      'customFields',
      'locations',
      'tags',
      'contactId',
    ],
    records: {
      '/v1/expirationitems': { kind: 'item', name: 'Cargo insurance', deleted: 'Copier service contract' },
      '/v1/expirationitems/contact': { kind: 'contact', name: 'Ben Carter' },
    },
    term: 'insurance',
    routes: {
      'GET /v1/expirationitems': {
        kind: 'list',
        origin: 'attested',
        field: 'expirationItems',
        parameters: ['term', 'status', 'expiresWithinDays', 'page', 'paging', 'sort', 'sortDirection'],
        added: ['contact_id', 'category_id', 'team_id'],
        summary: 'Lists expiration items.',
      },
      'POST /v1/expirationitems': {
        kind: 'write',
        origin: 'attested',
        field: 'createExpirationItem',
        files: true,
        summary: 'Creates an expiration item.',
        example: {
          name: 'Trade licence',
          expiration_date: '2027-03-31',
          category_name: 'Licence',
          tags: [{ name: 'yearly' }],
        },
      },
      'GET /v1/expirationitems/{id}': {
        kind: 'read',
        origin: 'listed',
        field: 'expirationItem',
        fileContent: true,
        summary: 'Reads an expiration item.',
      },
      'PUT /v1/expirationitems/{id}': {
        kind: 'write',
        origin: 'contract',
        field: 'updateExpirationItem',
        required: ['name', 'expiration_date'],
        files: true,
        summary:
          'Updates an expiration item. Omitted fields are kept, null clears a field, and a list replaces the old one.',
        example: {
          name: 'Trade licence',
          expiration_date: '2027-03-31',
          category_name: 'Licence',
          tags: [{ name: 'yearly' }],
        },
      },
      'PATCH /v1/expirationitems/{id}': {
        kind: 'patch',
        origin: 'addition',
        field: 'patchExpirationItem',
        files: true,
        summary: 'Patches an expiration item.',
        example: [{ op: 'replace', path: '/details', value: 'Ask for the new form.' }],
      },
      'DELETE /v1/expirationitems/{id}': {
        kind: 'delete',
        origin: 'listed',
        field: 'deleteExpirationItem',
        summary: 'Deletes an expiration item with its files and returns it as it was.',
      },
      'PUT /v1/expirationitems/{id}/renew': {
        kind: 'write',
        origin: 'contract',
        field: 'renewExpirationItem',
        files: true,
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: "Moves an item's expiration date forward and records the renewal in its history.",
        example: { expiration_date: '2030-03-31', details: 'Renewed until 2030.' },
      },
      'POST /v1/expirationitems/{id}/renew': {
        kind: 'write',
        origin: 'attested',
        field: 'renewExpirationItem',
        operation: 'renewExpirationItemByPost',
        files: true,
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: 'Renews an expiration item, as PUT does.',
        example: { expiration_date: '2031-03-31', details: 'Renewed for a year.' },
      },
      'POST /v1/expirationitems/{id}/attachment': {
        kind: 'write',
        origin: 'attested',
        field: 'attachToExpirationItem',
        files: true,
        wrapper: 'attachment',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: 'Adds a file to an item, after its other files, and returns the item.',
        example: { name: 'licence.txt', content_type: 'text/plain', content: 'UGFwZXI=' },
      },
      'POST /v1/expirationitems/{id}/contacts': {
        kind: 'write',
        origin: 'listed',
        field: 'setExpirationItemContacts',
        files: true,
        wrapper: 'contacts',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: 'Replaces the contacts of an item and returns the item.',
        example: { contacts: [{ email: 'grace@example.com' }] },
      },
      'GET /v1/expirationitems/contact/{id}': {
        kind: 'list',
        origin: 'attested',
        field: 'expirationItems',
        operation: 'expirationItemsOfContact',
        of: 'contact',
        parameters: ['page', 'sort', 'sortDirection'],
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary:
          'Lists the expiration items that have a contact, either as the main one or as one of several.',
      },
    },
  },
});

/** Endpoints of acknowledgements, each by its item. */
export const acknowledgementEndpoints = declareEndpoints({
  model: 'Acknowledgement',
  list: 'acknowledgements',
  order: { field: 'created', direction: 'asc' },
  rest: {
    tag: 'Expiration items',
    model: 'AcknowledgementModel',
    members: ['expirationItemId', 'expirationDate', 'note', 'silence', 'snoozeUntil', 'user', 'created'],
    records: {
      '/v1/expirationitems/{id}/acknowledgement': {
        kind: 'item',
        name: 'Fleet insurance',
        deleted: 'Fire extinguisher check',
      },
    },
    routes: {
      'GET /v1/expirationitems/{id}/acknowledgement': {
        kind: 'read',
        origin: 'addition',
        field: 'acknowledgement',
        summary: "Reads the acknowledgement of an item's current date.",
      },
      'POST /v1/expirationitems/{id}/acknowledgement': {
        kind: 'write',
        origin: 'addition',
        field: 'setAcknowledgement',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary:
          "Acknowledges an item's current date and replaces an earlier acknowledgement. This stops repeated and escalated reminders.",
        example: { note: 'The broker sends the new policy.', silence: false },
      },
      'DELETE /v1/expirationitems/{id}/acknowledgement': {
        kind: 'delete',
        origin: 'addition',
        field: 'deleteAcknowledgement',
        summary: "Withdraws the acknowledgement of an item's current date and returns it as it was.",
      },
    },
  },
});

/** Endpoints of files of expiration items. */
export const attachmentEndpoints = declareEndpoints({
  model: 'Attachment',
  list: 'attachments',
  order: { field: 'created', direction: 'asc' },
  rest: {
    tag: 'Attachments',
    about: 'The files of expiration items.',
    model: 'ExpirationItemAttachmentModel',
    members: ['id', 'content', 'name', 'contentType', 'created', 'contentLength'],
    models: {
      AttachmentModel: {
        type: 'Attachment',
        members: [
          'id',
          'content',
          'name',
          'contentType',
          'created',
          'contentLength',
          'entityType',
          'entityId',
        ],
      },
    },
    records: { '/v1/attachments/expirationitem': { kind: 'attachment', name: 'cargo-policy.txt' } },
    term: 'policy',
    routes: {
      'GET /v1/attachments/expirationitem': {
        model: 'AttachmentModel',
        kind: 'list',
        origin: 'attested',
        field: 'attachments',
        parameters: ['term', 'page', 'includeFileContent'],
        fileContent: true,
        summary: 'Lists the files of expiration items, the oldest first.',
      },
      'GET /v1/attachments/expirationitem/{id}': {
        model: 'AttachmentModel',
        kind: 'read',
        origin: 'listed',
        field: 'attachment',
        fileContent: true,
        summary: "Reads a file of an expiration item, by the file's id.",
      },
      'GET /v1/attachments/search': {
        model: 'AttachmentModel',
        kind: 'list',
        origin: 'attested',
        field: 'attachments',
        operation: 'searchAttachments',
        pageSize: 25,
        parameters: ['term', 'page', 'includeFileContent'],
        fileContent: true,
        summary: 'Searches files by name, in pages of 25, the oldest first.',
      },
    },
  },
});

/** Endpoints of the history of expiration items. */
export const renewalEndpoints = declareEndpoints({
  model: 'Renewal',
  list: 'renewals',
  order: { field: 'created', direction: 'desc' },
  rest: {
    tag: 'Expiration items',
    model: 'RenewalModel',
    members: ['id', 'previousDate', 'expirationDate', 'details', 'created', 'user'],
    term: 'year',
    routes: {
      'GET /v1/expirationitems/{id}/renewals': {
        kind: 'list',
        origin: 'addition',
        field: 'renewals',
        of: 'expirationItem',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        summary: 'Lists the renewals of an item, the newest first.',
      },
    },
  },
});
