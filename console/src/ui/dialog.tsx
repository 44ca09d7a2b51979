import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Outcome } from '../data/client';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Button, IconButton } from './button';
import { focusFirst } from './field';
import { tell, tellFault } from './toast';

interface RemovalDialogProps {
  readonly title: string;
  readonly text: string;
  /** Label of the button that removes. By default, it is "Delete". */
  readonly action?: string;
  /** Message after the removal. */
  readonly gone: string;
  /** Removes it. Returns undefined if the person has given up confirming who they are. */
  readonly send: () => Promise<Outcome<unknown> | undefined>;
  readonly onDone: () => unknown;
  readonly onClose: () => void;
}

/** Asks before something is removed that cannot be restored from the bin. */
export function RemovalDialog({
  title,
  text,
  action = t('common.delete'),
  gone,
  send,
  onDone,
  onClose,
}: RemovalDialogProps) {
  async function remove() {
    const outcome = await send();
    if (!outcome) return;
    if (!outcome.ok) return tellFault(outcome.fault);
    tell(gone);
    onDone();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p>{text}</p>
        <div class="line">
          <Button weight="bad" icon="trash" onClick={remove}>
            {action}
          </Button>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
        </div>
      </div>
    </Dialog>
  );
}

interface DialogProps {
  readonly title: string;
  /** Without it, only the dialog's content closes it. */
  readonly onClose?: () => void;
  readonly isLarge?: boolean;
  readonly children: ComponentChildren;
}

/** Renders an open dialog. Escape, its close button and a click beside it close it. */
export function Dialog({ title, onClose, isLarge = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    const before = document.activeElement;
    shown?.showModal();
    // Not the close button, which comes first.
    focusFirst(shown);
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isLarge ? 'dialog large' : 'dialog'}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onMouseDown={({ target, currentTarget }) => target === currentTarget && onClose?.()}
    >
      <div class="body">
        <div class="line far">
          <h2 id={id}>{shownName(title)}</h2>
          {onClose && <IconButton icon="close" label={t('common.close')} onClick={onClose} />}
        </div>
        {children}
      </div>
    </dialog>
  );
}
