/** An organization, and a person in it. */
export interface Owner {
  readonly organizationId: string;
  readonly personId: string;
}

/**
 * Returns the most places that an organization and a person may hold. Neither may have them all. With one
 * or two places that is one each.
 */
export const shareOf = (places: number) => ({
  organization: Math.max(1, places - 1),
  person: Math.max(1, places - 2),
});

/** Limits of what may wait. */
interface WaitingLimits {
  readonly organization: number;
  readonly person: number;
  /** Creates the error for what cannot even wait. */
  readonly refusal: () => Error;
}

/**
 * Waiting entries of many owners. Organizations take turns, and so do the persons of each, so that one that has many
 * delays none of the others.
 */
export class Turns<Entry> {
  /** Entries by organization and person, the next one first. */
  readonly #waiting = new Map<string, Map<string, Entry[]>>();

  /** Number of entries. */
  size = 0;

  #sizeOf(organizationId: string): number {
    const persons = this.#waiting.get(organizationId)?.values() ?? [];
    return [...persons].reduce((sum, { length }) => sum + length, 0);
  }

  /** Returns how many entries of an owner's organization, and of the person, are waiting. */
  count({ organizationId, personId }: Owner): { readonly organization: number; readonly person: number } {
    const person = this.#waiting.get(organizationId)?.get(personId)?.length ?? 0;
    return { organization: this.#sizeOf(organizationId), person };
  }

  add({ organizationId, personId }: Owner, entry: Entry): void {
    const persons = this.#waiting.get(organizationId) ?? new Map<string, Entry[]>();
    const own = persons.get(personId) ?? [];
    own.push(entry);
    persons.set(personId, own);
    this.#waiting.set(organizationId, persons);
    this.size++;
  }

  /**
   * Takes the next entry. Its organization and person go to the end.
   * @param mayHave returns whether it is possible for an owner
   */
  next(
    mayHave: (owner: Owner) => boolean = () => true,
  ): { readonly owner: Owner; readonly entry: Entry } | undefined {
    for (const [organizationId, persons] of this.#waiting) {
      for (const [personId, [entry, ...others]] of persons) {
        const owner = { organizationId, personId };
        if (entry === undefined || !mayHave(owner)) continue;
        this.size--;
        persons.delete(personId);
        if (others.length > 0) persons.set(personId, others);
        this.#waiting.delete(organizationId);
        if (persons.size > 0) this.#waiting.set(organizationId, persons);
        return { owner, entry };
      }
    }
    return undefined;
  }

  /**
   * Makes room for an entry of an owner. It takes the latest entry of the organization that has most, and there of the
   * person who has most (longest queue drop).
   * @returns undefined if none has at least two more than the owner
   */
  displace(owner: Owner): Entry | undefined {
    const [organizationId, persons] = largest([...this.#waiting], ([id]) => this.#sizeOf(id)) ?? [];
    const [, entries] = largest([...(persons ?? [])], ([, { length }]) => length) ?? [];
    if (organizationId === undefined || entries === undefined) return undefined;
    const own = this.count(owner);
    const more =
      organizationId === owner.organizationId
        ? entries.length - own.person
        : this.#sizeOf(organizationId) - own.organization;
    if (more < 2) return undefined;
    this.size--;
    const [latest] = entries.splice(-1);
    if (entries.length === 0) this.#clean(organizationId);
    return latest;
  }

  /** Forgets the persons of an organization who have no entries. */
  #clean(organizationId: string): void {
    const persons = this.#waiting.get(organizationId) ?? new Map<string, Entry[]>();
    for (const [id, { length }] of persons) if (length === 0) persons.delete(id);
  }
}

/** Returns the entry with the highest value. */
function largest<T>(entries: readonly T[], lengthOf: (entry: T) => number): T | undefined {
  const values = entries.map(lengthOf);
  return entries[values.indexOf(Math.max(...values))];
}

/**
 * A queue in memory for work that takes long. Organizations take turns, and so do the persons of each. One person can
 * fill neither all places nor the queue.
 */
export class FairQueue {
  readonly #share: { readonly organization: number; readonly person: number };
  readonly #places: number;
  readonly #limits: WaitingLimits | undefined;
  readonly #waiting = new Turns<() => void>();
  readonly #running: Owner[] = [];

  /**
   * @param places work that runs at once
   * @param limits left out if something else limits what waits
   */
  constructor(places: number, limits?: WaitingLimits) {
    this.#places = places;
    this.#share = shareOf(places);
    this.#limits = limits;
  }

  /** Runs work when it is its turn. @throws the refusal if too much of the organization or the person waits already */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    if (!this.#isFree(owner)) await this.#wait(owner);
    else this.#running.push(owner);
    try {
      return await work();
    } finally {
      this.#running.splice(this.#running.indexOf(owner), 1);
      this.#serve();
    }
  }

  /** Returns whether an owner can begin at once. */
  readonly #isFree = ({ organizationId, personId }: Owner): boolean => {
    const count = (isOwn: (owner: Owner) => boolean) => this.#running.filter(isOwn).length;
    return (
      this.#running.length < this.#places &&
      count((owner) => owner.organizationId === organizationId) < this.#share.organization &&
      count((owner) => owner.personId === personId) < this.#share.person
    );
  };

  #wait(owner: Owner): Promise<void> {
    const { organization, person } = this.#waiting.count(owner);
    const limits = this.#limits;
    if (limits && (person >= limits.person || organization >= limits.organization)) throw limits.refusal();
    return new Promise((begin) => {
      this.#waiting.add(owner, () => {
        this.#running.push(owner);
        begin();
      });
    });
  }

  /** Gives free places to those whose turn it is. */
  #serve(): void {
    for (let next = this.#waiting.next(this.#isFree); next; next = this.#waiting.next(this.#isFree))
      next.entry();
  }
}
