import { formatDay, today } from '../../i18n/dates';
import { t } from '../../i18n/i18n';
import { joinNames, shownName } from '../../i18n/names';
import { cellText, type Matrix, nameOfColumn, stateOfRow } from './cells';

/** Renders all rows that are loaded as a plain table, for paper. */
export function PrintedMatrix({ kind, rows, columns, checkAt }: Matrix) {
  return (
    <table class="printedmatrix">
      <caption>{joinNames(t('compliance.title'), t(`requirements.${kind}`), formatDay(today()))}</caption>
      <thead>
        <tr>
          <th scope="col">{t('fields.name')}</th>
          <th scope="col">{t('fields.status')}</th>
          {columns.map((column) => (
            <th key={column.id} scope="col">
              {nameOfColumn(column, columns)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">{shownName(row.name)}</th>
            <td>{t(`compliance.state_${stateOfRow(row)}`)}</td>
            {columns.map((column) => (
              <td key={column.id}>{cellText(checkAt(row, column)) || '–'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
