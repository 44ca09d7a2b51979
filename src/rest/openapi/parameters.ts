import { type GraphQLSchema, getNamedType, isInputObjectType } from 'graphql';
import type { ListParameter, ListRoute, Route } from '../../domain/doors/route.js';
import { eventTypeText } from '../../domain/events.js';
import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import { limits } from '../../domain/rules.js';
import { furthestDays, statusIds } from '../../domain/status.js';
import { demoId } from '../../domain/text/demo.js';
import { memberName } from '../../web/names.js';
import { findArgument, sortableMembers } from '../arguments.js';
import { largestContents, largestPageWithFiles } from '../lists/part.js';
import { addedParameters, creates, showsFiles } from '../route.js';
import type { Components, OpenApiNode } from './components.js';
import { exampleId, exampleTag, exampleTerm } from './examples.js';
import { int32, uuid, uuidOrEmpty } from './leaves.js';

const text = { type: 'string', maxLength: limits.line };
const directions = { asc: 'smallest first', desc: 'largest first whatever `sortDirection` says' };

/** Describes a parameter. Its example is only shown; API references send whatever is the `default`. */
function query(name: string, description: string, example: unknown, schema: OpenApiNode): OpenApiNode {
  return { name, in: 'query', description, schema: { ...schema, examples: [example] } };
}

const page = query('page', 'The page, from 1; -1 stands for not given, which is the first.', 1, {
  ...int32,
  minimum: -1,
  not: { const: 0 },
  default: -1,
});

const paging = query('paging', 'Rows in a page.', 25, {
  ...int32,
  minimum: 1,
  maximum: maxPageSize,
  default: defaultPageSize,
});

const cursor = query(
  'cursor',
  'Where to go on, in place of `page`: as it stands in the `Link` of the part before; empty to begin.',
  '',
  { type: 'string', maxLength: 2048 },
);

const modifiedSince = query(
  'modifiedSince',
  'What was changed at this time or later; made, where records do not change.',
  '2020-01-31T08:00:00Z',
  { type: 'string', format: 'date-time', maxLength: 64 },
);

/** Describes the search parameter. The gateway's filter says which texts of a record are searched. */
function term(gateway: GraphQLSchema, route: ListRoute): OpenApiNode {
  const filter = getNamedType(findArgument(gateway, route, 'filter').type);
  const field = isInputObjectType(filter) ? filter.getFields().term : undefined;
  if (!field?.description) throw new Error(`${route.field} does not say what its term is.`);
  return query('term', field.description, exampleTerm(route), { ...text, default: '' });
}

const type = query('type', `${eventTypeText} Its number, or its name in any letter case.`, 'renewed', {
  ...text,
  default: '',
});

const sortDirection = query('sortDirection', 'The direction of `sort`, in any letter case.', 'desc', {
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
});

function sort(gateway: GraphQLSchema, route: ListRoute): OpenApiNode {
  const { field, direction } = route.order;
  const standard = `\`${memberName(field)}\`, ${directions[direction]}`;
  const members = sortableMembers(gateway, route);
  return query('sort', `The member to order by, in any letter case; ${standard}, when empty.`, members[0], {
    type: 'string',
    // The contract's default is the empty string (section 4).
    enum: ['', ...members],
    default: '',
  });
}

const status = query(
  'status',
  'Where the items stand today, each in the time zone of its workspace; any letter case.',
  'expired',
  {
    type: 'string',
    enum: ['', ...Object.keys(statusIds)],
    default: '',
  },
);

const state = ({ list, states = [] }: ListRoute) =>
  query('state', `How far the ${list} have come, in any letter case.`, 'failed', {
    type: 'string',
    enum: ['', ...states.map((word) => word.toLowerCase())],
    default: '',
  });

const expiresWithinDays = query(
  'expiresWithinDays',
  'Items whose date is today or at most so many days ahead, each by the day of its workspace. Items without a date are left out. 0 and below: all.',
  30,
  { ...int32, maximum: furthestDays, default: -1 },
);

const email = query('email', 'The whole e-mail address, in any letter case.', 'ben@mapleridge.example', {
  ...text,
  default: '',
});

/** Describes a parameter that limits a list to what belongs to a record. */
const narrowing = (name: string, what: string, example: string) =>
  query(name, `Items of ${what}, by its id; empty for all.`, example, {
    ...uuidOrEmpty,
    default: '',
  });

/** Describes `includeFileContent`, whose default is `standard`. */
function includeFileContent(standard: boolean, isPage: boolean): OpenApiNode {
  const fewer = isPage
    ? ` A page with them has at most ${largestPageWithFiles} rows, whatever \`paging\` says, and ${largestContents / 1024 / 1024} MiB of files: the \`content\` of one that goes beyond is null, and comes with it by its id.`
    : '';
  return query(
    'includeFileContent',
    `Whether the answer has the bytes of files; without them, the \`content\` of attachments is null.${fewer}`,
    !standard,
    { type: 'boolean', default: standard },
  );
}

/** Describes the record that a path names. The example is a demo record. */
const idOf = (route: Route): OpenApiNode => ({
  name: 'id',
  in: 'path',
  required: true,
  description: "The record's id. What is no UUID names no record.",
  schema: uuid,
  example: exampleId(route),
});

function header(name: string, description: string, example: string, schema: OpenApiNode = {}): OpenApiNode {
  return { name, in: 'header', description, schema: { type: 'string', ...schema, examples: [example] } };
}

const ifMatch = header(
  'If-Match',
  'Entity tags of the versions that are meant, or `*`; with another version the answer is 412.',
  '*',
);
const ifNoneMatchOfWrites = header(
  'If-None-Match',
  'Entity tags of versions that are left alone, or `*` for all; when one is current the answer is 412.',
  exampleTag,
);
const ifNoneMatch = header(
  'If-None-Match',
  'Entity tags that the caller knows, or `*`; when one is current the answer is 304.',
  exampleTag,
);

const idempotencyKey = header(
  'Idempotency-Key',
  'Names the request, so that it can be sent again and is done once: for 24 hours it is answered as it was first.',
  'b2a6d3f0-5a0f-4d1c-8f43-6d0b7c8e9f10',
  { minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
);

const signature = [
  header(
    'FS-Signature',
    'For a signed token: the HMAC-SHA256 of `{FS-Timestamp}.{body}` with its secret, in hexadecimal digits.',
    'f4a1e0c5b7d2938e6a5c4b3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f',
    { pattern: '^[0-9a-fA-F]{64}$', maxLength: 64 },
  ),
  header(
    'FS-Timestamp',
    'For a signed token: the time in seconds since 1970, at most 5 minutes off.',
    '1795080600',
    {
      pattern: '^\\d{1,12}$',
      maxLength: 12,
    },
  ),
];

/** Parameters that are the same in every list. */
const alike = { page, sortDirection, paging, cursor, modifiedSince };
const isAlike = (name: ListParameter): name is keyof typeof alike => Object.hasOwn(alike, name);

/** Lists the parameters of a list: those of its route, then those that are added. */
function listParameters(gateway: GraphQLSchema, shared: Shared, route: ListRoute): OpenApiNode[] {
  const make: Record<Exclude<ListParameter, keyof typeof alike>, () => OpenApiNode> = {
    term: () => term(gateway, route),
    type: () => type,
    email: () => email,
    status: () => status,
    state: () => state(route),
    expiresWithinDays: () => expiresWithinDays,
    contact_id: () =>
      narrowing(
        'contact_id',
        'a contact, as the main one or as one of several',
        demoId('contact', 'Ben Carter'),
      ),
    category_id: () => narrowing('category_id', 'a document type', demoId('category', 'Insurance policy')),
    team_id: () => narrowing('team_id', 'a workspace', demoId('team', 'Demo')),
    sort: () => sort(gateway, route),
    includeFileContent: () => includeFileContent(showsFiles(route) === true, true),
  };
  const describe = (name: ListParameter, isAdded: boolean): OpenApiNode => {
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

/** Returns a reference to a parameter that several operations share. */
type Shared = (name: string, parameter: OpenApiNode) => OpenApiNode;

/** Lists the parameters of an operation. */
export function describeParameters(
  gateway: GraphQLSchema,
  components: Components,
  route: Route,
): OpenApiNode[] {
  const shared: Shared = (name, parameter) => components.ref('parameters', name, () => parameter);
  const path = route.path.includes('{id}') ? [idOf(route)] : [];
  const once = () => shared('IdempotencyKey', idempotencyKey);
  // For a POST, `If-None-Match` protects no version (`readPrecondition`).
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
      return [...path, ...files(), ...conditions(), once()];
    case 'act':
    case 'delete':
      return [...path, shared('IfMatch', ifMatch), once()];
    case 'receive':
      return [...path, ...signature, once()];
  }
}
