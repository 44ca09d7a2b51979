import { itemsAddress } from '../../app/addresses';
import { addMonths, formatMonth } from '../../i18n/dates';
import { formatNumber, t } from '../../i18n/i18n';
import { shownName } from '../../i18n/names';
import type { StartData } from './data';

/** Renders a count with a bar that compares it to the largest. */
function Bar({
  label,
  count,
  most,
  href,
}: {
  readonly label: string;
  readonly count: number;
  readonly most: number;
  readonly href: string | undefined;
}) {
  return (
    <li>
      <a class="bar" href={href}>
        <span class="clip">{label}</span>
        <meter min={0} max={Math.max(1, most)} value={count} aria-hidden="true" />
        <span class="num count">{formatNumber(count)}</span>
      </a>
    </li>
  );
}

/** Renders how many items each document type has. */
export function ByType({ data }: { readonly data: StartData }) {
  const { byCategory } = data.expirationSummary;
  const most = Math.max(...byCategory.map(({ count }) => count));
  return (
    <ul class="bars">
      {byCategory.slice(0, 12).map(({ category, count }) => (
        <Bar
          key={category?.id ?? ''}
          label={category ? shownName(category.name) : t('start.no_type')}
          count={count}
          most={most}
          href={category ? itemsAddress({ type: category.id }) : itemsAddress({})}
        />
      ))}
    </ul>
  );
}

/** Renders how many items are due in each month. */
export function ByMonth({ data }: { readonly data: StartData }) {
  const { byMonth } = data.expirationSummary;
  const most = Math.max(...byMonth.map(({ count }) => count));
  return (
    <ul class="bars">
      {byMonth.map(({ month, count }) => (
        <Bar
          key={month}
          label={formatMonth(month)}
          count={count}
          most={most}
          href={itemsAddress({
            from: `${month}-01`,
            until: addMonths(`${month}-01`, 1),
            status: 'EXPIRED,NOTIFYING,CURRENT',
          })}
        />
      ))}
    </ul>
  );
}
