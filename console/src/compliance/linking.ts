import type { HolderKind } from '../generated/types';

/** A record that items may name. */
export interface Named {
  readonly kind: HolderKind;
  readonly id: string;
  readonly name: string | null;
  readonly licensePlate?: string | null;
  readonly vin?: string | null;
}

/** An item without a holder. */
export interface Unlinked {
  readonly id: string;
  readonly version: string;
  readonly name: string;
}

/** An item that names a record, and the words by which it does. */
export interface Match {
  readonly item: Unlinked;
  readonly holder: Named;
  readonly words: string;
}

/** The most words of a name that are compared. */
const mostWords = 6;

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns what two spellings of a name have in common. */
const nameKey = (words: readonly string[]) => `name ${words.join(' ').normalize('NFKC').toLowerCase()}`;

/** Returns what two spellings of a plate or VIN have in common. A short one may be anything. */
function numberKey(words: readonly string[]): string | undefined {
  const text = words.join('').toUpperCase();
  return text.length >= 4 && /\d/.test(text) ? `number ${text}` : undefined;
}

/** Lists what a record is known by. */
function keysOf({ name, licensePlate, vin }: Named): readonly string[] {
  const words = wordsOf(name ?? '');
  const isName = words.length > 0 && words.length <= mostWords && words.join('').length >= 3;
  const numbers = [licensePlate, vin].map((text) => numberKey(wordsOf(text ?? '')));
  return [isName ? nameKey(words) : undefined, ...numbers].flatMap((key) => key ?? []);
}

/** A part of an item's name that is what one record is called. */
interface Found {
  readonly from: number;
  readonly until: number;
  readonly holder: Named;
}

/**
 * Finds items that name exactly one record: by its plate, VIN or name. Of words within others, only the longer
 * ones count.
 */
export function matchesOf(items: readonly Unlinked[], records: readonly Named[]): readonly Match[] {
  const known = new Map<string, Named | 'several'>();
  for (const record of records) {
    for (const key of new Set(keysOf(record))) known.set(key, known.has(key) ? 'several' : record);
  }
  return items.flatMap((item) => {
    const words = wordsOf(item.name);
    const found: Found[] = [];
    for (let length = Math.min(mostWords, words.length); length > 0; length--) {
      for (let from = 0; from + length <= words.length; from++) {
        const until = from + length;
        if (found.some((longer) => longer.from <= from && until <= longer.until)) continue;
        const part = words.slice(from, until);
        const holder = known.get(nameKey(part)) ?? known.get(numberKey(part) ?? '');
        if (holder && holder !== 'several') found.push({ from, until, holder });
      }
    }
    const holders = new Map(found.map((one) => [one.holder.id, one]));
    return [...holders.values()].map(({ from, until, holder }) => ({
      item,
      holder,
      words: words.slice(from, until).join(' '),
    }));
  });
}
