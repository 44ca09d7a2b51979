import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Pages } from '../data/pages';
import { ariaRows, language, type Total, t, totalOf } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Button, IconButton } from '../ui/button';
import { Icon } from '../ui/icon';
import { Bone } from '../ui/state';
import { toggleOrder } from './address';
import { type Column, headOf, type Identified, nameOf, type Order, type RowAction } from './declare';
import './list.css';
import type { Selection } from './selection';
import { useShown } from './window';

/** Renders how much of a list is shown, with a button for more. */
export function ListFoot<Row>({ list }: { readonly list: Pages<Row> }) {
  const { rows, total, hasMore, more, isLoadingMore } = list;
  if (rows.length === 0) return null;
  return (
    <div class="line far listfoot">
      <span class="soft small" role="status">
        {t('common.of_total', { shown: rows.length, total: total ?? rows.length })}
      </span>
      {hasMore && (
        <Button onClick={more} isBusy={isLoadingMore}>
          {t('common.more_rows')}
        </Button>
      )}
    </div>
  );
}

interface TableProps<Row, Field extends string> {
  /** The list's name, by which styles and kept heights know it. */
  readonly name?: string;
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row, Field>[];
  readonly hrefOf?: ((row: Row) => string) | undefined;
  readonly actions?: readonly RowAction<Row>[] | undefined;
  readonly onAct?: (action: RowAction<Row>, row: Row) => void;
  /** The order in use, and the list's own. Without them, nothing can be ordered. */
  readonly order?: Order<Field> | undefined;
  readonly ownOrder?: Order<Field> | undefined;
  /** The number of rows, with those that are not loaded. */
  readonly total?: Total | undefined;
  readonly isFirst?: boolean;
  readonly isStale?: boolean;
  /** The selection; without it, nothing can be selected. */
  readonly selection?: Selection | undefined;
  readonly canSelect?: boolean;
  readonly reload?: () => unknown;
}

interface HeadProps<Row, Field extends string> {
  readonly column: Column<Row, Field>;
  readonly order: Order<Field> | undefined;
  readonly ownOrder: Order<Field> | undefined;
}

function Head<Row, Field extends string>({ column, order, ownOrder }: HeadProps<Row, Field>) {
  const { order: field } = column;
  const head = headOf(column);
  const isOrder = field !== undefined && order?.field === field;
  return (
    <th
      scope="col"
      class={column.class}
      aria-sort={isOrder ? (order.direction === 'DESC' ? 'descending' : 'ascending') : undefined}
    >
      {field && order ? (
        <button type="button" onClick={() => toggleOrder(order, column, ownOrder)}>
          {head}
          {isOrder && <Icon name={order.direction === 'DESC' ? 'down' : 'up'} />}
        </button>
      ) : (
        head
      )}
    </th>
  );
}

interface ActionsProps<Row> {
  readonly row: Row;
  readonly name: string;
  readonly actions: readonly RowAction<Row>[];
  readonly onAct: (action: RowAction<Row>, row: Row) => void;
}

function Actions<Row>({ row, name, actions, onAct }: ActionsProps<Row>) {
  return (
    <span class="rowactions">
      {actions.map((action, at) => {
        if (action.isFor?.(row) === false) return null;
        const label = typeof action.label === 'function' ? action.label(row) : action.label;
        return (
          <IconButton
            key={at}
            icon={typeof action.icon === 'function' ? action.icon(row) : action.icon}
            label={`${t(label)}: ${name}`}
            onClick={() => onAct(action, row)}
          />
        );
      })}
    </span>
  );
}

interface RowProps {
  readonly id: string;
  readonly at: number;
  readonly name: string;
  readonly selection: Selection | undefined;
  readonly onToggle: ((at: number, isRange: boolean) => void) | undefined;
  readonly measure: ((row: HTMLTableRowElement | null) => void) | undefined;
  readonly children: ComponentChildren;
}

function Row({ id, at, name, selection, onToggle, measure, children }: RowProps) {
  const isChosen = useComputed(() => selection?.ids.value.has(id) ?? false).value;
  const isAt = useComputed(() => selection?.at.value === at).value;
  return (
    <tr
      ref={measure ?? null}
      data-index={at}
      aria-rowindex={at + 2}
      aria-selected={onToggle ? isChosen : undefined}
      class={isAt ? 'at' : undefined}
    >
      {onToggle && (
        <td class="tickcell">
          <label class="tick">
            <input
              type="checkbox"
              checked={isChosen}
              aria-label={t('list.choose', { name })}
              onClick={(event) => onToggle(at, event.shiftKey)}
            />
          </label>
        </td>
      )}
      {children}
    </tr>
  );
}

/** Renders the tick that selects all rows that are loaded. */
function TickAll({ selection, ids }: { readonly selection: Selection; readonly ids: readonly string[] }) {
  const latest = useRef(ids);
  latest.current = ids;
  const isAll = useComputed(() => {
    const chosen = selection.ids.value;
    return chosen.size > 0 && latest.current.every((id) => chosen.has(id));
  });
  return (
    <td class="tickcell">
      <label class="tick">
        <input
          type="checkbox"
          checked={isAll.value}
          aria-label={t('list.choose_all')}
          onClick={() => selection.toggleAll(latest.current)}
        />
      </label>
    </td>
  );
}

const boneWidths = ['62%', '48%', '70%', '55%', '40%', '66%', '52%', '60%'];

/** Takes the place of rows that the page does not have. */
function Room({ height }: { readonly height: number }) {
  return height > 0 ? (
    <tr class="room">
      <td style={{ blockSize: `${height}px` }} />
    </tr>
  ) : null;
}

/** Gives a bulk action's row the focus back, until somebody presses a key or clicks. */
function useReturn(
  selection: Selection | undefined,
  count: number,
  bodyOf: () => HTMLTableSectionElement | null,
): void {
  useEffect(() => {
    if (!selection) return;
    const forget = () => {
      selection.returnTo = -1;
    };
    document.addEventListener('keydown', forget);
    document.addEventListener('pointerdown', forget);
    return () => {
      document.removeEventListener('keydown', forget);
      document.removeEventListener('pointerdown', forget);
    };
  }, [selection]);
  useEffect(() => {
    if (!selection || selection.returnTo < 0 || document.activeElement !== document.body) return;
    const at = Math.min(selection.returnTo, count - 1);
    bodyOf()?.querySelector<HTMLElement>(`[data-index="${at}"] input`)?.focus();
  });
}

/** Renders rows as a table, which a narrow window shows as cards. The first column has their names. */
export function Table<Row extends Identified, Field extends string>(props: TableProps<Row, Field>) {
  const { name = '', title, rows, hrefOf, actions, onAct, order, ownOrder, total, reload } = props;
  const { isFirst = false, isStale = false, selection, canSelect = false } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const ids = useMemo(() => rows.map(({ id }) => id), [rows]);
  const latest = useRef(ids);
  latest.current = ids;
  const shown = useShown(name, ids, () => body.current);
  if (selection) selection.reveal = shown.reveal;
  useReturn(selection, rows.length, () => body.current);
  const toggle = useRef((at: number, isRange: boolean) =>
    selection?.toggle(latest.current, at, isRange),
  ).current;
  const columns = useMemo(() => props.columns.filter(({ only }) => only !== 'file'), [props.columns]);
  const [first, ...others] = columns;
  const ticks = canSelect && selection !== undefined;
  const act = useRef(onAct);
  act.current = onAct;
  const again = useRef(reload);
  again.current = reload;
  const hasActions = actions !== undefined && actions.length > 0;
  // While nothing of them changes, the same rows are not rendered again.
  const drawn = useMemo(() => {
    const redo = () => again.current?.();
    return rows.slice(shown.from, shown.until).map((row, turn) => {
      const at = shown.from + turn;
      const words = shownName(String(first?.text(row) ?? ''));
      const named = first?.draw?.(row, redo);
      return (
        <Row
          key={row.id}
          id={row.id}
          at={at}
          name={words}
          selection={selection}
          onToggle={ticks ? toggle : undefined}
          measure={shown.measure}
        >
          <th scope="row">{named ?? (hrefOf ? <a href={hrefOf(row)}>{words}</a> : words)}</th>
          {others.map((column) => (
            <td key={nameOf(column)} class={column.class} data-label={headOf(column)}>
              {column.draw?.(row, redo) ?? column.text(row)}
            </td>
          ))}
          {hasActions && (
            <td class="figure">
              <Actions
                row={row}
                name={words}
                actions={actions}
                onAct={(action, of) => act.current?.(action, of)}
              />
            </td>
          )}
        </Row>
      );
    });
  }, [rows, columns, shown.from, shown.until, shown.measure, ticks, hrefOf, actions, language.value]);
  const classes = ['table', `${name}table`, shown.measure && 'long', isStale && !isFirst && 'stale'];
  return (
    <div class="tablebox">
      <table
        class={classes.filter(Boolean).join(' ')}
        style={{ '--columns': String(others.length) }}
        aria-busy={isFirst || isStale}
        aria-rowcount={ariaRows(total ?? totalOf(rows.length))}
      >
        <caption class="unseen">{title}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {ticks && <TickAll selection={selection} ids={ids} />}
            {columns.map((column) => (
              <Head key={nameOf(column)} column={column} order={order} ownOrder={ownOrder} />
            ))}
            {hasActions && (
              <th scope="col" class="figure">
                {t('common.edit')}
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body}>
          <Room height={shown.above} />
          {isFirst
            ? boneWidths.map((width) => (
                <tr key={width}>
                  {ticks && <td class="tickcell" />}
                  <th scope="row">
                    <Bone width={width} />
                  </th>
                  {others.map((column) => (
                    <td key={nameOf(column)} class={column.class} />
                  ))}
                  {hasActions && <td class="figure" />}
                </tr>
              ))
            : drawn}
          <Room height={shown.below} />
        </tbody>
      </table>
    </div>
  );
}
