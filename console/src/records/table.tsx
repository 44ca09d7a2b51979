import type { ComponentChildren } from 'preact';
import { type Key, t } from '../i18n/i18n';
import { shownName } from '../i18n/names';
import { Icon } from '../ui/icon';
import { Bone } from '../ui/state';
import { type Order, toggleOrder } from './order';

/** A column of a list: its text on the screen and in a file. */
export interface Column<Row> {
  readonly label: Key;
  /** The gateway's field to order by. */
  readonly order?: string;
  readonly text: (row: Row) => string | number | null | undefined;
  /** Renders the cell if text is not enough. */
  readonly draw?: (row: Row) => ComponentChildren;
  /** Its layout. A phone hides `roomy`, and gives `below` a line of its own; `figure` is at the end. */
  readonly class?: string;
  /** Limits the column to the screen, such as for buttons, or to a file. */
  readonly only?: 'screen' | 'file';
}

interface TableProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly hrefOf?: (row: Row) => string;
  readonly order?: Order;
  readonly isFirst?: boolean;
  readonly isStale?: boolean;
}

function Head<Row>({ column, order }: { readonly column: Column<Row>; readonly order: Order | undefined }) {
  const { label, order: field } = column;
  const isOrder = field !== undefined && order?.field === field;
  return (
    <th
      scope="col"
      class={column.class}
      aria-sort={isOrder ? (order.direction === 'DESC' ? 'descending' : 'ascending') : undefined}
    >
      {field && order ? (
        <button type="button" onClick={() => toggleOrder(order, field)}>
          {t(label)}
          {isOrder && <Icon name={order.direction === 'DESC' ? 'down' : 'up'} />}
        </button>
      ) : (
        t(label)
      )}
    </th>
  );
}

const boneWidths = ['62%', '48%', '70%', '55%', '40%', '66%'];

/** Renders records as a table, which a narrow window shows as cards. The first column has their names. */
export function RecordTable<Row extends { readonly id: string }>(props: TableProps<Row>) {
  const { title, rows, hrefOf, order, isFirst = false, isStale = false } = props;
  const columns = props.columns.filter(({ only }) => only !== 'file');
  const [name, ...others] = columns;
  const cell = (column: Column<Row>, row: Row) => column.draw?.(row) ?? column.text(row);
  const nameCell = (column: Column<Row>, row: Row) =>
    column.draw?.(row) ?? shownName(String(column.text(row) ?? ''));
  return (
    <div class="tablebox">
      <table
        class={isStale && !isFirst ? 'table recordtable stale' : 'table recordtable'}
        aria-busy={isFirst || isStale}
      >
        <caption class="unseen">{title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.label} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody>
          {isFirst
            ? boneWidths.map((width) => (
                <tr key={width}>
                  <th scope="row">
                    <Bone width={width} />
                  </th>
                  {others.map((column) => (
                    <td key={column.label} class={column.class} />
                  ))}
                </tr>
              ))
            : rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    {name && (hrefOf ? <a href={hrefOf(row)}>{nameCell(name, row)}</a> : nameCell(name, row))}
                  </th>
                  {others.map((column) => (
                    <td key={column.label} class={column.class}>
                      {cell(column, row)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}
