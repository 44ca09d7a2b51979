import { modelInfo, modelName } from '../../db/sql/models.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import type { FoundHolderText } from '../../imports/matches.js';
import type { Holder, HolderKind } from '../../items/holders.js';
import type { NamedHolderText } from '../holder-cells.js';

/** The records that an entry of a cell may name. Several are told apart by what the item has already. */
export interface HolderEntry {
  readonly column: string;
  readonly text: string;
  readonly candidates: readonly Holder[];
}

/** Holders that a row names. */
export interface NamedHolders {
  /** Kinds that the row's columns are about; a missing one is left as it is. */
  readonly kinds: ReadonlySet<HolderKind>;
  readonly entries: readonly HolderEntry[];
}

/** Returns what an entry without a record says. */
export function noHolderNamed({ kind, text }: NamedHolderText): string {
  const noun = kind ? modelInfo[modelName(kind)].noun : 'vehicle, person, company or location';
  return `names no ${noun} that exists: ${text}`;
}

/** Finds holders by the texts of cells: plates, VINs, addresses, tax numbers and names. */
export class HoldersByText {
  readonly #found = new Map<string, FoundHolderText[]>();

  constructor(found: readonly FoundHolderText[]) {
    for (const one of found) {
      const key = folded(one.text.trim());
      const others = this.#found.get(key);
      if (others) others.push(one);
      else this.#found.set(key, [one]);
    }
  }

  /** Returns the records that a text names. What identifies one comes before names. */
  find({ kind, text }: NamedHolderText): readonly Holder[] {
    if (kind && isUuid(text)) return [{ kind, id: text.toLowerCase() }];
    const found = (this.#found.get(folded(text.trim())) ?? []).filter((one) => !kind || one.kind === kind);
    const first = Math.min(...found.map(({ rank }) => rank));
    return found.filter(({ rank }) => rank === first).map((one) => ({ kind: one.kind, id: one.id }));
  }
}

/** Chooses the record of an entry. Of several, it is the one that the item has. */
export function chosenHolder({ candidates }: HolderEntry, stored: readonly Holder[]): Holder | undefined {
  const [only, ...others] = candidates;
  if (others.length === 0) return only;
  const [own, ...further] = candidates.filter(({ id }) => stored.some((holder) => holder.id === id));
  return further.length === 0 ? own : undefined;
}
