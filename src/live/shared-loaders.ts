import type { Session } from '../db/connection/session.js';
import type { Caller } from '../domain/caller.js';

/** Returns what decides which rows a caller sees, as a text. */
const sightOf = ({ organizationId, role, teamIds }: Caller) =>
  `${organizationId} ${role} ${teamIds.join(' ')}`;

/**
 * DataLoaders of the streams that are told of an event at the same moment. Of many streams whose callers see the same,
 * one reads each record for all. They are forgotten in the next turn of the event loop: later events are read anew.
 */
export class SharedLoaders {
  readonly #bySight = new Map<string, Session['loaders']>();

  /** Returns the DataLoaders of this moment for all who see what a caller sees. */
  for(caller: Caller): Session['loaders'] {
    if (this.#bySight.size === 0) setImmediate(() => this.#bySight.clear());
    const sight = sightOf(caller);
    const loaders = this.#bySight.get(sight) ?? new Map();
    this.#bySight.set(sight, loaders);
    return loaders;
  }
}
