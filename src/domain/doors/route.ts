import type { Right } from '../caller.js';
import type { ErrorCode } from '../errors.js';
import type { RecordKind } from '../models.js';
import type { Order } from '../paging.js';
import type { DemoKind } from '../text/demo.js';

/**
 * Evidence that the original service has a route. `contract` routes are in the interface specification,
 * `attested` ones in the vendor's own client or pages, `listed` ones in a third party's list; `guessed` ones
 * are inferred from the others, and an `addition` is ours.
 */
export type Origin = 'contract' | 'attested' | 'listed' | 'guessed' | 'addition';

/** Members of every route. */
interface RouteBase {
  readonly path: string;
  readonly origin: Origin;
  /** The root field of the gateway's schema that answers it. */
  readonly field: string;
  /** The operation's id, if another route has the same field. */
  readonly operation?: string;
  /** The required right, if the route's kind does not determine it. */
  readonly right?: Right;
  /** The errors that the contract names for this route. */
  readonly errors: readonly ErrorCode[];
  /** A heading of the reference. */
  readonly tag: string;
  /** A sentence for the reference. */
  readonly summary: string;
  /** Further sentences for the reference, if the route's kind does not say all. */
  readonly description?: string;
  /** Noun of what it shows, if that has no version. Answers have no `ETag`, and requests no conditions. */
  readonly unversioned?: string;
  /** Description of the id in the path, if it may be a word instead. */
  readonly named?: string;
  /** True for an addition that ignores unknown parameters, as the contract's routes do. */
  readonly lenient?: true;
}

/** A route whose successful answer has a body. */
interface ShowingRoute extends RouteBase {
  /** The model that is shown; in a list, of each element. */
  readonly model: string;
}

interface TakingRoute extends RouteBase {
  /** Body that the reference shows and sends. */
  readonly example: unknown;
}

/** Returns one record by id. */
export interface ReadRoute extends ShowingRoute {
  readonly kind: 'read';
  readonly method: 'GET';
  /** Default of `includeFileContent`; undefined if there are no files. */
  readonly fileContent?: boolean;
  /** Further arguments of the root field, which query parameters give. */
  readonly asked?: readonly string[];
}

/** The query parameters that every list accepts, whether or not its route names them. */
export const sharedParameters = [
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
  | 'recipient_id'
  | 'holder_id'
  | 'item_id'
  | 'category_id'
  | 'location_id'
  | 'team_id'
  | 'kind'
  | 'requirement_ids'
  | 'within'
  | 'includeFileContent';

/** Returns a page of a list. The list has a name of its own. */
export interface ListRoute extends ShowingRoute {
  readonly kind: 'list';
  readonly method: 'GET';
  readonly list: string;
  /** Kind of the record that `{id}` names. The list contains only what belongs to that record. */
  readonly of?: RecordKind;
  /** True if the list contains the items that are papers of that record. */
  readonly isHolder?: true;
  /** The query parameters that the contract names for this route. */
  readonly parameters: readonly ListParameter[];
  /** Our own query parameters, besides those of every list. */
  readonly added?: readonly ListParameter[];
  /** True if `term` keeps to the record's own texts, as in the original. */
  readonly isTermExact?: true;
  /** The values of the parameter `state`, as the gateway spells them. */
  readonly states?: readonly string[];
  /** Words that `sort` takes besides members, with the fields that they stand for. */
  readonly orders?: Readonly<Record<string, string>>;
  /** Rows in a page, if callers cannot choose (`paging`). */
  readonly pageSize?: number;
  /** The default order. */
  readonly order: Order;
  /** Default of `includeFileContent`, if it is not false. */
  readonly fileContent?: boolean;
}

/** Takes a record's values: a new one (POST) or one by its id (PUT). */
export interface WriteRoute extends ShowingRoute, TakingRoute {
  readonly kind: 'write';
  readonly method: 'POST' | 'PUT';
  /** True if it writes files. Its body may then be larger, and `includeFileContent` is accepted. */
  readonly files?: boolean;
  /** True if the body may also be `multipart/form-data` with a part `file`. */
  readonly form?: boolean;
  /** Required members of the body, besides those that the gateway's input type requires. */
  readonly required?: readonly string[];
  /** Member that clients may put around the body. */
  readonly wrapper?: string;
}

/** Takes a list of patch operations (section 4.11), or a merge patch. */
export interface PatchRoute extends ShowingRoute, TakingRoute {
  readonly kind: 'patch';
  readonly method: 'PATCH';
  /** True if it writes files, as with a write. */
  readonly files?: boolean;
}

/** Performs the action in the path on one record, without a body. A DELETE removes a part of it. */
export interface ActRoute extends ShowingRoute {
  readonly kind: 'act';
  readonly method: 'POST' | 'DELETE';
}

/** Deletes one record by its id, and returns it as it was. */
export interface DeleteRoute extends ShowingRoute {
  readonly kind: 'delete';
  readonly method: 'DELETE';
  /** Further arguments of the root field, as of a route that reads. */
  readonly asked?: readonly string[];
}

/** Receives a message, and answers without a body. */
export interface ReceiveRoute extends TakingRoute {
  readonly kind: 'receive';
  readonly method: 'POST';
}

/** Returns all rows of a short list, which has no pages. */
interface AllRoute extends ShowingRoute {
  readonly kind: 'all';
  readonly method: 'GET';
  readonly list: string;
  /** Path of the list whose filter it takes. Without one, it has none. */
  readonly filteredAs?: string;
  /** A sentence about its rows, if they are not the newest first. */
  readonly rows?: string;
}

/** Takes a new record's values as query parameters. They are the fields of the input that have an example. */
interface TakeRoute extends ShowingRoute {
  readonly kind: 'take';
  readonly method: 'POST';
  /** The file that the body is, in OpenAPI's words, and its most bytes. */
  readonly file?: { readonly limit: number; readonly described: Readonly<Record<string, unknown>> };
}

/** A declared route: one of the contract's section 4, or an addition. */
export type Route =
  | (ReadRoute | ListRoute | WriteRoute | PatchRoute | ActRoute | DeleteRoute | ReceiveRoute)
  | (AllRoute | TakeRoute);

/** A demo record that an example names. Records that are deleted by an example cannot serve others. */
interface ExampleRecord {
  readonly kind: DemoKind;
  readonly name: string;
  readonly deleted?: string;
  /** The record that a second id in the path names. */
  readonly inner?: Pick<ExampleRecord, 'kind' | 'name'>;
}

/** Returns the name of a path's second id. An argument of the root field has the same name. */
export const innerIdOf = (path: string): string | undefined => /\{id\}\/.*\{(\w+)\}/.exec(path)?.[1];

/**
 * Facts for the reference that several routes share. If they name no record, the examples use one created by
 * the example of POST.
 */
export interface Heading {
  /** A sentence for each heading (`tag`). */
  readonly about?: Readonly<Record<string, string>>;
  /** The records that examples name, by the path or its part before `{id}`. */
  readonly records?: Readonly<Record<string, ExampleRecord>>;
  /** Search terms with matches in the demo, by the name of the list. */
  readonly terms?: Readonly<Record<string, string>>;
}
