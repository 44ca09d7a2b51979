import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { navigate, place } from '../../app/router';
import { may } from '../../app/session';
import { isLacking, wantedOf } from '../../compliance/checks';
import { StickersDialog } from '../../compliance/stickers';
import type { VariablesOf } from '../../data/client';
import { allPages, type Pages } from '../../data/pages';
import { ComplianceMatrix } from '../../generated/operations/compliance';
import type { CompliancesFilter, HolderKind } from '../../generated/types';
import { formatDay } from '../../i18n/dates';
import { formatTotal, t } from '../../i18n/i18n';
import type { readAddress } from '../../list/address';
import { ListBar, UnknownNote } from '../../list/bar';
import type { BulkAction, Filter } from '../../list/declare';
import { ExportNote, exportList, type FileColumn } from '../../list/export';
import { BulkBar, Selection } from '../../list/selection';
import { ListFoot } from '../../list/table';
import { useIsPrinting } from '../../list/window';
import { AskDialog } from '../../requests/ask';
import type { Wanted } from '../../requests/people';
import { Button, IconButton } from '../../ui/button';
import { useIsNarrow } from '../../ui/narrow';
import { Bones, Empty } from '../../ui/state';
import { Cards } from './cards';
import {
  cellText,
  columnsOf,
  holderOf,
  type Matrix,
  type MatrixRow,
  nameOfColumn,
  type RequirementColumn,
  stateOfRow,
} from './cells';
import { MatrixGrid } from './matrix';
import { PrintedMatrix } from './printed';

/** Lists the documents that records lack, to ask for them. */
const lackingIn = (rows: readonly MatrixRow[], required: readonly RequirementColumn[]): readonly Wanted[] =>
  rows.flatMap((row) =>
    (row.compliance?.requirements ?? []).flatMap((check) => {
      const column = required.find(({ id }) => id === check.requirementId);
      return (column && isLacking(check) && wantedOf(holderOf(row), check, column)) || [];
    }),
  );

interface MatrixListProps {
  readonly kind: HolderKind;
  readonly required: readonly RequirementColumn[];
  readonly filters: readonly Filter<CompliancesFilter>[];
  readonly asked: ReturnType<typeof readAddress<MatrixRow, CompliancesFilter, string>>;
  readonly list: Pages<MatrixRow>;
  readonly variables: VariablesOf<typeof ComplianceMatrix>;
}

/** Renders filters, and the records as a matrix; a narrow window has cards. */
export function MatrixList({ kind, required, filters, asked, list, variables }: MatrixListProps) {
  const isPrinting = useIsPrinting();
  const isNarrow = useIsNarrow();
  const { rows } = list;
  const columns = useMemo(() => columnsOf(required), [required]);
  const columnOf = useMemo(
    () => new Map(columns.flatMap((column) => column.of.map(({ id }) => [id, column.id] as const))),
    [columns],
  );
  const checks = useMemo(() => {
    const checksOf = ({ id, compliance }: MatrixRow) =>
      compliance?.requirements.map(
        (check) => [`${id} ${columnOf.get(check.requirementId)}`, check] as const,
      ) ?? [];
    return new Map(rows.flatMap(checksOf));
  }, [rows, columnOf]);
  const checkAt: Matrix['checkAt'] = (row, { id }) => checks.get(`${row.id} ${id}`);
  const matrix: Matrix = { kind, rows, columns, checkAt };
  const inBar = filters.filter(({ type }) => type !== 'tabs');
  const file: readonly FileColumn<MatrixRow>[] = [
    { head: t('fields.name'), text: ({ name }) => name },
    { head: t('fields.status'), text: (row) => t(`compliance.state_${stateOfRow(row)}`) },
    {
      head: t('compliance.lasts_until'),
      text: ({ compliance }) => (compliance?.until ? formatDay(compliance.until) : ''),
    },
    ...columns.map((column) => ({
      head: nameOfColumn(column, columns),
      text: ({ compliance }: MatrixRow) =>
        cellText(
          compliance?.requirements.find(({ requirementId }) => columnOf.get(requirementId) === column.id),
        ),
    })),
  ];
  const selection = useMemo(() => new Selection(), []);
  const question = JSON.stringify(variables);
  useEffect(() => selection.clear(), [question]);
  const count = useComputed(() => selection.ids.value.size).value;
  const ids = selection.ids.peek();
  const chosen = count > 0 ? rows.filter(({ id }) => ids.has(id)) : [];
  const askFor = useMemo((): BulkAction<MatrixRow> => {
    const Dialog: BulkAction<MatrixRow>['Dialog'] = ({ rows: asked, onClose, onDone }) => (
      <AskDialog wanted={lackingIn(asked, required)} onClose={onClose} onDone={onDone} />
    );
    return { icon: 'send', label: () => 'requests.ask_title', Dialog };
  }, [required]);
  const makeStickers = useMemo((): BulkAction<MatrixRow> => {
    const Dialog: BulkAction<MatrixRow>['Dialog'] = ({ rows: stuck, onClose }) => (
      <StickersDialog kind={kind} ids={stuck.map(({ holderId }) => holderId)} onClose={onClose} />
    );
    return { icon: 'print', label: () => 'stickers.many', Dialog };
  }, [kind]);
  const isEmpty = rows.length === 0 && !list.isFirst && !list.isStale && !list.fault;
  const print = async () => {
    await list.all();
    window.print();
  };
  return (
    <>
      <ListBar
        name="compliance"
        filters={inBar}
        set={asked.set}
        columns={<IconButton icon="print" weight="plain" label={t('compliance.print')} onClick={print} />}
        chosen={undefined}
        onExport={() =>
          void exportList('compliance', file, (signal) =>
            allPages(ComplianceMatrix, variables, (data) => data.list, signal),
          )
        }
      />
      <ExportNote />
      <UnknownNote unknown={asked.unknown} />
      {list.isFirst && <Bones rows={8} />}
      {isEmpty && (
        <Empty icon="search" title={t('common.nothing_found')} text={t('list.none_found_text')}>
          <Button onClick={() => navigate(`${place.peek().path}?kind=${kind}`)}>
            {t('list.clear_filters')}
          </Button>
        </Empty>
      )}
      {rows.length > 0 && (
        <div class={list.isStale ? 'stale' : undefined}>
          {isPrinting ? (
            <PrintedMatrix {...matrix} />
          ) : isNarrow ? (
            <Cards {...matrix} selection={selection} />
          ) : (
            <MatrixGrid
              {...matrix}
              total={list.total}
              selection={selection}
              onEnd={() => {
                if (list.hasMore && !list.isLoadingMore && !list.isStale) void list.more();
              }}
            />
          )}
          <ListFoot list={list} />
        </div>
      )}
      {may('WRITE') && (
        <BulkBar
          rows={chosen}
          lost={count - chosen.length}
          actions={[askFor, makeStickers]}
          others={
            list.hasMore && chosen.length === rows.length && list.total ? formatTotal(list.total) : undefined
          }
          isLoading={list.isLoadingMore}
          onChooseAll={async () => {
            const all = await list.all();
            if (all) selection.choose(all.map(({ id }) => id));
          }}
          onClear={() => selection.clear()}
        />
      )}
    </>
  );
}
