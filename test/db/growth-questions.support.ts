import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { authenticate } from '../../src/access/callers.js';
import { CsvExporter, pagesIn } from '../../src/csv/export.js';
import { Session } from '../../src/db/connection/session.js';
import { type ExportKind, exportKinds } from '../../src/domain/doors/paths.js';
import type { ListRoute } from '../../src/domain/doors/route.js';
import { schema } from '../../src/graphql/schema.js';
import { sortableMembers } from '../../src/rest/body.js';
import { routes } from '../../src/rest/routes.js';
import { doors, isList, linksOf, ordersOf, selectionOf } from '../isolation/schema-walk.js';
import { type TestGateway, testTime } from '../support/gateway.js';
import { idOf } from './growth-data.support.js';

/** Values of members of filters, by their names. The member's workspace has every 200th record. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  // One match, a third of all items, one that no index finds, and values of custom fields: single ones, and that of all.
  term: ['Licence 4200', 'Hamburg', 'ab', 'cc-4200', 'cc-', 'depot'],
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
  customFields: [[{ name: 'Cost centre', value: 'CC-200' }], [{ name: 'Site', value: 'Depot' }]],
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
  // A filter must not be left out because nobody has thought of values for it.
  if (isInputObjectType(named)) throw new Error(`Which values has ${name}: ${type}?`);
  if (named.name === 'Boolean') return [true, false];
  if (named.name === 'DateTime') return ['2026-11-20T09:00:00.000Z'];
  if (named.name === 'Date') return [name.endsWith('After') ? '2033-12-01' : '2026-02-01'];
  if (named.name === 'Int') return [sent(1)];
  return [sent(named.name === 'ID' ? idOf('item', 200) : 'Licence 4200')];
}

/** Something that is asked for. */
export interface Question {
  readonly name: string;
  /** Asks with a token, and returns the code of a refusal, if there is one. */
  ask(gateway: TestGateway, token: string): Promise<string | undefined>;
}

/** Returns a question to GraphQL. */
const inGraphql = (name: string, query: string, variables: object = {}): Question => ({
  name,
  async ask(gateway, token) {
    const { errors } = await gateway.graphql(query, variables, token);
    return errors?.[0]?.extensions.code;
  },
});

type Field = GraphQLField<unknown, unknown>;

/** Returns a list in each of its orders, with each of its filters, and its totals. */
function questionsOf(field: Field, team: string, user: string): Question[] {
  const typeOf = (argument: string) =>
    getNamedType(field.args.find(({ name }) => name === argument)?.type as GraphQLInputType);
  const [filter, order] = [typeOf('filter'), typeOf('orderBy')];
  const ask = (what: string, variables: object, selection = 'nodes { id }') =>
    inGraphql(
      `${field.name}${what}`,
      `query ($filter: ${filter.name}, $orderBy: [${order.name}!], $first: Int) {
        result: ${field.name}(first: $first, filter: $filter, orderBy: $orderBy) { ${selection} } }`,
      { first: 20, ...variables },
    );
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

/** Records by the names of their types: one that the member sees, and a contact of two items in a hundred. */
const recordIds: Readonly<Record<string, readonly string[]>> = {
  Acknowledgement: [idOf('item', 200)],
  Attachment: [idOf('file', 200)],
  BinEntry: [idOf('bin', 200)],
  Category: [idOf('type', 9)],
  Company: [idOf('company', 200)],
  ComplianceLink: [idOf('compliance link', 200)],
  Contact: [idOf('contact', 200), idOf('contact', 1)],
  ContactType: [idOf('contact type', 9)],
  Delivery: [idOf('delivery', 200)],
  DigestSetting: [idOf('contact', 200)],
  DocumentRequest: [idOf('request', 200)],
  Exemption: [idOf('exemption', 200)],
  ExpirationItem: [idOf('item', 200)],
  HolderCompliance: [idOf('compliance', 200)],
  ItemHolders: [idOf('item', 200)],
  Location: [idOf('location', 200), idOf('location', 20)],
  Node: [idOf('item', 200)],
  Note: [idOf('note', 200)],
  NoticePeriod: [idOf('item', 200)],
  Reminder: [idOf('reminder', 200)],
  Renewal: [idOf('renewal', 200)],
  Repetition: [idOf('item', 200)],
  Requirement: [idOf('requirement', 9)],
  Tag: [idOf('tag', 9)],
  UploadNotification: [idOf('upload', 200)],
  Vehicle: [idOf('vehicle', 200)],
  Watch: [idOf('watch', 9)],
  WebhookDelivery: [idOf('webhook delivery', 200)],
  WebhookEndpoint: [idOf('endpoint', 9)],
  WebhookMessage: [idOf('message', 200)],
};

/** Types of which the callers of this test have no record, and one for which all texts of an organization are read. */
const notAsked = new Set([
  'AccessToken',
  'Channel',
  'EventLog',
  'Import',
  'MailText',
  'PersonalData',
  'ReminderPolicy',
  'Suppression',
  'TeamExport',
]);

/** Returns a record with its values, and with each list and record that it leads to. */
function questionsOfRecord(field: Field, team: string, user: string): Question[] {
  const type = getNamedType(field.type);
  const own = { Team: [team], User: [user] } as Readonly<Record<string, readonly string[]>>;
  const ids = own[type.name] ?? recordIds[type.name];
  if (!ids && !notAsked.has(type.name)) throw new Error(`Which ${type} is asked for?`);
  const links = isObjectType(type) ? linksOf(type) : [];
  const isFree = ({ args }: Field) => !args.some((argument) => isRequiredArgument(argument));
  const selections = [
    ['', selectionOf(field.type)],
    ...links.filter(isFree).map((link) => [`.${link.name}`, `{ ${link.name} ${selectionOf(link.type)} }`]),
  ];
  return (ids ?? []).flatMap((id, at) =>
    selections.map(([what, selection]) =>
      inGraphql(
        `${field.name}${at > 0 ? ' of many' : ''}${what}`,
        `query ($id: ID!) { result: ${field.name}(id: $id) ${selection} }`,
        { id },
      ),
    ),
  );
}

/** What is asked of the queries that neither list records in an order nor read one by its id: arguments and a selection. */
const otherQueries = (user: string): Readonly<Record<string, readonly (readonly [string, string?])[]>> => {
  const vehicle = idOf('vehicle', 200);
  const summaries = summaryFields.map((by) => ['', `{ ${by} { count } }`] as const);
  return {
    calendarFeeds: [[''], [`(userId: "${user}")`]],
    changes: [['(last: 1)'], ['(first: 100)'], ['(first: 100, kinds: [VEHICLE])']],
    compliance: [[`(holder: { kind: VEHICLE, id: "${vehicle}" })`]],
    complianceSummary: [['', '{ counts { count } }']],
    documentRequestCounts: [[''], ['(filter: { state: SENT })']],
    expirationSummary: [['', '{ total }'], ...summaries],
    exportUrl: [['(kind: ITEMS)', '']],
    gatewayHealth: [
      ['', '{ uploads { waiting failed oldestAt } workers { running } lastBackup { __typename } }'],
    ],
    imports: [['']],
    mailSettings: [['']],
    me: [
      ['', '{ id teams { id } sessions { id } calendarFeeds { id } permissions user { id } team { id } }'],
    ],
    nodes: [
      [`(ids: ["${vehicle}", "${idOf('item', 200)}", "${idOf('contact', 200)}", "${idOf('event', 200)}"])`],
    ],
    organization: [['']],
    previewMailText: [['(input: { words: { language: "en" } })']],
    previewReminder: [[`(itemId: "${idOf('item', 200)}")`]],
    previewRequirement: [[`(input: { holderKind: VEHICLE, anyOf: ["${idOf('type', 9)}"] })`]],
    reminderHealth: [['']],
    search: ['licence 4200', 'cc-200', 'cc-2'].map(
      (term) => [`(term: "${term}")`, '{ nodes { __typename } }'] as const,
    ),
    stoppedAddresses: [['(addresses: ["person77@example.com"])', '']],
    teamExports: [['']],
    upcomingReminders: [['(days: 7, first: 20)', '{ nodes { at } }']],
    userSessions: [[`(userId: "${user}")`]],
    webhookEventTypes: [['']],
  };
};

/** The parts of the summary, each with numbers of its own. */
const summaryFields = linksOf(getNamedType(doors.query.expirationSummary?.type) as GraphQLObjectType).map(
  ({ name }) => name,
);

/** Returns what is asked of such a query. */
function questionsOfOther(field: Field, user: string): Question[] {
  const asked = otherQueries(user)[field.name];
  // Whoever adds a query decides what is asked of it.
  if (!asked) throw new Error(`What is asked of ${field.name}?`);
  return asked.map(([given, selection = selectionOf(field.type)]) =>
    inGraphql(`${field.name}${given}${selection}`, `{ result: ${field.name}${given} ${selection} }`),
  );
}

/** Terms of REST's lists: one match, many, two letters. */
const restTerms = ['Licence 4200', 'Hamburg', 'ab'];

/** Returns a list of REST in each of its orders, and with terms. Each page has the exact total. */
function questionsOfRoute(route: ListRoute, team: string, user: string): Question[] {
  const own = { team, user } as Readonly<Record<string, string>>;
  const name = route.of && `${route.of[0]?.toUpperCase()}${route.of.slice(1)}`;
  const id = route.of && (own[route.of] ?? recordIds[name ?? '']?.[0]);
  if (route.of && !id) throw new Error(`Whose ${route.path} is asked for?`);
  const path = route.path.replace('{id}', id ?? '');
  const ask = (what: string, parameters: Readonly<Record<string, string>>): Question => ({
    name: `REST ${route.path}${what}`,
    async ask(gateway, token) {
      const query = new URLSearchParams({ paging: '50', ...parameters });
      const { status, json } = await gateway.send('GET', `${path}?${query}`, { token });
      if (status === 200 || status === 404) return undefined;
      return status === 403 ? 'FORBIDDEN' : status === 400 ? 'BAD_REQUEST' : `${status}: ${json?.message}`;
    },
  });
  return [
    ask('', {}),
    ...sortableMembers(schema, route).map((member) => ask(` by ${member}`, { sort: member })),
    ...restTerms.map((term) => ask(`, term ${JSON.stringify(term)}, total`, { term })),
  ];
}

/** Pages of a file that are read. */
const exportedPages = 3;

const exporter = new CsvExporter(schema);

/** What a file needs to be asked for. */
const exportQueries: Readonly<Partial<Record<ExportKind, string>>> = { compliance: 'kind=vehicle' };

/** Returns the question for the first pages of a file. */
function questionOfExport(kind: ExportKind): Question {
  return {
    name: `export of ${kind}`,
    async ask(gateway, token) {
      const caller = await authenticate(gateway.database, token, testTime);
      if (!caller) throw new Error('The token is unknown.');
      const session = new Session(gateway.database, { caller, now: testTime });
      const query = new URLSearchParams(exportQueries[kind]);
      await gateway.database.inSnapshot(
        async (tx) => {
          const parts = exporter.parts(pagesIn(tx, session), { kind, query });
          for (let page = 0; page < exportedPages && !(await parts.next()).done; page++);
          await parts.return(undefined);
        },
        caller,
        60_000,
      );
      return undefined;
    },
  };
}

/**
 * Returns all that can be asked, from the declarations of both APIs: every list with each of its orders, filters and
 * totals, every record with what it leads to, all other queries, the lists of REST, and the files of exports.
 */
export function questions(team: string, user: string): Question[] {
  const fields = Object.values(doors.query);
  const isOfId = ({ args }: Field) => args.some(({ name }) => name === 'id');
  return [
    ...fields.filter(isList).flatMap((field) => questionsOf(field, team, user)),
    ...fields.filter(isOfId).flatMap((field) => questionsOfRecord(field, team, user)),
    ...fields
      .filter((field) => !isList(field) && !isOfId(field))
      .flatMap((field) => questionsOfOther(field, user)),
    ...routes.flatMap((route) => (route.kind === 'list' ? questionsOfRoute(route, team, user) : [])),
    ...exportKinds.map(questionOfExport),
  ];
}
