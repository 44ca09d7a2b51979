import type {
  ActRoute,
  DeleteRoute,
  Heading,
  ListParameter,
  ListRoute,
  PatchRoute,
  ReadRoute,
  ReceiveRoute,
  Route,
  WriteRoute,
} from '../../domain/doors/route.js';
import type { ErrorCode } from '../../domain/errors.js';
import { kindOf, type ModelName, type ModelRow, models } from '../../domain/models.js';
import type { Order } from '../../domain/paging.js';
import { camelCase, pluralOf, withArticle } from '../../domain/text/names.js';
import type { Field } from './fields.js';

/** Members of a route that are derived from its key and its resource. */
type Derived = 'kind' | 'field' | 'summary' | 'tag' | 'model' | 'errors' | 'parameters' | 'list' | 'order';

/** A route as it is declared, without derived members. */
type ShortRoute<R> = R extends Route
  ? Omit<R, Derived | 'method' | 'path'> & Partial<Pick<R, Derived & keyof R>>
  : never;

/** Endpoints by method and path. */
interface Routes {
  readonly [key: `GET /v1/${string}`]: ShortRoute<ReadRoute | ListRoute>;
  readonly [key: `POST /v1/${string}`]: ShortRoute<WriteRoute | ActRoute | ReceiveRoute>;
  readonly [key: `PUT /v1/${string}`]: ShortRoute<WriteRoute>;
  readonly [key: `PATCH /v1/${string}`]: ShortRoute<PatchRoute>;
  readonly [key: `DELETE /v1/${string}`]: ShortRoute<DeleteRoute | ActRoute>;
}

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
  readonly routes: Routes;
}

/** The part of a resource that its routes are derived from. */
export interface Served {
  /** Its type in GraphQL. */
  readonly model: ModelName;
  /** Name of its list in answers. */
  readonly list: string;
  readonly order: Order;
  readonly rest: Endpoints;
  /** Its fields, if they are declared. */
  readonly fields?: Readonly<Record<string, Field>>;
}

/** Parameters of a list whose route names none. */
const usualParameters: readonly ListParameter[] = ['term', 'page', 'sort', 'sortDirection'];

/** Returns the errors of a route that names none. */
function usualErrors(kind: string, method: string): readonly ErrorCode[] {
  if (kind === 'list') return ['BAD_REQUEST'];
  if (kind === 'patch') return ['NOT_FOUND', 'NOT_MODIFIED', 'CONFLICT'];
  return method === 'POST' ? ['BAD_REQUEST', 'CONFLICT'] : ['NOT_FOUND'];
}

/** Returns the kind, field and summary of a usual route, by its method and path. */
function usualRoute({ model, list, fields = {} }: Served, method: string, path: string, field?: string) {
  const { noun = '' }: ModelRow = models[model];
  const one = withArticle(noun);
  if (method === 'GET' && !path.includes('{id}'))
    return { kind: 'list', field: camelCase(list), summary: `Lists ${pluralOf(noun)}.` };
  if (method === 'GET') return { kind: 'read', field: kindOf(model), summary: `Reads ${one}.` };
  if (method === 'POST') return { kind: 'write', field: `create${model}`, summary: `Creates ${one}.` };
  if (method === 'PATCH') return { kind: 'patch', field: `patch${model}`, summary: `Patches ${one}.` };
  if (method === 'DELETE')
    return { kind: 'delete', field: `delete${model}`, summary: `Deletes ${one} and returns it as it was.` };
  const hasLists = 'customFields' in fields || Object.values(fields).some(({ kind }) => kind === 'part');
  const kept = `Updates ${one}. Omitted fields are kept, ${hasLists ? 'null clears a field, and a list replaces the old one' : 'and null clears a field'}.`;
  return field === `update${model}`
    ? { kind: 'write', field, summary: kept }
    : {
        kind: 'write',
        field: `replace${model}`,
        summary: `Replaces ${one}. Omitted fields return to their defaults.`,
      };
}

/** Completes the routes of a resource. */
export function routesOf(resource: Served): Route[] {
  const { list, order, rest } = resource;
  return Object.entries(rest.routes).map(([key, route]) => {
    const [method = '', path = ''] = key.split(' ');
    const usual = { ...usualRoute(resource, method, path, route.field), ...route };
    const derived = { tag: rest.tag, model: rest.model, errors: usualErrors(usual.kind, method) };
    const listed = usual.kind === 'list' && { list, order, parameters: usualParameters };
    return { ...derived, ...listed, ...usual, method, path } as Route;
  });
}

/** Returns what the reference says of a resource's endpoints. */
export function headingOf({ list, rest }: Served): Heading {
  const { tag, about = {}, records = {}, term, routes } = rest;
  const named = Object.values(routes).find((route) => 'list' in route && route.list);
  const name = (named as ListRoute | undefined)?.list ?? list;
  return {
    about: typeof about === 'string' ? { [tag]: about } : about,
    records,
    terms: term === undefined ? {} : { [name]: term },
  };
}

/** Declares endpoints of a resource whose fields are not declared. */
export const declareEndpoints = (served: Served): Served => served;
