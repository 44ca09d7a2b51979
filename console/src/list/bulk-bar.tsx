import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import type { BulkAction } from './declare';

interface BulkBarProps<Row> {
  readonly rows: readonly Row[];
  readonly actions: readonly BulkAction<Row>[];
  /** The number of rows that match, if not all of them are selected. */
  readonly others: number | undefined;
  readonly isLoading: boolean;
  readonly onChooseAll: () => void;
  readonly onClear: () => void;
}

/** Renders what can be done with the selected rows. */
export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { rows, actions, others, isLoading, onChooseAll, onClear } = props;
  const [open, setOpen] = useState<BulkAction<Row>>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onClear();
  };
  if (rows.length === 0) return null;
  const chosen = t('items.chosen', { n: rows.length });
  return (
    <section class="bulkbar" aria-label={chosen}>
      <span class="strong">{chosen}</span>
      {others !== undefined && (
        <Button weight="bare" onClick={onChooseAll} isBusy={isLoading}>
          {t('items.choose_matching', { n: others })}
        </Button>
      )}
      {actions.map((action) => (
        <Button
          key={action.icon}
          icon={action.icon}
          onClick={async () => {
            if (action.Dialog) setOpen(action);
            else if (await action.run?.(rows)) onClear();
          }}
        >
          {t(action.label(rows))}
        </Button>
      ))}
      <Button weight="bare" icon="close" onClick={onClear}>
        {t('items.clear_choice')}
      </Button>
      {open?.Dialog && <open.Dialog rows={rows} onClose={close} onDone={done} />}
    </section>
  );
}
