import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { SharedQuotas } from '../access/shared-quotas.js';
import { GatewayError } from '../domain/errors.js';
import { waitForUse } from '../domain/load/quota.js';

const minute = 60_000;

/** Limits on failed attempts and on mails: how many in which time. */
const limits = {
  /** Attempts on an account from one network or one known device. */
  pair: { most: 10, window: 15 * minute },
  /** Attempts from a network, whatever the account. */
  network: { most: 50, window: 15 * minute },
  /** Attempts on an account from all places that its user has never signed in from. */
  account: { most: 50, window: 60 * minute },
  /** Links that a network asks for, whatever the account. */
  asked: { most: 20, window: 15 * minute },
  /** Mails to an account that one known place asks for, or all unknown ones together. */
  mail: { most: 5, window: 60 * minute },
} as const;

type LimitName = keyof typeof limits;

/** An attempt to sign in. */
export interface SignInAttempt {
  /** The account as it was typed, whether it exists or not. */
  readonly account: string;
  readonly address: string;
  /** The device's cookie, if the account's user has signed in with it before. */
  readonly knownDevice: string | undefined;
  /** True if the account's user has signed in from this address before. */
  readonly isKnownAddress: boolean;
}

/** Limits on failed attempts and on mails, shared by all processes. */
export interface Attempts {
  /**
   * Makes an attempt. Those under way count like failures, so that attempts at once cannot exceed a limit.
   * @param work calls `fail` if the attempt fails
   * @throws GatewayError TOO_MANY_REQUESTS if there were too many failures; and what `work` throws
   */
  during<T>(attempt: SignInAttempt, work: () => Promise<T>): Promise<T>;
  /** Counts a failure. Returns true for the first of a series, and for the one that reaches a limit. */
  fail(attempt: SignInAttempt): boolean;
  /**
   * Counts a request for a link by mail.
   * @throws GatewayError TOO_MANY_REQUESTS if its network has sent too many
   */
  ask(address: string): void;
  /** Counts a mail to an account. Returns false if it has had enough of them, and counts nothing then. */
  takeMail(attempt: SignInAttempt): boolean;
}

/** Returns the network of an address: its first 24 bits, or 56 of IPv6. One attacker often has all of it. */
function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = (address.split('::')[0] ?? '').split(':').slice(0, 4);
  const last = Number.parseInt(groups[3] ?? '0', 16) & 0xff00;
  return groups.length < 4 ? address : `${groups.slice(0, 3).join(':')}:${last.toString(16)}::/56`;
}

/** Hides what was typed. Counts are stored, and must not reveal who tried to sign in. */
const hidden = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Returns the limits that apply to an attempt. A known device cannot be locked out by others. */
function keysOf({ account, address, knownDevice, isKnownAddress }: SignInAttempt): [LimitName, string][] {
  const who = hidden(account.trim().toLowerCase());
  if (knownDevice !== undefined) return [['pair', `${who} ${hidden(knownDevice)}`]];
  const network = networkOf(address);
  const here: [LimitName, string][] = [
    ['pair', `${who} ${network}`],
    ['network', network],
  ];
  return isKnownAddress ? here : [...here, ['account', who]];
}

/** Returns the limit on an account's mails. Strangers cannot use up the mails that a known place asks for. */
function mailKeyOf({ account, address, knownDevice, isKnownAddress }: SignInAttempt): [LimitName, string] {
  const place = knownDevice ?? (isKnownAddress ? address : '');
  return ['mail', `${hidden(account)} ${hidden(place)}`];
}

/** Creates the 429 that says when to try again. */
function tooMany(what: string, wait: number): GatewayError {
  const seconds = Math.ceil(wait / 1_000);
  const when = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
  return new GatewayError('TOO_MANY_REQUESTS', `${what} Try again in ${when}.`, {
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Creates the limits on failed attempts and on mails. */
export function createAttempts(quotas: SharedQuotas, uptime: () => number): Attempts {
  /** Numbers of attempts under way, by the keys of their limits. */
  const running = new Map<string, number>();
  const stateOf = ([name, who]: [LimitName, string]) => {
    const { most, window } = limits[name];
    const [key, cost] = [`sign-in ${name}:${who}`, window / most];
    return { key, cost, window, until: quotas.of(key, cost).until };
  };
  const waitOf = ({ cost, window, until }: ReturnType<typeof stateOf>, now: number, underWay = 0) =>
    waitForUse({ cost, until: Math.max(until, now) + underWay * cost }, now, window);
  function count(states: readonly ReturnType<typeof stateOf>[], change: 1 | -1): void {
    for (const { key } of states) {
      const number = (running.get(key) ?? 0) + change;
      if (number > 0) running.set(key, number);
      else running.delete(key);
    }
  }
  /** Uses a limit once. Returns the milliseconds until that is possible, or 0 if it was. */
  function take(limit: [LimitName, string]): number {
    const now = uptime();
    const state = stateOf(limit);
    const wait = waitOf(state, now);
    if (wait === 0) quotas.use(state.key, state.cost, now);
    return wait;
  }
  return {
    async during(attempt, work) {
      const now = uptime();
      const states = keysOf(attempt).map(stateOf);
      const wait = Math.max(...states.map((state) => waitOf(state, now, running.get(state.key))));
      if (wait > 0) throw tooMany('Too many failed sign-ins.', wait);
      count(states, 1);
      try {
        return await work();
      } finally {
        count(states, -1);
      }
    },
    fail(attempt) {
      const now = uptime();
      const keys = keysOf(attempt);
      const isFirst = keys.slice(0, 1).every((key) => stateOf(key).until <= now);
      for (const key of keys) {
        const { key: name, cost } = stateOf(key);
        quotas.use(name, cost, now);
      }
      return isFirst || keys.some((key) => waitOf(stateOf(key), now) > 0);
    },
    ask(address) {
      const wait = take(['asked', networkOf(address)]);
      if (wait > 0) throw tooMany('Too many links were asked for.', wait);
    },
    takeMail: (attempt) => take(mailKeyOf(attempt)) === 0,
  };
}
