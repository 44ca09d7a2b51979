import { useComputed } from '@preact/signals';
import { useState } from 'preact/hooks';
import { addressOf } from '../../app/addresses';
import { navigate } from '../../app/router';
import { may } from '../../app/session';
import {
  addingAddress,
  type Check,
  checkText,
  dateText,
  isLacking,
  itemAddress,
  lookOf,
  stateLooks,
} from '../../compliance/checks';
import { CheckDialog } from '../../compliance/details';
import { ariaRows, type Total, t } from '../../i18n/i18n';
import { joinNames, shownName } from '../../i18n/names';
import type { Selection } from '../../list/selection';
import { UnsettledLink, useUnsettled } from '../../requests/received';
import { Grid, type GridCell } from '../../ui/grid/grid';
import { Icon } from '../../ui/icon';
import {
  cellText,
  holderOf,
  type Matrix,
  type MatrixRow,
  nameOfColumn,
  type RequirementColumn,
  requirementOf,
  stateOfRow,
} from './cells';

/** Returns the address of a cell's item, or of the form for a missing one. */
function addressOfCell(row: MatrixRow, required: RequirementColumn, check: Check) {
  const address = itemAddress(check);
  if (address) return address;
  return isLacking(check) && may('WRITE') ? addingAddress(holderOf(row), required) : undefined;
}

interface TickProps {
  readonly row: MatrixRow;
  readonly selection: Selection;
  readonly onToggle: (isRange: boolean) => void;
}

/** Renders the tick that selects a record. In the matrix, the space bar does the same. */
export function Tick({ row, selection, onToggle, isInGrid }: TickProps & { readonly isInGrid?: true }) {
  const isChosen = useComputed(() => selection.ids.value.has(row.id)).value;
  return (
    <label class="tick">
      <input
        type="checkbox"
        checked={isChosen}
        {...(isInGrid && { tabIndex: -1 })}
        aria-label={t('list.choose', { name: shownName(row.name) })}
        onClick={(event) => onToggle(event.shiftKey)}
      />
    </label>
  );
}

/** Renders a record's name and state. */
function HolderCell(props: TickProps) {
  const { row } = props;
  const state = stateOfRow(row);
  const { icon, urgency } = stateLooks[state];
  return (
    <span class={may('WRITE') ? 'matrixcell ticked' : 'matrixcell'}>
      {may('WRITE') && <Tick {...props} isInGrid />}
      <a class="clip" tabIndex={-1} href={addressOf(row.holderKind, row.holderId)}>
        {shownName(row.name)}
      </a>
      <span class={`matrixstate ${urgency}`}>
        <Icon name={icon} />
        {state === 'DUE' ? t('compliance.DUE') : t(`compliance.state_${state}`)}
      </span>
    </span>
  );
}

interface CellProps {
  readonly row: MatrixRow;
  readonly required: RequirementColumn | undefined;
  readonly check: Check | undefined;
  /** The open request for the document. */
  readonly asked: ReturnType<ReturnType<typeof useUnsettled>>;
  /** Shows more about it. */
  readonly onMore: () => void;
}

/** Renders a requirement's state and date. It links to the item, or to the form for one. */
function CheckCell({ row, required, check, asked, onMore }: CellProps) {
  if (!check || !required)
    return (
      <span class="soft">
        –<span class="unseen">{t('compliance.does_not_apply')}</span>
      </span>
    );
  const { icon, urgency } = lookOf(check);
  const more = (
    <button
      type="button"
      class="matrixmore"
      tabIndex={-1}
      aria-label={t('compliance.details', { name: `${shownName(row.name)}, ${shownName(required.name)}` })}
      onClick={onMore}
    >
      <Icon name="more" />
    </button>
  );
  const address = addressOfCell(row, required, check);
  const state = (
    <span class={`matrixstate ${urgency}`}>
      <Icon name={icon} />
      {checkText(check)}
    </span>
  );
  const date = dateText(check);
  if (check.item) {
    return (
      <>
        <a class="matrixcell" tabIndex={-1} href={address} title={shownName(check.item.name)}>
          {state}
          <span class="soft small num">
            {joinNames(date, asked && t(asked.state === 'RECEIVED' ? 'requests.RECEIVED' : 'requests.SENT'))}
          </span>
        </a>
        {more}
      </>
    );
  }
  return (
    <span class="matrixcell">
      {state}
      {asked ? (
        <UnsettledLink of={asked} isInGrid />
      ) : address ? (
        <a class="small" tabIndex={-1} href={address}>
          {t('compliance.add_paper')}
        </a>
      ) : (
        <span class="soft small num">{date}</span>
      )}
      {more}
    </span>
  );
}

/** Renders records as rows and requirements as columns. Enter opens a cell's item, or the form for a new one. */
export function MatrixGrid({
  kind,
  rows,
  total,
  columns,
  checkAt,
  selection,
  onEnd,
}: Matrix & {
  readonly total: Total | undefined;
  readonly selection: Selection;
  readonly onEnd: () => void;
}) {
  const [opened, open] = useState<{ row: MatrixRow; required: RequirementColumn; check: Check }>();
  const unsettled = useUnsettled();
  const toggle = (at: number, isRange = false) =>
    selection.toggle(
      rows.map(({ id }) => id),
      at,
      isRange,
    );
  function cellAt(at: number, column: number): GridCell {
    const row = rows[at];
    const own = columns[column - 1];
    if (!row) return { text: '' };
    if (!own)
      return {
        text: shownName(row.name),
        content: <HolderCell row={row} selection={selection} onToggle={(isRange) => toggle(at, isRange)} />,
      };
    const check = checkAt(row, own);
    const requirement = check && requirementOf(own, check);
    const onMore = () => check && requirement && open({ row, required: requirement, check });
    const asked =
      check && requirement && check.state !== 'MET'
        ? unsettled(holderOf(row), requirement.categories, check.item?.id)
        : undefined;
    const content = (
      <CheckCell row={row} required={requirement} check={check} asked={asked} onMore={onMore} />
    );
    return { text: cellText(check), content };
  }
  return (
    <>
      <Grid
        title={`${t('compliance.title')}: ${t(`requirements.${kind}`)}`}
        rowHeight={56}
        rows={rows.length}
        rowCount={total && ariaRows(total)}
        columns={[
          { name: 'holder', label: t(`requirements.${kind}`), width: 230 },
          ...columns.map((column) => ({
            name: column.id,
            label: nameOfColumn(column, columns),
            width: 150,
          })),
        ]}
        cellAt={cellAt}
        onEnd={onEnd}
        onOpen={({ row: at, column }, isMore) => {
          const row = rows[at];
          const own = columns[column - 1];
          if (!row) return;
          if (!own) {
            if (!isMore) navigate(addressOf(row.holderKind, row.holderId));
            else if (may('WRITE')) toggle(at);
            return;
          }
          const check = checkAt(row, own);
          const requirement = check && requirementOf(own, check);
          if (!check || !requirement) return;
          const address = isMore ? undefined : addressOfCell(row, requirement, check);
          if (address) navigate(address);
          else open({ row, required: requirement, check });
        }}
      />
      <p class="soft small matrixhint">{t('compliance.keys')}</p>
      {opened && (
        <CheckDialog
          holder={holderOf(opened.row)}
          check={opened.check}
          required={opened.required}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}
