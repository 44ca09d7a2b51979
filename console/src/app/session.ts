import { computed, signal } from '@preact/signals';
import {
  eraseAll,
  forgetToken,
  handOver,
  type Keeping,
  keepToken,
  tellSignIn,
  tellSignOut,
} from '../../../public/session.js';
import { forgetAnswers } from '../data/answers';
import { credentials, type DataOf, request } from '../data/client';
import { askDoor } from '../data/door';
import { type Fault, faultOf } from '../data/fault';
import { beginKeeping, endKeeping, findPerson, isUnconfirmed } from '../data/keeping';
import { goLive, lookAgain } from '../data/live';
import { followReminding, reminding } from '../data/reminding';
import { Me } from '../generated/operations/app';
import type { Permission } from '../generated/types';
import { question } from './leaving';

/** Settings that the console needs before anybody has signed in. */
interface PageSettings {
  readonly version: string;
  /** True if browsers get the GraphQL editor. */
  readonly editor: boolean;
  /** The issuer with which people sign in, if one is configured. */
  readonly oidc: OidcSettings | null;
}

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
}

export const pageSettings = signal<PageSettings | undefined>(undefined);

/** Loads the settings. Without them, people can still sign in with a token. */
export async function loadPageSettings(): Promise<void> {
  try {
    const response = await fetch('/console/config.json', { credentials: 'omit' });
    if (response.ok) pageSettings.value = await response.json();
  } catch {
    // The gateway is unreachable, which the first request will report.
  }
}

/** Paths of the editor and the reference. They are separate pages that share the sign-in. */
const tools = ['/graphql', '/docs'];

/** Returns the address of the tool to go back to after signing in. No other address is accepted. */
function returnAddress(): string | undefined {
  const wanted = new URLSearchParams(location.search).get('return');
  if (wanted === null || !URL.canParse(wanted, location.origin)) return undefined;
  const { origin, pathname, search, hash } = new URL(wanted, location.origin);
  const isTool = origin === location.origin && tools.includes(pathname);
  return isTool ? pathname + search + hash : undefined;
}

/** The signed-in person, and their organization. */
export type Caller = DataOf<typeof Me>;

/**
 * Reason why somebody cannot sign in, or was signed out. With `kept` the session could not be ended, because
 * the gateway is unreachable; with `late` the time for a second factor is over.
 */
export type Refusal = 'expired' | 'uploader' | 'kept' | 'late' | Fault;

/** State of the sign-in. */
type Session =
  | { readonly state: 'starting' }
  | { readonly state: 'out'; readonly refusal?: Refusal }
  /**
   * With `over` the session or the token is no longer valid. The page and unsaved input stay until the person
   * signs in again.
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

let stopLive = (): void => {};

/** Forgets how this tab was signed in. */
function drop(): void {
  stopLive();
  credentials.token = undefined;
  credentials.renew = undefined;
  credentials.onRefused = () => {};
}

function leave(refusal?: Refusal): void {
  drop();
  forgetAnswers();
  question.value = undefined;
  session.value = { state: 'out', ...(refusal && { refusal }) };
}

/** Signs out in this tab only, and deletes the token. */
export function signOutHere(): void {
  forgetToken();
  endKeeping();
  eraseAll();
  leave();
}

/** Signs out in all tabs, and ends the session. */
export async function signOut(): Promise<void> {
  tellSignOut();
  signOutHere();
  const ended = await askDoor('DELETE', '');
  // Where there are no cookies, there is no session to end.
  const isKept = !ended.ok && ended.fault.kind !== 'forbidden';
  if (isKept && session.peek().state === 'out') session.value = { state: 'out', refusal: 'kept' };
}

/** Returns whether a refusal ends by itself, so that it says nothing about the session. */
const isPassing = (refusal: Refusal | undefined): boolean =>
  typeof refusal === 'object' && ['offline', 'busy', 'failed'].includes(refusal.kind);

/** Returns whether the sign-in waits for something that ends by itself. */
export function isWaiting(): boolean {
  const now = session.peek();
  return now.state === 'in' ? isUnconfirmed.peek() : now.state === 'out' && isPassing(now.refusal);
}

/**
 * Shows why somebody cannot sign in. If they were signed in, page and unsaved input return after signing in
 * again. What this browser keeps is erased.
 */
export function refuse(refusal: Refusal): void {
  const now = session.peek();
  const wasConfirmed = !isUnconfirmed.peek();
  if (!wasConfirmed && isPassing(refusal)) return;
  if (!isPassing(refusal)) endKeeping();
  // What only this browser has shown ends with what it kept.
  if (now.state !== 'in' || !wasConfirmed) {
    leave(refusal);
    return;
  }
  drop();
  session.value = { state: 'in', caller: now.caller, over: refusal };
}

/** Drops a session or a token that the gateway rejects. */
function reject(refusal: Refusal): void {
  forgetToken();
  refuse(refusal);
}

/** Returns for whom this browser keeps something: a user, in an organization. */
const keeperOf = ({ me, organization }: Caller): string => `${organization.id} ${me.id}`;

/**
 * Shows the person who was signed in last, while the gateway cannot be reached. Screens show what was read before.
 * @returns whether there is one
 */
export async function showKept(): Promise<boolean> {
  if (isUnconfirmed.peek()) return true;
  const found = await findPerson(keeperOf).catch(() => undefined);
  if (!found || session.peek().state === 'in') return false;
  isUnconfirmed.value = true;
  session.value = { state: 'in', caller: found };
  reminding.value = found.reminderHealth;
  return true;
}

/** Shows the caller's console, and follows changes. If it is the same person as before, the page stays. */
function show(data: Caller): void {
  credentials.onRefused = (fault) => (fault.reason ? refuse(fault) : reject('expired'));
  stopLive();
  const before = session.peek();
  const isSame = before.state === 'in' && before.caller.me.id === data.me.id;
  if (!isSame) {
    forgetAnswers();
    question.value = undefined;
  }
  isUnconfirmed.value = false;
  session.value = { state: 'in', caller: data };
  reminding.value = data.reminderHealth;
  // A token's sign-in ends with its tab, and so nothing is kept for it.
  void beginKeeping(keeperOf(data), credentials.token === undefined ? data : undefined);
  const ends = [goLive(), followReminding()];
  stopLive = () => {
    for (const end of ends) end();
  };
  if (isSame) lookAgain();
}

/** Opens the page that sets a second factor up. Over a page with unsaved input it is only offered. */
function leadToEnrolment(fault: Fault): void {
  if (session.peek().state === 'in') refuse(fault);
  else location.replace('/sign-in/enroll');
}

/** Returns whether somebody can use the console, and does not only send files. */
export const canUse = ({ me }: Caller): boolean => !me.token?.signed && me.permissions.includes('READ');

/** Loads the caller of the token or the session. @returns undefined, with the reason shown, if there is none */
async function findCaller(): Promise<Caller | undefined> {
  credentials.renew = undefined;
  credentials.onRefused = () => {};
  const outcome = await request(Me, {});
  if (!outcome.ok) {
    const { kind, reason } = outcome.fault;
    if (reason === 'SECOND_FACTOR_MISSING') leadToEnrolment(outcome.fault);
    else if (kind === 'forbidden') reject(credentials.token ? 'uploader' : outcome.fault);
    else if (kind === 'signed-out') reject(outcome.fault);
    // The token may be valid, so keep it for the next attempt.
    else refuse(outcome.fault);
    return undefined;
  }
  if (canUse(outcome.data)) return outcome.data;
  reject('uploader');
  return undefined;
}

/** Returns whether a text can be in a header. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

/** Signs in with a token. @returns whether the gateway accepted it */
export async function signIn(token: string, keeping: Keeping): Promise<boolean> {
  if (!isToken(token)) {
    reject(faultOf('signed-out'));
    return false;
  }
  credentials.token = token;
  const found = await findCaller();
  if (!found) return false;
  keepToken(token, keeping);
  const address = returnAddress();
  if (address === undefined) {
    show(found);
  } else {
    handOver(token);
    location.replace(address);
  }
  return true;
}

/** Signs in with the session that the browser has. @returns whether there is one */
export async function enterSession(): Promise<boolean> {
  credentials.token = undefined;
  const found = await findCaller();
  if (!found) return false;
  forgetToken();
  const address = returnAddress();
  if (address === undefined) show(found);
  else location.replace(address);
  return true;
}

/** Signs in with a session that the browser has just got, in all tabs. */
export async function beginSession(): Promise<void> {
  // It may be somebody else's, also if the gateway cannot be asked now whose it is.
  if (session.peek().state !== 'in') endKeeping();
  if (await enterSession()) tellSignIn();
}

/** Reloads the caller after a change to them. */
export async function refreshCaller(): Promise<void> {
  const outcome = await request(Me, {});
  if (outcome.ok && session.peek().state === 'in') session.value = { state: 'in', caller: outcome.data };
}
