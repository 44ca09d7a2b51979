import fc from 'fast-check';
import { getNamedType, isObjectType } from 'graphql';
import { type EntityKind, entityTypes } from '../../src/domain/models.js';
import { schema } from '../../src/graphql/schema.js';
import type { TestGateway } from '../support/gateway.js';
import { ask } from './support.js';

/** The root lists by the types of their records, with possible filters and orders. */
export const roots: Record<string, { list: string; filter: fc.Arbitrary<object>; orders: string[] }> = {
  Category: { list: 'categories', filter: fc.constant({}), orders: ['NAME'] },
  Company: { list: 'companies', filter: fc.constantFrom({}, { isArchived: false }), orders: ['NAME', 'ID'] },
  Contact: { list: 'contacts', filter: fc.constantFrom({}, { term: '1' }), orders: ['NAME', 'LOCATION_ID'] },
  ContactType: { list: 'contactTypes', filter: fc.constant({}), orders: ['NAME'] },
  Delivery: { list: 'deliveries', filter: fc.constant({}), orders: ['CREATED'] },
  EventLog: {
    list: 'eventLogs',
    filter: fc.constantFrom({}, { types: ['RENEWED'] }, { term: 'event 1' }),
    orders: ['CREATED', 'TYPE_ID', 'DETAILS'],
  },
  ExpirationItem: {
    list: 'expirationItems',
    filter: fc.record(
      {
        status: fc.constantFrom(['CURRENT', 'NOTIFYING'], ['EXPIRED']),
        term: fc.constantFrom('licence'),
        isActive: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    orders: ['EXPIRATION_DATE', 'NAME', 'CONTACT_ID', 'IS_ACTIVE'],
  },
  Location: { list: 'locations', filter: fc.constantFrom({}, { isRoot: false }), orders: ['NAME'] },
  MailText: {
    list: 'mailTexts',
    filter: fc.constantFrom({}, { scope: 'CATEGORY' }),
    orders: ['CREATED', 'ID'],
  },
  Note: { list: 'notes', filter: fc.constantFrom({}, { term: 'note 1' }), orders: ['MODIFIED', 'NAME'] },
  Reminder: {
    list: 'reminders',
    filter: fc.constantFrom({}, { state: 'TOLD' }, { term: 'item 1' }),
    orders: ['SLOT', 'ITEM_NAME', 'DECIDED_AT'],
  },
  ReminderPolicy: { list: 'reminderPolicies', filter: fc.constant({}), orders: ['NAME'] },
  DocumentRequest: {
    list: 'documentRequests',
    filter: fc.constantFrom({}, { state: 'OPEN' }),
    orders: ['CREATED', 'DUE_ON'],
  },
  ComplianceLink: {
    list: 'complianceLinks',
    filter: fc.constantFrom({}, { isRevoked: false }),
    orders: ['CREATED', 'NAME', 'USES'],
  },
  Exemption: { list: 'exemptions', filter: fc.constant({}), orders: ['CREATED', 'FROM', 'UNTIL'] },
  Requirement: {
    list: 'requirements',
    filter: fc.constantFrom({}, { isActive: true }),
    orders: ['NAME', 'CREATED'],
  },
  Tag: { list: 'tags', filter: fc.constant({}), orders: ['NAME'] },
  Watch: { list: 'watches', filter: fc.constantFrom({}, { isActive: true }), orders: ['NAME'] },
  Channel: { list: 'channels', filter: fc.constantFrom({}, { term: '1' }), orders: ['NAME', 'ID'] },
  WebhookDelivery: {
    list: 'webhookDeliveries',
    filter: fc.constantFrom({}, { state: 'SENT' }, { term: '1' }),
    orders: ['CREATED', 'ID'],
  },
  WebhookEndpoint: { list: 'webhookEndpoints', filter: fc.constant({}), orders: ['NAME'] },
  WebhookMessage: { list: 'webhookMessages', filter: fc.constant({}), orders: ['CREATED'] },
  Vehicle: { list: 'vehicles', filter: fc.constantFrom({}, { term: '2' }), orders: ['NAME', 'LOCATION_ID'] },
};

/** Returns the root filter that finds the records of a nested list, for fields that a plain link fills. */
function filterOf(on: string, field: string, id: string): object {
  const byType: Record<string, Record<string, object>> = {
    Category: { expirationItems: { categoryId: id }, mailTexts: { categoryId: id } },
    Contact: {
      expirationItems: { contactId: id },
      vehicles: { assignedToContactId: id },
      companies: { primaryContactId: id },
      watches: { contactId: id },
    },
    ContactType: { contacts: { typeId: id } },
    Location: {
      vehicles: { locationId: id },
      contacts: { locationId: id },
      children: { parentLocationId: id },
    },
    Requirement: { exemptions: { requirementId: id } },
    Tag: { expirationItems: { tagIds: [id] } },
    Delivery: { reminders: { deliveryId: id } },
    WebhookEndpoint: { deliveries: { endpointId: id } },
    WebhookMessage: { deliveries: { messageId: id } },
    ...(field === 'reminders' && { ExpirationItem: { reminders: { expirationItemId: id } } }),
  };
  if (field === 'papers') return { holder: { kind: on.toUpperCase(), id } };
  const plain = on === 'Team' ? { teamId: id } : on === 'User' ? userFilter(field, id) : byType[on]?.[field];
  const kind = `${on[0]?.toLowerCase()}${on.slice(1)}` as EntityKind;
  return plain ?? { entityId: id, entityType: entityTypes[kind] };
}

const userFilter = (field: string, id: string) =>
  field === 'eventLogs' || field === 'watches' ? { userId: id } : { assignedToId: id };

/** Every nested list, found in the schema: the type, the field, and its records. */
export const fields = Object.values(schema.getTypeMap()).flatMap((type) => {
  if (!isObjectType(type) || !type.getInterfaces().some(({ name }) => name === 'Node')) return [];
  return Object.values(type.getFields()).flatMap((field): NestedList[] => {
    const { name } = getNamedType(field.type);
    // The others contain what a record holds (contained-lists.test.ts).
    const isList = name.endsWith('Connection') && field.args.some((argument) => argument.name === 'filter');
    return isList ? [[type.name, field.name, name.slice(0, -'Connection'.length)]] : [];
  });
});

/** A nested list: the type, the field, and its records. */
export type NestedList = readonly [on: string, field: string, of: string];

/** A page of a list. */
export interface Listed {
  readonly totalCount: number;
  readonly edges: { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: object;
}

const selection =
  '{ totalCount edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }';

/** Returns a list for each of the parents. */
export async function below(
  gateway: TestGateway,
  [on, field, of]: NestedList,
  ids: readonly string[],
  args: object,
  token?: string,
): Promise<Listed[]> {
  const query = `query ($ids: [ID!]!, $first: Int, $last: Int, $after: String, $before: String, $filter: ${of}Filter, $orderBy: [${of}Order!]) {
    nodes(ids: $ids) { ... on ${on} { list: ${field}(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy) ${selection} } }
  }`;
  const { nodes } = await ask(gateway, query, { ids, ...args }, token);
  return nodes.map(({ list }: { list: Listed }) => list);
}

/** Returns the equivalent root list. */
export async function atRoot(
  gateway: TestGateway,
  [on, field, of]: NestedList,
  id: string,
  args: { filter?: object },
  token?: string,
) {
  const { list } = roots[of] ?? { list: '' };
  const query = `query ($first: Int, $last: Int, $after: String, $before: String, $filter: ${of}Filter, $orderBy: [${of}Order!]) {
    list: ${list}(first: $first, last: $last, after: $after, before: $before, filter: $filter, orderBy: $orderBy) ${selection}
  }`;
  const filter = { ...args.filter, ...filterOf(on, field, id) };
  return (await ask(gateway, query, { ...args, filter }, token)).list as Listed;
}
