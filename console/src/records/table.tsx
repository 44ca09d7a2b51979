import type { ComponentChildren } from 'preact';
import { type Key, t } from '../i18n/i18n';
import { Icon } from '../ui/icon';
import { Bone } from '../ui/state';
import { type Order, toggleOrder } from './order';

/** A column of a list: its words on the screen and in a file. */
export interface Column<Row> {
  readonly label: Key;
  /** The field by which the gateway orders it. */
  readonly order?: string;
  readonly text: (row: Row) => string | number | null | undefined;
  /** Draws it where words are not enough. */
  readonly draw?: (row: Row) => ComponentChildren;
  /** The room that it takes. A phone leaves `roomy` out, and gives `below` a line; `figure` stands at the end. */
  readonly class?: string;
  /** Stands on the screen alone, as buttons do, or in a file alone. */
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

/** Draws records as a table, which a narrow window shows as cards. The first column names them. */
export function RecordTable<Row extends { readonly id: string }>(props: TableProps<Row>) {
  const { title, rows, hrefOf, order, isFirst = false, isStale = false } = props;
  const columns = props.columns.filter(({ only }) => only !== 'file');
  const [name, ...others] = columns;
  const cell = (column: Column<Row>, row: Row) => column.draw?.(row) ?? column.text(row);
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
                    {name && (hrefOf ? <a href={hrefOf(row)}>{cell(name, row)}</a> : cell(name, row))}
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
