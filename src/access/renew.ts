import type { Database } from '../db/connection/database.js';
import type { Caller } from '../domain/caller.js';
import type { Identity } from '../domain/identity.js';
import { callersOf } from './authenticate.js';
import { identifyAgain } from './identify.js';

type Vouched = Caller & { readonly identity: Identity };

const isVouched = (caller: Caller): caller is Vouched => caller.identity !== undefined;

/**
 * Reads the current rights of callers. One statement is for all our own tokens, and one for all issuers'
 * tokens.
 * @returns in their order; null for callers who are no longer authorized
 */
export async function renewCallers(
  database: Database,
  callers: readonly Caller[],
  now: Date,
): Promise<(Caller | null)[]> {
  const vouched = callers.filter(isVouched);
  const tokenIds = [...new Set(callers.filter((caller) => !isVouched(caller)).map(({ tokenId }) => tokenId))];
  const [own, again] = await Promise.all([
    tokenIds.length > 0 ? callersOf(database, tokenIds, now) : new Map<string, Caller>(),
    vouched.length > 0 ? identifyAgain(database, vouched, now) : [],
  ]);
  const renewed = new Map<Caller, Caller | null>(
    vouched.map((caller, index) => [caller, again[index] ?? null]),
  );
  return callers.map(
    (caller) => renewed.get(caller) ?? (isVouched(caller) ? null : own.get(caller.tokenId)) ?? null,
  );
}
