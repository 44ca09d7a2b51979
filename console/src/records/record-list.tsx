import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { navigate, place, setSearch } from '../app/router';
import { may } from '../app/session';
import { useShortcuts } from '../app/shortcuts';
import type { Operation } from '../data/operation';
import { type Page, usePages } from '../data/pages';
import { resources } from '../generated/resources';
import { formatNumber, t } from '../i18n/i18n';
import { LinkButton } from '../ui/button';
import { Check } from '../ui/field';
import { PageHead } from '../ui/page';
import { Empty, FaultNote } from '../ui/state';
import { ListFoot } from './list-foot';
import { readOrder } from './order';
import { type ListType, recordAddress } from './record-type';
import './records.css';
import { SaveButton, SavingNote } from './save';
import { type Column, RecordTable } from './table';

interface ListVariables {
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own filter; the gateway checks it.
  filter?: any;
  // biome-ignore lint/suspicious/noExplicitAny: each list has its own order; the gateway checks it.
  orderBy?: any;
  first?: number | null;
  after?: string | null;
}

interface RecordListProps<Row> {
  readonly type: ListType;
  readonly operation: Operation<{ readonly list: Page<Row> }, ListVariables>;
  readonly columns: readonly Column<Row>[];
  /** Content in place of the table. */
  readonly instead?: ComponentChildren;
}

/** Renders the field that filters a list by a text. It waits a moment after typing (debouncing). */
export function SearchField() {
  const shown = place.value.search.get('q') ?? '';
  const [typed, setTyped] = useState(shown);
  useEffect(() => setTyped(shown), [shown]);
  useEffect(() => {
    if (typed === shown) return;
    const timer = setTimeout(() => setSearch({ q: typed }), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <input
      class="input"
      type="search"
      aria-label={t('items.find')}
      placeholder={t('items.find')}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}

function AddButton({ type }: { readonly type: ListType }) {
  if (!may('WRITE')) return null;
  return (
    <LinkButton href={recordAddress(type, 'new')} weight="first" icon="plus">
      {t(type.add)}
    </LinkButton>
  );
}

/** Returns the filter that leaves out what is retired. */
function inUseOf({ kind }: ListType): Readonly<Record<string, boolean>> | undefined {
  const facts = resources[kind];
  if (!('retired' in facts)) return undefined;
  return Object.fromEntries(Object.entries(facts.retired).map(([field, when]) => [field, !when]));
}

/** Renders a list of records, which can be searched, ordered, and saved as a file. */
export function RecordList<Row extends { readonly id: string }>(props: RecordListProps<Row>) {
  const { type, operation, columns, instead } = props;
  const inUse = inUseOf(type);
  const { search } = place.value;
  const term = search.get('q')?.trim() || undefined;
  const isAll = search.has('all');
  const order = readOrder(
    search,
    columns.map((column) => column.order),
  );
  const variables = { filter: { term, ...(isAll ? {} : inUse) }, orderBy: [order] };
  const list = usePages(operation, variables, (data) => data.list);
  useShortcuts({ n: () => may('WRITE') && navigate(recordAddress(type, 'new')) });
  const isEmpty = !list.isFirst && !list.isStale && !list.fault && list.rows.length === 0;
  return (
    <>
      <PageHead
        title={t(type.title)}
        beside={
          list.totalCount !== undefined && <span class="soft num">{formatNumber(list.totalCount)}</span>
        }
      >
        <AddButton type={type} />
      </PageHead>
      <div class="stack">
        <div class="listbar">
          <SearchField />
          {inUse && (
            <Check
              label={t('items.with_archived')}
              checked={isAll}
              onChange={(all) => setSearch({ all: all ? '1' : undefined })}
            />
          )}
          <SaveButton
            name={type.folder.slice(1)}
            columns={columns}
            operation={operation}
            variables={variables}
          />
        </div>
        <SavingNote />
        {list.fault && <FaultNote fault={list.fault} onRetry={list.reload} />}
        {isEmpty &&
          (term ? (
            <Empty icon="search" title={t('common.nothing_found')} text={t('common.search_none', { term })} />
          ) : (
            <Empty icon={type.icon} title={t(type.empty)} text={t(type.emptyText)}>
              <AddButton type={type} />
            </Empty>
          ))}
        {!isEmpty && instead}
        {!instead && (list.isFirst || list.rows.length > 0) && (
          <RecordTable
            title={t(type.title)}
            rows={list.rows}
            columns={columns}
            hrefOf={({ id }) => recordAddress(type, id)}
            order={order}
            isFirst={list.isFirst}
            isStale={list.isStale}
          />
        )}
        {!instead && <ListFoot list={list} />}
      </div>
    </>
  );
}
