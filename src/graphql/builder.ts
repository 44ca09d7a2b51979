import SchemaBuilder, { type ObjectRef } from '@pothos/core';
import PrismaPlugin, { getRefFromModel } from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import type PrismaTypes from '../../prisma/generated/pothos.js';
import { getDatamodel } from '../../prisma/generated/pothos.js';
import { modelName, type RecordKind } from '../db/sql/models.js';
import { hasRight, lacksFactor, refusalOf } from '../domain/caller.js';
import { defaultPageSize, maxPageSize } from '../domain/paging.js';
import type { Right } from '../domain/roles.js';
import { type Versioned, versionOf, versionTimes } from '../domain/versions.js';
import type { Linked } from '../records/loaders.js';
import type { Context } from './context.js';
import type { Counted } from './define/connection.js';
import { needsFirst } from './execution/selection.js';
import { BigIntScalar, DateScalar, DateTimeScalar, JsonScalar, UploadScalar, UuidScalar } from './scalars.js';

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
    description: 'The number of matching rows on all pages. It is counted only if requested.',
    resolve: (connection) => connection.totalCount(),
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
