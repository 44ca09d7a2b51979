import { formatTotal, type Total } from '../i18n/i18n';
import { Icon, type IconName } from './icon';
import { Bone } from './state';
import type { Urgency } from './status';
import './tile.css';

interface TileProps {
  readonly label: string;
  readonly total: Total | undefined;
  readonly href: string;
  readonly urgency: Urgency;
  readonly icon: IconName;
}

/** Renders a number that links to what it counts. */
export function Tile({ label, total, href, urgency, icon }: TileProps) {
  return (
    <a class={`tile ${total?.totalCount ? urgency : 'plain'}`} href={href}>
      <span class="label">
        <Icon name={icon} />
        {label}
      </span>
      <span class="figure num">{total ? formatTotal(total) : <Bone width="2ch" />}</span>
    </a>
  );
}
