import { modelInfo, modelName } from '../../db/sql/models.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import type { FoundHolderText } from '../../imports/matches.js';
import type { Holder, HolderKind } from '../../items/holders.js';
import type { NamedHolderText } from '../holder-cells.js';

/** The records that a text may name. */
interface Candidates {
  /** The records that it names best. What identifies one comes before names. */
  readonly candidates: readonly Holder[];
  /** The records that it names otherwise. An item that is a paper of one of them already stays it. */
  readonly others: readonly Holder[];
}

/** An entry of a cell. Several records are told apart by what the item has already. */
export interface HolderEntry extends Candidates {
  readonly column: string;
  readonly text: string;
  /** True if nobody has said that its column names holders. It is left out where it names several. */
  readonly isGuess: boolean;
}

/** Holders that a row names. */
export interface NamedHolders {
  /** Kinds that the row's columns are about; a missing one is left as it is. */
  readonly kinds: ReadonlySet<HolderKind>;
  readonly entries: readonly HolderEntry[];
  /** Texts of nothing that exists, in columns that nobody has chosen. Beside them, an item keeps what it has. */
  readonly leftOut: readonly string[];
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

  /** Returns the records that a text names. */
  find({ kind, text }: NamedHolderText): Candidates {
    if (kind && isUuid(text)) return { candidates: [{ kind, id: text.toLowerCase() }], others: [] };
    const found = (this.#found.get(folded(text.trim())) ?? []).filter((one) => !kind || one.kind === kind);
    const first = Math.min(...found.map(({ rank }) => rank));
    const of = (isFirst: boolean) =>
      found
        .filter(({ rank }) => (rank === first) === isFirst)
        .map((one): Holder => ({ kind: one.kind, id: one.id }));
    return { candidates: of(true), others: of(false) };
  }
}

/**
 * Chooses the record of an entry. It is the one that the item has, or else the only one that is named best.
 * @param isStored tells whether the item has it, and no entry before this one named it
 */
export function chosenHolder(
  { candidates, others }: HolderEntry,
  isStored: (holder: Holder) => boolean,
): Holder | undefined {
  if (candidates.length === 1 && others.length === 0) return candidates[0];
  const own = [...candidates, ...others].filter(isStored);
  if (own.length === 1) return own[0];
  const best = own.filter((one) => candidates.includes(one));
  if (best.length > 0) return best.length === 1 ? best[0] : undefined;
  return candidates.length === 1 ? candidates[0] : undefined;
}
