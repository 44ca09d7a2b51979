import { modelInfo, modelName } from '../../db/sql/models.js';
import { type HolderKind, holderKinds } from '../../domain/holder-kinds.js';
import { isUuid } from '../../domain/rules.js';
import { folded } from '../../domain/text/names.js';
import type { FoundHolderText } from '../../imports/matches.js';
import type { ImportOptions } from '../../imports/options.js';
import type { Holder } from '../../items/holders.js';
import type { HolderInFile, NamedHolderText } from '../holder-cells.js';
import { holderKey, isEnough, type NewHolder, newHolder } from './new-holders.js';

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

/** The meaning of a text in a cell: records, or what somebody has answered. */
export interface HolderMeaning extends Candidates {
  /** Set for a text that is left out, alone or with its rows. */
  readonly leftOut?: 'cell' | 'row';
}

const nothing: Candidates = { candidates: [], others: [] };

type Answer = ImportOptions['people'][number];

/** Returns the texts that answers give in place of those of cells. */
export const answeredHolders = (
  inFile: readonly HolderInFile[],
  answers: ImportOptions['people'] | undefined,
): NamedHolderText[] => {
  const given = new Map(
    (answers ?? []).flatMap(({ value, email }) => (email ? [[folded(value), email]] : [])),
  );
  return inFile.flatMap(({ kind, text }) => {
    const email = given.get(folded(text));
    return email === undefined ? [] : [{ kind, text: email }];
  });
};

/** Options by which texts are understood that name no record. */
type Answers = Partial<Pick<ImportOptions, 'people' | 'makeHolders'>>;

/** Finds holders by the texts of cells: plates, VINs, addresses, tax numbers and names. */
export class HoldersByText {
  readonly #found = new Map<string, FoundHolderText[]>();
  readonly #answers = new Map<string, Answer[]>();
  readonly #always: readonly HolderKind[];
  /** Holders that are made, by what their texts have in common. */
  readonly #made = new Map<string, NewHolder>();
  readonly #madeById = new Map<string, NewHolder>();

  /** @param inFile the texts in the file, of which some may be made */
  constructor(
    found: readonly FoundHolderText[],
    inFile: readonly HolderInFile[] = [],
    { people, makeHolders }: Answers = {},
  ) {
    for (const one of found) {
      const key = folded(one.text.trim());
      const others = this.#found.get(key);
      if (others) others.push(one);
      else this.#found.set(key, [one]);
    }
    for (const answer of people ?? []) {
      const key = folded(answer.value.trim());
      this.#answers.set(key, [...(this.#answers.get(key) ?? []), answer]);
    }
    this.#always = makeHolders ?? [];
    for (const one of inFile) this.#make(one);
  }

  /** Makes a holder of a text that names none, if somebody wants one. */
  #make(one: HolderInFile): void {
    const answer = this.#answerTo(one);
    const email = answer?.email?.trim() || undefined;
    const isPerson = one.kind === null || one.kind === 'contact';
    const ofAddress = email?.includes('@') && isPerson && !this.#named({ kind: 'contact', text: email });
    const kind = ofAddress ? 'contact' : this.#kindToMake(one, answer);
    if (!kind || this.#named({ kind, text: one.text })) return;
    const key = holderKey(kind, email ?? one.text);
    const made = this.#made.get(key) ?? newHolder(kind, one.text, one.header, email);
    this.#made.set(key, made);
    this.#madeById.set(made.id, made);
  }

  /** Returns the kind of which a text is made. Without an answer, it is the kind of which all are. */
  #kindToMake({ kind, text }: NamedHolderText, answer: Answer | undefined): HolderKind | undefined {
    if (isUuid(text) || answer?.skipRows) return undefined;
    const wanted = answer ? [answer.make ?? []].flat() : this.#always;
    const said = answer?.email ?? text;
    const kinds = wanted.filter((one) => (kind === null || one === kind) && isEnough(one, said));
    return kinds.length === 1 ? kinds[0] : undefined;
  }

  /** Returns the answer to a text. One that makes a holder is for its kind alone. */
  #answerTo({ kind, text }: NamedHolderText): Answer | undefined {
    const answers = this.#answers.get(folded(text.trim())) ?? [];
    return answers.find(({ make }) => !make || kind === null || make === kind);
  }

  /** Returns a holder that is made, by its id. */
  madeOf({ id }: Holder): NewHolder | undefined {
    return this.#madeById.get(id);
  }

  /** Returns what a text means. */
  find(named: NamedHolderText): HolderMeaning {
    const answer = this.#answerTo(named);
    if (answer?.skipRows) return { ...nothing, leftOut: 'row' };
    if (answer && !answer.make && !answer.email) return { ...nothing, leftOut: 'cell' };
    const text = answer?.email?.trim() || named.text;
    return this.#named({ ...named, text }) ?? this.#madeFor(named.kind, text) ?? nothing;
  }

  /** Returns the holder that is made of a text. */
  #madeFor(kind: HolderKind | null, text: string): Candidates | undefined {
    for (const one of kind ? [kind] : holderKinds) {
      const made = this.#made.get(holderKey(one, text));
      if (made) return { candidates: [{ kind: made.kind, id: made.id }], others: [] };
    }
    return undefined;
  }

  /** Returns the records that a text names. Undefined if there are none. */
  #named({ kind, text }: NamedHolderText): Candidates | undefined {
    if (kind && isUuid(text)) return { candidates: [{ kind, id: text.toLowerCase() }], others: [] };
    const found = (this.#found.get(folded(text.trim())) ?? []).filter((one) => !kind || one.kind === kind);
    if (found.length === 0) return undefined;
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
