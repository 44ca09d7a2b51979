import type { Database } from '../db/connection/database.js';
import { type Caller, type Identity, lacksFactor } from '../domain/caller.js';
import { callersOf } from './authenticate.js';
import { identifyAgain } from './identify.js';
import { sessionCallersOf } from './session-callers.js';

type Vouched = Caller & { readonly identity: Identity };

const isVouched = (caller: Caller): caller is Vouched => caller.identity !== undefined;

/**
 * Reads the current rights of callers. One statement is for all our own tokens, one for all sessions, and one
 * for all issuers' tokens.
 * @returns in their order; null for callers who are no longer authorized
 */
export async function renewCallers(
  database: Database,
  callers: readonly Caller[],
  now: Date,
): Promise<(Caller | null)[]> {
  const vouched = callers.filter(isVouched);
  const own = callers.filter((caller) => !isVouched(caller));
  const idsOf = (inSession: boolean) => [
    ...new Set(own.flatMap(({ signIn, tokenId }) => ((signIn !== undefined) === inSession ? [tokenId] : []))),
  ];
  const [tokenIds, sessionIds] = [idsOf(false), idsOf(true)];
  const none = new Map<string, Caller>();
  const [ofTokens, ofSessions, again] = await Promise.all([
    tokenIds.length > 0 ? callersOf(database, tokenIds, now) : none,
    sessionIds.length > 0 ? sessionCallersOf(database, sessionIds, now) : none,
    vouched.length > 0 ? identifyAgain(database, vouched, now) : [],
  ]);
  const renewed = new Map<Caller, Caller | null>(
    vouched.map((caller, index) => [caller, again[index] ?? null]),
  );
  for (const caller of own) {
    const current = (caller.signIn ? ofSessions : ofTokens).get(caller.tokenId);
    renewed.set(caller, current && !lacksFactor(current) ? current : null);
  }
  return callers.map((caller) => renewed.get(caller) ?? null);
}
