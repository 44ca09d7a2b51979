// The lists that are requested as their tables grow.
import { idOf } from './data.mjs';
import { documents, send } from './requests.mjs';

const items = (variables) => send('POST', '/graphql', { query: documents.allItems, variables });
const chosen = (variables) => ({
  request: () => send('POST', '/graphql', { query: documents.chosenItems, variables }),
});
const ordered = (...orderBy) => chosen({ orderBy });
const filtered = (filter) => chosen({ filter });
const vehicles = (query) => ({
  method: 'GET',
  path: `/v1/vehicles?${new URLSearchParams({ paging: '50', ...query })}`,
  headers: { accept: 'application/json' },
});

const change = (id, details) =>
  send('PUT', `/v1/expirationitems/${id}`, { name: 'Licence', expiration_date: '2027-03-31', details });

/** What is requested as the event log grows. */
export const eventGrowth = {
  'events, first page': {
    request: () => send('POST', '/graphql', { query: documents.events, variables: {} }),
  },
  'events, of an item': {
    request: ({ id }) => send('POST', '/graphql', { query: documents.history, variables: { id } }),
  },
  'events, `term` of a few': {
    request: ({ term }) => send('POST', '/graphql', { query: documents.events, variables: { term } }),
  },
  'an item is changed, with its event': {
    request: ({ id }) => change(id, `Changed at ${performance.now()}`),
  },
};

/** The cursor is built like the gateway's: the list is ordered by date. */
export const growth = {
  'items, first page': { request: () => items({}) },
  'items, in the middle, by cursor': { request: ({ after }) => items({ after }) },
  'items, in the middle, by offset': { request: ({ offset }) => items({ offset }) },
  'items, `term` of one match': { request: ({ itemTerm: term }) => items({ term }) },
  'items, `term` of all': { request: () => items({ term: 'lorem' }) },
  'items, by name of the assigned user': ordered({ field: 'ASSIGNED_TO_NAME' }, { field: 'NAME' }),
  'items, by status': ordered({ field: 'STATUS_NUMBER', direction: 'DESC' }),
  'items, by a custom field': ordered({ field: 'CUSTOM_FIELD', customField: 'Region' }),
  'items, of a custom field': filtered({ customFields: [{ name: 'Cost centre', value: 'CC-7' }] }),
  'items, of a status, and not of another': filtered({
    status: ['NOTIFYING'],
    not: { status: ['EXPIRED'] },
  }),
  'items, of a month or expired': filtered({
    or: [{ expirationDate: { gte: '2026-03-01', lt: '2026-04-01' } }, { status: ['EXPIRED'] }],
  }),
  'items, of two document types, without tags': filtered({
    categoryIds: [idOf('category', 3), idOf('category', 9)],
    hasNone: ['TAGS'],
  }),
  'items, made in a range': filtered({
    created: { gte: '2020-01-01T00:00:00Z', lt: '2020-02-01T00:00:00Z' },
  }),
  'all kinds, search of one match': {
    request: ({ itemTerm: term }) =>
      send('POST', '/graphql', { query: documents.search, variables: { term } }),
  },
  'items, summary by status and contact': {
    request: () => send('POST', '/graphql', { query: documents.summary, variables: {} }),
  },
  'vehicles, first page': { request: () => vehicles({}) },
  'vehicles, page in the middle': { request: ({ page }) => vehicles({ page: String(page) }) },
  'vehicles, `term` of one match': { request: ({ vehicleTerm: term }) => vehicles({ term }) },
  'vehicles, `term` of a tenth': { request: () => vehicles({ term: 'Volvo' }) },
};
