import {
  askForToken,
  followFragment,
  shareSession,
  takeFragment,
  takeToken,
} from '../../../public/session.js';
import { ask, credentials, type Outcome } from '../data/client';
import { faultOf, faultText } from '../data/fault';
import { endKeeping } from '../data/keeping';
import { Me } from '../generated/operations/app';
import { t } from '../i18n/i18n';
import { tell } from '../ui/toast';
import { loadSignInOptions, signInOptions } from './door/options';
import { question } from './leaving';
import {
  type Caller,
  caller,
  canUse,
  enterSession,
  isToken,
  isWaiting,
  refuse,
  session,
  showKept,
  signIn,
  signOutHere,
} from './session';

/** The sign-in with another tab's token. */
let borrowing: Promise<boolean> | undefined;

/** Uses another tab's token, or a renewed token in place of this page's own. */
function adopt(token: string): void {
  if (credentials.token !== undefined) credentials.token = token;
  else if (session.peek().state !== 'in') borrowing = signIn(token, 'memory');
}

/** Uses the session that another tab has begun. Whoever it belongs to is shown here, too. */
function adoptSession(): void {
  if (credentials.token === undefined) void enterSession();
}

/** Shares the sign-in with the other tabs. */
export function shareWithTabs(): void {
  shareSession({
    token: () => credentials.token,
    onToken: adopt,
    onSession: adoptSession,
    onSignOut: signOutHere,
  });
}

/** Tries to sign in again, after growing pauses and when a connection returns. */
function keepTrying(enter: () => Promise<boolean>, pauseMs = 1000): void {
  if (!isWaiting()) return;
  const again = async () => {
    clearTimeout(timer);
    window.removeEventListener('online', again);
    if (isWaiting() && !(await enter())) keepTrying(enter, Math.min(2 * pauseMs, 30_000));
  };
  const timer = setTimeout(again, pauseMs);
  window.addEventListener('online', again);
}

/** Asks the gateway about the person whom this browser shows. @returns whether it has answered */
async function confirm(): Promise<boolean> {
  await loadSignInOptions();
  const options = signInOptions.peek();
  if (!options) return false;
  if (options.isSignedIn) return enterSession();
  refuse('expired');
  return true;
}

/** Finds the session of this browser. Without one, another tab may have a token. */
async function findSession(): Promise<void> {
  await loadSignInOptions();
  const options = signInOptions.peek();
  if (options?.isSignedIn && (await enterSession())) return;
  // The network may have gone away before or after the gateway has said that there is a session.
  if ((!options || isWaiting()) && (await showKept())) return keepTrying(confirm);
  // The session has ended elsewhere, so nothing of it stays here.
  if (options && !options.isSignedIn) endKeeping();
  if (session.peek().state === 'starting') session.value = { state: 'out' };
  if (!options) {
    window.addEventListener('online', () => session.peek().state === 'out' && void findSession(), {
      once: true,
    });
  }
  keepTrying(enterSession);
  void askForToken();
}

/** Signs in as this tab, this browser or another tab is signed in. @returns whether the gateway has said who that is */
async function enterAsBefore(): Promise<boolean> {
  const isOver = (entered: boolean) => entered || isWaiting();
  // A sign-in with a token may be under way.
  const { token, keeping } = takeToken() ?? { token: credentials.token, keeping: 'memory' as const };
  if (token !== undefined && isOver(await signIn(token, keeping))) return !isWaiting();
  await loadSignInOptions();
  const options = signInOptions.peek();
  if (!options) refuse(faultOf('offline'));
  if (!options || (options.isSignedIn && isOver(await enterSession()))) return !isWaiting();
  await askForToken();
  return (await borrowing) || !borrowing || !isWaiting();
}

/** Returns why the console cannot be used with a token that a link has brought. */
function refusalOf(outcome: Outcome<Caller>): string | undefined {
  if (outcome.ok && canUse(outcome.data)) return undefined;
  if (outcome.ok || outcome.fault.kind === 'forbidden') return t('session.uploader');
  return outcome.fault.kind === 'signed-out' ? t('session.wrong_token') : faultText(outcome.fault);
}

/**
 * Signs in with the token of a link. If it is of another person than the one who is signed in, it asks first: anybody
 * can send a link, and who follows it would leave their documents with somebody else.
 */
async function bring(token: string): Promise<boolean> {
  if (!caller.peek() && !(await enterAsBefore())) return false;
  const now = caller.peek();
  if (!now || token === credentials.token) return signIn(token, 'tab');
  const outcome: Outcome<Caller> = isToken(token)
    ? await ask(Me, {}, undefined, token)
    : { ok: false, fault: faultOf('signed-out') };
  const refusal = refusalOf(outcome);
  if (refusal) tell(refusal);
  else if (outcome.ok && outcome.data.me.id === now.me.id) return signIn(token, 'tab');
  else {
    question.value = {
      title: t('session.other_token'),
      text: t('session.other_token_text', { name: now.me.name }),
      keep: t('common.cancel'),
      goOn: t('session.other_token_use'),
      onGoOn: () => void signIn(token, 'tab'),
    };
  }
  return true;
}

/** Signs in with a token of the address or the tab, or with the session. */
export async function startSession(): Promise<void> {
  followFragment(bring);
  const brought = takeFragment();
  const found = brought === undefined ? takeToken() : undefined;
  if (brought === undefined && found === undefined) return findSession();
  const enter = async () => {
    if (found) return signIn(found.token, found.keeping);
    return brought !== undefined && bring(brought);
  };
  if (!(await enter())) keepTrying(enter);
}
