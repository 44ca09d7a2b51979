import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import { faultOf } from '../data/fault';
import { chooseLanguage, type Language, language, languages, t } from '../i18n/i18n';
import { Button, IconButton, LinkButton } from '../ui/button';
import { type Choice, SelectField } from '../ui/field';
import { Icon } from '../ui/icon';
import { Menu } from '../ui/menu';
import { Bones, Empty, FaultNote } from '../ui/state';
import { Toasts } from '../ui/toast';
import { SignInAgain } from './door/sign-in';
import { DroppedFiles } from './dropping';
import { QuestionDialog } from './leaving';
import { Offline } from './offline';
import { place } from './router';
import type { Screen, ScreenProps } from './screen';
import { findScreen, screens } from './screens';
import { Search } from './search';
import { caller, may, pageSettings, signOut } from './session';
import { chooseTheme, type Theme, theme } from './theme';
import { Silence } from './unsent';

const languageChoices = Object.entries(languages).map(([value, label]) => ({
  value,
  label,
})) as Choice<Language>[];

/** Renders the account menu: the signed-in person, language, theme, signing out and developer tools. */
export function AccountMenu({ isSquare = false }: { readonly isSquare?: boolean }) {
  const { name = '', email = '', role = 'VIEWER' } = caller.value?.me ?? {};
  const themes: Choice<Theme>[] = [
    { value: 'auto', label: t('session.theme_auto') },
    { value: 'light', label: t('session.theme_light') },
    { value: 'dark', label: t('session.theme_dark') },
  ];
  return (
    <Menu label={isSquare ? t('session.account') : name} icon="user" isSquare={isSquare} weight="bare" isForm>
      {() => (
        <div class="stack">
          <div>
            <p class="strong">{name}</p>
            <p class="soft small">{email}</p>
            <p class="soft small">
              {t(`session.role_${role}`)} · {caller.value?.organization.name}
            </p>
          </div>
          <SelectField
            label={t('session.language')}
            value={language.value}
            onChange={chooseLanguage}
            choices={languageChoices}
          />
          <SelectField
            label={t('session.theme')}
            value={theme.value}
            onChange={chooseTheme}
            choices={themes}
          />
          <p class="line small">
            <a href="/docs" target="_blank" rel="noopener">
              {t('session.reference')}
            </a>
            {pageSettings.value?.editor && (
              <a href="/graphql" target="_blank" rel="noopener">
                {t('session.editor')}
              </a>
            )}
          </p>
          <Button icon="leave" onClick={signOut}>
            {t('session.sign_out')}
          </Button>
        </div>
      )}
    </Menu>
  );
}

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

const loaded = new Map<Screen, ComponentType<ScreenProps>>();

/** Returns whether the gateway serves the page. */
async function isReachable(): Promise<boolean> {
  const asked = fetch(location.pathname, {
    method: 'HEAD',
    headers: { Accept: 'text/html' },
    cache: 'no-store',
  });
  return asked.then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Reloads the page if the gateway answers. Browsers never retry a module that failed to load. */
const loadAnew = async () => (await isReachable()) && location.reload();

/** Renders the screen of the address; its code is loaded when it is first opened. */
function CurrentScreen() {
  const found = findScreen(place.value.path);
  const [failed, setFailed] = useState<{ screen: Screen; kind: 'offline' | 'outdated' }>();
  const [, draw] = useState(0);
  const screen = found?.screen;
  const fault = failed && failed.screen === screen ? failed.kind : undefined;
  useEffect(() => {
    if (!screen || loaded.has(screen)) return;
    screen.load().then(
      (module) => {
        loaded.set(screen, module.default);
        setFailed(undefined);
        draw((count) => count + 1);
      },
      async () => {
        const kind = (await isReachable()) ? 'outdated' : 'offline';
        // Its file is gone if a new version has been deployed, unless the browser only remembers an earlier
        // failure.
        if (kind === 'outdated' && fault === 'offline') location.reload();
        else setFailed({ screen, kind });
      },
    );
  }, [screen]);
  useEffect(() => {
    if (!fault) return;
    window.addEventListener('online', loadAnew);
    return () => window.removeEventListener('online', loadAnew);
  }, [fault]);
  if (!found || (found.screen.permission && !may(found.screen.permission))) {
    return (
      <Empty icon="search" title={t('common.no_screen')} text={t('common.no_screen_text')}>
        <LinkButton href="/" weight="first">
          {t('common.nav_start')}
        </LinkButton>
      </Empty>
    );
  }
  if (fault) return <FaultNote fault={faultOf(fault)} onRetry={loadAnew} />;
  const Drawn = loaded.get(found.screen);
  return Drawn ? <Drawn key={found.screen.path + found.id} id={found.id} /> : <Bones rows={6} />;
}

/** Renders the screen in an error boundary. */
function Guarded() {
  const [error, reset] = useErrorBoundary();
  const { path } = place.value;
  useEffect(() => {
    if (error) reset();
  }, [path]);
  return error ? <FaultNote fault={faultOf('failed')} onRetry={reset} /> : <CurrentScreen />;
}

/** Renders the remaining screens on a phone, above the current one. */
function Drawer({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog.
    <dialog
      ref={dialog}
      class="drawer"
      aria-label={t('common.navigation')}
      onClose={onClose}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget || (target as Element).closest('a')) onClose();
      }}
    >
      <div class="line far">
        <span class="strong brandname">{caller.value?.organization.name}</span>
        <IconButton icon="close" label={t('common.close')} onClick={onClose} />
      </div>
      <Navigation />
    </dialog>
  );
}

function Brand() {
  const name = caller.value?.organization.name;
  return (
    <a class="brand" href="/" title={name}>
      <img src="/favicon.svg" alt="" />
      <span class="brandname">{name}</span>
    </a>
  );
}

function FindButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <button
      type="button"
      class="find"
      aria-label={t('common.search')}
      aria-keyshortcuts="/ Control+K"
      onClick={onClick}
    >
      <Icon name="search" />
      <span class="word">{t('common.search')}</span>
      <kbd>/</kbd>
    </button>
  );
}

/** Opens the search with `/`, and with Ctrl-K even from within a field. */
function useSearchKeys(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyped = (event.target as HTMLElement).closest(
        'input:not([type="checkbox"]), textarea, select, dialog',
      );
      const isSlash = event.key === '/' && !isTyped && !event.ctrlKey && !event.metaKey;
      const isCommand = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isCommand) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [open]);
}

/** Renders the frame around every screen: navigation, search, account, notifications. */
export function Shell() {
  const [isMore, setMore] = useState(false);
  const [isSearch, setSearch] = useState(false);
  // Loaded with the shell, so that the search gets everything typed after `/`.
  const openSearch = useRef(() => setSearch(true)).current;
  useSearchKeys(openSearch);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {t('common.skip')}
      </a>
      <header class="top">
        <Brand />
        <FindButton onClick={openSearch} />
        <AccountMenu isSquare />
      </header>
      <aside class="side" aria-label={t('common.navigation')}>
        <Brand />
        <FindButton onClick={openSearch} />
        <Navigation />
        <div class="foot">
          <AccountMenu />
        </div>
      </aside>
      <main class="main" id="main" tabIndex={-1}>
        <Offline />
        <Silence />
        <Guarded />
      </main>
      <BottomBar onMore={() => setMore(true)} />
      {isMore && <Drawer onClose={() => setMore(false)} />}
      {isSearch && <Search onClose={() => setSearch(false)} />}
      <QuestionDialog />
      <SignInAgain />
      <DroppedFiles />
      <Toasts />
    </div>
  );
}
