import { t } from '../i18n/i18n';
import { Icon } from '../ui/icon';
import { place } from './router';
import type { Screen } from './screens';
import { findScreen, screens } from './screens';
import { may } from './session';

const groups = ['work', 'records', 'setup'] as const;

const isSeen = ({ navigation, permission }: Screen): boolean =>
  navigation !== undefined && (permission === undefined || may(permission));

/** Returns whether a screen, or one below it, is shown. */
function isCurrent({ path }: Screen): boolean {
  const shown = findScreen(place.value.path)?.screen.path ?? '';
  return shown === path || (path !== '/' && shown.startsWith(`${path}/`));
}

function NavigationLink({ screen }: { readonly screen: Screen }) {
  if (!screen.navigation) return null;
  const { icon, label } = screen.navigation;
  return (
    <a href={screen.path} aria-current={isCurrent(screen) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{t(label)}</span>
    </a>
  );
}

/** Renders the links to all screens that the caller may see. */
export function Navigation() {
  return (
    <nav class="nav" aria-label={t('common.navigation')}>
      {groups.map((group) => {
        const entries = screens.filter((screen) => isSeen(screen) && screen.navigation?.group === group);
        if (entries.length === 0) return null;
        return (
          <ul key={group}>
            {entries.map((screen) => (
              <li key={screen.path}>
                <NavigationLink screen={screen} />
              </li>
            ))}
          </ul>
        );
      })}
    </nav>
  );
}

/** Renders the bar at the bottom of a phone. It has the main screens, and opens the others. */
export function BottomBar({ onMore }: { readonly onMore: () => void }) {
  return (
    <nav class="bottom" aria-label={t('common.navigation')}>
      {screens
        .filter((screen) => isSeen(screen) && screen.navigation?.isMain)
        .map((screen) => (
          <NavigationLink key={screen.path} screen={screen} />
        ))}
      <button type="button" onClick={onMore}>
        <Icon name="menu" />
        <span>{t('common.more')}</span>
      </button>
    </nav>
  );
}
