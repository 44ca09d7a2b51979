import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
} from 'graphql';
import type { ListRoute, Route } from '../domain/doors/route.js';
import { fieldName } from '../web/parameters.js';
import { modelOf } from './routes.js';

/** Finds an argument of the root field that a route calls. */
export function findArgument(gateway: GraphQLSchema, route: Route, name: string): GraphQLArgument {
  const root = route.method === 'GET' ? gateway.getQueryType() : gateway.getMutationType();
  const argument = root?.getFields()[route.field]?.args.find((arg) => arg.name === name);
  if (!argument) throw new Error(`${route.field} has no argument ${name}.`);
  return argument;
}

/** Maps the fields that a list can be ordered by to GraphQL's enum names. */
export function sortableFields(gateway: GraphQLSchema, route: ListRoute): ReadonlyMap<string, string> {
  const order = getNamedType(findArgument(gateway, route, 'orderBy').type);
  const field = isInputObjectType(order)
    ? getNamedType(order.getFields().field?.type as GraphQLInputType)
    : undefined;
  if (!isEnumType(field)) throw new Error(`${route.field} has no order.`);
  return new Map(field.getValues().map(({ name, value }) => [value as string, name]));
}

/** Lists the model's members that a list can be ordered by (`sort`). */
export function sortableMembers(gateway: GraphQLSchema, route: ListRoute): string[] {
  const sortable = sortableFields(gateway, route);
  return modelOf(route.model).members.filter((member) => sortable.has(fieldName(member)));
}
