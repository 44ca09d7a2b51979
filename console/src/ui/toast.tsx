import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Fault, faultText } from '../data/fault';
import { t } from '../i18n/i18n';
import { Button, IconButton } from './button';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  /** Undoes the action, or the part of it that the words name. */
  readonly undo?: (() => unknown) | undefined;
  readonly undoWords?: string | undefined;
  /** Leads to what was changed. */
  readonly link?: ToastLink | undefined;
}

/** A link of a notification. */
interface ToastLink {
  readonly href: string;
  readonly words: string;
}

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

const drop = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
};

function add(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId;
  toasts.value = [...toasts.value.slice(-2), { ...toast, id }];
}

/**
 * Reports a completed action, how to undo it, and where to see it.
 * @param undoWords what undoing does, if it leaves something as it is now
 */
export const tell = (text: string, undo?: () => unknown, link?: ToastLink, undoWords?: string): void =>
  add({ text, isBad: false, undo, link, undoWords });

/** Reports a failed action and the reason. A sign-out is reported by the sign-in dialog instead. */
export function tellFault(fault: Fault): void {
  if (fault.kind !== 'signed-out') add({ text: faultText(fault), isBad: true });
}

/** Returns the milliseconds that a toast stays. One with something to press stays longer. */
const stay = ({ undo, link, isBad }: Toast): number => (undo || link || isBad ? 12_000 : 5_000);

function ToastLine({ toast }: { readonly toast: Toast }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const start = () => {
    timer.current = setTimeout(() => drop(toast.id), stay(toast));
  };
  const hold = () => clearTimeout(timer.current);
  useEffect(() => {
    start();
    return hold;
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it stays while it is read; nothing is done by this alone.
    <div
      class={toast.isBad ? 'toast bad' : 'toast'}
      onMouseEnter={hold}
      onMouseLeave={start}
      onFocusCapture={hold}
    >
      <span class="breaks">{toast.text}</span>
      {toast.link && (
        <a href={toast.link.href} onClick={() => drop(toast.id)}>
          {toast.link.words}
        </a>
      )}
      {toast.undo && (
        <Button
          onClick={async () => {
            drop(toast.id);
            await toast.undo?.();
          }}
        >
          {toast.undoWords ?? t('common.undo')}
        </Button>
      )}
      <IconButton icon="close" label={t('common.close')} onClick={() => drop(toast.id)} />
    </div>
  );
}

/** Renders notifications above everything else, and reads them out. */
export function Toasts() {
  const box = useRef<HTMLDivElement>(null);
  const newest = toasts.value.at(-1)?.id;
  useEffect(() => {
    // The element shown last is on top, even above an open dialog.
    box.current?.hidePopover();
    if (newest !== undefined) box.current?.showPopover();
  }, [newest]);
  return (
    <div ref={box} class="toasts" popover="manual" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}
