import * as z from 'zod';
import {
  type ChangedKind,
  type ChangeName,
  type ChangesPage,
  changedTables,
  decodePosition,
  encodePosition,
  type FeedPosition,
  isBehind,
  readChanges,
  type StoredChange,
} from '../db/changes/changes.js';
import type { Session } from '../db/connection/session.js';
import { seesAllTeams } from '../domain/caller.js';
import { argumentError, badField } from '../domain/errors.js';
import { defaultPageSize, maxPageSize } from '../domain/paging.js';
import { check, limits } from '../domain/rules.js';
import { createFeed, type Feed, type Subscriber } from './feeds.js';

/** A change of a record, as the caller sees it. */
export interface RecordChange {
  /** The record's id. */
  readonly id: string;
  readonly kind: ChangedKind;
  readonly change: ChangeName;
  /** The record's version; null if the record is gone or out of sight. */
  readonly version: string | null;
  readonly cursor: string;
}

/** Restricts which changes a caller gets. */
interface ChangesFilter {
  readonly kinds?: readonly ChangedKind[] | null | undefined;
  readonly teamIds?: readonly string[] | null | undefined;
}

const filterRules = z.object({
  kinds: z
    .array(z.enum(changedTables.map(([kind]) => kind)))
    .max(changedTables.length, `must have at most ${changedTables.length} entries`)
    .nullish(),
  teamIds: z
    .array(z.guid('must be a UUID').transform((id) => id.toLowerCase()))
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish(),
});

/**
 * Derives a change from what the record is now and what the caller sees. So a deleted record is never
 * reported as present, and a moved record appears for some callers and disappears for others.
 */
function changeFor(
  { id, kind, change, fromTeamId, state, position }: StoredChange,
  sees: (teamId: string) => boolean,
): RecordChange {
  const told = { id, kind, cursor: encodePosition(position) };
  if (!state || (state.teamId !== null && !sees(state.teamId))) {
    return { ...told, change: 'deleted', version: null };
  }
  const isNew = change === 'created' || (fromTeamId !== null && !sees(fromTeamId));
  return { ...told, change: isNew ? 'created' : 'changed', version: state.version };
}

/** Returns whether a change matters to a caller who sees some workspaces. */
const concerns = ({ teamId, fromTeamId }: StoredChange, sees: (teamId: string) => boolean): boolean =>
  teamId === null || sees(teamId) || (fromTeamId !== null && sees(fromTeamId));

/** A page of changes, and where it ends. */
export interface RecordChanges {
  readonly changes: readonly RecordChange[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly endCursor: string;
}

/** Reads a part of the feed as the caller may see it. */
function readFor(
  session: Session,
  { kinds, teamIds }: ChangesFilter,
  part: { readonly after?: FeedPosition | undefined; readonly limit: number; readonly backward?: boolean },
): Promise<ChangesPage> {
  const { caller } = session;
  const mine = seesAllTeams(caller) ? undefined : caller.teamIds;
  return readChanges(session.database, {
    organizationId: caller.organizationId,
    teamIds: teamIds ? teamIds.filter((id) => !mine || mine.includes(id)) : mine,
    kinds: kinds ?? undefined,
    caller,
    ...part,
  });
}

/** Creates the predicate that a workspace is requested and visible to the caller. */
function visiblePredicate(
  { teamIds }: ChangesFilter,
  sees: (teamId: string) => boolean,
): (teamId: string) => boolean {
  const wanted = teamIds && new Set(teamIds);
  return (teamId) => sees(teamId) && (!wanted || wanted.has(teamId));
}

interface ChangesArguments extends ChangesFilter {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/**
 * Lists changes in an order in which a reader misses none.
 * @throws GatewayError BAD_REQUEST naming the argument; PRECONDITION_FAILED for a cursor after which changes
 *   may be missing
 */
export async function listChanges(session: Session, args: ChangesArguments): Promise<RecordChanges> {
  const { first, last } = args;
  if (first != null && last != null)
    throw argumentError('BAD_REQUEST', 'Send `first` or `last`, not both.', ['last']);
  const limit = first ?? last ?? defaultPageSize;
  if (limit < 0 || limit > maxPageSize) {
    const name = last == null ? 'first' : 'last';
    throw badField([name], `must be from 0 to ${maxPageSize}, not ${limit}`, 'range');
  }
  const filter = check(filterRules, { kinds: args.kinds, teamIds: args.teamIds });
  const after = args.after == null ? undefined : decodePosition(args.after);
  const backward = last != null;
  const { caller } = session;
  const sees = visiblePredicate(filter, (id) => seesAllTeams(caller) || caller.teamIds.includes(id));
  const page = await readFor(session, filter, { after, limit, backward });
  return {
    changes: page.changes.map((change) => changeFor(change, sees)),
    hasNextPage: !backward && page.more,
    hasPreviousPage: backward ? page.more : after !== undefined,
    endCursor: encodePosition(page.end),
  };
}

/**
 * Streams what is created, changed and deleted. With a cursor, it continues after that without a gap.
 * @throws GatewayError like `listChanges` and `followChanges`
 */
export async function recordChanges(
  { live, session, reader }: Subscriber,
  args: ChangesFilter & { readonly after?: string | null | undefined },
): Promise<Feed<RecordChange>> {
  const filter = check(filterRules, { kinds: args.kinds, teamIds: args.teamIds });
  const after = args.after == null ? undefined : decodePosition(args.after);
  const kinds = filter.kinds && new Set(filter.kinds);
  // Follow all workspaces: what the caller sees is checked when a change is sent.
  const follower = await live.followChanges(session, reader, ({ kind }) => !kinds || kinds.has(kind));
  const sees = visiblePredicate(filter, (id) => follower.sees(id));
  const page = (at: FeedPosition | undefined) =>
    readFor(follower.session(), filter, { after: at, limit: maxPageSize });

  let missed: ChangesPage | undefined;
  try {
    missed = after && (await page(after));
  } catch (error) {
    follower.end();
    throw error;
  }
  function* told(changes: readonly StoredChange[]) {
    for (const change of changes) {
      if (concerns(change, sees)) yield { session: follower.session(), value: changeFor(change, sees) };
    }
  }
  async function* events() {
    let reached = after;
    while (missed) {
      yield* told(missed.changes);
      reached = missed.end;
      missed = missed.more ? await page(reached) : undefined;
    }
    for (let changes = await follower.next(); changes; changes = await follower.next()) {
      // These have been sent already, because following began before the feed was read.
      yield* told(changes.filter(({ position }) => !reached || isBehind(position, reached)));
    }
  }
  return createFeed(follower, events());
}
