import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { IconButton } from './button';
import { focusFirst } from './field';

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
