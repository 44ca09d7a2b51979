import { formatTotal } from '../i18n/i18n';
import { Icon, type IconName } from './icon';
import { Bone } from './state';
import type { Urgency } from './status';
import './tile.css';

interface TileProps {
  readonly label: string;
  readonly count: number | undefined;
  /** False if there may be more. */
  readonly isComplete?: boolean | undefined;
  readonly href: string;
  readonly urgency: Urgency;
  readonly icon: IconName;
}

/** Renders a number that links to what it counts. */
export function Tile({ label, count, isComplete = true, href, urgency, icon }: TileProps) {
  return (
    <a class={`tile ${count ? urgency : 'plain'}`} href={href}>
      <span class="label">
        <Icon name={icon} />
        {label}
      </span>
      <span class="figure num">
        {count === undefined ? <Bone width="2ch" /> : formatTotal(count, isComplete)}
      </span>
    </a>
  );
}
