import { type Fault, faultOf } from './fault';
import { askRest } from './rest';

/** Describes how a file is sent in pieces. */
export interface Sending {
  /** Bytes of a piece. A piece that breaks off is sent again as a whole. */
  readonly pieceBytes: number;
  /** Failures in a row after which the caller gets the fault. */
  readonly attempts: number;
  /** The id of an upload that an earlier attempt has begun. */
  readonly uploadId?: string | undefined;
  /** Facts that the gateway keeps with the file, by name. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Stores the id of an upload that has begun, for a later attempt. */
  readonly onBegun?: (id: string) => unknown;
  /** Shows how many bytes have arrived. */
  readonly onSent: (bytes: number) => void;
  /** Stops sending. The gateway then forgets what has arrived. */
  readonly signal: AbortSignal;
}

/** Milliseconds until a lost piece is sent again. */
const againMs = 2_000;

const root = '/v1/resumable-uploads';

/** Sends a request of tus 1.0.0. */
const ask = (method: string, path: string, { headers, ...init }: RequestInit) =>
  askRest(path, { ...init, method, headers: { ...headers, 'Tus-Resumable': '1.0.0' } });

/** Encodes text as base64 of its UTF-8 bytes, as tus has its metadata. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/** Begins an upload. @returns its id */
async function begin({ size }: Blob, { metadata = {}, signal }: Sending): Promise<string | Fault> {
  const facts = Object.entries(metadata).map(([name, value]) => `${name} ${base64(value)}`);
  const headers = { 'Upload-Length': String(size), 'Upload-Metadata': facts.join() };
  const answer = await ask('POST', root, { headers, signal });
  if (!(answer instanceof Response)) return answer;
  // Networks that ask people to sign in answer everything with a page of their own.
  return answer.headers.get('Location')?.split('/').at(-1) ?? faultOf('failed');
}

/** Lets the gateway forget an upload that nobody will finish. Otherwise, it forgets it after a day. */
export const abandon = (id: string): unknown => ask('DELETE', `${root}/${id}`, {});

/** Waits before the next attempt, at most until sending is stopped. */
const pause = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    setTimeout(resolve, againMs);
    signal.addEventListener('abort', resolve);
  });

/** Sends a piece, or asks for the offset if there is none. @returns how many bytes have arrived */
async function proceed(
  file: Blob,
  id: string,
  { pieceBytes, signal }: Sending,
  from: number | undefined,
): Promise<number | Fault> {
  const path = `${root}/${id}`;
  const headers = { 'Upload-Offset': String(from), 'Content-Type': 'application/offset+octet-stream' };
  const answer =
    from === undefined
      ? await ask('HEAD', path, { signal })
      : await ask('PATCH', path, { headers, signal, body: file.slice(from, from + pieceBytes) });
  if (!(answer instanceof Response)) return answer;
  const arrived = answer.headers.get('Upload-Offset');
  return arrived === null ? faultOf('failed') : Number(arrived);
}

/**
 * Sends what is missing of a file. After a failure it asks how much has arrived, and goes on there. An upload
 * that is gone, because it has expired, begins anew.
 * @returns the id of the complete upload; undefined if sending was stopped
 */
export async function sendPieces(file: Blob, sending: Sending): Promise<string | Fault | undefined> {
  const { attempts, signal, onBegun, onSent } = sending;
  let id = sending.uploadId;
  let arrived: number | undefined;
  for (let failures = 0; !signal.aborted; ) {
    if (id === undefined) {
      const begun = await begin(file, sending);
      if (typeof begun !== 'string') return signal.aborted ? undefined : begun;
      id = begun;
      arrived = 0;
      await onBegun?.(id);
    }
    if (arrived !== undefined) onSent(arrived);
    if (arrived === file.size) return id;
    const outcome = await proceed(file, id, sending, arrived);
    if (typeof outcome === 'number') {
      if (arrived !== undefined) failures = 0;
      arrived = outcome;
      continue;
    }
    if (signal.aborted) break;
    arrived = undefined;
    const isGone = outcome.kind === 'gone';
    if (isGone) id = undefined;
    // What began anew a moment ago cannot have expired.
    if (isGone && failures++ === 0) continue;
    if (outcome.kind === 'unreadable') {
      if (id !== undefined) abandon(id);
      return outcome;
    }
    if (++failures >= attempts || outcome.kind === 'forbidden') return outcome;
    await pause(signal);
  }
  if (id !== undefined) abandon(id);
  return undefined;
}
