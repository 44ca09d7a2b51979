import './styles/index.css';
import { render } from 'preact';
import { loadSignInOptions } from './app/door/options';
import { findDoorPage } from './app/door/pages';
import { SignIn } from './app/door/sign-in';
import { shareWithTabs, startSession } from './app/entering';
import { startRouter } from './app/router';
import { findScreen } from './app/screens';
import { session } from './app/session';
import { loadPageSettings } from './app/settings';
import { Shell } from './app/shell';
import { applyTheme } from './app/theme';
import { loadLanguage } from './i18n/i18n';

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
