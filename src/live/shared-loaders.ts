import type { Session } from '../db/connection/session.js';
import type { Caller } from '../domain/caller.js';
import { may } from '../domain/roles.js';

/**
 * Returns a key for what a caller sees. Callers with the same scope have the same key. Only administrators
 * see the sign-ins of others.
 */
const sightOf = ({ organizationId, role, teamIds, user }: Caller) =>
  `${organizationId} ${role} ${teamIds.join(' ')} ${may(role, 'administer') ? '' : user.id}`;

/**
 * Shares DataLoaders among streams that handle an event at the same moment. Of all streams with the same
 * scope, one reads each record for the others. The loaders are dropped in the next turn of the event loop, so
 * that later events are read anew.
 */
export class SharedLoaders {
  readonly #bySight = new Map<string, Session['loaders']>();

  /** Returns this moment's DataLoaders for all callers with the same scope. */
  for(caller: Caller): Session['loaders'] {
    if (this.#bySight.size === 0) setImmediate(() => this.#bySight.clear());
    const sight = sightOf(caller);
    const loaders = this.#bySight.get(sight) ?? new Map();
    this.#bySight.set(sight, loaders);
    return loaders;
  }
}
