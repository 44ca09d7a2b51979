import type { ChangedRecordKind } from '../generated/types';
import { ownPage } from './door';
import { type Fault, faultOf, type RawError, readError } from './fault';
import { isUnconfirmed } from './keeping';

declare const data: unique symbol;
declare const variables: unique symbol;

/** A document that the gateway knows by its hash, with its types. */
export interface Operation<Data, Variables> {
  /** The document's hash. */
  readonly id: string;
  /** Kinds of the records in its result. Answers with such records are outdated when one changes. */
  readonly kinds: readonly ChangedRecordKind[];
  /** True for a mutation, after which other answers are outdated. */
  readonly isWrite?: true;
  /** True for a query whose answer the device may keep, for times without a connection. */
  readonly isKept?: true;
  readonly [data]?: Data;
  readonly [variables]?: Variables;
}

/** The data that an operation returns. */
export type DataOf<Of> = Of extends Operation<infer Data, infer _> ? Data : never;

/** The variables that an operation takes. */
export type VariablesOf<Of> = Of extends Operation<infer _, infer Variables> ? Variables : never;

/** The result of a request: its data, or the fault. */
export type Outcome<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly fault: Fault };

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly RawError[];
}

/** The sender of requests, and the reaction if the gateway rejects it. */
export const credentials: {
  /** The caller's token. Without one, the browser sends the session's cookie. */
  token: string | undefined;
  onRefused: (fault: Fault) => void;
  /** Refreshes the token without the person, if possible. @returns whether it succeeded */
  renew: (() => Promise<boolean>) | undefined;
  /** Is told the kinds of records that a mutation has changed. */
  onWritten: (kinds: readonly ChangedRecordKind[]) => void;
} = { token: undefined, onRefused: () => {}, renew: undefined, onWritten: () => {} };

/** Milliseconds by which the gateway's clock is ahead of this machine's. */
let ahead = 0;

/** Returns the current time by the gateway's clock. */
export const now = (): Date => new Date(Date.now() + ahead);

function readClock(response: Response): void {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Math.abs(date - Date.now() - ahead) > 2000) ahead = date - Date.now();
}

/** Collects the files of variables, and replaces them by null for a multipart request. */
function takeFiles(value: unknown, path: string, files: Map<string, File>): unknown {
  if (value instanceof File) {
    files.set(path, value);
    return null;
  }
  if (Array.isArray(value)) return value.map((entry, at) => takeFiles(entry, `${path}.${at}`, files));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, takeFiles(member, `${path}.${name}`, files)]),
  );
}

function bodyOf(documentId: string, variables: unknown): [body: BodyInit, headers: Record<string, string>] {
  const files = new Map<string, File>();
  const operations = JSON.stringify({ documentId, variables: takeFiles(variables, 'variables', files) });
  if (files.size === 0) return [operations, { 'Content-Type': 'application/json' }];
  const form = new FormData();
  const places = [...files.keys()].map((path, at) => [at, [path]]);
  form.set('operations', operations);
  form.set('map', JSON.stringify(Object.fromEntries(places)));
  [...files.values()].forEach((file, at) => {
    form.set(String(at), file);
  });
  return [form, { 'Apollo-Require-Preflight': 'true' }];
}

/** Returns the part of a request that says who sends it. Tokens never appear in addresses. */
export function asSender(token = credentials.token): {
  headers: Readonly<Record<string, string>>;
  credentials: RequestCredentials;
} {
  return token === undefined
    ? { headers: ownPage, credentials: 'same-origin' }
    : { headers: { Authorization: `Bearer ${token}` }, credentials: 'omit' };
}

/** Sends an operation, and returns the raw response; rejects like `fetch`. */
export function send(
  { id }: Operation<unknown, unknown>,
  variables: unknown,
  accept: string,
  signal?: AbortSignal,
  token?: string,
): Promise<Response> {
  const [body, headers] = bodyOf(`sha256:${id}`, variables);
  const { headers: own, credentials: cookies } = asSender(token);
  return fetch('/graphql', {
    method: 'POST',
    headers: { Accept: accept, ...own, ...headers },
    body,
    cache: 'no-store',
    credentials: cookies,
    signal: signal ?? null,
  });
}

const failure = (fault: Fault): { ok: false; fault: Fault } => ({ ok: false, fault });

/**
 * Runs an operation once. It never throws: errors are values.
 * @param token of another sender than the caller
 */
export async function ask<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
  token?: string,
): Promise<Outcome<Data>> {
  try {
    const response = await send(operation, variables, 'application/json', signal, token);
    readClock(response);
    const { data, errors } = (await response.json().catch(() => ({}))) as Answer;
    const [error] = errors ?? [];
    if (error) return failure(readError(error));
    if (response.status === 401) return failure(faultOf('signed-out'));
    if (response.status === 429 || response.status === 503) return failure(faultOf('busy'));
    return data ? { ok: true, data: data as Data } : failure(faultOf('failed', `HTTP ${response.status}`));
  } catch {
    return failure(faultOf('offline'));
  }
}

/** Returns whether nothing works until the person signs in again or adds a second factor. */
const endsWork = ({ kind, reason = '' }: Fault): boolean =>
  kind === 'signed-out' || reason === 'SECOND_FACTOR_MISSING' || reason === 'NO_ROLE';

/** Runs an operation for the caller. It never throws: errors are values. */
export async function request<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): Promise<Outcome<Data>> {
  const notSent = failure({ ...faultOf('offline'), reason: 'NOT_SENT' });
  // Nothing is sent before the gateway has said who this is.
  if (operation.isWrite && isUnconfirmed.peek()) return notSent;
  // A gateway on this machine is reached without any network, too.
  const isCut = !navigator.onLine;
  const { token } = credentials;
  const isRefused = (outcome: Outcome<Data>) => !outcome.ok && outcome.fault.kind === 'signed-out';
  let outcome = await ask(operation, variables, signal);
  // What could not leave the machine was not done, so that nobody wonders.
  if (operation.isWrite && isCut && !outcome.ok && outcome.fault.kind === 'offline') return notSent;
  // The token may have been refreshed meanwhile.
  const isOutdated = () => credentials.token !== undefined && credentials.token !== token;
  if (isRefused(outcome) && (isOutdated() || (await credentials.renew?.()))) {
    outcome = await ask(operation, variables, signal);
  }
  if (!outcome.ok && endsWork(outcome.fault)) credentials.onRefused(outcome.fault);
  if (outcome.ok && operation.isWrite) credentials.onWritten(operation.kinds);
  return outcome;
}
