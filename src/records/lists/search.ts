import type { Session } from '../../db/connection/session.js';
import type { TermCondition } from '../../db/sql/conditions.js';
import type { Condition } from '../../db/sql/query.js';
import { badField } from '../../domain/errors.js';
import type { EntityKind } from '../../domain/events.js';
import { check, rules } from '../../domain/rules.js';
import { folded } from '../../domain/text/folding.js';
import { hasTrigram } from '../../domain/text/rare-terms.js';
import { listQuery } from './keyset.js';
import { readMatches } from './matches.js';
import { makeSort } from './order.js';
import type { Readable } from './readable.js';

/** Largest number of records of a kind that a search finds. They are the first of their list. */
export const mostMatches = 200;

/** A record that a search has found. */
export interface Found {
  readonly id: string;
  readonly kind: EntityKind;
  /** Number of the kind, among those that are searched. */
  readonly place: number;
  /** The field that matches, in GraphQL's names. */
  readonly field: string;
  readonly snippet: string;
  /** The smaller, the better. */
  readonly rank: number;
  readonly title: string;
}

/** Finds the searched fields in a condition that a resource makes of a term alone. */
function searchedIn(condition: Condition): TermCondition {
  const { searched } = ((condition.AND as Condition[] | undefined) ?? []).find((part) => part.searched) ?? {};
  if (!searched) throw new Error('A list is not searched by a term.');
  return searched as TermCondition;
}

/** Searches the records of one kind. */
async function searchKind(session: Session, resource: Readable, term: string) {
  const where = await resource.where({ term }, session);
  const byName = resource.indexed.includes('name');
  const order = byName
    ? ({ field: 'name', direction: 'asc' } as const)
    : ({ field: resource.indexed[0] ?? 'id', direction: 'desc' } as const);
  const window = { limit: mostMatches - 1, offset: 0, after: undefined, before: undefined, backward: false };
  const query = listQuery(where, await makeSort(session, resource, [order]), window);
  return readMatches(session, resource.rows.model, query, searchedIn(where), {
    term,
    inIndexOrder: resource.indexed.length > 0,
  });
}

const textOrder = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Compares two found records: by rank, kind, title and id. */
const compareFound = (one: Found, other: Found) =>
  one.rank - other.rank ||
  one.place - other.place ||
  textOrder(one.title, other.title) ||
  textOrder(one.id, other.id);

/**
 * Searches records of several kinds, a statement for each.
 * @param searched the kinds in their order, with their lists
 * @returns what was found, the best first
 * @throws GatewayError BAD_REQUEST for a term that no index can look up
 */
export async function searchAll(
  session: Session,
  searched: readonly (readonly [kind: EntityKind, resource: Readable])[],
  sent: string,
): Promise<Found[]> {
  const term = check(rules.requiredLine, sent, ['term']).trim();
  if (!hasTrigram(folded(term))) throw badField(['term'], 'must have three letters or digits in a row');
  const found = await Promise.all(
    searched.map(async ([kind, resource], place) =>
      (await searchKind(session, resource, term)).map((match) => ({ ...match, kind, place })),
    ),
  );
  return found.flat().sort(compareFound);
}
