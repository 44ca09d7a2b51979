import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { navigate, place, setSearch } from '../app/router';
import { may } from '../app/session';
import { useShortcuts } from '../app/shortcuts';
import type { Fault } from '../data/fault';
import { allPages, usePages } from '../data/pages';
import { formatTotal, t } from '../i18n/i18n';
import { nothingText } from '../i18n/nothing';
import { Button, LinkButton } from '../ui/button';
import { PageHead } from '../ui/page';
import { Empty, FaultNote } from '../ui/state';
import { tell } from '../ui/toast';
import { readAddress } from './address';
import { ListBar, UnknownNote } from './bar';
import { ColumnsMenu, shownColumns } from './columns';
import {
  type Conditions,
  type Identified,
  including,
  type ListSpec,
  nameOf,
  type RowAction,
} from './declare';
import { ExportNote, exportList } from './export';
import { BulkBar, Selection } from './selection';
import { ListFoot, Table } from './table';
import { mostInPage } from './window';

/** A part of a screen's own. `reload` reads the list again. */
type Slot = (reload: () => unknown) => ComponentChildren;

/** The parts that a screen may put into a list. */
export interface Slots {
  /** Buttons beside the one that adds a row. */
  readonly head?: Slot;
  /** Between the head and the search. */
  readonly above?: Slot;
  /** In place of the table, unless something is searched or filtered. */
  readonly instead?: Slot | undefined;
}

interface ListProps<Row extends Identified, Condition extends Conditions<Condition>, Field extends string>
  extends Slots {
  readonly list: ListSpec<Row, Condition, Field>;
}

/** The open dialog: of adding a row, or of an action on one. */
type Opened<Row> = { readonly action: RowAction<Row>; readonly row: Row };

/** Reads pages until all rows with some ids are read. */
async function* pick<Row extends Identified>(
  pages: AsyncGenerator<readonly Row[], Fault | undefined>,
  only: ReadonlySet<string>,
): AsyncGenerator<readonly Row[], Fault | undefined> {
  let left = only.size;
  while (left > 0) {
    const page = await pages.next();
    if (page.done) return page.value;
    const wanted = page.value.filter(({ id }) => only.has(id));
    left -= wanted.length;
    yield wanted;
  }
  return undefined;
}

/** Loads a declared list as the address asks for it, and renders its parts. */
function useList<Row extends Identified, Condition extends Conditions<Condition>, Field extends string>({
  list: spec,
  above,
  instead: whole,
}: ListProps<Row, Condition, Field>) {
  const { path, search } = place.value;
  const { term, condition, order, set, unknown } = readAddress(search, spec);
  const shown = shownColumns(spec.name, spec.columns);
  const shownKey = shown.columns.map(nameOf).join();
  const columns = useMemo(() => shown.columns, [spec, shownKey]);
  const asked = { filter: condition, orderBy: order };
  const variables = { ...asked, ...including(columns) };
  const list = usePages(spec.operation, variables, (data) => data.list);
  const selection = useMemo(() => new Selection(), []);
  const [opened, open] = useState<Opened<Row> | 'adding'>();
  const { rows, total, reload } = list;
  const { add, hrefOf, bulkActions = [], filters = [] } = spec;
  const canAdd = add?.isAllowed() === true;
  const canSelect = bulkActions.length > 0 && may('WRITE');

  const question = search.toString();
  useEffect(() => selection.clear(), [question, selection]);
  const startAdding = () => {
    if (add?.href) navigate(add.href);
    else open('adding');
  };
  const isNew = search.has('new');
  useEffect(() => {
    if (!isNew) return;
    setSearch({ new: undefined });
    if (canAdd) startAdding();
  }, [isNew]);
  useShortcuts({
    j: () => selection.move(1, rows.length),
    k: () => selection.move(-1, rows.length),
    ArrowDown: () => selection.move(1, rows.length),
    ArrowUp: () => selection.move(-1, rows.length),
    x: (event) =>
      canSelect &&
      selection.toggle(
        rows.map(({ id }) => id),
        selection.at.peek(),
        event.shiftKey,
      ),
    Enter: () => {
      const row = rows[selection.at.peek()];
      if (row && hrefOf) navigate(hrefOf(row));
    },
    Escape: () => selection.clear(),
    n: () => canAdd && startAdding(),
  });
  const isLong = rows.length > mostInPage;
  useEffect(() => {
    if (!isLong) return;
    // The browser finds text only in rows that the page has, so its key leads to the search once.
    const find = (event: KeyboardEvent) => {
      const field = document.querySelector<HTMLElement>('main .termfield input');
      if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || document.activeElement === field) return;
      event.preventDefault();
      field?.focus();
      tell(t('list.find_whole'));
    };
    document.addEventListener('keydown', find);
    return () => document.removeEventListener('keydown', find);
  }, [isLong]);
  const count = useComputed(() => selection.ids.value.size).value;
  const ids = selection.ids.peek();
  const chosen = count > 0 ? rows.filter(({ id }) => ids.has(id)) : [];

  const addButton =
    canAdd &&
    add &&
    (add.href ? (
      <LinkButton href={add.href} weight="first" icon="plus">
        {t(add.label)}
      </LinkButton>
    ) : (
      <Button weight="first" icon="plus" onClick={startAdding}>
        {t(add.label)}
      </Button>
    ));
  const isFiltered = set.length > 0 || term !== undefined;
  const instead = isFiltered ? undefined : whole;
  const isEmpty = !list.isFirst && !list.isStale && !list.fault && rows.length === 0;
  const close = () => open(undefined);
  const done = () => {
    close();
    void reload();
  };
  const acting = opened === 'adding' ? undefined : opened;
  const ActionDialog = acting?.action.Dialog;
  const act = (action: RowAction<Row>, row: Row) => {
    if (action.Dialog) open({ action, row });
    else action.run?.(row);
  };
  const every = { ...asked, ...including(spec.columns) };
  const read = (signal: AbortSignal) => allPages(spec.operation, every, (data) => data.list, signal);
  /** Saves the rows with some ids as a file, or else all. */
  function save(only?: ReadonlySet<string>) {
    const columns = spec.columns.map((column) => ({ ...column, head: t(column.label) }));
    void exportList(spec.name, columns, only ? (signal) => pick(read(signal), only) : read);
  }
  const body = (barButtons: ComponentChildren) => (
    <>
      {above?.(reload)}
      <ListBar
        name={spec.name}
        filters={filters}
        set={set}
        columns={instead ? null : <ColumnsMenu list={spec.name} all={spec.columns} shown={columns} />}
        chosen={shown.names}
        onExport={() => save()}
      >
        {barButtons}
      </ListBar>
      <ExportNote />
      <UnknownNote
        unknown={unknown}
        columns={shown.unknown}
        onForget={() => shown.unknown.length > 0 && shown.forget()}
      />
      {list.fault && <FaultNote fault={list.fault} onRetry={reload} />}
      {isEmpty && isFiltered && (
        <Empty
          icon="search"
          title={t(spec.empty.notFound ?? 'common.nothing_found')}
          text={set.length === 0 && term ? nothingText(term) : t('list.none_found_text')}
        >
          <Button onClick={() => navigate(path)}>{t('list.clear_filters')}</Button>
        </Empty>
      )}
      {isEmpty && !isFiltered && (
        <Empty
          icon={spec.empty.icon}
          title={t(spec.empty.title)}
          {...(spec.empty.text && { text: t(spec.empty.text) })}
        >
          {addButton}
        </Empty>
      )}
      {!isEmpty && instead?.(reload)}
      {!instead && (list.isFirst || rows.length > 0) && (
        <>
          <Table
            name={spec.name}
            title={t(spec.title)}
            rows={rows}
            columns={columns}
            hrefOf={hrefOf}
            actions={spec.rowActions}
            onAct={act}
            order={order[0]}
            ownOrder={spec.order[0]}
            total={total}
            isFirst={list.isFirst}
            isStale={list.isStale}
            selection={selection}
            canSelect={canSelect}
            reload={reload}
          />
          <ListFoot list={list} />
        </>
      )}
      {canSelect && (
        <BulkBar
          rows={chosen}
          lost={count - chosen.length}
          actions={bulkActions}
          others={list.hasMore && chosen.length === rows.length && total ? formatTotal(total) : undefined}
          isLoading={list.isLoadingMore}
          onChooseAll={async () => {
            const all = await list.all();
            if (all) selection.choose(all.map(({ id }) => id));
          }}
          onExport={() => save(ids)}
          onClear={() => selection.clear()}
          onDone={() => {
            selection.returnTo = rows.findIndex(({ id }) => ids.has(id));
            selection.clear();
          }}
        />
      )}
      {opened === 'adding' && add?.Dialog && <add.Dialog onClose={close} onDone={done} reload={reload} />}
      {acting && ActionDialog && (
        // The dialog stays, and what is typed there, if the row is no longer in the list.
        <ActionDialog
          row={rows.find(({ id }) => id === acting.row.id) ?? acting.row}
          onClose={close}
          onDone={done}
          reload={reload}
        />
      )}
    </>
  );
  return { total, reload, isEmpty, addButton, body };
}

/** Renders a declared list as a screen, with its title, number and buttons above. */
export function ListScreen<
  Row extends Identified,
  Condition extends Conditions<Condition>,
  Field extends string,
>(props: ListProps<Row, Condition, Field>) {
  const { total, reload, addButton, body } = useList(props);
  return (
    <>
      <PageHead
        title={t(props.list.title)}
        beside={total && <span class="soft num">{formatTotal(total)}</span>}
      >
        {props.head?.(reload)}
        {addButton}
      </PageHead>
      <div class="stack">{body(null)}</div>
    </>
  );
}

/** Renders a declared list as a part of a screen, with buttons in its bar. */
export function ListPart<
  Row extends Identified,
  Condition extends Conditions<Condition>,
  Field extends string,
>(props: ListProps<Row, Condition, Field>) {
  const { isEmpty, addButton, body } = useList(props);
  return <div class="stack">{body(!isEmpty && addButton)}</div>;
}
