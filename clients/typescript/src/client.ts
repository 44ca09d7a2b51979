import { type ClientOptions, type Conditional, exchange, type RequestOptions } from './exchange.js';
import { type paths, routes } from './generated.js';
import { List, nextOf, type Page } from './list.js';

type Route = readonly [method: string, path: keyof paths, kind?: 'body' | 'list'];

/** The operation of a route, in the document's types. */
type Operation<R extends Route> = paths[R[1]][Lowercase<R[0]> & keyof paths[R[1]]];

/** Ids, one for each that the path contains. */
type Ids<Path extends string> = Path extends `${string}{${string}}${infer Rest}`
  ? [id: string, ...Ids<Rest>]
  : [];

type Query<O> = O extends { parameters: { query?: infer Q } } ? Known<NonNullable<Q>> : unknown;
/** Operations without parameters have the type `never` for them, which no options could satisfy. */
type Known<Q> = [Q] extends [never] ? unknown : Q;
type Body<O> = O extends { requestBody?: { content: infer C } } ? C[keyof C] : never;
type Content<R> = R extends { content: { 'application/json': infer T } } ? T : undefined;
type Successes<O> = O extends { responses: infer R } ? { [S in keyof R]: Content<R[S]> } : never;
/** Body of a successful answer. Undefined if there is none, such as for a patch that changes nothing. */
type Success<O> = Successes<O>[keyof Successes<O>];

type Arguments<R extends Route> = R extends readonly [string, string, 'body']
  ? [...Ids<R[1]>, body: Body<Operation<R>>]
  : Ids<R[1]>;
type Options<R extends Route> = Query<Operation<R>> & RequestOptions;

/** Reads a record or list. With `ifNoneMatch`, the result is undefined if that is still its version. */
interface Read<R extends Route, A> {
  (...given: [...Arguments<R>, options?: Options<R>]): A;
  (
    ...given: [...Arguments<R>, options: Options<R> & Conditional]
  ): Promise<Success<Operation<R>> | undefined>;
}

type Method<R extends Route> = R extends readonly [string, string, 'list']
  ? Read<R, List<Success<Operation<R>> & Page>>
  : R extends readonly ['GET', string]
    ? Read<R, Promise<NonNullable<Success<Operation<R>>>>>
    : (...given: [...Arguments<R>, options?: Options<R>]) => Promise<Success<Operation<R>>>;

/** The operations of a gateway, grouped by subject: `client.vehicles.list()`. */
export type Client = {
  readonly [G in keyof typeof routes]: {
    readonly [M in keyof (typeof routes)[G]]: (typeof routes)[G][M] extends infer R extends Route
      ? Method<R>
      : never;
  };
};

/** Options of the request itself; all others are query parameters. */
const own: ReadonlySet<string> = new Set<keyof RequestOptions | keyof Conditional>([
  'retries',
  'timeout',
  'signal',
  'idempotencyKey',
  'ifMatch',
  'ifNoneMatch',
  'headers',
]);

function withIds(parts: readonly string[], ids: readonly unknown[]): string {
  return parts.reduce((path, part, index) => {
    const id = String(ids[index - 1] ?? '');
    // An empty id, `.` or `..` would change the path.
    if (!/[^.]/.test(id)) throw new TypeError(`This is no id: "${id}"`);
    return path + encodeURIComponent(id) + part;
  });
}

function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([name, value]) => !own.has(name) && value != null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

function createMethod(client: ClientOptions, [method, template, kind]: Route) {
  const parts = template.split(/\{\w+\}/);
  return (...given: unknown[]) => {
    const path = withIds(parts, given.splice(0, parts.length - 1));
    const body = kind === 'body' ? given.shift() : undefined;
    const options = (given[0] ?? {}) as Readonly<Record<string, unknown>>;
    const ask = (turn?: Readonly<Record<string, string>>) =>
      exchange(client, { method, target: withQuery(path, { ...options, ...turn }), body }, options);
    if (kind !== 'list' || options.ifNoneMatch !== undefined) return ask().then((answer) => answer.body);
    return new List(async (turn) => {
      const { body, headers } = await ask(turn);
      return { page: body as Page, next: nextOf(headers.get('Link')) };
    }, options.page === undefined);
  };
}

/** Creates a client of a gateway, with a method for each operation. */
export function createClient(options: ClientOptions): Client {
  const mapped = Object.entries(routes).map(([group, methods]) => [
    group,
    Object.fromEntries(
      Object.entries<Route>(methods).map(([name, route]) => [name, createMethod(options, route)]),
    ),
  ]);
  return Object.fromEntries(mapped);
}
