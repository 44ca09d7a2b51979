import { recordKinds } from '../../src/db/sql/models.js';
import { newId } from '../../src/domain/rules.js';
import { expectUntold, type Observation, observe, type Sent } from './observe.js';
import { beside, filters, kept, type Needs, references, shared } from './rows.js';
import { type Position, put } from './schema-walk.js';
import type { Beyond, Kind, World } from './world.js';

/** A place of a request where a foreign id is put. */
export interface Case {
  /** Of which kind the record is. */
  readonly kind: Kind;
  /** What the operation asks of a role. */
  readonly needs: Needs;
  /** Returns the request with an id there. */
  readonly request: (id: string, token: string) => Sent;
  /** Returns what is said to whoever puts it there. */
  readonly expectAnswer: (answer: Observation) => void;
  /** True if ids are stored there as they are sent. */
  readonly stores?: boolean;
}

export const nameOf = ({ owner, field }: Position) => `${owner}.${field}`;

/** Returns whether a place is the operation's own id, and not one inside of an input. */
export const isOwn = ({ owner }: Position) => owner === undefined;

/** Returns what stands at a place from one of its steps on: an id, and what must be beside it. */
export function valueAt(at: Position, from: number, id: string): unknown {
  const [member, value] = beside[nameOf(at)] ?? [];
  const inner = at.path.slice(from);
  const needed = member === undefined ? undefined : put(undefined, [...inner.slice(0, -1), member], value);
  return put(needed, inner, id);
}

/** Kinds of records by the names of filters' members, for what is named there by one id or by many. */
const named: Readonly<Record<string, Kind>> = {
  assignedTo: 'user',
  assignedToContact: 'contact',
  deletedBy: 'user',
  // Nobody sees the imports of others, so that any id which is none of the caller's own imports finds nothing.
  import: 'delivery',
  item: 'expirationItem',
  parentLocation: 'location',
  primaryContact: 'contact',
  recipient: 'contact',
  type: 'contactType',
};

/** Finds the kind of record that a member of a filter names. */
export function filteredKind(at: Position): Kind | undefined {
  const member = /Filter\.(\w+)Ids?$/.exec(nameOf(at))?.[1];
  return filters[nameOf(at)] ?? named[member ?? ''] ?? recordKinds.find((kind) => kind === member);
}

/** Of which kind a record must be that is named at a place of what is written, and whether it must be one at all. */
export function writtenAt(at: Position): { kind: Kind; stores: boolean } {
  const name = nameOf(at);
  const kind = references[name] ?? kept[name];
  if (!kind) throw new Error(`${name} has no row.`);
  return { kind, stores: name in kept };
}

/** Where records of a kind are out of a caller's sight. */
function placesOf(world: World, { kind, needs, stores }: Case): readonly Beyond[] {
  // Admins see all workspaces; some kinds are the whole organization's; and what is looked up nowhere is so anywhere.
  const all = !shared.includes(kind) && needs !== 'administer' && !stores;
  return world.beyond.filter(({ what }) => all || what === 'another organization');
}

/**
 * Puts foreign ids where a case says, and expects that nothing is told of them.
 * @returns of how many places
 */
export async function walk(world: World, { request, expectAnswer, ...rest }: Case): Promise<number> {
  const places = placesOf(world, { request, expectAnswer, ...rest });
  for (const { ids, token } of places) {
    const sent = (id: string) => request(id, token);
    // So that either of the two that are compared finds an id there to take the place of.
    if (rest.stores) await observe(world, sent(newId()));
    expectAnswer(await expectUntold(world, sent, ids[rest.kind]));
  }
  return places.length;
}
