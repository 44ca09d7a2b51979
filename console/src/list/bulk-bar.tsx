import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button } from '../ui/button';
import type { BulkAction } from './declare';

interface BulkBarProps<Row> {
  readonly rows: readonly Row[];
  /** The number of selected rows that are no longer in the list. Nothing is done with them. */
  readonly lost: number;
  readonly actions: readonly BulkAction<Row>[];
  /** The number of rows that match, if not all of them are selected. */
  readonly others: number | undefined;
  readonly isLoading: boolean;
  readonly onChooseAll: () => void;
  readonly onClear: () => void;
}

/** Renders what can be done with the selected rows. */
export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { rows, lost, actions, others, isLoading, onChooseAll, onClear } = props;
  const [open, setOpen] = useState<BulkAction<Row>>();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onClear();
  };
  if (rows.length + lost === 0) return null;
  const chosen = t('list.chosen', { n: rows.length });
  return (
    <section class="bulkbar" aria-label={chosen}>
      <span class="strong">{chosen}</span>
      {lost > 0 && (
        <span class="small" role="status">
          {t('list.lost', { n: lost })}
        </span>
      )}
      {others !== undefined && (
        <Button weight="bare" onClick={onChooseAll} isBusy={isLoading}>
          {t('list.choose_matching', { n: others })}
        </Button>
      )}
      {(rows.length > 0 ? actions : []).map((action) => (
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
        {t('list.clear_choice')}
      </Button>
      {open?.Dialog && <open.Dialog rows={rows} onClose={close} onDone={done} />}
    </section>
  );
}
