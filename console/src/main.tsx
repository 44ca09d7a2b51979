import './styles/index.css';
import { type ComponentType, render } from 'preact';
import { loadSignInOptions } from './app/door/options';
import { SignIn } from './app/door/sign-in';
import { shareWithTabs, startSession } from './app/entering';
import { startRouter } from './app/router';
import { findScreen } from './app/screens';
import { loadPageSettings, session } from './app/session';
import { Shell } from './app/shell';
import { applyTheme } from './app/theme';
import { loadLanguage } from './i18n/i18n';
import { breakAddresses } from './ui/breaking';

/** A page for people who are not signed in. Links open it, with a secret after `#` or in the path. */
interface DoorPage {
  /** Finds the page's paths. */
  readonly path: RegExp;
  /** Loads it when it is opened. Its default export is the page. */
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

/** All pages that links open, besides the one for signing in. */
const doorPages: readonly DoorPage[] = [
  { path: /^\/invitations\/[^/]+$/, load: () => import('./app/door/invitation') },
  { path: /^\/setup$/, load: () => import('./app/door/setup') },
  { path: /^\/sign-in\/enroll$/, load: () => import('./app/door/enroll') },
  { path: /^\/sign-in\/link$/, load: async () => ({ default: (await import('./app/door/links')).LinkPage }) },
  {
    path: /^\/sign-in\/reset$/,
    load: async () => ({ default: (await import('./app/door/links')).ResetPage }),
  },
];

/** Finds the page of a path. */
const findDoorPage = (path: string): DoorPage | undefined => doorPages.find((page) => page.path.test(path));

/** Renders the console: nothing at first, then the sign-in or the shell. */
function Console() {
  const { value } = session;
  if (value.state === 'starting') return null;
  // The key discards unsaved input of the previous person.
  if (value.state === 'in') return <Shell key={value.caller.me.id} />;
  return <SignIn refusal={value.refusal} />;
}

async function start(): Promise<void> {
  applyTheme();
  breakAddresses();
  shareWithTabs();
  const settings = loadPageSettings();
  // Starts now, because it takes a round trip and the texts take another.
  void loadSignInOptions();
  await loadLanguage();
  const root = document.getElementById('app');
  const doorPage = findDoorPage(location.pathname);
  if (doorPage) {
    // Its links load the console anew, so nothing follows them here.
    const { default: Page } = await doorPage.load();
    if (root) render(<Page />, root);
    return;
  }
  startRouter((path) => findScreen(path) !== undefined);
  if (root) render(<Console />, root);
  if (location.pathname === '/callback') {
    await settings;
    await (await import('./app/oidc')).finishSignIn();
  } else {
    await startSession();
  }
}

void start();
