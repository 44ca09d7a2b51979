// The workloads in the names that PostGraphile gives the gateway's tables.
import { randomUUID } from 'node:crypto';
import { asApollo } from './clients.mjs';
import { dataOf, send } from './requests.mjs';
import { contactMembers, notification, vehicleMembers } from './workloads.mjs';

const linked = (kind, members, directive = '') => {
  const type = `${kind[0].toUpperCase()}${kind.slice(1)}`;
  const field = `${kind}s: expirationItem${type}sByItemIdList(orderBy: POSITION_ASC)${directive}`;
  return `${field} { ${kind} { id: rowId ${members} } }`;
};
const itemWith = (directive) => `id: rowId name expirationDate details isActive modified teamId
  category { id: rowId name } assignedTo { id: rowId name email }
  ${linked('contact', 'name email phone', directive)} ${linked('location', 'name')} ${linked('tag', 'name', directive)}`;
const item = itemWith('');
const conditionalItem = itemWith(' @include(if: $x)');
const vehicle = `id: rowId ${vehicleMembers.filter((name) => name !== 'id').join(' ')}
  assignedTo { id: rowId name email teamId } customFields`;

const listOfItems = (
  name,
  alias,
  shown = item,
  more = '',
) => `query ${name}($category: UUID!, $offset: Int!${more}) {
  ${alias}: expirationItemsList(
    condition: { categoryId: $category }, first: 20, offset: $offset, orderBy: [EXPIRATION_DATE_ASC, ROW_ID_ASC]
  ) { ${shown} }
}`;

const searched = ['name', 'vin', 'licensePlate', 'make', 'model'];
const documents = {
  items: listOfItems('Items', 'items'),
  item: `query Item($id: UUID!) { item: expirationItem(rowId: $id) { ${item} } }`,
  conditionalItems: listOfItems('Items', 'items', conditionalItem, ', $x: Boolean!'),
  conditionalItem: `query Item($id: UUID!, $x: Boolean!) {
  item: expirationItem(rowId: $id) { ${conditionalItem} }
}`,
  vehicles: `query Vehicles($term: String!, $offset: Int!, $order: [VehicleOrderBy!]) {
  vehicles(
    filter: { or: [${searched.map((name) => `{ ${name}: { includesInsensitive: $term } }`)}] }
    first: 50, offset: $offset, orderBy: $order
  ) { totalCount nodes { ${vehicle} } }
}`,
  replace: `mutation Replace($input: BenchReplaceItemInput!) { benchReplaceItem(input: $input) { result { ${item} } } }`,
  relink: `mutation Relink($input: BenchRelinkItemInput!) { benchRelinkItem(input: $input) { result { ${item} } } }`,
  create: `mutation Create($input: BenchCreateItemInput!) { benchCreateItem(input: $input) { result { ${item} } } }`,
  createContact: `mutation CreateContact($input: BenchCreateContactInput!) {
  benchCreateContact(input: $input) { result { id: rowId modified ${contactMembers.join(' ')} } }
}`,
  itemsByStatus: `query ItemsByStatus($organization: UUID!, $dates: DateFilter!, $offset: Int!) {
  expirationItems(
    condition: { organizationId: $organization, isActive: true, isMissing: false }, filter: { expirationDate: $dates }
    first: 50, offset: $offset, orderBy: [EXPIRATION_DATE_ASC, ROW_ID_ASC]
  ) { totalCount nodes { ${item} } }
}`,
  receive: `mutation Receive($row: UploadNotificationInput!) {
  createUploadNotification(input: { uploadNotification: $row }) { uploadNotification { rowId } }
}`,
};

const ask = (query, variables) => send('POST', '/graphql', { query, variables });

const shown = ({ contacts, locations, tags, ...rest }) => ({
  ...rest,
  contacts: contacts.map(({ contact }) => contact),
  locations: locations.map(({ location }) => location),
  tags: tags.map(({ tag }) => tag),
});
const parsed = (value) => (typeof value === 'string' ? JSON.parse(value) : value);

const readItems = (body) => dataOf(body).items.map(shown);
const readItem = (body) => shown(dataOf(body).item);

const itemInput = ({ name, expirationDate, details, categoryId, assignedToId }) => ({
  newName: name,
  newDate: expirationDate,
  newDetails: details,
  newCategoryId: categoryId,
  newAssignedToId: assignedToId,
});
const acting = ({ organizationId: organization, teamId: team, userId: actingUserId }) => ({
  organization,
  team,
  actingUserId,
});
const dayIn = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const datesOf = (status) =>
  status === 'expired'
    ? { lessThan: dayIn(0) }
    : { greaterThanOrEqualTo: dayIn(0), lessThanOrEqualTo: dayIn(30) };

/** The request and the relevant part of the answer of each workload. */
export const postgraphile = {
  W1: { request: (p) => ask(documents.items, p), read: readItems },
  W1a: { request: (p) => send('POST', '/graphql', asApollo(documents.items, p)), read: readItems },
  W1d: { request: (p) => ask(documents.conditionalItems, { ...p, x: true }), read: readItems },
  // Persisted documents would need another package, so the document is sent.
  W1p: { request: (p) => ask(documents.items, p), read: readItems },
  W2: { request: (p) => ask(documents.item, p), read: readItem },
  W2a: { request: (p) => send('POST', '/graphql', asApollo(documents.item, p)), read: readItem },
  W2d: { request: (p) => ask(documents.conditionalItem, { ...p, x: true }), read: readItem },
  W3: {
    request: ({ term, sort, direction, page }) => {
      const order = [sort, 'row_id'].map((field) => `${field}_${direction}`.toUpperCase());
      return ask(documents.vehicles, { term, offset: (page - 1) * 50, order });
    },
    read: (body) => {
      const { totalCount: total, nodes } = dataOf(body).vehicles;
      return { total, nodes: nodes.map((node) => ({ ...node, customFields: parsed(node.customFields) })) };
    },
  },
  W4: {
    request: (p, _unique, { userId: actingUserId }) =>
      ask(documents.replace, { input: { itemId: p.id, ...itemInput(p), actingUserId } }),
    read: (body) => shown(dataOf(body).benchReplaceItem.result),
  },
  W5: {
    request: (p, _unique, { organizationId, teamId, userId, tokenId }) => {
      const { id, action, timestamp, text } = notification(p);
      const { upload_Tags: tags, size, ...file } = text;
      return ask(documents.receive, {
        row: {
          rowId: randomUUID(),
          ...{ organizationId, teamId, userId, accessTokenId: tokenId },
          notificationId: String(id),
          action,
          timestamp: String(timestamp),
          ...file,
          size: String(size),
          uploadTags: JSON.stringify(tags),
          dedupeKey: `${id}:${action}`,
          dueAt: new Date().toISOString(),
        },
      });
    },
    read: (body) => void dataOf(body),
  },
  W6: {
    request: (p, unique) => ask(listOfItems('', `items${unique()}`), p),
    read: (body) => Object.values(dataOf(body))[0].map(shown),
  },
  W7: {
    request: ({ name: newName, email: newEmail, mobile: newMobile }, _unique, owner) =>
      ask(documents.createContact, { input: { ...acting(owner), newName, newEmail, newMobile } }),
    read: (body) => dataOf(body).benchCreateContact.result,
  },
  W8: {
    request: ({ email: contactEmail, tags: tagNames, ...p }, _unique, owner) =>
      ask(documents.create, { input: { ...acting(owner), ...itemInput(p), contactEmail, tagNames } }),
    read: (body) => shown(dataOf(body).benchCreateItem.result),
  },
  W9: {
    request: ({ contactIds, tagIds, ...p }, _unique, { userId: actingUserId }) =>
      ask(documents.relink, { input: { itemId: p.id, ...itemInput(p), actingUserId, contactIds, tagIds } }),
    read: (body) => shown(dataOf(body).benchRelinkItem.result),
  },
  W10: {
    request: ({ status, page }, _unique, { organizationId: organization }) =>
      ask(documents.itemsByStatus, { organization, dates: datesOf(status), offset: (page - 1) * 50 }),
    read: (body) => {
      const { totalCount: total, nodes } = dataOf(body).expirationItems;
      return { total, nodes: nodes.map(shown) };
    },
  },
};
