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
import { t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import { Grid, type GridCell } from '../../ui/grid/grid';
import { Icon } from '../../ui/icon';
import {
  cellText,
  holderOf,
  type Matrix,
  type MatrixRow,
  nameOfColumn,
  type RequirementColumn,
  stateOfRow,
} from './cells';

/** Returns the address of a cell's item, or of the form for a missing one. */
function addressOfCell(row: MatrixRow, required: RequirementColumn, check: Check | undefined) {
  const address = check && itemAddress(check);
  if (address) return address;
  return check && isLacking(check) && may('WRITE') ? addingAddress(holderOf(row), required) : undefined;
}

/** Renders a record's name and state. */
function HolderCell({ row }: { readonly row: MatrixRow }) {
  const state = stateOfRow(row);
  const { icon, urgency } = stateLooks[state];
  return (
    <span class="matrixcell">
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
  readonly required: RequirementColumn;
  readonly check: Check | undefined;
}

/** Renders a requirement's state and date. It links to the item, or to the form for one. */
function CheckCell({ row, required, check }: CellProps) {
  if (!check)
    return (
      <span class="soft">
        –<span class="unseen">{t('compliance.does_not_apply')}</span>
      </span>
    );
  const { icon, urgency } = lookOf(check);
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
      <a class="matrixcell" tabIndex={-1} href={address} title={shownName(check.item.name)}>
        {state}
        <span class="soft small num">{date}</span>
      </a>
    );
  }
  return (
    <span class="matrixcell">
      {state}
      {address ? (
        <a class="small" tabIndex={-1} href={address}>
          {t('compliance.add_paper')}
        </a>
      ) : (
        <span class="soft small num">{date}</span>
      )}
    </span>
  );
}

/** Renders records as rows and requirements as columns. Enter opens a cell's item, or the form for a new one. */
export function MatrixGrid({
  kind,
  rows,
  required,
  checkAt,
  onEnd,
}: Matrix & { readonly onEnd: () => void }) {
  function cellAt(at: number, column: number): GridCell {
    const row = rows[at];
    const requirement = required[column - 1];
    if (!row) return { text: '' };
    if (!requirement) return { text: shownName(row.name), content: <HolderCell row={row} /> };
    const check = checkAt(row, requirement);
    const content = <CheckCell row={row} required={requirement} check={check} />;
    return { text: cellText(check), content };
  }
  return (
    <Grid
      title={`${t('compliance.title')}: ${t(`requirements.${kind}`)}`}
      rowHeight={56}
      rows={rows.length}
      columns={[
        { name: 'holder', label: t(`requirements.${kind}`), width: 230 },
        ...required.map((column) => ({
          name: column.id,
          label: nameOfColumn(column, required),
          width: 150,
        })),
      ]}
      cellAt={cellAt}
      onEnd={onEnd}
      onOpen={({ row: at, column }) => {
        const row = rows[at];
        const requirement = required[column - 1];
        if (!row) return;
        const address = requirement
          ? addressOfCell(row, requirement, checkAt(row, requirement))
          : addressOf(row.holderKind, row.holderId);
        if (address) navigate(address);
      }}
    />
  );
}
