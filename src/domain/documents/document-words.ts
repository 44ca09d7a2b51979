import { distance } from 'fastest-levenshtein';
import type { Box } from './finding.js';

/** A text of a document: a page, a code, or the file's name. */
export interface WordSource {
  readonly text: string;
  /** Number of the page, from 1; null for the file's name. */
  readonly page: number | null;
  /** Finds the place of a part of the text, and its certainty (0 to 100). */
  readonly place: (start: number, end: number) => { readonly confidence: number; readonly box: Box | null };
}

/** A name as it stands in a document. */
export interface Mention {
  /** Similarity, from 0 to 1. Letters in another case and accents make no difference. */
  readonly similarity: number;
  /** Certainty of the document's words, from 0 to 100. */
  readonly confidence: number;
  /** The words as they are in the document, in one line. */
  readonly words: string;
  readonly page: number | null;
  readonly box: Box | null;
  /** Positions of the words in the whole document. Mentions that overlap explain the same words. */
  readonly from: number;
  readonly to: number;
}

/**
 * Limits of the search. They bound the time of a name and the memory of a document. `exact` is the longest word that
 * must be the same; `alone` the shortest that may differ if it is the whole name. Of a name, `inName` words are looked at.
 * `near` are the most words that have letters in common, and `steps` the comparisons of all names together.
 */
const limits = {
  words: 20_000,
  turn: 250,
  different: 5_000,
  letters: 24,
  places: 20,
  exact: 3,
  alone: 6,
  prefix: 6,
  inName: 16,
  near: 20,
  steps: 20_000_000,
};

/** Least similarity of a name to what the document says. */
const leastSimilarity = 0.8;

/** Similarity of a word that is the beginning of another, as in compounds. */
const prefixSimilarity = 0.85;

/** Factor of the similarity if words are in another order, or apart. */
const scattered = 0.97;

/** Letters whose accents Unicode does not separate. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
};

/**
 * Folds a word to lower case without accents, whatever the language of the system. Passports and many forms write `ue` for
 * `ü`, so both become `u`.
 */
function plain(word: string): string {
  const letters = /^[A-Za-z0-9]*$/.test(word)
    ? word.toLowerCase()
    : word
        .normalize('NFKD')
        .toLowerCase()
        .replace(/\p{M}/gu, '')
        .replace(/[ßæœøłđı]/g, (letter) => plainLetters[letter] ?? letter);
  return letters.includes('e') ? letters.replace(/([aou])e/g, '$1') : letters;
}

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Splits a text into words of letters and digits. */
function* wordsOf(text: string): Generator<Word> {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu))
    yield { text: plain(word.slice(0, 4 * limits.letters)), start: index, end: index + word.length };
}

/** Yields a word without each of its letters in turn. Words with one wrong letter have one of these in common. */
function* shortened(word: string): Generator<string> {
  for (let at = 0; at < word.length; at += 1) yield word.slice(0, at) + word.slice(at + 1);
}

/** Adds a value to a list in a map, unless it is full. */
function addTo<T>(map: Map<string, T[]>, key: string, value: T, most: number): void {
  const list = map.get(key);
  if (!list) map.set(key, [value]);
  else if (list.length < most) list.push(value);
}

/** Returns how many letters of a word may be wrong. */
const maxWrong = (length: number) => (length <= limits.exact ? 0 : length < 8 ? 1 : 2);

interface PlacedWord extends Word {
  readonly source: WordSource;
}

/** A word of the document that is similar to one of a name. */
interface Similar {
  readonly similarity: number;
  readonly places: readonly number[];
}

/**
 * The words of a document, in which names are found. Building it takes time and memory proportional to the document;
 * finding a name depends on the name alone, so that a document can be compared with very many of them.
 */
export class DocumentWords {
  readonly #words: PlacedWord[] = [];
  /** Places of each word. */
  readonly #places = new Map<string, number[]>();
  /** Words by what is left of them without a letter. */
  readonly #near = new Map<string, string[]>();
  /** Words by their beginnings. */
  readonly #prefixes = new Map<string, string[]>();
  #steps = 0;

  private constructor() {}

  /**
   * Collects the words of texts, which may be long.
   * @param rest lets others work after each part
   */
  static async of(
    sources: readonly WordSource[],
    rest: () => Promise<unknown> = async () => {},
  ): Promise<DocumentWords> {
    const all = new DocumentWords();
    for (const source of sources) {
      for (const word of wordsOf(source.text)) {
        if (all.#words.length >= limits.words) return all;
        all.#add({ ...word, source });
        if (all.#words.length % limits.turn === 0) await rest();
      }
    }
    return all;
  }

  #add(word: PlacedWord): void {
    const { text } = word;
    this.#words.push(word);
    const isNew = !this.#places.has(text);
    if (isNew && (this.#places.size >= limits.different || text.length > limits.letters)) return;
    addTo(this.#places, text, this.#words.length - 1, limits.places);
    if (!isNew || text.length <= limits.exact) return;
    for (const part of [text, ...shortened(text)]) addTo(this.#near, part, text, limits.near);
    for (let end = limits.prefix; end < text.length; end += 1)
      addTo(this.#prefixes, text.slice(0, end), text, limits.near);
  }

  /** Finds the words of the document that are similar to a word. */
  #similarTo(word: string, { mayDiffer, mayBePart }: { mayDiffer: boolean; mayBePart: boolean }): Similar[] {
    const found: Similar[] = [];
    const add = (text: string, similarity: number) => {
      const places = this.#places.get(text);
      if (places && found.length < limits.near) found.push({ similarity, places });
    };
    add(word, 1);
    if (found.length > 0 || word.length > limits.letters) return found;
    const most = mayDiffer ? maxWrong(word.length) : 0;
    if (most > 0) {
      const near = new Set([word, ...shortened(word)].flatMap((part) => this.#near.get(part) ?? []));
      this.#steps += near.size;
      for (const text of near) {
        const wrong = distance(word, text);
        if (wrong <= most) add(text, 1 - wrong / Math.max(word.length, text.length));
      }
    }
    const longer = mayBePart ? (this.#prefixes.get(word) ?? []) : [];
    for (const text of longer) add(text, prefixSimilarity);
    return found;
  }

  /**
   * Finds where a name stands in the document. All its words must stand close together, in any order. Each may have a
   * wrong letter, or two if it is long, but three letters and less must be the same, and so must one of several words.
   * @param mayBePart whether its words may be beginnings of longer ones
   * @returns the most similar place; null if the document does not mention it
   */
  find(name: string, mayBePart = false): Mention | null {
    const words =
      name
        .slice(0, 255)
        .match(/[\p{L}\p{N}\p{M}]+/gu)
        ?.slice(0, limits.inName)
        .map(plain) ?? [];
    const letters = words.reduce((sum, word) => sum + word.length, 0);
    // Most names end here, so that very many can be compared.
    if (letters < 3 || (words.length > 1 && !words.some((word) => this.#places.has(word)))) return null;
    if (this.#steps > limits.steps) return null;
    const options = { mayDiffer: words.length > 1 || letters >= limits.alone, mayBePart };
    const similar: Similar[][] = [];
    for (const word of words) {
      const found = this.#similarTo(word, options);
      if (found.length === 0) return null;
      similar.push(found);
    }
    return this.#closest(words, similar, letters);
  }

  /** Finds the place at which all words of a name are closest together. */
  #closest(words: readonly string[], similar: readonly Similar[][], letters: number): Mention | null {
    const byPlace = similar.map((found) => {
      const all = new Map<number, number>();
      for (const { similarity, places } of found)
        for (const place of places) all.set(place, Math.max(similarity, all.get(place) ?? 0));
      return all;
    });
    let best: Mention | null = null;
    for (const first of byPlace[0]?.keys() ?? []) {
      this.#steps += words.length;
      const chosen = this.#around(first, byPlace);
      if (!chosen) continue;
      const sum = chosen.reduce(
        (all, place, at) => all + (words[at]?.length ?? 0) * (byPlace[at]?.get(place) ?? 0),
        0,
      );
      const isInOrder = chosen.every((place, at) => at === 0 || place === (chosen[at - 1] ?? 0) + 1);
      const similarity = (sum / letters) * (isInOrder ? 1 : scattered);
      if (similarity >= leastSimilarity && similarity > (best?.similarity ?? 0))
        best = this.#mention(chosen, similarity);
    }
    return best;
  }

  /** Chooses the nearest place of each word around the first. It is undefined if one has none. */
  #around(first: number, byPlace: readonly ReadonlyMap<number, number>[]): number[] | undefined {
    const { source } = this.#words[first] ?? {};
    const chosen = [first];
    for (const [at, places] of byPlace.entries()) {
      if (at === 0) continue;
      const previous = chosen[at - 1] ?? first;
      let nearest: number | undefined;
      // One word may stand between two of a name.
      for (const step of [1, 2, -1, -2, -3]) {
        const place = previous + step;
        if (!places.has(place) || chosen.includes(place) || this.#words[place]?.source !== source) continue;
        nearest = place;
        break;
      }
      if (nearest === undefined) return undefined;
      chosen.push(nearest);
    }
    return chosen;
  }

  #mention(places: readonly number[], similarity: number): Mention | null {
    const [from, to] = [Math.min(...places), Math.max(...places)];
    const [first, last] = [this.#words[from], this.#words[to]];
    if (!first || !last) return null;
    const { source, start } = first;
    const { confidence, box } = source.place(start, last.end);
    const words = source.text.slice(start, last.end).replace(/[\s\p{Cc}]+/gu, ' ');
    return { similarity, confidence, words, page: source.page, box, from, to };
  }
}

/** Letters that are taken for digits. */
const digitsLike: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', S: '5', B: '8' };

/** Normalizes a number for comparison: no separators, and letters that look like digits as these. */
export function plainNumber(text: string): string {
  return text
    .toUpperCase()
    .replace(/[ ./_-]/g, '')
    .replace(/[OILSB]/g, (letter) => digitsLike[letter] ?? letter);
}
