import type { Database } from '../db/connection/database.js';
import { Session } from '../db/connection/session.js';
import { prepared, type Statement } from '../db/connection/statement.js';
import type { Runs } from '../db/connection/transaction.js';
import { sql } from '../db/sql/sql.js';
import { type Caller, gatewayCaller } from '../domain/caller.js';
import { formatDate, todayIn } from '../domain/dates.js';
import {
  type AutoRenew,
  endOfRenewals,
  proposedRenewal,
  type RenewalEnd,
} from '../domain/reminders/renewal.js';
import { earlierDatesByItem } from '../items/item-rows.js';
import { renewItem } from '../items/renewals.js';
import type { Event } from '../records/event-logs.js';
import { findRenewable } from './evaluate/decide-items.js';

/** Items of one workspace in a mail, and the recipient of the mail. */
interface Renewable {
  readonly organizationId: string;
  readonly itemIds: readonly string[];
  readonly recipientKey: string;
}

interface Row extends RenewalEnd {
  readonly id: string;
  readonly teamId: string;
  readonly date: Date;
  readonly timezone: string;
  readonly rule: AutoRenew | null;
}

/**
 * Proposes the dates of renewals to a recipient. There is one if the document type says how often it renews, and the
 * renewals have not ended.
 * @returns `YYYY-MM-DD`, or undefined for none, by the ids of the items that the recipient may renew
 */
export async function proposeToRecipient(
  on: Runs,
  { organizationId, itemIds, recipientKey }: Renewable,
  now: Date,
): Promise<ReadonlyMap<string, string | undefined>> {
  const statement = sql`
    SELECT item.id, item.team_id AS "teamId", item.expiration_date AS date, team.timezone, category.auto_renew AS rule,
      item.renew_until AS "renewUntil", item.renewals_left AS "renewalsLeft"
    FROM expiration_items AS item
    JOIN teams AS team ON team.id = item.team_id
    LEFT JOIN categories AS category ON category.id = item.category_id
    WHERE item.id = ANY(${[...itemIds]}::uuid[]) AND item.organization_id = ${organizationId}::uuid AND item.is_active
      AND item.expiration_date IS NOT NULL`;
  const found = itemIds.length === 0 ? [] : await on.run<Row>(prepared('renewal_links.find', statement));
  const ids = found.map(({ id }) => id);
  const may = ids.length === 0 ? new Set() : await findRenewable(on, ids, recipientKey, now);
  const items = found.filter(({ id }) => may.has(id));
  const [first] = items;
  if (!first) return new Map();
  const caller = gatewayCaller(organizationId, first.teamId);
  const session = { caller, read: <T>(sent: Statement) => on.run<T>(sent) };
  const before = await earlierDatesByItem(
    session,
    items.map(({ id }) => id),
  );
  return new Map(
    items.map((item, place) => {
      const today = todayIn(item.timezone, now);
      const next = item.rule ? proposedRenewal(item.date, before[place] ?? [], today, item.rule) : undefined;
      const isOffered = next && endOfRenewals(item, next) === undefined;
      return [item.id, isOffered ? formatDate(next) : undefined];
    }),
  );
}

/** Returns whether an item was renewed from a date. */
export async function wasRenewedFrom(on: Runs, itemId: string, date: string): Promise<boolean> {
  const statement = sql`
    SELECT EXISTS (
      SELECT FROM renewals WHERE item_id = ${itemId}::uuid AND previous_date = ${date}::date
    ) AS was`;
  const [found] = await on.run<{ was: boolean }>(prepared('renewal_links.renewed', statement));
  return found?.was === true;
}

/** A renewal by a link. */
interface LinkedRenewal {
  readonly organizationId: string;
  readonly itemId: string;
  readonly recipientKey: string;
  readonly teamId: string;
  /** The date that the mail was about, `YYYY-MM-DD`. */
  readonly date: string;
  readonly until: Date;
  /** The user who was written to. Without one, the event names the contact. */
  readonly user: { readonly id: string; readonly name: string } | undefined;
  readonly contactId: string | null;
}

/**
 * Renews an item for the recipient of a mail. It does nothing if the date has changed since, the item has moved or the
 * recipient may not renew it any more, so of several who do this at once, one does it.
 * @returns whether it was renewed
 * @throws GatewayError like `renewItem`
 */
export async function renewByLink(database: Database, renewal: LinkedRenewal, now: Date): Promise<boolean> {
  const { organizationId, teamId, itemId, recipientKey, date, until, user, contactId } = renewal;
  const gateway = gatewayCaller(organizationId, teamId);
  const caller: Caller = user ? { ...gateway, user: { ...user, email: '', teamId } } : gateway;
  const session = new Session(database, { caller, now });
  const contact = user || contactId === null ? [] : [{ kind: 'contact' as const, id: contactId }];
  const tell = (event: Event): Event => ({
    ...event,
    description: `${event.description}, by a link in a mail`,
    entities: [...event.entities, ...contact],
  });
  return session.inTransaction((tx) =>
    session.within(tx, async () => {
      const lock = sql`
        SELECT FROM expiration_items
        WHERE id = ${itemId}::uuid AND team_id = ${teamId}::uuid AND expiration_date = ${date}::date AND is_active
        FOR NO KEY UPDATE`;
      const [own] = await tx.run(prepared('renewal_links.lock', lock));
      const asked = { organizationId, itemIds: own ? [itemId] : [], recipientKey };
      if ((await proposeToRecipient(tx, asked, now)).get(itemId) === undefined) return false;
      await renewItem(session, itemId, { expirationDate: until }, tell);
      return true;
    }),
  );
}
