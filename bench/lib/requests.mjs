// The workloads as HTTP requests, in the gateway's names: for both of its APIs, and GraphQL only for peers
// without REST.
import { asApollo, asPersisted, hashOf } from './clients.mjs';
import { contactMembers, notification, vehicleMembers } from './workloads.mjs';

/** Returns the selection of an item. Contacts and tags may have a directive. */
const itemWith = (directive) => `id name expirationDate details isActive modified teamId
  category { id name } assignedTo { id name email }
  contacts${directive} { id name email phone } locations { id name } tags${directive} { id name }`;
const item = itemWith('');
const conditionalItem = itemWith(' @include(if: $x)');

const listOfItems = (name, alias, shown = item, more = '') =>
  `query ${name}($category: ID!, $offset: Int!${more}) {
  ${alias}: expirationItems(first: 20, offset: $offset, filter: {categoryId: $category}) { nodes { ${shown} } }
}`;

/** The documents by purpose. */
export const documents = {
  items: listOfItems('Items', 'items'),
  allItems: `query AllItems($offset: Int, $after: String, $term: String) {
  expirationItems(first: 20, offset: $offset, after: $after, filter: {term: $term}) { nodes { ${item} } }
}`,
  chosenItems: `query ChosenItems($filter: ExpirationItemFilter, $orderBy: [ExpirationItemOrder!]) {
  expirationItems(first: 20, filter: $filter, orderBy: $orderBy) { nodes { ${item} } }
}`,
  search: `query Search($term: String!) {
  search(term: $term, first: 20) { nodes { kind field snippet record { ... on Node { id } } } }
}`,
  summary: `query Summary { expirationSummary { byStatus { status count } byContact(first: 20) { count } } }`,
  item: `query Item($id: ID!) { item: expirationItem(id: $id) { ${item} } }`,
  conditionalItems: listOfItems('Items', 'items', conditionalItem, ', $x: Boolean!'),
  conditionalItem: `query Item($id: ID!, $x: Boolean!) { item: expirationItem(id: $id) { ${conditionalItem} } }`,
  vehicles: `query Vehicles($term: String, $offset: Int, $orderBy: [VehicleOrder!]) {
  vehicles(first: 50, offset: $offset, filter: {term: $term}, orderBy: $orderBy) {
    totalCount
    nodes { ${vehicleMembers.join(' ')} assignedTo { id name email teamId } customFields { id name value } }
  }
}`,
  replace: `mutation Replace($id: ID!, $input: ReplaceExpirationItemInput!) {
  item: replaceExpirationItem(id: $id, input: $input) { ${item} }
}`,
  create: `mutation Create($input: CreateExpirationItemInput!) {
  item: createExpirationItem(input: $input) { ${item} }
}`,
  createContact: `mutation CreateContact($input: CreateContactInput!) {
  contact: createContact(input: $input) { id modified ${contactMembers.join(' ')} }
}`,
  itemsByStatus: `query ItemsByStatus($status: [ItemStatus!], $offset: Int!) {
  items: expirationItems(first: 50, offset: $offset, filter: {status: $status}) { totalCount nodes { ${item} } }
}`,
  events: `query Events($term: String) {
  eventLogs(first: 20, filter: {term: $term}) { totalCount nodes { id type description created user { id name } relatedEntities { kind id } } }
}`,
  history: `query History($id: ID!) {
  expirationItem(id: $id) { eventLogs(first: 20) { nodes { id type description details created user { id name } relatedEntities { kind id } } } }
}`,
  receive: 'mutation Receive($input: ReceiveUploadInput!) { receiveUpload(input: $input) { id } }',
};

/** The documents that are requested by their hashes. */
export const persisted = { [hashOf(documents.items)]: documents.items };

const json = { 'content-type': 'application/json', accept: 'application/json' };

/** Creates a request with a JSON body. */
export const send = (method, path, body) => ({ method, path, headers: json, body: JSON.stringify(body) });

const ask = (query, variables) => send('POST', '/graphql', { query, variables });

/** Returns the data of a GraphQL answer; throws its errors. */
export function dataOf({ data, errors }) {
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 500));
  return data;
}

/** Returns an item's own values as GraphQL input. */
const itemInput = ({ name, expirationDate, details, categoryId, assignedToId }) => ({
  name,
  expirationDate,
  details,
  category: { id: categoryId },
  assignedTo: { id: assignedToId },
});

/** Returns the same as a REST body. */
const itemBody = ({ name, expirationDate, details, categoryId, assignedToId }) => ({
  name,
  expiration_date: expirationDate,
  details,
  category: { id: categoryId },
  assigned_to: { id: assignedToId },
});

const links = ({ contactIds, tagIds }) => ({
  contacts: contactIds.map((id) => ({ id })),
  tags: tagIds.map((id) => ({ id })),
});

/** Creates a request for one record. */
const get = (path) => ({ method: 'GET', path, headers: { accept: 'application/json' } });

/** Creates a request for a page of a REST list. */
const listRequest = (path, query) => ({
  method: 'GET',
  path: `${path}?${new URLSearchParams({ ...query, paging: '50' })}`,
  headers: { accept: 'application/json' },
});

const readItems = (body) => dataOf(body).items.nodes;
const readItem = (body) => dataOf(body).item;
const pageOf = ({ totalCount: total, nodes }) => ({ total, nodes });

/** The request and the relevant part of the answer of each workload. */
export const graphql = {
  W1: { request: (p) => ask(documents.items, p), read: readItems },
  W1a: { request: (p) => send('POST', '/graphql', asApollo(documents.items, p)), read: readItems },
  W1d: { request: (p) => ask(documents.conditionalItems, { ...p, x: true }), read: readItems },
  W2: { request: (p) => ask(documents.item, p), read: readItem },
  W2a: { request: (p) => send('POST', '/graphql', asApollo(documents.item, p)), read: readItem },
  W2d: { request: (p) => ask(documents.conditionalItem, { ...p, x: true }), read: readItem },
  W1p: { request: (p) => send('POST', '/graphql', asPersisted(documents.items, p)), read: readItems },
  W3: {
    request: ({ term, sort, direction, page }) =>
      ask(documents.vehicles, {
        term,
        offset: (page - 1) * 50,
        orderBy: { field: sort.toUpperCase(), direction: direction.toUpperCase() },
      }),
    read: (body) => pageOf(dataOf(body).vehicles),
  },
  W4: {
    request: (p) => ask(documents.replace, { id: p.id, input: itemInput(p) }),
    read: readItem,
  },
  W5: {
    request: (p) => {
      const { upload_Tags: uploadTags, ...text } = notification(p).text;
      return ask(documents.receive, { input: { ...notification(p), text: { ...text, uploadTags } } });
    },
    read: (body) => void dataOf(body),
  },
  W6: {
    request: (p, unique) => ask(listOfItems('', `items${unique()}`), p),
    read: (body) => Object.values(dataOf(body))[0].nodes,
  },
  W7: {
    request: (input) => ask(documents.createContact, { input }),
    read: (body) => dataOf(body).contact,
  },
  W8: {
    request: ({ email, tags, ...p }) => {
      const named = { contacts: [{ email }], tags: tags.map((name) => ({ name })) };
      return ask(documents.create, { input: { ...itemInput(p), ...named } });
    },
    read: readItem,
  },
  W9: {
    request: (p) => ask(documents.replace, { id: p.id, input: { ...itemInput(p), ...links(p) } }),
    read: readItem,
  },
  W10: {
    request: ({ status, page }) =>
      ask(documents.itemsByStatus, { status: [status.toUpperCase()], offset: (page - 1) * 50 }),
    read: (body) => pageOf(dataOf(body).items),
  },
};

/** The gateway: the contract's REST if the contract has the request, GraphQL for the others. */
export const gateway = {
  ...graphql,
  W3: {
    request: ({ term, sort, direction: sortDirection, page }) =>
      listRequest('/v1/vehicles', { term, sort, sortDirection, page }),
    read: ({ total, vehicles: nodes }) => ({ total, nodes }),
  },
  W4: {
    request: (p) => send('PUT', `/v1/expirationitems/${p.id}`, itemBody(p)),
    read: (body) => body,
  },
  W5: { request: (p) => send('POST', '/v1/bulkscan/receive', notification(p)), read: () => undefined },
  W7: { request: (p) => send('POST', '/v1/contacts', p), read: (body) => body },
  W9: {
    request: (p) => send('PUT', `/v1/expirationitems/${p.id}`, { ...itemBody(p), ...links(p) }),
    read: (body) => body,
  },
  W10: {
    request: (p) => listRequest('/v1/expirationitems', p),
    read: ({ total, expiration_items: nodes }) => ({ total, nodes }),
  },
  W12: { request: ({ id }) => get(`/v1/compliance/vehicles/${id}`), read: (body) => body },
  W12v: { request: ({ id }) => get(`/v1/vehicles/${id}`), read: (body) => body },
  W13: {
    request: () => listRequest('/v1/compliance', { kind: 'vehicle' }),
    read: ({ total, holders: nodes }) => ({ total, nodes }),
  },
};
