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
export interface WaitingLimits {
  readonly organization: number;
  readonly person: number;
  /** Creates the error for what cannot even wait. */
  readonly refusal: () => Error;
}

interface Waiting {
  readonly owner: Owner;
  readonly begin: () => void;
}

/**
 * A queue in memory for work that takes long. Organizations take turns, and so do the persons of each. One person can
 * fill neither all places nor the queue.
 */
export class FairQueue {
  readonly #share: { readonly organization: number; readonly person: number };
  readonly #places: number;
  readonly #limits: WaitingLimits | undefined;
  /** Waiting work by organization and person, the next one first. */
  readonly #waiting = new Map<string, Map<string, Waiting[]>>();
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
  #isFree({ organizationId, personId }: Owner): boolean {
    const count = (isOwn: (owner: Owner) => boolean) => this.#running.filter(isOwn).length;
    return (
      this.#running.length < this.#places &&
      count((owner) => owner.organizationId === organizationId) < this.#share.organization &&
      count((owner) => owner.personId === personId) < this.#share.person
    );
  }

  #wait(owner: Owner): Promise<void> {
    const { organizationId, personId } = owner;
    const persons = this.#waiting.get(organizationId) ?? new Map<string, Waiting[]>();
    const own = persons.get(personId) ?? [];
    const ofAll = [...persons.values()].reduce((sum, { length }) => sum + length, 0);
    const limits = this.#limits;
    if (limits && (own.length >= limits.person || ofAll >= limits.organization)) throw limits.refusal();
    return new Promise((begin) => {
      own.push({ owner, begin });
      persons.set(personId, own);
      this.#waiting.set(organizationId, persons);
    });
  }

  /** Gives free places to those whose turn it is. */
  #serve(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#running.push(next.owner);
      next.begin();
    }
  }

  /** Takes the next work out of the queue. Its organization and person go to the end. */
  #next(): Waiting | undefined {
    for (const [organizationId, persons] of this.#waiting) {
      for (const [personId, own] of persons) {
        const [next] = own;
        if (!next || !this.#isFree(next.owner)) continue;
        own.shift();
        persons.delete(personId);
        if (own.length > 0) persons.set(personId, own);
        this.#waiting.delete(organizationId);
        if (persons.size > 0) this.#waiting.set(organizationId, persons);
        return next;
      }
    }
    return undefined;
  }
}
