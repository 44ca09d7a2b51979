import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { t } from '../i18n/i18n';
import { Button, IconButton } from '../ui/button';
import { Menu, MenuAction } from '../ui/menu';
import { useIsNarrow } from '../ui/narrow';
import type { BulkAction } from './declare';

/** Selected rows, and the row with the keyboard focus. Each row subscribes only to its own state. */
export class Selection {
  readonly ids = signal<ReadonlySet<string>>(new Set());
  /** The focused position in the list; -1 before the keyboard is used. */
  readonly at = signal(-1);
  /** Scrolls to a row that the page does not have, as in a long list. */
  reveal: (at: number) => void = () => {};
  /** The row that gets the focus after a bulk action; -1 for none. */
  returnTo = -1;
  #last = -1;

  /** Selects or deselects a row, or all rows since the last one. */
  toggle(all: readonly string[], at: number, isRange = false): void {
    const id = all[at];
    if (id === undefined) return;
    const ids = new Set(this.ids.peek());
    const chosen = !ids.has(id);
    const [from, until] = isRange && this.#last >= 0 ? [this.#last, at].sort((a, b) => a - b) : [at, at];
    for (const other of all.slice(from, (until ?? at) + 1)) {
      if (chosen) ids.add(other);
      else ids.delete(other);
    }
    this.#last = at;
    this.ids.value = ids;
  }

  /** Selects all rows, or none if all are selected. */
  toggleAll(all: readonly string[]): void {
    const ids = this.ids.peek();
    this.ids.value = all.every((id) => ids.has(id)) ? new Set() : new Set(all);
  }

  /** Selects exactly these rows. */
  choose(all: readonly string[]): void {
    this.ids.value = new Set(all);
  }

  clear(): void {
    if (this.ids.peek().size > 0) this.ids.value = new Set();
    this.#last = -1;
  }

  /** Moves the focus by some rows, and scrolls to it. */
  move(step: number, count: number): void {
    this.at.value = Math.max(0, Math.min(count - 1, this.at.peek() + step));
    const row = document.querySelector(`[data-index="${this.at.peek()}"]`);
    if (row) row.scrollIntoView({ block: 'nearest' });
    else this.reveal(this.at.peek());
  }
}

interface BulkBarProps<Row> {
  readonly rows: readonly Row[];
  /** The number of selected rows that are no longer in the list. Nothing is done with them. */
  readonly lost: number;
  readonly actions: readonly BulkAction<Row>[];
  /** The number of rows that match, if not all of them are selected. */
  readonly others: string | undefined;
  readonly isLoading: boolean;
  readonly onChooseAll: () => void;
  /** Saves the selected rows as a file. Without it, there is no button for that. */
  readonly onExport?: () => void;
  readonly onClear: () => void;
  /** Ends the selection after an action. By default, it is only cleared. */
  readonly onDone?: () => void;
}

/** Renders what can be done with the selected rows. In a narrow window, all but the first is in a menu. */
export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { rows, lost, actions, others, isLoading, onChooseAll, onExport, onClear, onDone = onClear } = props;
  const [open, setOpen] = useState<BulkAction<Row>>();
  const isNarrow = useIsNarrow();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onDone();
  };
  if (rows.length + lost === 0) return null;
  const chosen = t('list.chosen', { n: rows.length });
  const possible = [
    ...actions.map((action) => ({
      icon: action.icon,
      label: t(action.label(rows)),
      onClick: async () => {
        if (action.Dialog) setOpen(action);
        else if (await action.run?.(rows)) onDone();
      },
    })),
    ...(onExport ? [{ icon: 'download' as const, label: t('common.export_csv'), onClick: onExport }] : []),
  ].slice(0, rows.length > 0 ? undefined : 0);
  const [first, ...rest] = possible;
  const [shown, inMenu] = isNarrow && first ? [[first], rest] : [possible, []];
  const chooseAll = others !== undefined && t('list.choose_matching', { n: others });
  return (
    <section class="bulkbar" aria-label={chosen}>
      <span class="strong grow">{chosen}</span>
      {lost > 0 && (
        <span class="small" role="status">
          {t('list.lost', { n: lost })}
        </span>
      )}
      {chooseAll && !isNarrow && (
        <Button weight="bare" onClick={onChooseAll} isBusy={isLoading}>
          {chooseAll}
        </Button>
      )}
      {shown.map(({ icon, label, onClick }) => (
        <Button key={icon} icon={icon} onClick={onClick}>
          {label}
        </Button>
      ))}
      {(inMenu.length > 0 || (chooseAll && isNarrow)) && (
        <Menu label={t('common.more')} icon="more" isSquare>
          {(closeMenu) => {
            const choose = (act: () => unknown) => () => {
              closeMenu();
              return act();
            };
            return (
              <>
                {chooseAll && (
                  <MenuAction icon="check" onClick={choose(onChooseAll)}>
                    {chooseAll}
                  </MenuAction>
                )}
                {inMenu.map(({ icon, label, onClick }) => (
                  <MenuAction key={icon} icon={icon} onClick={choose(onClick)}>
                    {label}
                  </MenuAction>
                ))}
              </>
            );
          }}
        </Menu>
      )}
      {isNarrow ? (
        <IconButton icon="close" label={t('list.clear_choice')} onClick={onClear} />
      ) : (
        <Button weight="bare" icon="close" onClick={onClear}>
          {t('list.clear_choice')}
        </Button>
      )}
      {open?.Dialog && <open.Dialog rows={rows} onClose={close} onDone={done} />}
    </section>
  );
}
