import { request } from '../data/client';
import type { Fault } from '../data/fault';
import { sendPieces } from '../data/pieces';
import { SendDocument } from '../generated/operations/inbox';
import type { Kept } from './store';

/** A document on this device that the gateway has not acknowledged. */
export interface KeptDocument extends Kept {
  readonly name: string;
  readonly pdf: Blob;
  /** The item to attach the document to; none for the inbox. */
  readonly itemId: string | undefined;
  /** The id of the upload at the gateway, once it has begun. */
  readonly uploadId?: string | undefined;
  /** True if all bytes have arrived, so that only the acknowledgement is missing. */
  readonly isSent?: boolean;
  readonly created: number;
}

/** Functions that follow the sending of a document, and the signal that stops it. */
export interface Listener {
  /** Stores how far the document has come, so that it goes on after a reload. */
  readonly onChanged: (document: KeptDocument) => Promise<unknown>;
  /** Shows how much has arrived, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Delivers a document, and goes on where an earlier attempt stopped. The gateway takes it once, because
 * repeats have the same id. An upload that expired before it was used begins anew.
 * @returns why it has not arrived; nothing if it was stopped
 */
export async function deliver(document: KeptDocument, listener: Listener): Promise<Fault | undefined> {
  const { name, pdf, itemId = null } = document;
  let { uploadId } = document;
  if (!document.isSent) {
    const outcome = await sendPieces(pdf, {
      pieceBytes: 512 * 1024,
      // The next attempt comes later, or when the connection returns.
      attempts: 1,
      uploadId,
      metadata: { filename: name, filetype: 'application/pdf' },
      onBegun: (id) => listener.onChanged({ ...document, uploadId: id }),
      onSent: (bytes) => listener.onProgress(bytes / pdf.size),
      signal: listener.signal,
    });
    if (typeof outcome !== 'string') return outcome;
    uploadId = outcome;
    // An upload that was used is gone, too. So nothing asks for its offset from here on.
    await listener.onChanged({ ...document, uploadId, isSent: true });
  }
  const outcome = await request(SendDocument, { uploadId: uploadId ?? '', itemId });
  if (outcome.ok) return undefined;
  if (!document.isSent || !outcome.fault.violations.has('resumableUploadId')) return outcome.fault;
  const anew = { ...document, uploadId: undefined, isSent: false };
  await listener.onChanged(anew);
  return deliver(anew, listener);
}
