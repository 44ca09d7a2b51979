import { compliances } from '../compliance/compliances.js';
import type { Session } from '../db/connection/session.js';
import type { Identified, RowOf } from '../db/sql/conditions.js';
import { notFound } from '../domain/errors.js';
import {
  deliverySettledType,
  type EntityKind,
  type EventHead,
  entityNames,
  entityTypes,
  eventTypes,
} from '../domain/models.js';
import { check } from '../domain/rules.js';
import { expirationItems } from '../items/expiration-items.js';
import type { Item } from '../items/item-rows.js';
import { kindsSeen, listCondition } from '../records/lists/filter.js';
import { type BatchLoader, loadBatched } from '../records/loaders.js';
import { findRecord } from '../records/record.js';
import type { ListedResource } from '../records/resource.js';
import { deliveries } from '../reminders/queries/deliveries.js';
import { documentRequests } from '../requests/document-requests.js';
import { entitiesByEvent, eventLogs, liveEventRules } from '../resources/event-logs.js';
import { uploadNotifications } from '../uploads/notifications.js';
import type { EventReader, Follower } from './follower.js';
import type { Live } from './live.js';

/** Event of a stream: a value, and the session for reading the rest. */
export interface LiveEvent<T> {
  readonly session: Session;
  readonly value: T;
}

/** The events of one stream. Returning ends the stream, even while it waits for its next event. */
export type Feed<T> = AsyncIterableIterator<LiveEvent<T>>;

/** Subscriber of a stream, with the sources of its events. */
export interface Subscriber {
  readonly live: Live;
  readonly session: Session;
  readonly reader: EventReader;
}

/**
 * Creates a stream that ends at once when returned. A generator's `return` would wait for its next `yield`.
 */
export function createFeed<T>(
  follower: Pick<Follower, 'end'>,
  events: AsyncGenerator<LiveEvent<T>>,
): Feed<T> {
  const ending = async (result: Promise<IteratorResult<LiveEvent<T>>>) => {
    try {
      const step = await result;
      if (step.done) follower.end();
      return step;
    } catch (error) {
      follower.end();
      throw error;
    }
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => ending(events.next()),
    return() {
      follower.end();
      return events.return(undefined);
    },
  };
}

/** Reads visible rows in the order of ids. Callers with the same scope share the reading. */
async function readVisibleRows<Row extends Identified>(
  session: Session,
  resource: ListedResource<Row>,
  ids: readonly string[],
): Promise<Row[]> {
  const read: BatchLoader<Row | null> = async (at, wanted) => {
    const rows = await resource.rows.list(at, { where: { id: { in: [...wanted] } } });
    const byId = new Map(rows.map((row) => [row.id, row]));
    return wanted.map((id) => byId.get(id) ?? null);
  };
  const rows = await Promise.all(ids.map((id) => loadBatched(session, read, id, resource.rows)));
  return rows.filter((row) => row !== null);
}

function isAbout({ entities }: EventHead, entityId: string): boolean {
  return entities.some(({ id }) => id === entityId);
}

/**
 * Streams the event log's entries as they are written.
 * @param given restricts the stream to events of some types, or about one record
 * @throws GatewayError BAD_REQUEST naming the argument; and like `follow`
 */
export async function eventsLogged(
  { live, session, reader }: Subscriber,
  given: {
    typeIds?: number[] | null | undefined;
    types?: number[] | null | undefined;
    entityId?: string | null | undefined;
  },
): Promise<Feed<RowOf<'EventLog'>>> {
  const { typeIds, types, entityId } = check(liveEventRules, given);
  const follower = await live.follow(session, reader, (head) => {
    const about = !entityId || head.more || isAbout(head, entityId);
    return (
      about &&
      head.typeId !== deliverySettledType &&
      [typeIds, types].every((wanted) => !wanted || wanted.includes(head.typeId))
    );
  });
  async function concerns(at: Session, head: EventHead | undefined): Promise<boolean> {
    if (!entityId || !head) return true;
    const entities = head.more ? await loadBatched(at, entitiesByEvent, head.id) : head.entities;
    const kinds = await loadBatched(at, kindsSeen, entityId);
    return entities.some(({ id, typeId }) => id === entityId && kinds.includes(typeId));
  }
  async function* events() {
    for (let heads = await follower.next(); heads; heads = await follower.next()) {
      const seen = new Map(
        heads.filter(({ teamId }) => follower.sees(teamId)).map((head) => [head.id, head]),
      );
      const session = follower.session();
      for (const value of await readVisibleRows(session, eventLogs, [...seen.keys()])) {
        if (!(await concerns(session, seen.get(value.id)))) continue;
        // Check again: the client may read slowly, and the token may have been revoked meanwhile.
        if (follower.sees(value.teamId)) yield { session: follower.session(), value };
      }
    }
  }
  return createFeed(follower, events());
}

/**
 * Streams an item after each of its changes. When the item is deleted or leaves the caller's sight, it yields
 * null and ends. Changes that come faster than they are read are merged.
 * @throws GatewayError NOT_FOUND; and like `follow`
 */
export async function itemChanges(
  { live, session, reader }: Subscriber,
  id: string,
): Promise<Feed<Item | null>> {
  const wanted = id.toLowerCase();
  const find = (at: Session) => findRecord(at, expirationItems, id);
  // Read the item before following it, so that the first look finds a change that happens in between.
  const item = await find(session);
  if (!item) throw notFound(entityNames.expirationItem, id);
  // Follow all workspaces: an item that was moved out of sight announces it in the other workspace.
  const follower = await live.follow(session, reader, (head) => head.more || isAbout(head, wanted));
  async function* changes(before: Item) {
    let version = before.modified.getTime();
    do {
      const session = follower.session();
      const value = await find(session);
      // The event may be about a record that belongs to the item, or about a change that was already sent.
      if (value?.modified.getTime() === version) continue;
      yield { session, value };
      if (!value) return;
      version = value.modified.getTime();
    } while (await follower.next());
  }
  return createFeed(follower, changes(item));
}

/** The most records that one look reads at once. */
const readAtOnce = 500;

/** List whose records are streamed, and how an event's records lead to them. */
interface FilteredFeed<Row extends Identified> {
  readonly list: ListedResource<Row>;
  /** The column with the ids of the records that the events are about. */
  readonly column: string;
  isAbout(head: EventHead): boolean;
}

/**
 * Streams records that have changed, as they are now. Changes that come faster than they are read are merged.
 * @param filter that of the list; a record that does not match it any more is not sent
 * @throws GatewayError BAD_REQUEST for an invalid filter; and like `follow`
 */
async function filteredChanges<Row extends Identified & { readonly teamId: string }>(
  { live, session, reader }: Subscriber,
  { list, column, isAbout }: FilteredFeed<Row>,
  filter: object,
): Promise<Feed<Row>> {
  await listCondition(list, filter, session);
  const follower = await live.follow(session, reader, isAbout);
  async function* changes() {
    for (let heads = await follower.next(); heads; heads = await follower.next()) {
      const entities = heads.filter(({ teamId }) => follower.sees(teamId)).flatMap((head) => head.entities);
      const ids = [...new Set(entities.map(({ id }) => id))];
      for (let at = 0; at < ids.length; at += readAtOnce) {
        const session = follower.session();
        const changed = { [column]: { in: ids.slice(at, at + readAtOnce) } };
        const where = { AND: [await listCondition(list, filter, session), changed] };
        for (const value of await list.rows.list(session, { where })) {
          if (follower.sees(value.teamId)) yield { session: follower.session(), value };
        }
      }
    }
  }
  return createFeed(follower, changes());
}

/** Streams records whose compliance has changed; see `filteredChanges`. */
export const complianceChanges = (
  subscriber: Subscriber,
  filter: object,
): Promise<Feed<RowOf<'HolderCompliance'>>> =>
  filteredChanges(
    subscriber,
    {
      list: compliances as ListedResource<RowOf<'HolderCompliance'>>,
      column: 'holderId',
      isAbout: ({ typeId }) => typeId === eventTypes['compliance changed'],
    },
    filter,
  );

const requestType: number = entityTypes['documentRequest' satisfies EntityKind];

/** Streams requests for documents after each step; see `filteredChanges`. */
export const requestChanges = (
  subscriber: Subscriber,
  filter: object,
): Promise<Feed<RowOf<'DocumentRequest'>>> =>
  filteredChanges(
    subscriber,
    {
      list: documentRequests as ListedResource<RowOf<'DocumentRequest'>>,
      column: 'id',
      isAbout: ({ entities }) => entities.some(({ typeId }) => typeId === requestType),
    },
    filter,
  );

const uploadType: number = entityTypes['uploadNotification' satisfies EntityKind];

/** Streams upload notifications as they are filed. @throws GatewayError like `follow` */
export async function uploadsFiled({
  live,
  session,
  reader,
}: Subscriber): Promise<Feed<RowOf<'UploadNotification'>>> {
  const follower = await live.follow(session, reader, ({ typeId }) => typeId === eventTypes['scan filed']);
  async function* uploads() {
    for (let heads = await follower.next(); heads; heads = await follower.next()) {
      const entities = heads.filter(({ teamId }) => follower.sees(teamId)).flatMap((head) => head.entities);
      const ids = entities.filter(({ typeId }) => typeId === uploadType).map(({ id }) => id);
      for (const value of await readVisibleRows(follower.session(), uploadNotifications, ids)) {
        if (follower.sees(value.teamId)) yield { session: follower.session(), value };
      }
    }
  }
  return createFeed(follower, uploads());
}

/** Streams deliveries as they are sent, given up or cancelled. @throws GatewayError like `follow` */
export async function deliveriesSettled({
  live,
  session,
  reader,
}: Subscriber): Promise<Feed<RowOf<'Delivery'>>> {
  const follower = await live.follow(session, reader, ({ typeId }) => typeId === deliverySettledType);
  async function* settled() {
    for (let heads = await follower.next(); heads; heads = await follower.next()) {
      const ids = heads.filter(({ teamId }) => follower.sees(teamId)).map(({ id }) => id);
      for (const value of await readVisibleRows(follower.session(), deliveries, ids)) {
        if (follower.sees(value.teamId)) yield { session: follower.session(), value };
      }
    }
  }
  return createFeed(follower, settled());
}
