/** A value that a column has, in small letters, and the part of the rows that it stands for. */
export interface Sampled {
  readonly text: string;
  readonly share: number;
}

/** The part of the rows from which on a word is common. */
const common = 0.5;

/** Whether a trigram index can look something up: it takes three letters or digits in a row. */
export const hasTrigram = (term: string) => /[\p{L}\p{N}]{3}/u.test(term);

const shareOf = (samples: readonly Sampled[], keeps: (text: string) => boolean) =>
  samples.reduce((sum, { text, share }) => (keeps(text) ? sum + share : sum), 0);

/**
 * What an index finds the rows with a term by, if they are few: the term without the words that most rows have. For
 * those an index has the longest lists, and would read them from end to end to learn nothing.
 * @param term as `ILIKE` takes it: `\` before what stands for itself
 * @param samples of the column
 * @returns what `ILIKE` finds at least the same rows by, with `%` in place of words; undefined when samples have it, too
 */
export function rareIn(term: string, samples: readonly Sampled[]): string | undefined {
  // What is left, as texts have it: between two of these, they may have anything.
  const rest = [''];
  const pattern = term.replace(/\s+|\S+/gu, (part) => {
    const text = part.replace(/\\(.)/gu, '$1').toLowerCase();
    const isCommon = text.trim() !== '' && shareOf(samples, (sample) => sample.includes(text)) >= common;
    if (isCommon) rest.push('');
    else rest.push(rest.pop() + text);
    return isCommon ? '%' : part;
  });
  const found = shareOf(samples, (sample) => rest.every((text) => sample.includes(text)));
  return found === 0 && rest.some(hasTrigram) ? pattern : undefined;
}
