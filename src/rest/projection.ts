import {
  defaultFieldResolver,
  GraphQLBoolean,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLSchema,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { ListRoute, Route } from '../domain/doors/route.js';
import { maxPageSize } from '../domain/paging.js';
import type { Context } from '../graphql/context.js';
import { type Connection, isConnection, withoutPages } from '../graphql/define/connection.js';
import { rejectInsteadOfThrowing } from '../graphql/execution/execution.js';
import { readsProperty } from '../graphql/execution/plan.js';
import { showsNodes } from '../graphql/execution/selection.js';
import { fieldName, memberName } from '../web/parameters.js';
import { contractInput, contractLeaf } from './body.js';
import { answersWithBody, contractModels, modelOf, operationIdOf, routes } from './routes.js';

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** The gateway's field that a member of a value shows. */
    readonly source?: GraphQLField<unknown, unknown>;
  }
}

type FieldConfig = GraphQLFieldConfig<unknown, RestContext>;

/** The resolvers' context: the gateway's, with the requested page. */
export interface RestContext extends Context {
  readonly page: number;
  /** The list that is shown, once it is known. The handler asks it for the next cursor. */
  readonly shown: { list?: Connection };
}

/** Returns the name of a list's page type: `vehicles` → `VehiclesPage`. */
function pageTypeName(list: string): string {
  return `${list[0]?.toUpperCase()}${list.slice(1)}Page`;
}

/**
 * Returns the resolver of a gateway's field for a field with another name. Without a resolver, it reads the
 * property with the gateway's name.
 */
function renamedResolver(field: GraphQLField<unknown, unknown>): {
  readonly extensions: GraphQLField<unknown, unknown>['extensions'];
  readonly resolve: GraphQLFieldResolver<unknown, RestContext>;
} {
  const { name, resolve, extensions } = field;
  if (resolve && resolve !== defaultFieldResolver) {
    // A wrapper around a property: it reads the one that the field is named after.
    const guarded: typeof resolve = (row, args, context, info) =>
      resolve(row, args, context, { ...info, fieldName: name });
    return { extensions, resolve: 'pothosExposedField' in extensions ? guarded : resolve };
  }
  return {
    extensions: { ...extensions, ...readsProperty(name) },
    resolve: (row) => (row as Record<string, unknown>)[name],
  };
}

/**
 * Returns a connection's resolver that resolves to a plain list. It is complete, because a record's list is
 * never longer than a page.
 */
function listResolver(field: GraphQLField<unknown, unknown>): ReturnType<typeof renamedResolver> {
  const { extensions, resolve } = renamedResolver(field);
  return {
    extensions,
    resolve: async (row, _args, context, info) => {
      const connection = (await resolve(row, { first: maxPageSize }, context, info)) as Connection;
      return (await connection.edges).map(({ node }) => node);
    },
  };
}

/** Wraps a resolver to return true instead of its result, which is not shown. */
function discardResult(
  resolve: GraphQLFieldResolver<unknown, RestContext>,
): GraphQLFieldResolver<unknown, RestContext> {
  return async (...args) => {
    await resolve(...args);
    return true;
  };
}

/**
 * Builds the contract's models and operations as an executable GraphQL schema. Its types are exactly section
 * 2 of the contract, its root fields exactly the routes of section 4, each with the name of its operation, and
 * every resolver is the gateway's.
 */
export function projectSchema(gateway: GraphQLSchema, table: readonly Route[] = routes): GraphQLSchema {
  const types = new Map<string, GraphQLObjectType>();
  const pages = new Map<string, GraphQLObjectType>();

  function typeOf(type: string): GraphQLObjectType {
    const entry = Object.entries(contractModels).find(([, model]) => model.type === type);
    if (!entry) throw new Error(`The contract has no model of the type ${type}.`);
    return modelType(entry[0]);
  }

  /** Returns the type of a value, whose members are all that REST shows of it. */
  function valueType(source: GraphQLObjectType): GraphQLObjectType {
    const { model = `${source.name}Model`, order = [], members = [] } = source.extensions.value ?? {};
    const name = model ?? source.name;
    const known = types.get(name);
    if (known) return known;
    const shown = Object.values(source.getFields()).flatMap((field): [string, FieldConfig][] => {
      const { restMember, stored } = field.extensions;
      if (restMember === undefined || field.deprecationReason) return [];
      const { extensions, resolve } = renamedResolver(field);
      const property = fieldName(restMember);
      const read = stored
        ? {
            ...{ type: new GraphQLNonNull(gateway.getType('JSON') as GraphQLScalarType) },
            resolve: (row: unknown) => (row as Record<string, unknown>)[property],
          }
        : { type: project(field.type), resolve };
      return [
        [
          restMember,
          { ...read, description: field.description, extensions: { ...extensions, source: field } },
        ],
      ];
    });
    const sequence = [...order, ...members].map(memberName);
    const projected = new GraphQLObjectType<unknown, RestContext>({
      name,
      description: source.description,
      extensions: { value: { model, members: members.map(memberName) } },
      fields: Object.fromEntries(shown.toSorted(([a], [b]) => sequence.indexOf(a) - sequence.indexOf(b))),
    });
    types.set(name, projected);
    return projected;
  }

  function project(type: GraphQLOutputType): GraphQLOutputType {
    if (isNonNullType(type)) return new GraphQLNonNull(project(type.ofType));
    if (isListType(type)) return new GraphQLList(project(type.ofType));
    if (isObjectType(type)) return type.extensions.value ? valueType(type) : typeOf(type.name);
    return isLeafType(type) ? contractLeaf(type) : type;
  }

  function modelType(name: string): GraphQLObjectType {
    const known = types.get(name);
    if (known) return known;
    const { type, members } = modelOf(name);
    const source = gateway.getType(type);
    if (!isObjectType(source)) throw new Error(`The gateway has no type ${type}.`);
    const member = (key: string): [string, FieldConfig] => {
      const field = source.getFields()[fieldName(key)];
      if (!field) throw new Error(`The gateway has no field ${type}.${fieldName(key)}.`);
      return [
        key,
        {
          type: project(withoutPages(field.type)),
          description: field.description,
          ...(isConnection(getNullableType(field.type)) ? listResolver(field) : renamedResolver(field)),
        },
      ];
    };
    const projected = new GraphQLObjectType<unknown, RestContext>({
      name,
      description: source.description,
      extensions: source.extensions,
      fields: () => Object.fromEntries(members.map(member)),
    });
    types.set(name, projected);
    return projected;
  }

  /**
   * Returns the contract's type of an argument. A patch parses its operations itself, for better errors,
   * and what parameters say is checked by the rules alone.
   */
  function argumentType(route: Route, name: string, type: GraphQLInputType): GraphQLInputType {
    const isWhole = route.kind === 'patch' ? name === 'operations' : route.kind === 'take';
    return isWhole ? (gateway.getType('JSON') as GraphQLScalarType) : contractInput(type);
  }

  function rootField(route: Route): FieldConfig {
    const root = route.method === 'GET' ? gateway.getQueryType() : gateway.getMutationType();
    const field = root?.getFields()[route.field];
    if (!field) throw new Error(`The gateway has no root field ${route.field}.`);
    const args: GraphQLFieldConfigArgumentMap = Object.fromEntries(
      field.args.map(({ name, type, description }) => [
        name,
        { type: argumentType(route, name, type), description },
      ]),
    );
    const resolver = renamedResolver(field);
    if (route.kind === 'receive' || !answersWithBody(route))
      return { type: GraphQLBoolean, args, ...resolver, resolve: discardResult(resolver.resolve) };
    if (route.unversioned) return { type: project(field.type), args, ...resolver };
    const type = route.kind === 'list' ? pageOf(route) : modelType(route.model);
    return { type, args, ...resolver };
  }

  /** Returns the page type of a list. Routes with the same list share it. */
  function pageOf(route: ListRoute): GraphQLObjectType {
    const key = `${route.list} ${route.model}`;
    const page = pages.get(key) ?? pageType(route, modelType(route.model));
    pages.set(key, page);
    return page;
  }

  const rootFields = (reading: boolean) =>
    Object.fromEntries(
      table
        .filter(({ method }) => (method === 'GET') === reading)
        .map((route) => [operationIdOf(route), rootField(route)]),
    );
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: rootFields(true) }),
    mutation: new GraphQLObjectType({ name: 'Mutation', fields: rootFields(false) }),
  });
  return rejectInsteadOfThrowing(schema);
}

/** Creates the page type of a list: its rows, `pages`, `page` and `total` (section 4). */
function pageType({ list }: ListRoute, element: GraphQLObjectType): GraphQLObjectType {
  const int = (
    description: string,
    resolve: (connection: Connection, context: RestContext) => number | Promise<number>,
  ): FieldConfig => ({
    type: new GraphQLNonNull(GraphQLInt),
    description,
    resolve: (connection, _args, context) => resolve(connection as Connection, context),
  });
  return new GraphQLObjectType<unknown, RestContext>({
    name: pageTypeName(list),
    description: 'A page of a list.',
    fields: {
      [list]: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(element))),
        description: 'The rows of the page.',
        ...showsNodes,
        resolve: async (connection, _args, { shown }) => {
          shown.list = connection as Connection;
          return (await shown.list.edges).map(({ node }) => node);
        },
      },
      pages: int('The number of pages.', async (connection) =>
        Math.ceil((await connection.total()).count / connection.window.limit),
      ),
      page: int('The page served, from 1.', (_connection, { page }) => page),
      total: int('The number of rows on all pages.', async (connection) => (await connection.total()).count),
    },
  });
}
