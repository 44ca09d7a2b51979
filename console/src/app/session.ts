import { computed, signal } from '@preact/signals';
import { credentials, request } from '../data/client';
import { type Fault, faultOf } from '../data/fault';
import { goLive, lookAgain } from '../data/live';
import type { DataOf } from '../data/operation';
import { forgetAnswers } from '../data/query';
import { keep, readKept } from '../data/storage';
import { Me, type Permission } from '../generated/operations';

/** The person who is signed in, and their organization. */
export type Caller = DataOf<typeof Me>;

/** The reason for which somebody is not let in, or was signed out. */
export type Refusal = 'expired' | 'uploader' | Fault;

/** The state of signing in. */
export type Session =
  | { readonly state: 'starting' }
  | { readonly state: 'out'; readonly refusal?: Refusal }
  /** With `over` the token does not hold any more. What is shown and typed stays until the person signs in again. */
  | { readonly state: 'in'; readonly caller: Caller; readonly over?: Refusal };

export const session = signal<Session>({ state: 'starting' });

/** The caller; no screen is shown without one. */
export const caller = computed(() => (session.value.state === 'in' ? session.value.caller : undefined));

/** Says whether the caller may do something: what answers 403 is not shown. */
export const may = (permission: Permission): boolean =>
  caller.value?.me.permissions.includes(permission) ?? false;

/** Says whether there is more than one workspace to tell apart. */
export const hasTeams = (): boolean => (caller.value?.me.teams.length ?? 0) > 1;

/** All pages of the gateway keep the token by this name. */
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

/** Takes a token out of the address, where it would stay in the browser's history. */
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

/** Lets go of a token that does not hold. */
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

/** Signs out, and forgets the token. */
export function signOut(refusal?: Refusal): void {
  forget();
  leave(refusal);
}

/** Says why somebody is not let in. Who was, finds what was shown and typed after signing in again. */
export function refuse(refusal: Refusal): void {
  const now = session.peek();
  if (now.state !== 'in') {
    leave(refusal);
    return;
  }
  drop();
  session.value = { state: 'in', caller: now.caller, over: refusal };
}

/** Forgets a token that the gateway refuses. */
function refuseToken(refusal: Refusal): void {
  forget();
  refuse(refusal);
}

/** The place where a token is kept: this tab, this browser, or none. */
export type Keeping = 'tab' | 'browser' | 'memory';

/** Signs in with a token. @returns whether the gateway has taken it */
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
    // The token may be right: it is there for the next try.
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

/** Asks again who is signed in, after something of it was changed. */
export async function refreshCaller(): Promise<void> {
  const outcome = await request(Me, {});
  if (outcome.ok && session.peek().state === 'in') session.value = { state: 'in', caller: outcome.data };
}

/** Signs in with the token that the address brings, or that is kept. */
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
  // Who was not reached is asked again once there is a connection.
  const again = () => session.value.state === 'out' && stored() === token && void enter();
  window.addEventListener('online', again, { once: true });
}
