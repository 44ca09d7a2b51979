import { computed, signal } from '@preact/signals';
import { credentials, request } from '../data/client';
import { type Fault, faultOf } from '../data/fault';
import { goLive, lookAgain } from '../data/live';
import type { DataOf } from '../data/operation';
import { forgetAnswers } from '../data/query';
import { keep, readKept } from '../data/storage';
import { Me, type Permission } from '../generated/operations';

/** The signed-in person, and their organization. */
export type Caller = DataOf<typeof Me>;

/** Reason why somebody cannot sign in, or was signed out. */
export type Refusal = 'expired' | 'uploader' | Fault;

/** State of the sign-in. */
export type Session =
  | { readonly state: 'starting' }
  | { readonly state: 'out'; readonly refusal?: Refusal }
  /**
   * With `over` the token is no longer valid. The page and unsaved input stay until the person signs in
   * again.
   */
  | { readonly state: 'in'; readonly caller: Caller; readonly over?: Refusal };

export const session = signal<Session>({ state: 'starting' });

/** The caller. Without one, no screen is shown. */
export const caller = computed(() => (session.value.state === 'in' ? session.value.caller : undefined));

/** Returns whether the caller has a right. Actions that would get a 403 are hidden. */
export const may = (permission: Permission): boolean =>
  caller.value?.me.permissions.includes(permission) ?? false;

/** Returns whether the caller has more than one workspace. */
export const hasTeams = (): boolean => (caller.value?.me.teams.length ?? 0) > 1;

/** All pages of the gateway store the token under this name. */
const key = 'expiration-gateway.token';

function stored(): string | undefined {
  return readKept('sessionStorage', key) ?? readKept('localStorage', key);
}

function store(token: string, isKept: boolean): void {
  forget();
  keep(isKept ? 'localStorage' : 'sessionStorage', key, token);
}

function forget(): void {
  keep('sessionStorage', key, undefined);
  keep('localStorage', key, undefined);
}

/** Removes a token from the address. Otherwise it would stay in the browser's history. */
function takeFragment(): string | undefined {
  const [, found] = /^#token=(.+)$/.exec(location.hash) ?? [];
  if (found === undefined) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  try {
    return decodeURIComponent(found);
  } catch {
    return found;
  }
}

let stopLive = (): void => {};

/** Drops an invalid token. */
function drop(): void {
  stopLive();
  credentials.token = undefined;
  credentials.renew = undefined;
}

function leave(refusal?: Refusal): void {
  drop();
  forgetAnswers();
  session.value = { state: 'out', ...(refusal && { refusal }) };
}

/** Signs out, and deletes the token. */
export function signOut(refusal?: Refusal): void {
  forget();
  leave(refusal);
}

/**
 * Shows why somebody cannot sign in. If they were signed in, page and unsaved input return after signing in
 * again.
 */
export function refuse(refusal: Refusal): void {
  const now = session.peek();
  if (now.state !== 'in') {
    leave(refusal);
    return;
  }
  drop();
  session.value = { state: 'in', caller: now.caller, over: refusal };
}

/** Drops a token that the gateway rejects. */
function refuseToken(refusal: Refusal): void {
  forget();
  refuse(refusal);
}

/** The storage of a token: this tab, this browser, or only memory. */
export type Keeping = 'tab' | 'browser' | 'memory';

/** Signs in with a token. @returns whether the gateway accepted it */
export async function signIn(token: string, keeping: Keeping): Promise<boolean> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    refuseToken(faultOf('signed-out'));
    return false;
  }
  credentials.token = token;
  credentials.renew = undefined;
  credentials.onRefused = () => {};
  const outcome = await request(Me, {});
  if (!outcome.ok) {
    const { kind } = outcome.fault;
    if (kind === 'forbidden') refuseToken('uploader');
    else if (kind === 'signed-out') refuseToken(outcome.fault);
    // The token may be valid, so keep it for the next attempt.
    else refuse(outcome.fault);
    return false;
  }
  const { me } = outcome.data;
  if (me.token?.signed || !me.permissions.includes('READ')) {
    refuseToken('uploader');
    return false;
  }
  if (keeping !== 'memory') store(token, keeping === 'browser');
  credentials.onRefused = () => refuseToken('expired');
  stopLive();
  const before = session.peek();
  const isSame = before.state === 'in' && before.caller.me.id === me.id;
  if (!isSame) forgetAnswers();
  session.value = { state: 'in', caller: outcome.data };
  stopLive = goLive();
  if (isSame) lookAgain();
  return true;
}

/** Reloads the caller after a change to them. */
export async function refreshCaller(): Promise<void> {
  const outcome = await request(Me, {});
  if (outcome.ok && session.peek().state === 'in') session.value = { state: 'in', caller: outcome.data };
}

/** Signs in with the token in the address or in storage. */
export async function startSession(): Promise<void> {
  const follow = () => {
    const brought = takeFragment();
    if (brought !== undefined) void signIn(brought, 'tab');
  };
  window.addEventListener('hashchange', follow);
  const brought = takeFragment();
  const token = brought ?? stored();
  if (token === undefined) {
    session.value = { state: 'out' };
    return;
  }
  const isKept = brought === undefined && readKept('localStorage', key) === token;
  const enter = () => signIn(token, isKept ? 'browser' : 'tab');
  if (await enter()) return;
  // If the gateway was unreachable, try again once there is a connection.
  const again = () => session.value.state === 'out' && stored() === token && void enter();
  window.addEventListener('online', again, { once: true });
}
