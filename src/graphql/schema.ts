import {
  type ConstDirectiveNode,
  type DocumentNode,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
  valueFromASTUntyped,
  visit,
} from 'graphql';
import './types/calendar-feeds.js';
import './types/exports.js';
import './types/items/holders.js';
import './types/imports.js';
import './types/items.js';
import './types/live.js';
import './types/items/notice-periods.js';
import './types/items/repetitions.js';
import './types/items/watches.js';
import './types/organization.js';
import './types/gateway.js';
import { withTypeName } from './types/records.js';
import './types/compliance/compliance.js';
import './types/deliveries.js';
import './types/digests.js';
import './types/items/document-requests.js';
import './types/compliance/compliances.js';
import './types/compliance/links.js';
import './types/compliance/requirements.js';
import './types/reminders.js';
import './types/saved-views.js';
import './types/sign-in.js';
import './types/uploads.js';
import './types/webhooks.js';
import { typeBrandKey } from '@pothos/core';
import type { Session } from '../db/connection/session.js';
import { hasRight, refusalOf } from '../domain/caller.js';
import { badField } from '../domain/errors.js';
import type { RecordKind } from '../domain/models.js';
import { maxPageSize } from '../domain/paging.js';
import { findOfKind } from '../records/loaders.js';
import { builder } from './builder.js';
import type { Context } from './context.js';
import { addFormerSpellings } from './define/former.js';
import { rejectInsteadOfThrowing } from './execution/execution.js';

/** Finds the description of a field, or of the record that its id refers to. */
function findDescription(type: GraphQLNamedType | undefined, name: string): string | null | undefined {
  if (!isObjectType(type)) return undefined;
  const fields = type.getFields();
  return (fields[name] ?? fields[name.replace(/Id$/, '')])?.description;
}

/** Copies descriptions of output fields to input fields and orders that have none. */
function describeLikeShown(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isInputObjectType(type)) {
      const shown = schema.getType(type.name.replace(/^(Create|Update|Replace)(.+)Input$/, '$2'));
      for (const field of Object.values(type.getFields()))
        field.description ??= findDescription(shown, field.name);
    } else if (isEnumType(type)) {
      const shown = schema.getType(type.name.replace(/OrderField$/, ''));
      for (const value of type.getValues()) value.description ??= findDescription(shown, String(value.value));
    }
  }
  return schema;
}

/** The gateway's schema, with the resolvers of both APIs. */
export const schema = rejectInsteadOfThrowing(addFormerSpellings(describeLikeShown(builder.toSchema())));

/** Link to the features of Apollo Federation that are used. */
const link = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])`;

function directive(name: string, args: Readonly<Record<string, string>> = {}): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: name },
    arguments: Object.entries(args).map(([argument, text]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: argument },
      value: { kind: Kind.STRING, value: text },
    })),
  };
}

/** Lists the types of records. Other services may refer to them by id. */
function recordTypes(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? schema.getPossibleTypes(node) : [];
}

/**
 * Prints the schema for a router. Records have keys, and types that all services share are shareable. The
 * interface `Node` has only its `id`: with more fields, every type that another service calls a `Node` would
 * need them.
 */
function printSubgraph(schema: GraphQLSchema): string {
  const keyed = new Set(recordTypes(schema).map(({ name }) => name));
  const document: DocumentNode = visit(parse(printSchema(schema)), {
    InterfaceTypeDefinition(type) {
      if (type.name.value !== 'Node') return undefined;
      return { ...type, fields: type.fields?.filter(({ name }) => name.value === 'id') };
    },
    ObjectTypeDefinition(type) {
      const { value } = type.name;
      if (keyed.has(value)) return { ...type, directives: [directive('key', { fields: 'id' })] };
      return value === 'PageInfo' ? { ...type, directives: [directive('shareable')] } : undefined;
    },
  });
  return `${link}\n\n${print(document)}\n`;
}

/** Reads a representation: the name of a type and the id of a record. */
function readRepresentation(kinds: ReadonlyMap<string, RecordKind>, value: unknown, index: number) {
  const at = ['representations', index] as const;
  const { __typename: name, id } = (value ?? {}) as { __typename?: unknown; id?: unknown };
  const kind = typeof name === 'string' ? kinds.get(name) : undefined;
  if (!kind) throw badField([...at, '__typename'], 'must be a type with a key');
  if (typeof id !== 'string') throw badField([...at, 'id'], 'must be the id of a record');
  return { kind, id };
}

/** Finds a record of a kind by id. Records requested in one turn take one statement per kind. */
async function findEntity(session: Session, kind: RecordKind, id: string) {
  const record = await findOfKind(session, kind, id);
  return record && withTypeName(kind, record);
}

const AnyScalar = new GraphQLScalarType({
  name: '_Any',
  description: 'A representation of a record: `__typename` and `id`.',
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

/**
 * Creates the schema of an Apollo Federation 2 subgraph from the gateway's own. It has the same types and two
 * more queries for routers: `_service` and `_entities`.
 */
export function federate(schema: GraphQLSchema): GraphQLSchema {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no queries.');
  const types = recordTypes(schema);
  const kinds = new Map(
    types.map(({ name }) => [name, `${name[0]?.toLowerCase()}${name.slice(1)}` as RecordKind]),
  );
  const checkRight = ({ session: { caller } }: Context) => {
    if (!hasRight(caller, 'read')) throw refusalOf(caller);
  };
  // Printed at the start, because it takes long enough to delay other requests.
  const sdl = printSubgraph(schema);
  const Service = new GraphQLObjectType<object, Context>({
    name: '_Service',
    description: 'What a router reads of the schema.',
    fields: {
      sdl: {
        type: new GraphQLNonNull(GraphQLString),
        description: 'The schema, with the directives of Apollo Federation.',
        resolve: () => sdl,
      },
    },
  });
  const Entity = new GraphQLUnionType({
    name: '_Entity',
    description: 'A record that other services name by its id.',
    types,
    resolveType: (value) => (value as { [typeBrandKey]: string })[typeBrandKey],
  });
  const { fields, ...config } = query.toConfig();
  const federated = new GraphQLObjectType<unknown, Context>({
    ...config,
    fields: {
      ...fields,
      _service: {
        type: new GraphQLNonNull(Service),
        description: 'The schema as a router composes it.',
        resolve: (_root, _args, context) => {
          checkRight(context);
          return {};
        },
      },
      _entities: {
        type: new GraphQLNonNull(new GraphQLList(Entity)),
        description:
          'The records of these representations, in their order; null for what the caller may not see.',
        args: {
          representations: {
            type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(AnyScalar))),
            description: `Types and ids of records, at most ${maxPageSize}.`,
          },
        },
        resolve: (_root, { representations }: { representations: readonly unknown[] }, context) => {
          checkRight(context);
          if (representations.length > maxPageSize)
            throw badField(['representations'], `must have at most ${maxPageSize} entries`, 'entries');
          // Read all representations before the first lookup, so that an invalid request gets no results.
          const wanted = representations.map((value, index) => readRepresentation(kinds, value, index));
          return wanted.map(({ kind, id }) => findEntity(context.session, kind, id));
        },
      },
    },
  });
  const { types: all, ...rest } = schema.toConfig();
  const others = all.filter((type) => type !== query);
  return rejectInsteadOfThrowing(new GraphQLSchema({ ...rest, query: federated, types: others }));
}
