import { type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import { eventTypeText } from '../../domain/events.js';
import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import { limits } from '../../domain/rules.js';
import { furthestDays, statusIds } from '../../domain/status.js';
import { uploadStates } from '../../uploads/notifications.js';
import { memberName } from '../../web/names.js';
import { findArgument, sortableMembers } from '../arguments.js';
import { largestContents, largestPageWithFiles } from '../lists/part.js';
import {
  addedParameters,
  creates,
  type ListParameter,
  type ListRoute,
  type Route,
  showsFiles,
} from '../route.js';
import type { Components, Node } from './components.js';

const int32 = { type: 'integer', format: 'int32' };
const directions = { asc: 'smallest first', desc: 'largest first whatever `sortDirection` says' };

function query(name: string, description: string, schema: Node): Node {
  return { name, in: 'query', description, schema };
}

const page = query('page', 'The page, from 1; -1 stands for not given, which is the first.', {
  ...int32,
  minimum: -1,
  not: { const: 0 },
  default: -1,
});

const paging = query('paging', 'Rows in a page.', {
  ...int32,
  minimum: 1,
  maximum: maxPageSize,
  default: defaultPageSize,
});

const cursor = query(
  'cursor',
  'Where to go on, in place of `page`: as it stands in the `Link` of the part before; empty to begin.',
  { type: 'string' },
);

const modifiedSince = query(
  'modifiedSince',
  'What was changed at this time or later; made, where records do not change.',
  { type: 'string', format: 'date-time' },
);

/** Describes the search parameter. The gateway's filter says which texts of a record are searched. */
function term(gateway: GraphQLSchema, route: ListRoute): Node {
  const filter = getNamedType(findArgument(gateway, route, 'filter').type);
  const field = isInputObjectType(filter) ? filter.getFields().term : undefined;
  if (!field?.description) throw new Error(`${route.field} does not say what its term is.`);
  return query('term', field.description, { type: 'string', maxLength: limits.line, default: '' });
}

const type = query('type', `${eventTypeText} Its number, or its name in any letter case.`, {
  type: 'string',
  default: '',
});

const sortDirection = query('sortDirection', 'The direction of `sort`, in any letter case.', {
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
});

function sort(gateway: GraphQLSchema, route: ListRoute): Node {
  const { field, direction } = route.order;
  const standard = `\`${memberName(field)}\`, ${directions[direction]}`;
  return query('sort', `The member to order by, in any letter case; ${standard}, when empty.`, {
    type: 'string',
    // The contract's default is the empty string (section 4).
    enum: ['', ...sortableMembers(gateway, route)],
    default: '',
  });
}

const status = query(
  'status',
  'Where the items stand today, each in the time zone of its workspace; any letter case.',
  {
    type: 'string',
    enum: ['', ...Object.keys(statusIds)],
    default: '',
  },
);

const state = query('state', 'How far the uploads have come, in any letter case.', {
  type: 'string',
  enum: ['', ...uploadStates.map((word) => word.toLowerCase())],
  default: '',
});

const expiresWithinDays = query(
  'expiresWithinDays',
  'Items whose date is today or at most so many days ahead, each by the day of its workspace. Items without a date are left out. 0 and below: all.',
  { ...int32, maximum: furthestDays, default: -1 },
);

const email = query('email', 'The whole e-mail address, in any letter case.', {
  type: 'string',
  maxLength: limits.line,
  default: '',
});

/** Describes a parameter that narrows a list to what belongs to a record. */
const narrowing = (name: string, what: string) =>
  query(name, `Items of ${what}, by its id; empty for all.`, { type: 'string', default: '' });

/** Describes `includeFileContent`, whose default is `standard`. */
function includeFileContent(standard: boolean, isPage: boolean): Node {
  const fewer = isPage
    ? ` A page with them has at most ${largestPageWithFiles} rows, whatever \`paging\` says, and ${largestContents / 1024 / 1024} MiB of files: the \`content\` of one that goes beyond is null, and comes with it by its id.`
    : '';
  return query(
    'includeFileContent',
    `Whether the answer has the bytes of files; without them, the \`content\` of attachments is null.${fewer}`,
    { type: 'boolean', default: standard },
  );
}

/** An id that no record has. An example that is tried as it stands must not change a real record. */
const exampleId = '01a1fbb9-12cc-7677-b0bc-13353b4cb527';

const id: Node = {
  name: 'id',
  in: 'path',
  required: true,
  description: "The record's id, a UUID. Any other text names no record.",
  schema: { type: 'string' },
  example: exampleId,
};

function header(name: string, description: string, schema: Node = {}): Node {
  return { name, in: 'header', description, schema: { type: 'string', ...schema } };
}

const ifMatch = header(
  'If-Match',
  'Entity tags of the versions that are meant, or `*`; with another version the answer is 412.',
);
const ifNoneMatchOfWrites = header(
  'If-None-Match',
  'Entity tags of versions that are left alone, or `*` for all; when one is current the answer is 412.',
);
const ifNoneMatch = header(
  'If-None-Match',
  'Entity tags that the caller knows, or `*`; when one is current the answer is 304.',
);

const idempotencyKey = header(
  'Idempotency-Key',
  'Names the request, so that it can be sent again and is done once: for 24 hours it is answered as it was first.',
  { minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
);

const signature = [
  header(
    'FS-Signature',
    'For a signed token: the HMAC-SHA256 of `{FS-Timestamp}.{body}` with its secret, in hexadecimal digits.',
  ),
  header('FS-Timestamp', 'For a signed token: the time in seconds since 1970, at most 5 minutes off.'),
];

/** Parameters that are alike in every list. */
const alike = { page, sortDirection, paging, cursor, modifiedSince };
const isAlike = (name: ListParameter): name is keyof typeof alike => Object.hasOwn(alike, name);

/** Lists the parameters of a list: those of its row, then those that are added. */
function listParameters(gateway: GraphQLSchema, shared: Shared, route: ListRoute): Node[] {
  const make: Record<Exclude<ListParameter, keyof typeof alike>, () => Node> = {
    term: () => term(gateway, route),
    type: () => type,
    email: () => email,
    status: () => status,
    state: () => state,
    expiresWithinDays: () => expiresWithinDays,
    contact_id: () => narrowing('contact_id', 'a contact, as the main one or as one of several'),
    category_id: () => narrowing('category_id', 'a document type'),
    team_id: () => narrowing('team_id', 'a workspace'),
    sort: () => sort(gateway, route),
    includeFileContent: () => includeFileContent(showsFiles(route) === true, true),
  };
  const describe = (name: ListParameter, isAdded: boolean): Node => {
    const mark = isAdded && { 'x-origin': 'addition' };
    if (!isAlike(name)) return { ...make[name](), ...mark };
    const component = `${isAdded ? 'Added' : ''}${name[0]?.toUpperCase()}${name.slice(1)}`;
    return shared(component, { ...alike[name], ...mark });
  };
  return [
    ...route.parameters.map((name) => describe(name, false)),
    ...addedParameters(route).map((name) => describe(name, true)),
  ];
}

/** Refers to a parameter of several operations. */
type Shared = (name: string, parameter: Node) => Node;

/** Lists the parameters of an operation. */
export function describeParameters(gateway: GraphQLSchema, components: Components, route: Route): Node[] {
  const shared: Shared = (name, parameter) => components.ref('parameters', name, () => parameter);
  const path = route.path.includes('{id}') ? [shared('Id', id)] : [];
  const once = () => shared('IdempotencyKey', idempotencyKey);
  // `If-None-Match` protects no version from a POST (`readPrecondition`).
  const others = () => (route.method === 'POST' ? [] : [shared('IfNoneMatchOfWrites', ifNoneMatchOfWrites)]);
  const conditions = () => [shared('IfMatch', ifMatch), ...others()];
  const files = () =>
    showsFiles(route) === true ? [shared('IncludeFileContent', includeFileContent(true, false))] : [];
  switch (route.kind) {
    case 'list':
      return [...path, ...listParameters(gateway, shared, route), shared('IfNoneMatch', ifNoneMatch)];
    case 'read':
      return [...path, ...files(), shared('IfMatch', ifMatch), shared('IfNoneMatch', ifNoneMatch)];
    case 'write':
      return [...path, ...files(), ...(creates(route) ? [] : conditions()), once()];
    case 'patch':
      return [...path, ...conditions(), once()];
    case 'act':
    case 'delete':
      return [...path, shared('IfMatch', ifMatch), once()];
    case 'receive':
      return [...path, ...signature, once()];
  }
}
