import { folded } from './names.js';

/** Folded value of a column, and the share of rows that have it. */
export interface SampledValue {
  readonly text: string;
  readonly share: number;
}

/** Share of the rows from which a word counts as common. */
const common = 0.5;

/** Number of words of a term that are examined. Further words count as rare. */
const looked = 8;

/** Checks that a trigram index can look up a term. That takes three letters or digits in a row. */
export const hasTrigram = (term: string) => /[\p{L}\p{Nd}]{3}/u.test(term);

/** Checks that a term has three letters or digits, with signs between them or not. */
export const isSearchable = (term: string) => /(?:[\p{L}\p{Nd}][^\p{L}\p{Nd}]*){3}/u.test(term);

/**
 * Checks that a trigram index narrows a search. Two letters or digits beside a sign suffice, as in `HH-NX 17`, and one
 * between two signs, because the index knows where words begin and end. So a term with three of them always does.
 */
export const isNarrowed = (term: string) =>
  hasTrigram(term) || /[\p{L}\p{Nd}]{2}[^\p{L}\p{Nd}]|[^\p{L}\p{Nd}][\p{L}\p{Nd}]./su.test(term);

const totalShare = (samples: readonly SampledValue[], has: (text: string) => boolean) =>
  samples.reduce((sum, { text, share }) => (has(text) ? sum + share : sum), 0);

/**
 * Returns the LIKE pattern of a term without its common words. Their lists in the index are the longest, and
 * reading them would not narrow the search.
 * @param term escaped for `LIKE` with `\`
 * @param samples of the column, if known
 * @returns a pattern that matches at least the same rows, with `%` in place of words; undefined if samples
 *   match it, too
 */
export function rareTermPattern(
  term: string,
  samples: readonly SampledValue[] | undefined,
): string | undefined {
  if (!samples) return undefined;
  let words = 0;
  // The remaining parts. Between two of them, a text may have anything.
  const rest = [''];
  // Split only at spaces: the lower case of a letter may depend on its neighbors, but not on what is beyond a
  // space.
  const pattern = term.replace(/ +|[^ ]+/gu, (part) => {
    const text = folded(part.replace(/\\(.)/gu, '$1'));
    const isWord = !part.startsWith(' ') && ++words <= looked;
    const isCommon = isWord && totalShare(samples, (sample) => sample.includes(text)) >= common;
    if (isCommon) rest.push('');
    else rest.push(rest.pop() + text);
    return isCommon ? '%' : part;
  });
  const isSampled = samples.some(({ text: sample }) => rest.every((text) => sample.includes(text)));
  return !isSampled && rest.some(isNarrowed) ? pattern : undefined;
}
