import { itemsAddress } from '../../app/addresses';
import { formatNumber, t } from '../../i18n/i18n';
import { Icon, type IconName } from '../../ui/icon';
import { Bone } from '../../ui/state';
import type { Urgency } from '../../ui/status';
import type { StartData } from './data';

interface TileProps {
  readonly label: string;
  readonly count: number | undefined;
  readonly href: string;
  readonly urgency: Urgency;
  readonly icon: IconName;
}

/** Renders a number that links to the items that it counts. */
function Tile({ label, count, href, urgency, icon }: TileProps) {
  return (
    <a class={`tile ${count ? urgency : 'plain'}`} href={href}>
      <span class="label">
        <Icon name={icon} />
        {label}
      </span>
      <span class="figure num">{count === undefined ? <Bone width="2ch" /> : formatNumber(count)}</span>
    </a>
  );
}

/** Renders how many items are due, and when. */
export function Tiles({ data }: { readonly data: StartData | undefined }) {
  const missing = data?.expirationSummary.byStatus.find(({ status }) => status === 'MISSING')?.count ?? 0;
  return (
    <div class="tiles">
      <Tile
        label={t('start.overdue')}
        count={data?.overdue.totalCount}
        href={itemsAddress({ due: 'overdue' })}
        urgency="late"
        icon="warning"
      />
      {missing > 0 && (
        <Tile
          label={t('start.missing')}
          count={missing}
          href={itemsAddress({ status: 'MISSING' })}
          urgency="late"
          icon="file"
        />
      )}
      <Tile
        label={t('start.this_week')}
        count={data?.week.totalCount}
        href={itemsAddress({ due: '7' })}
        urgency="near"
        icon="clock"
      />
      {([30, 60, 90] as const).map((days, at) => (
        <Tile
          key={days}
          label={t('start.within', { n: days })}
          count={[data?.month, data?.twoMonths, data?.threeMonths][at]?.totalCount}
          href={itemsAddress({ due: String(days) })}
          urgency="plain"
          icon="calendar"
        />
      ))}
    </div>
  );
}
