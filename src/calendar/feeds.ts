import * as z from 'zod';
import { hashToken, randomSecret } from '../access/tokens.js';
import type { Session } from '../db/connection/session.js';
import { readRows } from '../db/sql/select.js';
import { deleteRows, insertReturning, updateRows } from '../db/sql/write.js';
import { personOf } from '../domain/caller.js';
import { paths } from '../domain/doors/paths.js';
import { GatewayError, notFound } from '../domain/errors.js';
import { check, isUuid, newId, rules } from '../domain/rules.js';
import type { CalendarFeed, Prisma } from '../generated/prisma/client.js';
import { expirationItems } from '../items/expiration-items.js';
import { listCondition } from '../records/lists/filter.js';

/** The most feeds of a user. */
const mostFeeds = 100;

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
}

/** A feed with its address, which is available only now. */
export interface OpenedFeed {
  readonly feed: ShownFeed;
  readonly url: string;
}

/** Values of a new feed. */
export interface NewFeed {
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
function packed(value: unknown): Prisma.InputJsonValue | null {
  if (value instanceof Date) return { date: value.toISOString() };
  if (Array.isArray(value)) return value.map(packed);
  if (typeof value !== 'object' || value === null) return value as Prisma.InputJsonValue;
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
export const filterOf = ({ filter }: Pick<CalendarFeed, 'filter'>) => unpacked(filter) as object;

function shown({ hash: _, role: __, teams: ___, filter, ...feed }: CalendarFeed): ShownFeed {
  return { ...feed, isFiltered: Object.keys(filter as object).length > 0 };
}

const addressOf = (origin: string, secret: string) =>
  `${origin}${paths.calendarFeed.replace('{id}', `${secret}.ics`)}`;

/** Returns the condition on one of the caller's own feeds. @throws GatewayError NOT_FOUND for no id at all */
function ownFeed({ caller }: Session, id: string) {
  if (!isUuid(id)) throw notFound('calendar feed', id);
  return { id: id.toLowerCase(), userId: personOf(caller).id };
}

/** Lists the caller's own feeds, the newest first. */
export async function listCalendarFeeds(session: Session): Promise<ShownFeed[]> {
  const where = { userId: personOf(session.caller).id };
  const orderBy = [{ created: 'desc' as const }, { id: 'desc' as const }];
  return (await readRows(session, 'CalendarFeed', { where, orderBy })).map(shown);
}

/**
 * Creates a feed of the caller's. It never shows more than the caller's token could see.
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
  const row = await session.inTransaction(async (tx) => {
    const known = await readRows(tx, 'CalendarFeed', { where: { userId } });
    if (known.length >= mostFeeds) {
      throw new GatewayError('CONFLICT', `You have ${mostFeeds} calendar feeds, which is the most.`);
    }
    return insertReturning(tx, 'CalendarFeed', {
      ...{ id: newId(), organizationId: caller.organizationId, userId, ...values, created: now },
      ...{ hash: hashToken(secret), role: caller.role, filter: packed(filter ?? {}) ?? {} },
      // An issuer's token may name fewer workspaces than its user has.
      ...(caller.identity?.teams && { teams: [...caller.identity.teams] }),
    });
  });
  return { feed: shown(row), url: addressOf(origin, secret) };
}

/**
 * Gives one of the caller's feeds a new address. The old one stops working at once.
 * @throws GatewayError NOT_FOUND
 */
export async function rotateCalendarFeed(session: Session, id: string, origin: string): Promise<OpenedFeed> {
  const where = ownFeed(session, id);
  const secret = randomSecret();
  const values = { hash: hashToken(secret), lastUsedAt: null };
  const [row] = await session.inTransaction((tx) => updateRows(tx, 'CalendarFeed', where, values));
  if (!row) throw notFound('calendar feed', id);
  return { feed: shown(row), url: addressOf(origin, secret) };
}

/** Deletes one of the caller's feeds. Its address stops working at once. @throws GatewayError NOT_FOUND */
export async function deleteCalendarFeed(session: Session, id: string): Promise<void> {
  const where = ownFeed(session, id);
  const gone = await session.inTransaction((tx) => deleteRows(tx, 'CalendarFeed', where));
  if (gone === 0) throw notFound('calendar feed', id);
}
