// The Pothos builder of the gateway's schema. For somebody who knows Pothos' Prisma plugin:
// - The plugin gives types of their Prisma model: names, the check that a shown column exists, and the descriptions that
//   are comments (`///`) in prisma/models. That is all that is used of it.
// - `client` below throws, because no resolver reads through Prisma Client. Records are read through the caller's
//   session, with SQL of our own: half the time, and each statement has the caller's scope (docs/inside/data-layer.md).
// - `t.relation`, `t.prismaField` and `t.relatedConnection` would read through that client, so they are not used. Linked
//   records come from `linkTo` (define/records.ts), which joins them or loads them with DataLoader (records/loaders.ts).
// - What Pothos would put into `select` and `include`, `selectionForField` finds out (execution/selection.ts).
// - Types are seldom written here field by field: `defineRecords` makes them of what src/resources declares
//   (docs/inside/one-field.md), and graphql/types adds what is special.
import SchemaBuilder, { type ObjectRef } from '@pothos/core';
import PrismaPlugin, { getRefFromModel } from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import type PrismaTypes from '../../prisma/generated/pothos.js';
import { getDatamodel } from '../../prisma/generated/pothos.js';
import { modelName } from '../db/sql/models.js';
import { mostCounted } from '../db/sql/select.js';
import { hasRight, lacksFactor, type Right, refusalOf } from '../domain/caller.js';
import { formatDate, momentExpected, parseDate, parseMoment } from '../domain/dates.js';
import type { RecordKind } from '../domain/models.js';
import { defaultPageSize, maxPageSize } from '../domain/paging.js';
import { isUuid } from '../domain/rules.js';
import { integerOf, parseExact } from '../domain/text/json.js';
import { type Versioned, versionOf, versionTimes } from '../domain/versions.js';
import type { Linked } from '../records/loaders.js';
import type { Context } from './context.js';
import type { Counted } from './define/connection.js';
import { needsFirst } from './execution/selection.js';

function invalidValue(expected: string): GraphQLError {
  return new GraphQLError(expected);
}

function text(value: unknown, expected: string): string {
  if (typeof value !== 'string') throw invalidValue(expected);
  return value;
}

/** Returns the value of a literal as JSON would represent it. */
type ReadLiteral = (node: ValueNode, variables?: Record<string, unknown> | null) => unknown;

/** Parses literals in a document like variables. An error points to the literal's place. */
function reading<T>(parseValue: (value: unknown) => T, read: ReadLiteral = valueFromASTUntyped) {
  const parseLiteral = (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    try {
      return parseValue(read(node, variables));
    } catch (error) {
      throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error;
    }
  };
  return { parseValue, parseLiteral };
}

/** Writes a date. Lists read those that are only shown as texts, which stay as they are (db/sql/tree.ts). */
const writtenDate = (value: unknown, write: (date: Date) => string) =>
  typeof value === 'string' ? value : write(value as Date);

const dateExpected = 'must be a date, YYYY-MM-DD';

/** The scalar of calendar dates. For a date-time, the date part is taken as written (docs/use/rest.md). */
const DateScalar = new GraphQLScalarType<Date, string>({
  name: 'Date',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'A calendar date, `YYYY-MM-DD`. On input, only the date part of an ISO 8601 date-time counts.',
  serialize: (value) => writtenDate(value, formatDate),
  ...reading((value) => {
    const date = parseDate(text(value, dateExpected));
    if (!date) throw invalidValue(dateExpected);
    return date;
  }),
});

/** A timestamp, RFC 3339. */
const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  description:
    'A point in time in RFC 3339 format, shown in UTC with milliseconds: `2026-11-20T09:30:00.000Z`.',
  serialize: (value) => writtenDate(value, (moment) => moment.toISOString()),
  ...reading((value) => {
    const moment = parseMoment(text(value, momentExpected));
    if (!moment) throw invalidValue(momentExpected);
    return moment;
  }),
});

/** A UUID that does not identify one of our records. */
const UuidScalar = new GraphQLScalarType<string, string>({
  name: 'UUID',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  description: "A UUID that is stored as sent. Ids of this service's own records have the type `ID`.",
  serialize: (value) => String(value),
  ...reading((value) => {
    const uuid = text(value, 'must be a UUID');
    if (!isUuid(uuid)) throw invalidValue('must be a UUID');
    return uuid.toLowerCase();
  }),
});

const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n];
/** Message for a value that is no 64-bit integer. */
export const int64Expected = 'must be a 64-bit integer';

function int64(sent: unknown): bigint {
  const isDigits = typeof sent === 'string' && /^-?\d{1,19}$/.test(sent);
  const number = isDigits ? BigInt(sent) : integerOf(sent);
  if (number === undefined || number < smallest || number > largest) throw invalidValue(int64Expected);
  return number;
}

/** Marks scalars that take numbers with all their digits. Others take doubles. */
const exactNumbers = { takesExactNumbers: true };

/** An int64, never rounded. */
const BigIntScalar = new GraphQLScalarType<bigint, string>({
  name: 'BigInt',
  specifiedByURL: 'https://spec.openapis.org/registry/format/int64',
  extensions: exactNumbers,
  description: 'A 64-bit integer, written as a string because many JSON parsers round large numbers.',
  serialize: (value) => String(value),
  // Parse the digits: a number would be rounded.
  ...reading(int64, (node) => (node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined)),
});

/** A file that is uploaded with a request. */
const UploadScalar = new GraphQLScalarType<File, never>({
  name: 'Upload',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  description:
    'An uploaded file (graphql-multipart-request-spec). The variable is null, and the part `map` of the `multipart/form-data` body says which part contains the file.',
  parseValue: (value) => {
    if (!(value instanceof File)) throw invalidValue('must be a file in the request');
    return value;
  },
  parseLiteral: () => {
    throw invalidValue('must be a variable');
  },
  serialize: () => {
    throw invalidValue('is never shown');
  },
});

/** Reads a literal as JSON, its numbers as they are written. */
const jsonLiteral: ReadLiteral = (node, variables) => {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return parseExact(node.value);
    case Kind.LIST:
      return node.values.map((element) => jsonLiteral(element, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, jsonLiteral(value, variables)]),
      );
    default:
      return valueFromASTUntyped(node, variables);
  }
};

/** Any JSON, its numbers to the last digit. */
const JsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'Any JSON value.',
  extensions: exactNumbers,
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: jsonLiteral,
});

/** The builder of all types of the schema. */
export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  /** Rights, and whether the caller may set up a second factor. */
  AuthScopes: Record<Right | 'enroll', boolean>;
  DefaultFieldNullability: false;
  DefaultNodeNullability: false;
  DefaultEdgesNullability: { list: false; items: false };
  Connection: Counted;
  Scalars: {
    ID: { Input: string; Output: string };
    Date: { Input: Date; Output: Date };
    DateTime: { Input: Date; Output: Date };
    UUID: { Input: string; Output: string };
    BigInt: { Input: bigint; Output: bigint };
    JSON: { Input: unknown; Output: unknown };
    Upload: { Input: File; Output: never };
  };
}>({
  // Relay comes first, because it parses ids before the others see them. Rights are checked before anything
  // is read.
  plugins: [RelayPlugin, ScopeAuthPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  relay: {
    // Both APIs use the same UUIDs as ids.
    encodeGlobalID: (_typename, id) => String(id),
    // node.ts has these queries, because an id does not tell the type of its record.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    nodeTypeOptions: { description: 'A record with an id.' },
    idFieldOptions: { description: "The record's id, a UUID. It is the same in GraphQL and REST." },
    cursorType: 'String',
    edgesFieldOptions: {
      nullable: { list: false, items: false },
      description: 'The rows of this page, with their cursors.',
    },
    nodeFieldOptions: { nullable: false, description: 'The row.' },
    nodesOnConnection: { description: 'The rows of this page.' },
    cursorFieldOptions: {
      description: 'The position of the row, for use as `after` or `before` in the same sort order.',
    },
    pageInfoFieldOptions: { description: 'Tells whether the list continues before or after this page.' },
    pageInfoTypeOptions: { description: 'Tells whether a list continues before or after a page.' },
    hasNextPageFieldOptions: { description: 'True if there are rows after this page.' },
    hasPreviousPageFieldOptions: { description: 'True if there are rows before this page.' },
    startCursorFieldOptions: {
      description: 'The cursor of the first row, for `before`. Null if the page is empty.',
    },
    endCursorFieldOptions: {
      description: 'The cursor of the last row, for `after`. Null if the page is empty.',
    },
    firstArgOptions: {
      description: `Number of rows from the start, at most ${maxPageSize}. Default: ${defaultPageSize}.`,
    },
    lastArgOptions: { description: `Number of rows from the end, at most ${maxPageSize}.` },
    afterArgOptions: { description: 'Returns only rows after this cursor.' },
    beforeArgOptions: { description: 'Returns only rows before this cursor.' },
  },
  scopeAuth: {
    // Otherwise rights would be checked only at the first event.
    authorizeOnSubscribe: true,
    authScopes: ({ session: { caller } }) => ({
      read: hasRight(caller, 'read'),
      write: hasRight(caller, 'write'),
      administer: hasRight(caller, 'administer'),
      upload: hasRight(caller, 'upload'),
      enroll: lacksFactor(caller) || hasRight(caller, 'read'),
    }),
    unauthorizedError: (_parent, { session }) => refusalOf(session.caller),
  },
  prisma: {
    // It reads nothing, because resolvers read through their session.
    client: () => {
      throw new Error('Records are read through the session.');
    },
    dmmf: getDatamodel(),
    exposeDescriptions: true,
    filterConnectionTotalCount: false,
  },
});

builder.queryType({ description: 'The queries.', authScopes: { read: true } });
builder.mutationType({ description: 'The mutations.', authScopes: { write: true } });

builder.globalConnectionField('totalCount', (t) =>
  t.int({
    description:
      'The number of matching rows on all pages. It is counted only if requested. `isTotalComplete` says whether there are more.',
    resolve: async (connection) => (await connection.total('some')).count,
  }),
);

builder.globalConnectionField('isTotalComplete', (t) =>
  t.boolean({
    description: `False if there may be more matching rows than \`totalCount\` says. Of the rows of a large organization that match a filter, at most ${mostCounted} are counted.`,
    resolve: async (connection) => (await connection.total('some')).isComplete,
  }),
);

/** The GraphQL interface of every record. */
export const Node = builder.nodeInterfaceRef();

/** Options of a field with a record's version. */
export const versionField = {
  ...needsFirst(...versionTimes),
  description:
    "The record's version. Every change replaces it. Send it as `ifVersion`, or in quotes as `If-Match`.",
  resolve: (record: unknown) => versionOf(record as Versioned),
};

builder.interfaceField(Node, 'version', (t) => t.string(versionField));

builder.addScalarType('Date', DateScalar);
builder.addScalarType('DateTime', DateTimeScalar);
builder.addScalarType('UUID', UuidScalar);
builder.addScalarType('BigInt', BigIntScalar);
builder.addScalarType('JSON', JsonScalar);
builder.addScalarType('Upload', UploadScalar);

/** Marks an input field that REST does not take. The contract has another name for it. */
export const graphqlOnly = { extensions: { graphqlOnly: true } };

/** Marks a required field of an input that REST leaves optional, as the contract does. */
export const requiredInGraphql = { extensions: { requiredInGraphql: true } };

/** Pothos' builder of an input type's fields. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<
  (typeof builder)['$inferSchemaTypes'],
  'InputObject'
>;

type Types = (typeof builder)['$inferSchemaTypes'];

/** Returns the GraphQL type of a kind of records. It may be called before the type is defined. */
export const typeOf = <Kind extends RecordKind>(kind: Kind) =>
  // Its own type says what Pothos selects; a resolver gives rows as they are loaded.
  getRefFromModel(modelName(kind), builder) as object as ObjectRef<Types, Linked<Kind>>;
