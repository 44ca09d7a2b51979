/** Converts camel case to snake case, for REST and the database: `licensePlate` → `license_plate`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]|(?<=[a-z])\d/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Converts snake case to camel case: `license_plate` → `licensePlate`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the plural of a noun: `company` → `companies`, `watch` → `watches`. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  return `${noun}${/(ch|sh|s|x)$/.test(noun) ? 'es' : 's'}`;
}

/** Puts the indefinite article before a noun: `an attachment`, `a user`. */
export function withArticle(noun: string): string {
  return `${/^(?!use)[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Makes the first letter of a text upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Spelling of the schema's field names in an API. */
export type Naming = (field: string) => string;

/**
 * Folds a text for case-insensitive search. The result is in Unicode NFC and lower case, with `ß` as `ss`,
 * and the final sigma like any other. It mirrors the database function `folded`, which decides what is found.
 */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}

/** Characters between the parts of a licence plate, as the database function `plate_key` has them. */
const betweenParts = /[\t\n\r \u00a0\u2007\u2009\u202f\-\u00ad\u2010-\u2014./:_\u00b7\u2022]/gu;

/**
 * Returns a text without what divides the parts of a licence plate: `HH-NX 17` is `hhnx17`.
 * @returns undefined unless it is one word of letters and digits that has a digit
 */
export function plateKey(text: string): string | undefined {
  const key = folded(text).replace(betweenParts, '');
  return /^(?=.*\p{Nd})[\p{L}\p{Nd}]{3,32}$/u.test(key) ? key : undefined;
}

/**
 * A text without visible characters. Besides white space and control characters, these are the ones that Unicode calls
 * default ignorable (joiners, bidirectional controls, fillers, variation selectors, tags), and a few that fonts draw
 * as blanks.
 */
const unseen = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb\u{1d159}]*$/u;

/** Checks that a text has a visible character. */
export const isVisible = (text: string): boolean => !unseen.test(text);
