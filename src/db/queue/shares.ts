import { LRUCache } from 'lru-cache';
import { shareOf } from '../../domain/load/shares.js';

/** A job, and whose it is. */
export interface OwnedJob {
  readonly id: string;
  readonly organizationId: string;
  /** The person, or the organization again if the job is no person's. */
  readonly personId: string;
}

/** Precedes all ids. */
const first = '00000000-0000-0000-0000-000000000000';

/** The most organizations whose last person is remembered. */
const mostRemembered = 1_000;

/**
 * Decides whose turn it is in a queue of jobs, for one worker. Organizations take turns in the order of their ids, and so do
 * the persons of each. Neither ever has all places of the worker, so that the next one need not wait for the end of
 * somebody else's long jobs. Workers that share a queue do the same, each by itself.
 */
export class Shares {
  readonly #share: { readonly organization: number; readonly person: number };
  readonly #underWay = new Map<string, OwnedJob>();
  readonly #persons = new LRUCache<string, string>({ max: mostRemembered });
  #organization = first;

  /** @param places jobs that the worker does at once */
  constructor(places = Number.POSITIVE_INFINITY) {
    this.#share = shareOf(places);
  }

  /** The organization that had the last turn. */
  get last(): string {
    return this.#organization;
  }

  /** The person who had the last turn of each organization. */
  get lastPersons(): { readonly organizations: string[]; readonly persons: string[] } {
    return { organizations: [...this.#persons.keys()], persons: [...this.#persons.values()] };
  }

  /** The organizations and persons who get no further place now. */
  get full(): { readonly organizations: string[]; readonly persons: string[] } {
    const idsOver = (share: number, idOf: (job: OwnedJob) => string) => {
      const counts = new Map<string, number>();
      for (const job of this.#underWay.values()) counts.set(idOf(job), (counts.get(idOf(job)) ?? 0) + 1);
      return [...counts].filter(([, count]) => count >= share).map(([id]) => id);
    };
    return {
      organizations: idsOver(this.#share.organization, ({ organizationId }) => organizationId),
      // What is no person's only counts for the organization.
      persons: idsOver(this.#share.person, ({ personId }) => personId),
    };
  }

  /** Notes which jobs are still under way; all others have left their places. */
  retain(jobs: Iterable<Pick<OwnedJob, 'id'>>): void {
    const ids = new Set([...jobs].map(({ id }) => id));
    for (const id of this.#underWay.keys()) if (!ids.has(id)) this.#underWay.delete(id);
  }

  /** Notes the jobs of a round, in which each organization has at most one turn. */
  note(round: readonly OwnedJob[]): void {
    for (const job of round) {
      this.#underWay.set(job.id, job);
      this.#persons.set(job.organizationId, job.personId);
    }
    const served = round.map(({ organizationId }) => organizationId).sort();
    // A round begins behind the last turn, and goes on from the first organization.
    this.#organization = served.filter((id) => id <= this.#organization).at(-1) ?? served.at(-1) ?? first;
  }
}
