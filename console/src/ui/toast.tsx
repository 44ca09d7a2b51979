import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Fault, faultText } from '../data/fault';
import { t } from '../i18n/i18n';
import { Button, IconButton } from './button';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly isBad: boolean;
  /** Takes back what was done. */
  readonly undo?: (() => unknown) | undefined;
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

/** Tells that something is done, and how it is taken back. */
export const tell = (text: string, undo?: () => unknown): void => add({ text, isBad: false, undo });

/** Tells that something was not done, and why. That somebody is signed out is told by the way back in. */
export function tellFault(fault: Fault): void {
  if (fault.kind !== 'signed-out') add({ text: faultText(fault), isBad: true });
}

/** Milliseconds that a toast stays; one that takes something back leaves more time. */
const stay = ({ undo, isBad }: Toast): number => (undo || isBad ? 12_000 : 5_000);

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
      <span>{toast.text}</span>
      {toast.undo && (
        <Button
          onClick={async () => {
            drop(toast.id);
            await toast.undo?.();
          }}
        >
          {t('common.undo')}
        </Button>
      )}
      <IconButton icon="close" label={t('common.close')} onClick={() => drop(toast.id)} />
    </div>
  );
}

/** Shows what is told, above all else, and reads it out. */
export function Toasts() {
  const box = useRef<HTMLDivElement>(null);
  const newest = toasts.value.at(-1)?.id;
  useEffect(() => {
    // The last that is shown is on top, also of an open dialog.
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
