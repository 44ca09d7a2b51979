import * as z from 'zod';
import { userEvent } from '../access/people.js';
import { hashToken, randomSecret } from '../access/tokens.js';
import type { Session } from '../db/connection/session.js';
import type { Transaction } from '../db/connection/transaction.js';
import type { Json, RowOf } from '../db/sql/conditions.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertReturning, updateRows } from '../db/sql/write.js';
import { hasRight, ownTokenId, personOf } from '../domain/caller.js';
import { paths } from '../domain/doors/paths.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import { expirationItems } from '../items/expiration-items.js';
import { logEvent } from '../records/event-logs.js';
import { listCondition } from '../records/lists/filter.js';

/** The most feeds of a user. */
const maxFeeds = 100;

/** Limits on the alarms of a feed. Calendar programs keep no more of them. */
const alarmLimits = { days: 3650, alarms: 5 } as const;

/** A calendar feed as its user sees it. */
export interface ShownFeed {
  readonly id: string;
  readonly name: string;
  readonly alarms: readonly number[];
  readonly showDetails: boolean;
  /** True if it has not all of the user's items. */
  readonly isFiltered: boolean;
  readonly lastUsedAt: Date | null;
  readonly created: Date;
  readonly userId: string;
  /** True if it was created with a token, and ends with that token. */
  readonly endsWithToken: boolean;
  /** Time at which that token expires; null if it does not. */
  readonly expiresAt: Date | null;
}

/** A feed with its address, which is available only now. */
export interface OpenedFeed {
  readonly feed: ShownFeed;
  readonly url: string;
}

/** Values of a new feed. */
interface NewFeed {
  readonly name: string;
  readonly filter?: object | null | undefined;
  readonly alarms?: readonly number[] | null | undefined;
  readonly showDetails?: boolean | null | undefined;
}

const alarm = z
  .int()
  .min(0, 'must not be negative')
  .max(alarmLimits.days, `must be at most ${alarmLimits.days}`);

const feedRules = z.object({
  name: rules.name,
  alarms: z
    .array(alarm)
    .max(alarmLimits.alarms, `must have at most ${alarmLimits.alarms} entries`)
    .nullish()
    // The first to ring comes first.
    .transform((days) => [...new Set(days)].sort((a, b) => b - a)),
  showDetails: rules.flag(false),
});

/** Converts a filter to JSON. Dates are marked, because they would come back as texts. */
function packed(value: unknown): Json {
  if (value instanceof Date) return { date: value.toISOString() };
  if (Array.isArray(value)) return value.map(packed);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, packed(member)]])),
  );
}

function unpacked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpacked);
  if (typeof value !== 'object' || value === null) return value;
  const { date, ...others } = value as Record<string, unknown>;
  if (typeof date === 'string' && Object.keys(others).length === 0) return new Date(date);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unpacked(member)]));
}

/** Returns the filter of a feed, as callers of the list of items send it. */
export const filterOf = ({ filter }: Pick<RowOf<'CalendarFeed'>, 'filter'>) => unpacked(filter) as object;

function shown({
  hash: _,
  role: __,
  teams: ___,
  filter,
  accessTokenId,
  ...feed
}: RowOf<'CalendarFeed'>): ShownFeed {
  const endsWithToken = accessTokenId !== null || feed.expiresAt !== null;
  return { ...feed, endsWithToken, isFiltered: Object.keys(filter as object).length > 0 };
}

const addressOf = (origin: string, secret: string) =>
  `${origin}${paths.calendarFeed.replace('{id}', `${secret}.ics`)}`;

/** Returns the condition on one of the caller's own feeds. @throws GatewayError NOT_FOUND for no id at all */
function ownFeed({ caller }: Session, id: string) {
  if (!isUuid(id)) throw notFound('calendar feed', id);
  return { id: id.toLowerCase(), userId: personOf(caller).id };
}

/** Shows feeds without those whose token was revoked or has expired. */
async function showOpen(reader: Session | Transaction, feeds: readonly RowOf<'CalendarFeed'>[], now: Date) {
  const ids = [...new Set(feeds.flatMap(({ accessTokenId: id }) => id ?? []))];
  const where = { id: { in: ids }, revokedAt: null };
  const tokens = await readRows(reader, 'AccessToken', { where }, ['id', 'expiresAt']);
  const expiries = new Map(tokens.map(({ id, expiresAt }) => [id, expiresAt]));
  return feeds.flatMap((feed) => {
    const { accessTokenId: id } = feed;
    const expiresAt = id === null ? feed.expiresAt : expiries.get(id);
    const isOpen = expiresAt === null || (expiresAt !== undefined && expiresAt > now);
    return isOpen ? [shown({ ...feed, expiresAt })] : [];
  });
}

/** Shows a feed that was written. @throws GatewayError NOT_FOUND if its token has ended */
async function showWritten(tx: Transaction, row: RowOf<'CalendarFeed'>, now: Date): Promise<ShownFeed> {
  const [feed] = await showOpen(tx, [row], now);
  if (!feed) throw notFound('calendar feed', row.id);
  return feed;
}

/** The most feeds in a list. */
const maxListed = 1000;

async function listFeeds(session: Session, where: { readonly userId?: string }): Promise<ShownFeed[]> {
  const orderBy = [{ created: 'desc' as const }, { id: 'desc' as const }];
  const feeds = await readRows(session, 'CalendarFeed', { where, orderBy, take: maxListed });
  return showOpen(session, feeds, session.now);
}

/** Lists the caller's own feeds, the newest first. */
export const listCalendarFeeds = (session: Session): Promise<ShownFeed[]> =>
  listFeeds(session, { userId: personOf(session.caller).id });

/**
 * Lists the feeds of the caller's organization or of one user, the newest first.
 * @throws GatewayError NOT_FOUND for an unknown user
 */
export async function listAllFeeds(session: Session, userId: string | null): Promise<ShownFeed[]> {
  if (userId === null) return listFeeds(session, {});
  const where = { id: userId.toLowerCase() };
  const known = isUuid(userId) ? await readRows(session, 'User', { where }, ['id']) : [];
  if (known.length === 0) throw notFound('user', userId);
  return listFeeds(session, { userId: where.id });
}

/**
 * Creates a feed of the caller's. It never shows more than the caller's token could see, and ends with that token,
 * the gateway's or the issuer's. One of a session goes on, because a calendar program cannot sign in.
 * @param origin of the gateway, for the feed's address
 * @throws GatewayError BAD_REQUEST for wrong values; CONFLICT if the caller has the most feeds
 */
export async function createCalendarFeed(
  session: Session,
  { filter, ...given }: NewFeed,
  origin: string,
): Promise<OpenedFeed> {
  const { caller, now } = session;
  const values = check(feedRules, given);
  await listCondition(expirationItems, filter ?? {}, session);
  const userId = personOf(caller).id;
  const secret = randomSecret();
  const feed = await session.inTransaction(async (tx) => {
    const rows = await readRows(tx, 'CalendarFeed', { where: { userId } });
    const open = new Set((await showOpen(tx, rows, now)).map(({ id }) => id));
    if (open.size >= maxFeeds) {
      throw new GatewayError('CONFLICT', `You have ${maxFeeds} calendar feeds, which is the most.`);
    }
    const ended = rows.flatMap(({ id }) => (open.has(id) ? [] : [id]));
    if (ended.length > 0) await deleteRows(tx, 'CalendarFeed', { id: { in: ended } });
    const row = await insertReturning(tx, 'CalendarFeed', {
      ...{ id: newId(), organizationId: caller.organizationId, userId, ...values, created: now },
      ...{ accessTokenId: ownTokenId(caller), expiresAt: caller.identity?.expiresAt ?? null },
      ...{ hash: hashToken(secret), role: caller.role, filter: packed(filter ?? {}) ?? {} },
      // An issuer's token may name fewer workspaces than its user has.
      ...(caller.identity?.teams && { teams: [...caller.identity.teams] }),
    });
    return showWritten(tx, row, now);
  });
  return { feed, url: addressOf(origin, secret) };
}

/**
 * Gives one of the caller's feeds a new address. The old one stops working at once.
 * @throws GatewayError NOT_FOUND
 */
export async function rotateCalendarFeed(session: Session, id: string, origin: string): Promise<OpenedFeed> {
  const where = ownFeed(session, id);
  const secret = randomSecret();
  const values = { hash: hashToken(secret), lastUsedAt: null };
  const feed = await session.inTransaction(async (tx) => {
    const [row] = await updateRows(tx, 'CalendarFeed', where, values);
    if (!row) throw notFound('calendar feed', id);
    return showWritten(tx, row, session.now);
  });
  return { feed, url: addressOf(origin, secret) };
}

/**
 * Deletes one of the caller's feeds. Its address stops working at once. Administrators also delete those of others
 * in their organization, with an event.
 * @returns it as it was
 * @throws GatewayError NOT_FOUND
 */
export async function deleteCalendarFeed(session: Session, id: string): Promise<ShownFeed> {
  const { caller, now } = session;
  const own = ownFeed(session, id);
  const where = hasRight(caller, 'administer') ? { id: own.id } : own;
  return session.inTransaction(async (tx) => {
    const [feed] = await readRows(tx, 'CalendarFeed', { where });
    const gone = feed ? await deleteRows(tx, 'CalendarFeed', { id: feed.id }) : 0;
    if (!feed || gone === 0) throw notFound('calendar feed', id);
    if (feed.userId === own.userId) return shown(feed);
    const [user] = await readRows(tx, 'User', { where: { id: feed.userId } });
    const what = `lost the calendar ${JSON.stringify(feed.name)}, which an administrator deleted`;
    if (user)
      await logEvent(tx, { caller, now }, userEvent('sign-in changed', user, what, caller.user.teamId));
    return shown(feed);
  });
}

/** Deletes all feeds of the caller's user in a transaction. */
export const deleteOwnFeeds = (tx: Transaction): Promise<number> =>
  deleteRows(tx, 'CalendarFeed', { userId: personOf(tx.caller).id });
