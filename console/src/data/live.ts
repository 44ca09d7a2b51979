import { signal } from '@preact/signals';
import { ChangesNow, RecordsChanged } from '../generated/operations/app';
import type { ChangedRecordKind } from '../generated/types';
import { credentials, request, send } from './client';

/** A part of a screen that follows changes of some kinds of records. */
interface Follower {
  readonly kinds: readonly ChangedRecordKind[];
  readonly look: () => void;
  /** Returns whether the last request failed. */
  readonly hasFailed: () => boolean;
}

interface Message {
  readonly data?: { readonly recordsChanged: { readonly kind: ChangedRecordKind; readonly cursor: string } };
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
}

/** True while other people's changes arrive live. */
export const isLive = signal(false);

const followers = new Set<Follower>();
/** Kinds with changes since followers were last notified. */
const changed = new Set<ChangedRecordKind>();
let timer: ReturnType<typeof setTimeout> | undefined;
let cursor: string | undefined;
let connection: AbortController | undefined;

/** Notifies followers of changes at most 6 times a second, however much changes (throttling). */
function tellSoon(kinds: Iterable<ChangedRecordKind>): void {
  for (const kind of kinds) changed.add(kind);
  if (timer) return;
  timer = setTimeout(() => {
    timer = undefined;
    const kinds = new Set(changed);
    changed.clear();
    for (const { kinds: followed, look } of [...followers]) {
      if (followed.some((kind) => kinds.has(kind))) look();
    }
  }, 160);
}

// What is written here is outdated here, also while no stream says so.
credentials.onWritten = tellSoon;

/** Reloads everything that is shown, for example after a time without rights. */
export function lookAgain(): void {
  for (const { look } of [...followers]) look();
}

/** Repeats failed requests, because no change announces that they may succeed now. */
function retryFailed(): void {
  for (const { look, hasFailed } of [...followers]) if (hasFailed()) look();
}

/** Follows changes of records. @returns a function that stops it */
export function follow(
  kinds: readonly ChangedRecordKind[],
  look: () => void,
  hasFailed: () => boolean,
): () => void {
  const follower = { kinds, look, hasFailed };
  followers.add(follower);
  return () => followers.delete(follower);
}

/** Reads the messages of an event stream: the data of `next` events, until it ends. */
async function* messagesOf(response: Response): AsyncGenerator<Message> {
  if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (rest + text).split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: ?(.+)$/m.exec(event)?.[1];
      if (data && /^event: ?next$/m.test(event)) yield JSON.parse(data) as Message;
    }
  }
}

/** Listens until the stream ends. @throws {Error} if it cannot be opened, or breaks off */
async function listen(abort: AbortSignal): Promise<void> {
  if (cursor === undefined) {
    const begun = await request(ChangesNow, {}, abort);
    if (!begun.ok) throw new Error(begun.fault.kind);
    cursor = begun.data.changes.pageInfo.endCursor ?? undefined;
  }
  const response = await send(RecordsChanged, { after: cursor }, 'text/event-stream', abort);
  isLive.value = response.ok;
  if (response.ok) retryFailed();
  for await (const { data, errors } of messagesOf(response)) {
    if (errors?.[0]?.extensions?.code === 'PRECONDITION_FAILED') {
      // Earlier changes may be missing, so reload everything.
      cursor = undefined;
      tellSoon([...followers].flatMap(({ kinds }) => kinds));
    }
    if (!data) return;
    cursor = data.recordsChanged.cursor;
    tellSoon([data.recordsChanged.kind]);
  }
}

async function stayConnected(abort: AbortSignal): Promise<void> {
  for (let attempt = 0; !abort.aborted; attempt++) {
    const began = Date.now();
    await listen(abort).catch(() => {});
    isLive.value = false;
    if (Date.now() - began > 10_000) attempt = 0;
    const wait = Math.min(30_000, 500 * 2 ** attempt) * (0.75 + Math.random() / 2);
    await new Promise((resolve) => {
      const waiting = setTimeout(resolve, wait);
      abort.addEventListener('abort', () => {
        clearTimeout(waiting);
        resolve(undefined);
      });
    });
  }
}

function connect(): void {
  connection?.abort();
  connection = undefined;
  // A hidden tab would hold one of the browser's few connections to a host; it catches up when it is visible
  // again.
  if (document.visibilityState === 'hidden') return;
  connection = new AbortController();
  stayConnected(connection.signal);
}

function comeBack(): void {
  retryFailed();
  connect();
}

/** Starts to follow changes. @returns a function that stops it */
export function goLive(): () => void {
  document.addEventListener('visibilitychange', connect);
  window.addEventListener('online', comeBack);
  connect();
  return () => {
    document.removeEventListener('visibilitychange', connect);
    window.removeEventListener('online', comeBack);
    connection?.abort();
    connection = undefined;
    cursor = undefined;
    isLive.value = false;
  };
}
