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

/** The most records of a kind that a search finds. They are the first of their list. */
export const maxMatchesPerKind = 200;

/** A record that a search has found. */
export interface Found {
  readonly id: string;
  readonly kind: EntityKind;
  /** Position of the kind among the searched kinds. */
  readonly place: number;
  /** The matching field, by its GraphQL name. */
  readonly field: string;
  readonly snippet: string;
  /** Smaller is better. */
  readonly rank: number;
  readonly title: string;
}

/** Finds the searched fields in a resource's condition for a bare term. */
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
  const window = {
    limit: maxMatchesPerKind - 1,
    offset: 0,
    after: undefined,
    before: undefined,
    backward: false,
  };
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
 * Searches records of several kinds, with a statement for each kind.
 * @param searched the kinds in order, with their lists
 * @returns the matches, best first
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
