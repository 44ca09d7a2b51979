import {
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type * as z from 'zod';
import { furthestDays, statusIds } from '../../domain/dates.js';
import {
  type DeleteRoute,
  innerIdOf,
  type ListParameter,
  type ListRoute,
  type ReadRoute,
  type Route,
} from '../../domain/doors/route.js';
import { eventTypeText } from '../../domain/models.js';
import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import { limits } from '../../domain/rules.js';
import { demoId } from '../../domain/text/demo.js';
import { holderKinds } from '../../items/holders.js';
import { customSearched } from '../../records/declare/declare.js';
import { memberName } from '../../web/parameters.js';
import { fieldsOfQuery, findArgument, sortableMembers, wordsOf } from '../body.js';
import { largestContents, largestPageWithFiles } from '../lists/list.js';
import {
  addedParameters,
  creates,
  filteredList,
  isExportParameter,
  isFilterParameter,
  showsFiles,
} from '../routes.js';
import {
  type Components,
  int32,
  type OpenApiNode,
  responseScalar,
  uuid,
  uuidOrEmpty,
} from './json-schema.js';
import { exampleId, exampleInnerId, exampleTag, exampleTerm } from './responses.js';
import { memberRule, readRules } from './schemas.js';

const text = { type: 'string', maxLength: limits.line };
const directions = { asc: 'smallest first', desc: 'largest first regardless of `sortDirection`' };

/** Describes a parameter. Its example is only shown; API references send whatever is the `default`. */
export function query(name: string, description: string, example: unknown, schema: OpenApiNode): OpenApiNode {
  return { name, in: 'query', description, schema: { ...schema, examples: [example] } };
}

const page = query('page', 'The page number, starting at 1. -1 means the first page, as if omitted.', 1, {
  ...int32,
  minimum: -1,
  not: { const: 0 },
  default: -1,
});

const paging = query('paging', 'The number of rows per page.', 25, {
  ...int32,
  minimum: 1,
  maximum: maxPageSize,
  default: defaultPageSize,
});

const cursor = query(
  'cursor',
  'The cursor to continue from, instead of `page`. Take it from the `Link` of the previous page, or leave it empty to begin.',
  '',
  { type: 'string', maxLength: 2048 },
);

const modifiedSince = query(
  'modifiedSince',
  'Only records changed at or after this time. For records that never change, it means created.',
  '2020-01-31T08:00:00Z',
  { type: 'string', format: 'date-time', maxLength: 64 },
);

/** Describes the search parameter. The gateway's filter says which texts of a record are searched. */
function term(gateway: GraphQLSchema, route: ListRoute): OpenApiNode {
  const filter = getNamedType(findArgument(gateway, route, 'filter').type);
  const field = isInputObjectType(filter) ? filter.getFields().term : undefined;
  if (!field?.description) throw new Error(`${route.field} does not say what its term is.`);
  const description = route.isTermExact ? field.description.replace(customSearched, '') : field.description;
  return query('term', description, exampleTerm(route), { ...text, default: '' });
}

const type = query('type', `${eventTypeText} Its number, or its name in any letter case.`, 'renewed', {
  ...text,
  default: '',
});

const sortDirection = query('sortDirection', 'The direction of `sort`, ignoring case.', 'desc', {
  type: 'string',
  enum: ['asc', 'desc'],
  default: 'asc',
});

function sort(gateway: GraphQLSchema, route: ListRoute): OpenApiNode {
  const { field, direction } = route.order;
  const [word = memberName(field)] = Object.entries(route.orders ?? {}).find(([, to]) => to === field) ?? [];
  const standard = `\`${word}\`, ${directions[direction]}`;
  const members = sortableMembers(gateway, route);
  return query('sort', `The member to sort by, ignoring case. Default: ${standard}.`, members[0], {
    type: 'string',
    // The contract's default is the empty string (section 4).
    enum: ['', ...members],
    default: '',
  });
}

const status = query(
  'status',
  'Only items with this status today, in the time zone of their workspace. Case is ignored.',
  'expired',
  {
    type: 'string',
    enum: ['', ...Object.keys(statusIds)],
    default: '',
  },
);

const state = ({ list, states = [] }: ListRoute) =>
  query(
    'state',
    `Only ${list} in this state, ignoring case.`,
    ['FAILED', ...states].find((one) => states.includes(one))?.toLowerCase(),
    {
      type: 'string',
      enum: ['', ...states.map((word) => word.toLowerCase())],
      default: '',
    },
  );

const expiresWithinDays = query(
  'expiresWithinDays',
  'Only items that expire today or within this many days, in the time zone of their workspace. Items without a date are excluded. 0 or less returns all items.',
  30,
  { ...int32, maximum: furthestDays, default: -1 },
);

const email = query('email', 'The complete e-mail address, ignoring case.', 'ben@mapleridge.example', {
  ...text,
  default: '',
});

/** Describes a parameter that limits a list to what belongs to a record. */
function narrowing({ list }: ListRoute, name: string, which: string, example: string): OpenApiNode {
  const words: Readonly<Record<string, string>> = {
    holders: 'holders',
    documentrequests: 'requests',
    exemptions: 'exemptions',
  };
  const all = words[list] ?? 'items';
  const description = `Only ${all} ${which}, by its id. If empty, all ${all}.`;
  return query(name, description, example, { ...uuidOrEmpty, default: '' });
}

const kind = query('kind', 'Only records of this kind, ignoring case.', 'vehicle', {
  type: 'string',
  enum: ['', ...holderKinds],
  default: '',
});

const requirementIds = ({ list }: ListRoute) =>
  query(
    'requirement_ids',
    `Only ${list === 'exemptions' ? 'exemptions from' : 'records that do not meet'} one of these requirements, by their ids, which commas separate.`,
    demoId('requirement', 'Insured'),
    { type: 'string', maxLength: 37 * limits.entries, default: '' },
  );

const within = query(
  'within',
  'Only records that are non-compliant, or will be in this many days, in the time zone of their workspace.',
  30,
  { ...int32, minimum: -1, maximum: furthestDays, default: -1 },
);

/** Describes `includeFileContent`, whose default is `standard`. */
function includeFileContent(standard: boolean, isPage: boolean): OpenApiNode {
  const fewer = isPage
    ? ` A page with files has at most ${largestPageWithFiles} rows, regardless of \`paging\`, and ${largestContents / 1024 / 1024} MiB of files. Beyond that, \`content\` is null; read the attachment by its id to get it.`
    : '';
  return query(
    'includeFileContent',
    `True to include the bytes of files. Otherwise the \`content\` of attachments is null.${fewer}`,
    !standard,
    { type: 'boolean', default: standard },
  );
}

/** Describes the record that a path names. The example is a demo record. */
const idOf = (route: Route): OpenApiNode => ({
  name: 'id',
  in: 'path',
  required: true,
  description: "The record's id. Anything but a UUID matches no record.",
  schema: uuid,
  example: exampleId(route),
});

/** Describes the second id in a path. */
const innerId = (route: Route, name: string): OpenApiNode => ({
  ...{ name, in: 'path', required: true },
  description: 'The id of the record that belongs to it. Anything but a UUID matches none.',
  schema: uuid,
  example: exampleInnerId(route),
});

/** Describes an id that may be a word. */
const idOrWord = (description: string): OpenApiNode => ({
  ...{ name: 'id', in: 'path', required: true, description },
  schema: { type: 'string', maxLength: 36 },
  example: 'me',
});

/** Describes the id in a path of what no example has. */
export const idOfNoun = (noun: string): OpenApiNode => ({
  ...{ name: 'id', in: 'path', required: true },
  description: `The ${noun}'s id. Anything but a UUID matches none.`,
  schema: uuid,
  example: '019aa0b2-7c40-7d5e-9c7b-2f6d1a8e7b40',
});

/** Describes the parameters with a new record's values, by the rules of its input. */
function describeTaken(gateway: GraphQLSchema, route: Route): OpenApiNode[] {
  const { type } = findArgument(gateway, route, 'input');
  const rules = (getNamedType(type) as GraphQLInputObjectType).extensions.rules as z.ZodObject | undefined;
  const limitsOf = rules ? readRules(getNamedType(type) as GraphQLInputObjectType) : {};
  return fieldsOfQuery(type).map(({ name, type, description, extensions: { example } }) => {
    const named = getNamedType(type);
    const rule = memberRule(limitsOf, name);
    const standard = rules?.shape[name]?.safeParse(undefined).data;
    const isWord = isEnumType(named);
    // The words are in the letter case of the example.
    const spelt = (word: string) => (example === String(example).toUpperCase() ? word : word.toLowerCase());
    const isList = isListType(getNullableType(type));
    const word = isWord && { type: 'string', enum: wordsOf(named).map(spelt) };
    const shown = isInputObjectType(named)
      ? { type: 'string', maxLength: limits.text }
      : isList
        ? { type: 'array', items: word || text, maxItems: rule.maxItems }
        : word || {
            ...responseScalar(named.name),
            ...(named.name === 'String' && { maxLength: rule.maxLength }),
          };
    const isSimple = typeof standard === 'boolean' || (isWord && typeof standard === 'string');
    const schema = {
      ...shown,
      ...(isSimple && { default: typeof standard === 'string' ? spelt(standard) : standard }),
    };
    return {
      ...query(memberName(name), description ?? '', example, schema),
      ...(isNonNullType(type) && { required: true }),
      ...(isList && !isInputObjectType(named) && { style: 'form', explode: true }),
    };
  });
}

/** Describes the parameters that are arguments of what a route reads or deletes. */
function describeAsked(gateway: GraphQLSchema, route: ReadRoute | DeleteRoute): OpenApiNode[] {
  return (route.asked ?? []).map((name) => {
    const { type, description } = findArgument(gateway, route, name);
    const words = wordsOf(getNamedType(type) as GraphQLEnumType).map((word) => word.toLowerCase());
    return query(memberName(name), description ?? '', words[0], { type: 'string', enum: words });
  });
}

function header(name: string, description: string, example: string, schema: OpenApiNode = {}): OpenApiNode {
  return { name, in: 'header', description, schema: { type: 'string', ...schema, examples: [example] } };
}

const ifMatch = header(
  'If-Match',
  'Entity tags of the expected versions, or `*`. If the record has another version, the response is 412.',
  '*',
);
const ifNoneMatchOfWrites = header(
  'If-None-Match',
  'Entity tags of versions that must not be changed, or `*` for all. If one is current, the response is 412.',
  exampleTag,
);
const ifNoneMatch = header(
  'If-None-Match',
  'Entity tags that the caller already has, or `*`. If one is current, the response is 304.',
  exampleTag,
);

const idempotencyKey = header(
  'Idempotency-Key',
  'Identifies the request, so that it can be sent again but is executed only once. For 24 hours, repeats get the first response.',
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
function listParameters(
  gateway: GraphQLSchema,
  shared: Shared,
  route: ListRoute,
  isTaken: (name: ListParameter) => boolean = () => true,
): OpenApiNode[] {
  const make: Record<Exclude<ListParameter, keyof typeof alike>, () => OpenApiNode> = {
    term: () => term(gateway, route),
    type: () => type,
    email: () => email,
    status: () => status,
    state: () => state(route),
    expiresWithinDays: () => expiresWithinDays,
    contact_id: () =>
      narrowing(
        route,
        'contact_id',
        'with this contact, either as the main one or as one of several',
        demoId('contact', 'Ben Carter'),
      ),
    category_id: () =>
      narrowing(
        route,
        'category_id',
        route.list === 'documentrequests' ? 'for documents of this type' : 'of this document type',
        demoId('category', 'Insurance policy'),
      ),
    location_id: () =>
      narrowing(route, 'location_id', 'at this location', demoId('location', 'Hamilton yard')),
    holder_id: () => {
      const isExempt = route.list === 'exemptions';
      return narrowing(
        route,
        'holder_id',
        `${isExempt ? 'of' : 'for documents of'} this vehicle, person, company or location`,
        isExempt ? demoId('vehicle', 'Truck 101') : demoId('contact', 'Hugo Martin'),
      );
    },
    recipient_id: () => narrowing(route, 'recipient_id', 'to this contact', demoId('contact', 'Hugo Martin')),
    item_id: () => narrowing(route, 'item_id', 'about this item', demoId('item', 'Cargo insurance')),
    kind: () => kind,
    requirement_ids: () => requirementIds(route),
    within: () => within,
    team_id: () => narrowing(route, 'team_id', 'in this workspace', demoId('team', 'Demo')),
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
    ...route.parameters.filter(isTaken).map((name) => describe(name, false)),
    ...addedParameters(route)
      .filter(isTaken)
      .map((name) => describe(name, true)),
  ];
}

/** Returns a reference to a parameter that several operations share. */
type Shared = (name: string, parameter: OpenApiNode) => OpenApiNode;

/** Lists the parameters of a file with all rows of a list. */
export function describeListParameters(
  gateway: GraphQLSchema,
  components: Components,
  route: ListRoute,
): OpenApiNode[] {
  const shared: Shared = (name, parameter) => components.ref('parameters', name, () => parameter);
  return listParameters(gateway, shared, route, isExportParameter);
}

/** Describes the key that every writing operation takes. */
export const describeKey = (components: Components): OpenApiNode =>
  components.ref('parameters', 'IdempotencyKey', () => idempotencyKey);

/** Lists the parameters of an operation. */
export function describeParameters(
  gateway: GraphQLSchema,
  components: Components,
  route: Route,
): OpenApiNode[] {
  const shared: Shared = (name, parameter) => components.ref('parameters', name, () => parameter);
  const inner = innerIdOf(route.path);
  const path = route.path.includes('{id}')
    ? [idOf(route), ...(inner === undefined ? [] : [innerId(route, inner)])]
    : [];
  const once = () => describeKey(components);
  // For a POST, `If-None-Match` protects no version (`readPrecondition`).
  const others = () => (route.method === 'POST' ? [] : [shared('IfNoneMatchOfWrites', ifNoneMatchOfWrites)]);
  const conditions = () => [shared('IfMatch', ifMatch), ...others()];
  if (route.unversioned) {
    const taken = route.kind === 'take' ? describeTaken(gateway, route) : [];
    const keyed = route.method === 'GET' ? [] : [once()];
    const list = filteredList(route);
    const filters = list ? listParameters(gateway, shared, list, isFilterParameter) : [];
    const id = route.named ? idOrWord(route.named) : idOfNoun(route.unversioned);
    return [...(path.length > 0 ? [id] : []), ...taken, ...filters, ...keyed];
  }
  const files = () =>
    showsFiles(route) === true ? [shared('IncludeFileContent', includeFileContent(true, false))] : [];
  switch (route.kind) {
    case 'list':
      return [...path, ...listParameters(gateway, shared, route), shared('IfNoneMatch', ifNoneMatch)];
    case 'read':
      return [
        ...[...path, ...describeAsked(gateway, route), ...files()],
        ...[shared('IfMatch', ifMatch), shared('IfNoneMatch', ifNoneMatch)],
      ];
    case 'write':
      return [...path, ...files(), ...(creates(route) ? [] : conditions()), once()];
    case 'patch':
      return [...path, ...files(), ...conditions(), once()];
    case 'act':
      return [...path, shared('IfMatch', ifMatch), once()];
    case 'delete':
      return [...path, ...describeAsked(gateway, route), shared('IfMatch', ifMatch), once()];
    case 'receive':
      return [...path, ...signature, once()];
    default:
      throw new Error(`${route.path} shows what has versions.`);
  }
}
