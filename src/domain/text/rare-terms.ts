import { folded } from './folding.js';

/** Folded value of a column, and the share of rows that have it. */
export interface SampledValue {
  readonly text: string;
  readonly share: number;
}

/** The part of the rows from which on a word is common. */
const common = 0.5;

/** Words of a term that are looked at. Those after them are taken for rare. */
const looked = 8;

/** Checks that a trigram index can look up a term. It takes three letters or digits in a row. */
export const hasTrigram = (term: string) => /[\p{L}\p{Nd}]{3}/u.test(term);

const totalShare = (samples: readonly SampledValue[], has: (text: string) => boolean) =>
  samples.reduce((sum, { text, share }) => (has(text) ? sum + share : sum), 0);

/**
 * Returns the LIKE pattern of a term without its common words. For those an index has the longest lists, and
 * would read them from end to end to learn nothing.
 * @param term as `LIKE` takes it: `\` before what stands for itself
 * @param samples of the column, if it is known
 * @returns what `LIKE` finds at least the same rows by, with `%` in place of words; undefined when samples
 * have it, too
 */
export function rareTermPattern(
  term: string,
  samples: readonly SampledValue[] | undefined,
): string | undefined {
  if (!samples) return undefined;
  let words = 0;
  // What is left, as texts have it: between two of these, they may have anything.
  const rest = [''];
  // At spaces alone: a letter's small form may depend on what stands beside it, but not on what is beyond a space.
  const pattern = term.replace(/ +|[^ ]+/gu, (part) => {
    const text = folded(part.replace(/\\(.)/gu, '$1'));
    const isWord = !part.startsWith(' ') && ++words <= looked;
    const isCommon = isWord && totalShare(samples, (sample) => sample.includes(text)) >= common;
    if (isCommon) rest.push('');
    else rest.push(rest.pop() + text);
    return isCommon ? '%' : part;
  });
  const isSampled = samples.some(({ text: sample }) => rest.every((text) => sample.includes(text)));
  return !isSampled && rest.some(hasTrigram) ? pattern : undefined;
}
