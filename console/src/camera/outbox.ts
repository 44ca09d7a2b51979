import { effect, signal } from '@preact/signals';
import { type Corners, wholePicture } from '../../../public/page-picture.js';
import { addressOf } from '../app/addresses';
import { place } from '../app/router';
import { caller } from '../app/session';
import { uniqueKey } from '../data/browser';
import { request } from '../data/client';
import { type Fault, faultOf } from '../data/fault';
import { toReadable } from '../data/heic';
import { abandon, sendPieces } from '../data/pieces';
import { SendDocument } from '../generated/operations/inbox';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { mostBytes } from '../ui/files';
import { tell, tellFault } from '../ui/toast';
import { type Crop, cornersOfCrop, type Page } from './picture';
import { findKept, isLosable, type Kept, keep, ownerOf } from './store';

/** A document on this device that the gateway has not acknowledged. */
interface KeptDocument extends Kept {
  readonly name: string;
  /** Its bytes: a PDF of pictures, or a file as it was chosen. */
  readonly pdf: Blob;
  /** The item to attach the document to; none for the inbox. */
  readonly itemId: string | undefined;
  /** The id of the upload at the gateway, once it has begun. */
  readonly uploadId?: string | undefined;
  /** True if all bytes have arrived, so that only the acknowledgement is missing. */
  readonly isSent?: boolean;
  readonly created: number;
}

/** A document that has arrived, and where it is now. */
export interface Arrived {
  readonly id: string;
  readonly name: string;
  /** The address of its item, or of its page in the inbox. */
  readonly href: string;
  /** The name of the item that it was sent for; none in the inbox. */
  readonly item: string | undefined;
}

/** Functions that follow the sending of a document, and the signal that stops it. */
interface Listener {
  /** Stores how far the document has come, so that it goes on after a reload. */
  readonly onChanged: (document: KeptDocument) => Promise<unknown>;
  /** Shows how much has arrived, from 0 to 1. */
  readonly onProgress: (part: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Delivers a document, and goes on where an earlier attempt stopped. The gateway takes it once, because
 * repeats have the same id. An upload that expired before it was used begins anew.
 * @returns where it has arrived, or why it has not; nothing if it was stopped
 */
async function deliver(document: KeptDocument, listener: Listener): Promise<Arrived | Fault | undefined> {
  const { id, name, pdf, itemId } = document;
  let { uploadId } = document;
  if (!document.isSent) {
    const outcome = await sendPieces(pdf, {
      pieceBytes: 512 * 1024,
      // The next attempt comes later, or when the connection returns.
      attempts: 1,
      uploadId,
      metadata: { filename: name, ...(pdf.type && { filetype: pdf.type }) },
      onBegun: (id) => listener.onChanged({ ...document, uploadId: id }),
      onSent: (bytes) => listener.onProgress(bytes / pdf.size),
      signal: listener.signal,
    });
    if (typeof outcome !== 'string') return outcome;
    uploadId = outcome;
    // An upload that was used is gone, too. So nothing asks for its offset from here on.
    await listener.onChanged({ ...document, uploadId, isSent: true });
  }
  const outcome = await request(SendDocument, { uploadId: uploadId ?? '', itemId: itemId ?? null });
  if (outcome.ok) {
    const { addUpload: sent } = outcome.data;
    const href = itemId
      ? addressOf('EXPIRATION_ITEM', itemId)
      : sent
        ? addressOf('UPLOAD_NOTIFICATION', sent.id)
        : '/inbox';
    return { id, name, href, item: itemId && (sent?.expirationItem?.name ?? '') };
  }
  if (!document.isSent || !outcome.fault.violations.has('resumableUploadId')) return outcome.fault;
  const anew = { ...document, uploadId: undefined, isSent: false };
  await listener.onChanged(anew);
  return deliver(anew, listener);
}

/** The place of a page, and what is changed about it. Photos are beside it, because they are written once. */
interface KeptPage extends Kept, Pick<Page, 'turns'> {
  /** A page that an earlier version has kept has a crop instead. */
  readonly corners?: Corners;
  readonly crop?: Crop;
  /** The item that the page is for; none for the inbox. */
  readonly itemId: string | undefined;
  /** Its place among the pages. */
  readonly at: number;
}

interface KeptPhoto extends Kept {
  readonly photo: Blob;
}

/** Pages that were taken and not sent, by the item they are for. */
const taken = signal<ReadonlyMap<string | undefined, readonly Page[]>>(new Map());

effect(() => {
  if (!caller.value) taken.value = new Map();
});

/** Returns the pages for an item, or for the inbox, in order. */
export const pagesFor = (itemId: string | undefined): readonly Page[] => taken.value.get(itemId) ?? [];

/** Returns whether closing this browser page loses pages. */
export const isAnyLosable = (pages: readonly Page[]): boolean => {
  const ids = pages.map(({ id }) => id);
  return isLosable('pages', ids) || isLosable('photos', ids);
};

/** Changes are written in the order in which they are made. */
let written: Promise<unknown> = Promise.resolve();

/** Reads what the caller has taken. */
export function findTaken(): Promise<void> {
  const read = async () => {
    const [pages, photos] = await Promise.all([findKept<KeptPage>('pages'), findKept<KeptPhoto>('photos')]);
    const byId = new Map(photos.map(({ id, photo }) => [id, photo]));
    const found = new Map<string | undefined, Page[]>();
    for (const { id, itemId, turns, crop, ...page } of [...pages].sort((one, other) => one.at - other.at)) {
      const photo = byId.get(id);
      const corners = page.corners ?? (crop ? cornersOfCrop(crop) : wholePicture);
      if (photo) found.set(itemId, [...(found.get(itemId) ?? []), { id, photo, turns, corners }]);
    }
    taken.value = found;
  };
  const reading = written.then(read);
  written = reading;
  return reading;
}

/**
 * Changes the pages for an item, or for the inbox, and keeps them here.
 * @param document the document that was made of them, which is kept in their place
 */
export function arrange(
  itemId: string | undefined,
  pages: readonly Page[],
  document?: KeptDocument,
): Promise<unknown> {
  const owner = ownerOf();
  const before = pagesFor(itemId);
  taken.value = new Map(taken.peek()).set(itemId, pages);
  const isIn = (list: readonly Page[], page: Page) => list.some(({ id }) => id === page.id);
  const photos = pages.filter((page) => !isIn(before, page));
  const gone = before.filter((page) => !isIn(pages, page));
  const change = () =>
    keep(
      [
        ...(document ? [['documents', document] as const] : []),
        ...photos.map(({ id, photo }) => ['photos', { id, owner, photo }] as const),
        ...pages.map(({ photo: _, ...page }, at) => ['pages', { ...page, owner, itemId, at }] as const),
      ],
      gone.flatMap(({ id }) => [['pages', id] as const, ['photos', id] as const]),
    );
  written = written.then(change);
  return written;
}

/** A document that waits on this device, as screens show it. */
interface Waiting {
  readonly document: KeptDocument;
  /** The part of it that has arrived, from 0 to 1. */
  readonly progress: number;
  readonly fault?: Fault | undefined;
}

/** Documents of the caller that the gateway has not acknowledged, oldest first. */
export const waiting = signal<readonly Waiting[]>([]);

/** The most documents whose place is shown after they were sent. */
const mostArrived = 5;

/** Documents of the caller that were sent from this page, oldest first. */
export const arrived = signal<readonly Arrived[]>([]);

effect(() => {
  if (caller.value) return;
  waiting.value = [];
  arrived.value = [];
});

/** Milliseconds until the next attempt after a failed one. */
const pause = 10_000;

const update = (id: string, change: Partial<Waiting>): void => {
  waiting.value = waiting.value.map((one) => (one.document.id === id ? { ...one, ...change } : one));
};

const drop = async (id: string): Promise<void> => {
  await keep([], [['documents', id]]);
  waiting.value = waiting.value.filter(({ document }) => document.id !== id);
};

/** The document that is being sent, and what stops it. */
let current: { readonly id: string; readonly stopping: AbortController } | undefined;

async function sendOne({ document }: Waiting): Promise<void> {
  const { id } = document;
  const stopping = new AbortController();
  current = { id, stopping };
  const outcome = await deliver(document, {
    onChanged: async (changed) => {
      if (stopping.signal.aborted) return;
      update(id, { document: changed });
      await keep([['documents', changed]]);
    },
    onProgress: (progress) => update(id, { progress, fault: undefined }),
    signal: stopping.signal,
  });
  current = undefined;
  if (stopping.signal.aborted || !outcome) return;
  if ('kind' in outcome) return update(id, { fault: outcome });
  await drop(id);
  arrived.value = [...arrived.value, outcome].slice(-mostArrived);
  const isThere = outcome.href === place.peek().path;
  tell(
    arrivedText(outcome),
    undefined,
    isThere ? undefined : { href: outcome.href, words: t('camera.look') },
  );
}

/** Says where a document is. */
export const arrivedText = ({ name, item }: Arrived): string =>
  item === undefined
    ? t('camera.sent_inbox', { name: shownName(name) })
    : t('camera.sent_item', { name: shownName(name), item: shownName(item) });

let timer: ReturnType<typeof setTimeout> | undefined;
let isRunning = false;

async function sendAll(): Promise<void> {
  const owner = ownerOf();
  const known = new Map(waiting.value.map((one) => [one.document.id, one]));
  const kept = [...(await findKept<KeptDocument>('documents'))];
  kept.sort((one, other) => one.created - other.created);
  waiting.value = kept.map((document) => ({ ...(known.get(document.id) ?? { progress: 0 }), document }));
  for (const one of waiting.value) {
    if (ownerOf() !== owner) return;
    if (waiting.value.some(({ document }) => document.id === one.document.id)) await sendOne(one);
  }
}

/** Sends all that waits, one after the other. What fails is tried again, at once if the connection returns. */
export async function sendWaiting(): Promise<void> {
  if (isRunning || ownerOf() === '') return;
  isRunning = true;
  clearTimeout(timer);
  try {
    // Of several tabs, one sends.
    await (navigator.locks ? navigator.locks.request('camera', sendAll) : sendAll());
  } finally {
    isRunning = false;
    if (waiting.value.length > 0) timer = setTimeout(sendWaiting, pause);
  }
}

addEventListener('online', () => void sendWaiting());

/** Removes a document from this device, and what has arrived of it from the gateway. */
export async function discard({ id, uploadId }: KeptDocument): Promise<void> {
  if (current?.id === id) current.stopping.abort();
  else if (uploadId !== undefined) abandon(uploadId);
  await drop(id);
}

/** Begins to send a document that is kept on this device. */
export function hand(document: KeptDocument): void {
  waiting.value = [...waiting.value, { document, progress: 0 }];
  void sendWaiting();
}

/**
 * Sends files that somebody has chosen or dropped. They are kept on this device until they have arrived. HEIC pictures
 * become JPEG, if the browser can do it.
 * @param itemId the item to attach them to; none for the inbox
 */
export async function handFiles(files: readonly File[], itemId?: string): Promise<void> {
  for (const chosen of files) {
    const file = await toReadable(chosen);
    const name = shownName(file.name);
    if (file.size === 0) tellFault(faultOf('invalid', t('camera.empty', { name })));
    else if (file.size > mostBytes) tellFault(faultOf('invalid', t('item.file_too_large', { name })));
    else {
      const about = { id: uniqueKey(), owner: ownerOf(), itemId, created: Date.now() };
      const document = { ...about, name: file.name, pdf: file };
      await keep([['documents', document]]);
      hand(document);
    }
  }
}
