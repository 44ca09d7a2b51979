import type { RecordKind } from '../db/sql/models.js';
import type { ErrorCode } from '../domain/errors.js';
import { largestFile } from '../domain/files.js';
import type { Order } from '../domain/paging.js';
import type { Right } from '../domain/roles.js';
import type { DemoKind } from '../domain/text/demo.js';
import { type ContractModel, hasFiles } from './models.js';

/**
 * Sureness that the original service has a row. `contract` rows are in the interface specification, `attested` ones in
 * its vendor's own client or pages, `listed` ones in a list of somebody else's; `guessed` ones follow from the others, and an
 * `addition` is ours.
 */
export type Origin = 'contract' | 'attested' | 'listed' | 'guessed' | 'addition';

/** Members of every row. */
interface RouteBase {
  readonly path: string;
  readonly origin: Origin;
  /** The root field of the gateway's schema that answers. */
  readonly field: string;
  /** The operation's id, where another row has the same field. */
  readonly operation?: string;
  /** The right that it asks for, where its kind does not tell. */
  readonly right?: Right;
  /** The errors that the contract names for this row. */
  readonly errors: readonly ErrorCode[];
  /** A heading of the reference. */
  readonly tag: string;
  /** A sentence for the reference. */
  readonly summary: string;
}

/** A row whose success shows something. */
interface ShowingRoute extends RouteBase {
  /** The model that is shown; in a list, of each element. */
  readonly model: ContractModel;
}

interface TakingRoute extends RouteBase {
  /** Body that the reference shows and sends. */
  readonly example: unknown;
}

/** Answers one record by its id. */
export interface ReadRoute extends ShowingRoute {
  readonly kind: 'read';
  readonly method: 'GET';
  /** Default of `includeFileContent`; absent where there are no files. */
  readonly fileContent?: boolean;
}

/** The query parameters that every list takes, whether or not its row names them. */
const sharedParameters = [
  'term',
  'page',
  'sort',
  'sortDirection',
  'paging',
  'cursor',
  'modifiedSince',
] as const;

/** A query parameter of a list. */
export type ListParameter =
  | (typeof sharedParameters)[number]
  | 'email'
  | 'type'
  | 'status'
  | 'state'
  | 'expiresWithinDays'
  | 'contact_id'
  | 'category_id'
  | 'team_id'
  | 'includeFileContent';

/** Answers a page of a list, under a name of its own. */
export interface ListRoute extends ShowingRoute {
  readonly kind: 'list';
  readonly method: 'GET';
  readonly list: string;
  /** Kind of the record that `{id}` names. The list is narrowed to what belongs to it. */
  readonly of?: RecordKind;
  /** The query parameters that the contract names for this row. */
  readonly parameters: readonly ListParameter[];
  /** The query parameters that are ours, besides those of every list. */
  readonly added?: readonly ListParameter[];
  /** The words of the parameter `state`, as the gateway spells them. */
  readonly states?: readonly string[];
  /** Rows in a page, where callers cannot choose (`paging`). */
  readonly pageSize?: number;
  /** The order when the caller names none. */
  readonly order: Order;
  /** Default of `includeFileContent`, where it is not false. */
  readonly fileContent?: boolean;
}

/** Lists the query parameters that a list takes and its row does not name. */
export function addedParameters({ parameters, added = [], pageSize, model }: ListRoute): ListParameter[] {
  const ours = [...added, ...sharedParameters, 'includeFileContent'] as const;
  return ours.filter((name) => {
    if (name === 'paging' && pageSize !== undefined) return false;
    return !parameters.includes(name) && (name !== 'includeFileContent' || hasFiles(model));
  });
}

/** Takes a record's values: a new one (POST) or one by its id (PUT). */
export interface WriteRoute extends ShowingRoute, TakingRoute {
  readonly kind: 'write';
  readonly method: 'POST' | 'PUT';
  /** True when files come and go with it. Its body may be larger then, and `includeFileContent` is taken. */
  readonly files?: boolean;
  /** Members that the contract requires of the body, beyond what the gateway's input type requires. */
  readonly required?: readonly string[];
  /** Member that clients may put around the body, or leave away. */
  readonly wrapper?: string;
}

/** Takes a list of patch operations (section 4.11), or a merge patch. */
export interface PatchRoute extends ShowingRoute, TakingRoute {
  readonly kind: 'patch';
  readonly method: 'PATCH';
  /** True when files come and go with it, as with a write. */
  readonly files?: boolean;
}

/** Does to one record what the path says, without being told more. */
export interface ActRoute extends ShowingRoute {
  readonly kind: 'act';
  readonly method: 'POST';
}

/** Deletes one record by its id, and answers it as it was. */
export interface DeleteRoute extends ShowingRoute {
  readonly kind: 'delete';
  readonly method: 'DELETE';
}

/** Takes a message, of which nothing is shown again. */
export interface ReceiveRoute extends TakingRoute {
  readonly kind: 'receive';
  readonly method: 'POST';
}

/** One row of the contract's section 4. */
export type Route = ReadRoute | ListRoute | WriteRoute | PatchRoute | ActRoute | DeleteRoute | ReceiveRoute;

/** A record of the demo, which an example names. What is deleted is of no use to other examples. */
export interface ExampleRecord {
  readonly kind: DemoKind;
  readonly name: string;
  readonly deleted?: string;
}

/**
 * Facts for the reference that go for several rows. Where they name no record, one that the example of POST makes stands
 * in the examples.
 */
export interface Heading {
  /** A sentence for each heading (`tag`). */
  readonly about?: Readonly<Record<string, string>>;
  /** The records that examples name, by the path or its part before `{id}`. */
  readonly records?: Readonly<Record<string, ExampleRecord>>;
  /** Terms that find something of the demo, by the name of the list. */
  readonly terms?: Readonly<Record<string, string>>;
}

/** Bytes that a body may have: more where files can be sent (docs/rest.md). */
export const largestBodies = { standard: 1024 * 1024, files: largestFile } as const;

/** Returns the id of a row's operation in OpenAPI. */
export const operationIdOf = ({ operation, field }: Route) => operation ?? field;

/** Tells whether a row creates a record. A POST to a record itself does not. */
export const creates = (route: Route) =>
  route.kind === 'write' && route.method === 'POST' && !route.path.includes('{id}');

/** Returns the default of `includeFileContent`; undefined for a row without files. */
export function showsFiles(route: Route): boolean | undefined {
  if (route.kind === 'write' || route.kind === 'patch') return route.files;
  if (route.kind === 'list' && hasFiles(route.model)) return route.fileContent ?? false;
  return route.kind === 'read' ? route.fileContent : undefined;
}

/** Tells the rows whose requests have a body. */
export const takesBody = ({ kind }: Route) => kind === 'write' || kind === 'patch' || kind === 'receive';

/** Bytes that the body of a row may have. */
export function bodyLimit(route: Route | undefined): number {
  return (route?.kind === 'write' || route?.kind === 'patch') && route.files
    ? largestBodies.files
    : largestBodies.standard;
}
