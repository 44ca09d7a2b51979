import { named } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { sql } from '../../db/sql/sql.js';
import { computeStatus, type Status } from '../../domain/status.js';
import { matchesType } from '../event-types.js';
import { kindOfEvent, type LoggedEvent, readDetails } from './message-body.js';

/** Choice of the events that an endpoint hears of. */
export interface Wish {
  readonly id: string;
  readonly eventTypes: readonly string[];
  readonly teamIds: readonly string[];
  readonly payload: 'FULL' | 'THIN';
  readonly categoryIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly statuses: readonly string[];
}

/** Facts of an item that endpoints choose by. */
export interface ItemFacts {
  readonly categoryId: string | null;
  readonly tagIds: readonly string[];
  /** Undefined for a deleted item. */
  readonly status: Status | undefined;
}

/** Reads the endpoints of an organization that are not disabled, under a lock against deletion. */
export function readWishes(tx: Transaction, organizationId: string): Promise<Wish[]> {
  const statement = sql`
    SELECT id, event_types AS "eventTypes", team_ids AS "teamIds", payload::text AS payload,
      category_ids AS "categoryIds", tag_ids AS "tagIds", statuses
    FROM webhook_endpoints WHERE organization_id = ${organizationId}::uuid AND state <> 'DISABLED'
    ORDER BY id FOR KEY SHARE`;
  return tx.run<Wish>(named('webhook_endpoints.wishes', statement));
}

const choosesItems = ({ categoryIds, tagIds, statuses }: Wish) =>
  categoryIds.length + tagIds.length + statuses.length > 0;

interface ItemRow {
  readonly id: string;
  readonly categoryId: string | null;
  readonly tagIds: readonly string[];
  readonly isActive: boolean;
  readonly isMissing: boolean;
  readonly expirationDate: Date | null;
  readonly notifyOn: Date | null;
  readonly timezone: string;
}

/** Returns the facts of a deleted item, which only its event still has. */
function factsOfDeleted(event: LoggedEvent): ItemFacts {
  const { category, tags } = readDetails(event);
  const categoryId = typeof category?.before === 'string' ? category.before : null;
  return { categoryId, tagIds: Array.isArray(tags?.before) ? tags.before : [], status: undefined };
}

/** Reads the facts of items that events are about, if an endpoint chooses by them. */
export async function readItemFacts(
  tx: Transaction,
  wishes: readonly Wish[],
  events: readonly LoggedEvent[],
  now: Date,
): Promise<ReadonlyMap<string, ItemFacts>> {
  const aboutItems = events.filter((event) => kindOfEvent(event) === 'expirationItem');
  if (aboutItems.length === 0 || !wishes.some(choosesItems)) return new Map();
  const ids = aboutItems.map(({ entities }) => entities[0]?.id);
  const statement = sql`
    SELECT item.id, item.category_id AS "categoryId", item.is_active AS "isActive", item.is_missing AS "isMissing",
      item.expiration_date AS "expirationDate", item.notify_on AS "notifyOn", team.timezone,
      ARRAY(SELECT tag_id FROM expiration_item_tags WHERE item_id = item.id) AS "tagIds"
    FROM expiration_items AS item JOIN teams AS team ON team.id = item.team_id
    WHERE item.id = ANY(${ids}::uuid[])`;
  const rows = await tx.run<ItemRow>(named('expiration_items.facts', statement));
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    aboutItems.map((event) => {
      const id = event.entities[0]?.id ?? '';
      const row = found.get(id);
      if (!row) return [id, factsOfDeleted(event)];
      const status = computeStatus(row, row, now);
      return [id, { categoryId: row.categoryId, tagIds: row.tagIds, status }];
    }),
  );
}

const isAmong = <T>(wanted: readonly T[], value: T | null | undefined) =>
  wanted.length === 0 || (value !== null && value !== undefined && wanted.includes(value));

/**
 * Returns whether an endpoint wants to hear of an event.
 * @param type of the message about it
 * @param item facts of the item that it is about; undefined for another record
 */
export function wants(wish: Wish, event: LoggedEvent, type: string, item: ItemFacts | undefined): boolean {
  if (!isAmong(wish.teamIds, event.teamId)) return false;
  if (!wish.eventTypes.some((pattern) => matchesType(pattern, type))) return false;
  if (!item) return true;
  const { categoryIds, tagIds, statuses } = wish;
  return (
    isAmong(categoryIds, item.categoryId) &&
    (tagIds.length === 0 || item.tagIds.some((id) => tagIds.includes(id))) &&
    isAmong(statuses, item.status)
  );
}
