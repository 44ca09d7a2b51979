import { asSender, credentials, request } from '../data/client';
import { type Fault, faultOf } from '../data/fault';
import { SendDocument } from '../generated/operations';
import type { KeptDocument } from './store';

/** Bytes of a piece. A piece that breaks off is sent again as a whole. */
const pieceBytes = 512 * 1024;

const path = '/v1/resumable-uploads';

/** Encodes text as base64 of its UTF-8 bytes, as tus has its metadata. */
const base64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/** Sends a request of tus. If the token has expired, it is refreshed once. */
async function ask(
  method: string,
  address: string,
  headers: Record<string, string>,
  body?: Blob,
): Promise<Response> {
  const send = () => {
    const { headers: own, credentials: cookies } = asSender();
    return fetch(address, {
      method,
      headers: { ...own, 'Tus-Resumable': '1.0.0', ...headers },
      body: body ?? null,
      cache: 'no-store',
      credentials: cookies,
    });
  };
  const response = await send();
  return response.status === 401 && (await credentials.renew?.()) ? send() : response;
}

/** Reads the offset of an answer; undefined if it has none. */
function offsetOf(response: Response): number | undefined {
  const text = response.headers.get('upload-offset');
  return response.ok && text !== null ? Number(text) : undefined;
}

function faultFor({ status }: Response): Fault {
  if (status === 401) return faultOf('signed-out');
  if (status === 403) return faultOf('forbidden');
  if (status === 429 || status === 503) return faultOf('busy');
  return faultOf('failed', `HTTP ${status}`);
}

/** Functions that follow the sending of a document. */
export interface Listener {
  /** Stores how far the document has come, so that it goes on after a reload. */
  readonly onChanged: (document: KeptDocument) => Promise<unknown>;
  /** Shows how much has arrived, from 0 to 1. */
  readonly onProgress: (part: number) => void;
}

/** Begins an upload. @returns its id */
async function begin({ name, pdf }: KeptDocument): Promise<string | Fault> {
  const response = await ask('POST', path, {
    'Upload-Length': String(pdf.size),
    'Upload-Metadata': `filename ${base64(name)},filetype ${base64('application/pdf')}`,
  });
  const id = response.headers.get('location')?.split('/').at(-1);
  return response.status === 201 && id ? id : faultFor(response);
}

/** Asks how many bytes of an upload have arrived. It is undefined if the upload is gone. */
async function findOffset(id: string): Promise<number | undefined | Fault> {
  const response = await ask('HEAD', `${path}/${id}`, {});
  return response.status === 404 ? undefined : (offsetOf(response) ?? faultFor(response));
}

/** Sends what is missing of a document. @returns it with the id of the complete upload, or a fault */
async function sendPieces(document: KeptDocument, listener: Listener): Promise<KeptDocument | Fault> {
  const { pdf } = document;
  let id = document.uploadId;
  const found = id === undefined ? undefined : await findOffset(id);
  if (typeof found === 'object') return found;
  if (id === undefined || found === undefined) {
    const begun = await begin(document);
    if (typeof begun !== 'string') return begun;
    id = begun;
    await listener.onChanged({ ...document, uploadId: id });
  }
  let at = found ?? 0;
  while (at < pdf.size) {
    listener.onProgress(at / pdf.size);
    const headers = { 'Upload-Offset': String(at), 'Content-Type': 'application/offset+octet-stream' };
    const response = await ask('PATCH', `${path}/${id}`, headers, pdf.slice(at, at + pieceBytes));
    const next = offsetOf(response);
    if (next === undefined || next <= at) return faultFor(response);
    at = next;
  }
  listener.onProgress(1);
  // An upload that was used is gone, too. So nothing asks for its offset from here on.
  const sent = { ...document, uploadId: id, isSent: true };
  await listener.onChanged(sent);
  return sent;
}

/**
 * Delivers a document, and goes on where an earlier attempt stopped. The gateway takes it once, because
 * repeats have the same id. An upload that expired before it was used begins anew.
 * @returns why it has not arrived
 */
export async function deliver(document: KeptDocument, listener: Listener): Promise<Fault | undefined> {
  try {
    const sent = document.isSent ? document : await sendPieces(document, listener);
    if ('kind' in sent) return sent;
    const { uploadId = '', itemId } = sent;
    const outcome = await request(SendDocument, { uploadId, itemId: itemId ?? null });
    if (outcome.ok) return undefined;
    if (!document.isSent || !outcome.fault.violations.has('resumableUploadId')) return outcome.fault;
    const { uploadId: _gone, isSent: _, ...anew } = document;
    await listener.onChanged(anew);
    return await deliver(anew, listener);
  } catch {
    return faultOf('offline');
  }
}
