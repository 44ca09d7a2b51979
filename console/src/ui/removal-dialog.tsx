import type { Outcome } from '../data/client';
import { t } from '../i18n/i18n';
import { Button } from './button';
import { Dialog } from './dialog';
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
