import { isUuid } from '../rules.js';
import { exactText, isPlain, parseExact } from './json.js';
import { folded } from './names.js';

/** Text that takes the place of what was erased of a person. */
export const erasedPerson = 'erased person';

/** Values of a person that texts can have. */
export interface PersonalValues {
  /** Ids of the contacts and the user. */
  readonly ids: readonly string[];
  readonly emails: readonly string[];
  /** Telephone numbers that nobody else has. */
  readonly phones: readonly string[];
  /** Names, and numbers that somebody else has as well. They are replaced only where the text is about the person. */
  readonly names: readonly string[];
  /** Other values of the person's own record: numbers, custom fields. They are replaced only in copies of it. */
  readonly own: readonly string[];
}

/** Relation of a text: none, about the person, or the person's own record. */
export type Relation = 'none' | 'about' | 'own';

/** Place of a value in a text. */
interface FoundValue {
  readonly start: number;
  readonly end: number;
}

/** Digits that a telephone number needs to be told apart from other numbers. */
const fewestDigits = 7;

/** Letters that a name needs to be looked for in texts. */
const fewestLetters = 3;

/** Returns whether a text is a telephone number that can be recognized wherever it stands. */
export const isTelling = (phone: string): boolean => phone.replace(/\D/g, '').length >= fewestDigits;

const escaped = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}\s]/gu, '\\$&');
const escapedHere = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** Returns what may stand between two digits of a telephone number. */
const between = '[ ().\\/\\u00a0-]*';
const digitsOf = (phone: string) => [...phone.replace(/\D/g, '')];

/** Values that look like others by chance: ids, dates and times. */
const isOther = (text: string) => isUuid(text) || /^\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?$/.test(text);

/** Finds a person's values in texts, and replaces them. */
export class PersonalTexts {
  /** PostgreSQL's regular expression for folded texts with a value. It matches some others, too. */
  readonly pattern: string;
  readonly #ids: readonly string[];
  readonly #emails: readonly string[];
  readonly #address: RegExp | undefined;
  readonly #unique: RegExp | undefined;
  readonly #names: RegExp | undefined;
  readonly #whole: ReadonlySet<string>;
  readonly #own: ReadonlySet<string>;
  readonly #quoted: RegExp | undefined;
  readonly #keyMark: string;

  /** @param keyMark makes the keys of this erasure different from all others */
  constructor({ ids, emails, phones, names, own }: PersonalValues, keyMark: string) {
    this.#ids = ids;
    this.#emails = emails.map(folded);
    this.#keyMark = keyMark;
    const all = (parts: readonly string[]) =>
      parts.length > 0 ? new RegExp(parts.join('|'), 'gu') : undefined;
    const addresses = this.#emails.map(
      (email) => `(?<![\\p{L}\\p{N}._%+\\-])${escapedHere(email)}(?![\\p{L}\\p{N}_\\-]|\\.[\\p{L}\\p{N}])`,
    );
    const numbers = phones.map(
      (phone) => `(?<![\\p{L}\\p{N}])\\+?\\(?${digitsOf(phone).join(between)}(?![\\p{L}\\p{N}])`,
    );
    const words = names.map(folded).sort((one, other) => other.length - one.length);
    const asWord = (name: string) => `(?<![\\p{L}\\p{N}])${escapedHere(name)}(?![\\p{L}\\p{N}])`;
    this.#address = all(addresses);
    this.#unique = all([...addresses, ...numbers]);
    this.#names = all(words.filter((name) => name.length >= fewestLetters).map(asWord));
    this.#whole = new Set(words);
    this.#own = new Set([...words, ...own.map(folded)]);
    this.#quoted = all(
      words.flatMap((name) => [
        `(?<=")${escapedHere(name)}(?=")`,
        `(?<=")${escapedHere(inJson(name))}(?=")`,
        ...(/\s/.test(name) ? [asWord(name)] : []),
      ]),
    );
    const spellings = [...ids, ...this.#emails, ...words].flatMap((text) => [
      text,
      inJson(text),
      inJson(inJson(text)),
    ]);
    const spread = phones.map((phone) => digitsOf(phone).join('[^[:alnum:]]*'));
    this.pattern = [...new Set(spellings.map(escaped)), ...spread].join('|') || '(?!)';
  }

  /** Returns whether a text names the person beyond doubt: by an id or an address. */
  isAbout(text: string): boolean {
    const low = folded(text);
    return (
      this.#ids.some((id) => low.includes(id)) ||
      (this.#address !== undefined && low.search(this.#address) >= 0)
    );
  }

  /** Replaces the values in a text, or in all texts of JSON. What has the person's id in JSON is the person's own. */
  erase(text: string, relation: Relation): string {
    const isOwner = (id: unknown) => this.#ids.includes(id as string);
    return mapTexts(text, (leaf, isOwn) => this.#eraseIn(leaf, isOwn ? 'own' : relation), isOwner);
  }

  /** Replaces the addresses in a key, so that it stays different from other keys. */
  eraseKey(text: string): string {
    return replaceFolded(text, this.#address, (found) => {
      const place = this.#emails.indexOf(found);
      return `erased-${this.#keyMark}-${place}`;
    });
  }

  /** Returns whether a text is nothing but an address of the person. */
  isAddress(text: string): boolean {
    return this.#emails.includes(folded(text.trim()));
  }

  /** Returns whether a text, or any text of JSON, has one of the values. */
  mentions(text: string): boolean {
    return textsIn(text).some((leaf) => this.find(leaf).length > 0);
  }

  /** Finds the values in a plain text, also the names. */
  find(text: string): FoundValue[] {
    if (isOther(text)) return [];
    const low = folded(text);
    const found = [this.#unique, this.#names].flatMap((pattern) =>
      pattern
        ? [...low.matchAll(pattern)].map(({ 0: match, index }) => ({
            start: index,
            end: index + match.length,
          }))
        : [],
    );
    return found.sort((one, other) => one.start - other.start);
  }

  #eraseIn(text: string, relation: Relation): string {
    if (isOther(text)) return text;
    const without = replaceFolded(text, this.#unique, () => erasedPerson);
    if (relation === 'none') return without;
    const whole = relation === 'own' ? this.#own : this.#whole;
    if (whole.has(folded(without.trim()))) return erasedPerson;
    return replaceFolded(without, this.#quoted, () => erasedPerson);
  }
}

/** Replaces what a pattern finds in a folded text. A text that folding makes longer stays folded. */
function replaceFolded(text: string, pattern: RegExp | undefined, by: (found: string) => string): string {
  if (!pattern) return text;
  const low = folded(text);
  if (low.search(pattern) < 0) return text;
  const kept = low.length === text.length ? text : low;
  let [result, from] = ['', 0];
  for (const { 0: found, index } of low.matchAll(pattern)) {
    result += kept.slice(from, index) + by(found);
    from = index + found.length;
  }
  return result + kept.slice(from);
}

/** Lists the texts of JSON, or the text itself. */
export function textsIn(text: string): string[] {
  const texts: string[] = [];
  mapTexts(text, (leaf) => {
    texts.push(leaf);
    return leaf;
  });
  return texts;
}

/**
 * Changes all texts and names of JSON. Another text is changed as a whole.
 * @param isOwner returns whether an object with this id, and all in it, belongs to somebody
 */
function mapTexts(
  text: string,
  change: (leaf: string, isOwn: boolean) => string,
  isOwner: (id: unknown) => boolean = () => false,
): string {
  const value = /^\s*[[{"]/.test(text) ? readJson(text) : undefined;
  if (value === undefined) return change(text, false);
  let isChanged = false;
  const noted = (leaf: string, isOwn: boolean) => {
    const changed = change(leaf, isOwn);
    isChanged ||= changed !== leaf;
    return changed;
  };
  const walk = (inner: unknown, around: boolean): unknown => {
    if (typeof inner === 'string') return noted(inner, around);
    if (Array.isArray(inner)) return inner.map((entry) => walk(entry, around));
    if (!isPlain(inner)) return inner;
    const isOwn = around || isOwner((inner as { readonly id?: unknown }).id);
    // Names of members are values in custom data only.
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [noted(name, false), walk(member, isOwn)]),
    );
  };
  const changed = walk(value, false);
  return isChanged ? exactText(changed) : text;
}

function readJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
