import type { Heading, ListParameter, Route } from '../../domain/doors/route.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { Order } from '../../domain/paging.js';

/** Members of a route that are derived from its key, its kind and its resource. */
type Derived = 'tag' | 'model' | 'errors' | 'parameters' | 'list' | 'order';

/** A route as it is declared, without derived members. */
type ShortRoute<R = Route> = R extends Route
  ? Omit<R, Derived | 'method' | 'path'> & Partial<Pick<R, Derived & keyof R>>
  : never;

/** A model of the contract. It names a GraphQL type, and the fields of it that REST shows. */
export interface Model {
  readonly type: string;
  readonly members: readonly string[];
}

/** The endpoints of a resource below `/v1`, with what the reference says of them. */
export interface Endpoints {
  /** Heading of the reference. */
  readonly tag: string;
  /** A sentence for the heading, or for several. */
  readonly about?: string | Readonly<Record<string, string>>;
  /** The contract's model that the endpoints show, unless a route names another. */
  readonly model: string;
  /** Members of that model that come first, in GraphQL's names. The other fields of both doors follow. */
  readonly members?: readonly string[];
  /** Further models of the contract, by their names. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Demo records that examples name, by the path or its part before `{id}`. */
  readonly records?: Heading['records'];
  /** A term that finds something of the demo. */
  readonly term?: string;
  /** The endpoints, by method and path. */
  readonly routes: Readonly<Record<`${Route['method']} /v1/${string}`, ShortRoute>>;
}

/** The part of a resource that its routes are derived from. */
export interface Served {
  /** Its type in GraphQL. */
  readonly model: string;
  /** Name of its list in answers. */
  readonly list: string;
  readonly order: Order;
  readonly rest: Endpoints;
}

/** Parameters of a list whose route names none. */
const usualParameters: readonly ListParameter[] = ['term', 'page', 'sort', 'sortDirection'];

/** Returns the errors of a route that names none. */
function usualErrors(kind: Route['kind'], method: string): readonly ErrorCode[] {
  if (kind === 'list') return ['BAD_REQUEST'];
  if (kind === 'patch') return ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'];
  return method === 'POST' ? ['BAD_REQUEST', 'CONFLICT'] : ['NOT_FOUND'];
}

/** Completes the routes of a resource. */
export function routesOf({ list, order, rest }: Served): Route[] {
  return Object.entries(rest.routes).map(([key, route]) => {
    const [method = '', path] = key.split(' ');
    const derived = { tag: rest.tag, model: rest.model, errors: usualErrors(route.kind, method) };
    const listed = route.kind === 'list' && { list, order, parameters: usualParameters };
    return { ...derived, ...listed, ...route, method, path } as Route;
  });
}

/** Returns what the reference says of a resource's endpoints. */
export function headingOf({ list, rest }: Served): Heading {
  const { tag, about = {}, records = {}, term, routes } = rest;
  const named = Object.values(routes).find((route) => route.kind === 'list' && route.list);
  const name = (named?.kind === 'list' && named.list) || list;
  return {
    about: typeof about === 'string' ? { [tag]: about } : about,
    records,
    terms: term === undefined ? {} : { [name]: term },
  };
}

/** Declares endpoints of a resource whose fields are not declared. */
export const declareEndpoints = (served: Served): Served => served;
