import { signal } from '@preact/signals';
import { caller } from '../app/session';
import type { Fault } from '../data/fault';
import { t } from '../i18n/i18n';
import { tell } from '../ui/toast';
import { deliver } from './sending';
import { findKept, forget, type KeptDocument, keep } from './store';

/** A document that waits on this device, as screens show it. */
export interface Waiting {
  readonly document: KeptDocument;
  /** The part of it that has arrived, from 0 to 1. */
  readonly progress: number;
  readonly fault?: Fault | undefined;
}

/** Documents of the caller that the gateway has not acknowledged, oldest first. */
export const waiting = signal<readonly Waiting[]>([]);

/** Milliseconds until the next attempt after a failed one. */
const pause = 10_000;

/** Returns the user and the workspace whose documents are kept and sent. */
export function ownerOf(): string {
  const me = caller.peek()?.me;
  return me ? `${me.id} ${me.team?.id ?? ''}` : '';
}

const update = (id: string, change: Partial<Waiting>): void => {
  waiting.value = waiting.value.map((one) => (one.document.id === id ? { ...one, ...change } : one));
};

/** Sends a document. @returns whether the gateway acknowledged it */
async function sendOne({ document }: Waiting): Promise<boolean> {
  const { id, name } = document;
  const fault = await deliver(document, {
    onChanged: async (changed) => {
      await keep(changed);
      update(id, { document: changed });
    },
    onProgress: (progress) => update(id, { progress, fault: undefined }),
  });
  if (fault) {
    update(id, { fault });
    return false;
  }
  await forget(id);
  waiting.value = waiting.value.filter((one) => one.document.id !== id);
  tell(t('camera.sent', { name }));
  return true;
}

let timer: ReturnType<typeof setTimeout> | undefined;
let isRunning = false;

async function sendAll(): Promise<void> {
  const owner = ownerOf();
  const known = new Map(waiting.value.map((one) => [one.document.id, one]));
  const kept = await findKept(owner);
  waiting.value = kept.map((document) => ({ ...(known.get(document.id) ?? { progress: 0 }), document }));
  for (const one of waiting.value) {
    if (ownerOf() !== owner) return;
    await sendOne(one);
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

/** Removes a document from this device without sending it. */
export async function discard(id: string): Promise<void> {
  await forget(id);
  waiting.value = waiting.value.filter(({ document }) => document.id !== id);
}

/** Keeps a document on this device, and begins to send it. */
export async function hand(document: KeptDocument): Promise<void> {
  await keep(document);
  waiting.value = [...waiting.value, { document, progress: 0 }];
  void sendWaiting();
}
