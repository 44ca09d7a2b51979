// What lists are asked for as their tables grow.
import { documents, send } from './requests.mjs';

const items = (variables) => send('POST', '/graphql', { query: documents.allItems, variables });
const vehicles = (query) => ({
  method: 'GET',
  path: `/v1/vehicles?${new URLSearchParams({ paging: '50', ...query })}`,
  headers: { accept: 'application/json' },
});

/** A cursor is made as the gateway makes it: the list is ordered by date. */
export const growth = {
  'items, first page': { request: () => items({}) },
  'items, in the middle, by cursor': { request: ({ after }) => items({ after }) },
  'items, in the middle, by offset': { request: ({ offset }) => items({ offset }) },
  'items, `term` of one match': { request: ({ itemTerm: term }) => items({ term }) },
  'items, `term` of all': { request: () => items({ term: 'lorem' }) },
  'vehicles, first page': { request: () => vehicles({}) },
  'vehicles, page in the middle': { request: ({ page }) => vehicles({ page: String(page) }) },
  'vehicles, `term` of one match': { request: ({ vehicleTerm: term }) => vehicles({ term }) },
  'vehicles, `term` of a tenth': { request: () => vehicles({ term: 'Volvo' }) },
};
