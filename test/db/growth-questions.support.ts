import { createHash } from 'node:crypto';
import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { doors, isList, ordersOf } from '../isolation/schema-walk.js';

/** Returns the id of the n-th record of a kind, as `growth.support.ts` makes it. */
function idOf(kind: string, number: number): string {
  const hex = createHash('md5').update(`${kind} ${number}`).digest('hex');
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}

/** Values of members of filters, by their names. The member's workspace has every 200th record. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  // One match, a third of all items, one that no index finds, and values of custom fields: a single one, and those of all.
  term: ['Licence 4200', 'Hamburg', 'ab', 'cc-4200', 'cc-'],
  categoryId: [idOf('type', 9)],
  categoryIds: [[idOf('type', 9), idOf('type', 7)]],
  // A contact of few items, and one of two in a hundred.
  contactId: [idOf('contact', 200), idOf('contact', 1)],
  contactIds: [[idOf('contact', 200)]],
  primaryContactId: [idOf('contact', 200)],
  assignedToContactId: [idOf('contact', 200)],
  tagIds: [[idOf('tag', 9)]],
  locationId: [idOf('location', 20)],
  locationIds: [[idOf('location', 20)]],
  parentLocationId: [idOf('location', 20)],
  vehicleId: [idOf('vehicle', 200)],
  recordId: [idOf('gone', 200)],
  deliveryId: [idOf('delivery', 200)],
  importId: [idOf('import', 200)],
  requirementId: [idOf('requirement', 9)],
  status: [['NOTIFYING'], ['EXPIRED']],
  types: [['UPDATED'], ['EXEMPTED'], ['UPDATED', 'DELETED']],
  entityKind: ['EXPIRATION_ITEM', 'REQUIREMENT'],
  entityType: [1],
  expiresWithinDays: [30],
  noticeWithinDays: [30],
  address: ['person77@example.com'],
  customFields: [[{ name: 'Cost centre', value: 'CC-200' }]],
  holder: [{ kind: 'VEHICLE', id: idOf('vehicle', 200) }],
  eventId: [idOf('event', 200)],
};

/** Ranges by the names of their types, each of a small part of the rows. */
const ranges: Readonly<Record<string, readonly unknown[]>> = {
  DateRange: ['2026-12-01', '2026-12-31'],
  DateTimeRange: ['2026-11-20T08:00:00Z', '2026-11-20T09:00:00Z'],
};

/** Returns values of a filter's member. */
function valuesOf(name: string, type: GraphQLInputType, team: string, user: string): readonly unknown[] {
  const named = getNamedType(type);
  const sent = (value: unknown) => (isListType(getNullableType(type)) ? [value] : value);
  if (/^teamIds?$/.test(name)) return [sent(team)];
  if (/^(assignedTo|user|deletedBy|author)Ids?$/.test(name)) return [sent(user)];
  if (values[name]) return values[name];
  if (isEnumType(named)) return named.getValues().map((word) => sent(word.name));
  if (named.name.endsWith('Range')) {
    const [gte, lt] = ranges[named.name] ?? [1, 5];
    return [{ gte, lt }];
  }
  if (isInputObjectType(named)) return [];
  if (named.name === 'Boolean') return [true, false];
  if (named.name === 'DateTime') return ['2026-11-20T09:00:00.000Z'];
  if (named.name === 'Date') return [name.endsWith('After') ? '2033-12-01' : '2026-02-01'];
  if (named.name === 'Int') return [sent(1)];
  return [sent(named.name === 'ID' ? idOf('item', 200) : 'Licence 4200')];
}

/** Something that is asked for. */
export interface Question {
  readonly name: string;
  readonly query: string;
  readonly variables: object;
}

function questionsOf(field: GraphQLField<unknown, unknown>, team: string, user: string): Question[] {
  const typeOf = (argument: string) =>
    getNamedType(field.args.find(({ name }) => name === argument)?.type as GraphQLInputType);
  const [filter, order] = [typeOf('filter'), typeOf('orderBy')];
  const ask = (what: string, variables: object, selection = 'nodes { id }'): Question => ({
    name: `${field.name}${what}`,
    query: `query ($filter: ${filter.name}, $orderBy: [${order.name}!], $first: Int) {
      result: ${field.name}(first: $first, filter: $filter, orderBy: $orderBy) { ${selection} } }`,
    variables: { first: 20, ...variables },
  });
  const members = isInputObjectType(filter) ? Object.values(filter.getFields()) : [];
  return [
    ask('', {}),
    ask(', total', { first: 1 }, 'totalCount'),
    ...ordersOf(field).map((word) => ask(` by ${word}`, { orderBy: [{ field: word, direction: 'DESC' }] })),
    ...members
      .filter(({ name }) => !['and', 'or', 'not'].includes(name))
      .flatMap(({ name, type }) =>
        valuesOf(name, type, team, user).flatMap((value) => [
          ask(`, ${name} ${JSON.stringify(value)}`, { filter: { [name]: value } }),
          ask(
            `, ${name} ${JSON.stringify(value)}, total`,
            { filter: { [name]: value }, first: 1 },
            'totalCount',
          ),
        ]),
      ),
  ];
}

const summaries = ['byStatus', 'byCategory', 'byMonth', 'noticeByMonth', 'byContact', 'byLocation', 'byTag'];

/** Returns every list with each of its orders, filters and totals, the summaries, and what else reads many records. */
export function questions(team: string, user: string): Question[] {
  const lists = Object.values(doors.query).filter(isList);
  const others: readonly (readonly [string, string])[] = [
    ...summaries.map((by) => [`summary ${by}`, `{ expirationSummary { ${by} { count } } }`] as const),
    ['complianceSummary', '{ complianceSummary { __typename } }'],
    ['search', '{ search(term: "licence 4200") { __typename } }'],
    ['search of a value', '{ search(term: "cc-200") { __typename } }'],
    ['search of a value that all have', '{ search(term: "cc-2") { __typename } }'],
    ['upcomingReminders', '{ upcomingReminders(days: 7, first: 20) { nodes { at } } }'],
    ['changes', '{ changes(last: 1) { nodes { __typename } } }'],
  ];
  return [
    ...lists.flatMap((field) => questionsOf(field, team, user)),
    ...others.map(([name, query]) => ({ name, query, variables: {} })),
  ];
}
