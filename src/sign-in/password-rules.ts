import type { RowOf } from '../db/sql/columns.js';
import { badField } from '../domain/errors.js';

/** The number of characters that a password has. The maximum bounds the work of checking it. */
export const passwordLength = { least: 10, most: 200 } as const;

/** Characters of a password that are judged. More would take long, and make no password worse. */
const judged = 64;

/**
 * The least number of guesses that a password must withstand, as a power of ten. Common passwords, and what
 * is made from them by the usual rules, take fewer.
 */
const leastGuesses = 8;

/**
 * Normalizes a password for hashing, so that every keyboard produces the same one. It follows the profile
 * OpaqueString of RFC 8265: any white space becomes a space, and characters are composed.
 */
export function normalizePassword(password: string): string {
  return password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** Loads the estimator of guesses. It has a list of 49,000 common passwords, which most processes never need. */
async function loadEstimator() {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
}

let estimator: ReturnType<typeof loadEstimator> | undefined;

/**
 * Checks a new password, and returns it normalized.
 * @param at its name in the input
 * @param user whose own words are the first that others would guess
 * @throws GatewayError BAD_REQUEST if it is too short, too long, or among the first that anybody would guess
 */
export async function checkNewPassword(
  password: string,
  { name, email }: Pick<RowOf<'User'>, 'name' | 'email'>,
  at = 'password',
): Promise<string> {
  const normal = normalizePassword(password);
  const { length } = [...normal];
  const { least, most } = passwordLength;
  if (length < least) throw badField([at], `must have at least ${least} characters`, 'length');
  if (length > most) throw badField([at], `must have at most ${most} characters`, 'length');
  if (!normal.isWellFormed()) throw badField([at], 'must be well-formed Unicode', 'characters');
  estimator ??= loadEstimator();
  const own = [name, email, ...email.split(/[@.]/), ...name.split(/\s+/)].filter((word) => word.length > 2);
  const { guessesLog10 } = (await estimator).check(normal.slice(0, judged), own);
  if (guessesLog10 < leastGuesses) {
    throw badField([at], 'is too easy to guess: it is a common password, or close to one');
  }
  return normal;
}
