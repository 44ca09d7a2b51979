// The workloads as HTTP requests, in the gateway's names: both of its doors, and GraphQL alone for peers without REST.
import { asApollo, asPersisted, hashOf } from './clients.mjs';
import { notification, vehicleMembers } from './workloads.mjs';

/** What is asked of an item. Contacts and tags may have a directive. */
const itemWith = (directive) => `id name expirationDate details isActive modified teamId
  category { id name } assignedTo { id name email }
  contacts${directive} { id name email phone } locations { id name } tags${directive} { id name }`;
const item = itemWith('');
const conditionalItem = itemWith(' @include(if: $x)');

const listOfItems = (name, alias, shown = item, more = '') =>
  `query ${name}($category: ID!, $offset: Int!${more}) {
  ${alias}: expirationItems(first: 20, offset: $offset, filter: {categoryId: $category}) { nodes { ${shown} } }
}`;

/** The documents by what they are for. */
export const documents = {
  items: listOfItems('Items', 'items'),
  allItems: `query AllItems($offset: Int, $after: String, $term: String) {
  expirationItems(first: 20, offset: $offset, after: $after, filter: {term: $term}) { nodes { ${item} } }
}`,
  item: `query Item($id: ID!) { item: expirationItem(id: $id) { ${item} } }`,
  conditionalItems: listOfItems('Items', 'items', conditionalItem, ', $x: Boolean!'),
  conditionalItem: `query Item($id: ID!, $x: Boolean!) { item: expirationItem(id: $id) { ${conditionalItem} } }`,
  vehicles: `query Vehicles($term: String, $offset: Int, $orderBy: VehicleOrder) {
  vehicles(first: 50, offset: $offset, filter: {term: $term}, orderBy: $orderBy) {
    totalCount
    nodes { ${vehicleMembers.join(' ')} assignedTo { id name email teamId } customFields { id name value } }
  }
}`,
  replace: `mutation Replace($id: ID!, $input: ReplaceExpirationItemInput!) {
  item: replaceExpirationItem(id: $id, input: $input) { ${item} }
}`,
  receive: 'mutation Receive($input: ReceiveUploadInput!) { receiveUpload(input: $input) { id } }',
};

/** The documents that are asked for by their hashes. */
export const persisted = { [hashOf(documents.items)]: documents.items };

const json = { 'content-type': 'application/json', accept: 'application/json' };

/** A request that sends JSON. */
export const send = (method, path, body) => ({ method, path, headers: json, body: JSON.stringify(body) });

const ask = (query, variables) => send('POST', '/graphql', { query, variables });

/** The data of a GraphQL answer; errors are thrown. */
export function dataOf({ data, errors }) {
  if (errors) throw new Error(JSON.stringify(errors).slice(0, 500));
  return data;
}

const pageOf = ({ total, nodes }) => ({ total, vehicles: nodes });

const readItems = (body) => dataOf(body).items.nodes;
const readItem = (body) => dataOf(body).item;

/** For each workload, how it is asked for and what of the answer counts. */
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
    read: (body) => pageOf({ total: dataOf(body).vehicles.totalCount, nodes: body.data.vehicles.nodes }),
  },
  W4: {
    request: ({ id, name, expirationDate, details, categoryId, assignedToId }) => {
      const input = {
        name,
        expirationDate,
        details,
        category: { id: categoryId },
        assignedTo: { id: assignedToId },
      };
      return ask(documents.replace, { id, input });
    },
    read: (body) => dataOf(body).item,
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
};

/** The gateway: GraphQL for W1, W2 and W6, the contract's REST for the others. */
export const gateway = {
  ...graphql,
  W3: {
    request: ({ term, sort, direction, page }) => {
      const query = new URLSearchParams({
        term,
        sort,
        sortDirection: direction,
        page: String(page),
        paging: '50',
      });
      return { method: 'GET', path: `/v1/vehicles?${query}`, headers: { accept: 'application/json' } };
    },
    read: ({ total, vehicles }) => pageOf({ total, nodes: vehicles }),
  },
  W4: {
    request: ({ id, name, expirationDate, details, categoryId, assignedToId }) =>
      send('PUT', `/v1/expirationitems/${id}`, {
        name,
        expiration_date: expirationDate,
        details,
        category: { id: categoryId },
        assigned_to: { id: assignedToId },
      }),
    read: (body) => body,
  },
  W5: { request: (p) => send('POST', '/v1/bulkscan/receive', notification(p)), read: () => undefined },
};
