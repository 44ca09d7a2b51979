import type { Logger } from 'pino';
import type { Database } from '../../db/connection/database.js';
import { unavailableOf } from '../../db/connection/errors.js';
import { Session } from '../../db/connection/session.js';
import { prepared } from '../../db/connection/statement.js';
import type { Transaction } from '../../db/connection/transaction.js';
import { notFrozen, takeTurn } from '../../db/queue/queue.js';
import { sql } from '../../db/sql/sql.js';
import { type Caller, gatewayCaller } from '../../domain/caller.js';
import { computeStatus, type Status } from '../../domain/dates.js';
import { hasPage, recordPage } from '../../domain/doors/paths.js';
import { type EntityKind, entityKinds } from '../../domain/models.js';
import { newId } from '../../domain/rules.js';
import { matchesType, webhookTypeOf } from '../endpoints.js';

/** An event of the log, with the records that it is about. */
interface LoggedEvent {
  readonly id: string;
  readonly teamId: string;
  readonly typeId: number;
  readonly description: string;
  /** The changed fields before and after the change, as JSON. */
  readonly details: string | null;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly created: Date;
  readonly entities: readonly { readonly id: string; readonly typeId: number }[];
}

/** A record as REST answers it. */
interface ShownRecord {
  readonly version: string | undefined;
  /** The contract's model, as JSON. Files are without their bytes. */
  readonly body: string;
}

/** Bytes of a message up to which it has the record. */
const maxWithRecord = 20_000;

/** Bytes that no message exceeds. Above them, it only names the changed fields. */
export const maxBytes = 64_000;

/** Returns the address of a record's page in the console. Null for a record without one. */
function linkOf(origin: string | undefined, event: LoggedEvent, record: ShownRecord | undefined) {
  const [first] = event.entities;
  const kind = kindOfEvent(event);
  return origin && first && record && hasPage(kind) ? recordPage(origin, kind, first.id) : null;
}

type Detail = { readonly before: unknown; readonly after: unknown };

/** Reads the changed fields of an event. */
const readDetails = ({ details }: Pick<LoggedEvent, 'details'>): Readonly<Record<string, Detail>> =>
  details === null ? {} : JSON.parse(details);

/** Returns the kind of the first record that an event is about. */
const kindOfEvent = ({ entities }: Pick<LoggedEvent, 'entities'>): EntityKind | undefined =>
  entities[0] && entityKinds.get(entities[0].typeId);

/**
 * Writes the body of a message. These bytes are signed and sent at each attempt.
 * @param record undefined if there is none
 * @param origin the gateway's public address, for the link to the console
 */
function messageBody(
  event: LoggedEvent,
  type: string,
  record: ShownRecord | undefined,
  isThin: boolean,
  origin: string | undefined,
): string {
  const { userId, userName, entities } = event;
  const [first, ...others] = entities.map(({ id, typeId }) => ({ kind: entityKinds.get(typeId), id }));
  const changes = Object.entries(readDetails(event)).map(([field, change]) => ({ field, ...change }));
  const data = {
    id: first?.id ?? null,
    kind: first?.kind ?? null,
    workspace_id: event.teamId,
    version: record?.version ?? null,
    link: linkOf(origin, event, record),
    description: event.description,
    actor: { type: userId === null ? 'gateway' : 'user', id: userId, name: userName },
    related: others,
  };
  const write = (more: object) =>
    JSON.stringify({ type, timestamp: event.created.toISOString(), data: { ...data, ...more } });
  const thin = write({ changes });
  if (Buffer.byteLength(thin) > maxBytes) {
    return write({ changes: changes.map(({ field }) => ({ field })), truncated: true });
  }
  if (isThin) return thin;
  // The record's text is inserted as it is: parsing it would lose digits of large numbers.
  const full = `${thin.slice(0, -2)},"record":${record?.body ?? 'null'}}}`;
  return Buffer.byteLength(full) > maxWithRecord ? write({ changes, truncated: true }) : full;
}

/** Choice of the events that an endpoint hears of. */
interface Wish {
  readonly id: string;
  readonly eventTypes: readonly string[];
  readonly teamIds: readonly string[];
  readonly payload: 'FULL' | 'THIN';
  readonly categoryIds: readonly string[];
  readonly tagIds: readonly string[];
  readonly statuses: readonly string[];
}

/** Facts of an item that endpoints choose by. */
interface ItemFacts {
  readonly categoryId: string | null;
  readonly tagIds: readonly string[];
  /** Undefined for a deleted item. */
  readonly status: Status | undefined;
}

/** Reads the endpoints of an organization that are not disabled, under a lock against deletion. */
function readWishes(tx: Transaction, organizationId: string): Promise<Wish[]> {
  const statement = sql`
    SELECT id, event_types AS "eventTypes", team_ids AS "teamIds", payload::text AS payload,
      category_ids AS "categoryIds", tag_ids AS "tagIds", statuses
    FROM webhook_endpoints WHERE organization_id = ${organizationId}::uuid AND state <> 'DISABLED'
    ORDER BY id FOR KEY SHARE`;
  return tx.run<Wish>(prepared('webhook_endpoints.wishes', statement));
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
async function readItemFacts(
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
  const rows = await tx.run<ItemRow>(prepared('expiration_items.facts', statement));
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
function wants(wish: Wish, event: LoggedEvent, type: string, item: ItemFacts | undefined): boolean {
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

/**
 * Reads a record of the caller like its REST endpoint does. It is undefined if there is none, or if records of
 * the kind have no endpoint.
 */
export type RecordReader = (
  session: Session,
  kind: EntityKind,
  id: string,
) => Promise<ShownRecord | undefined>;

/** Settings of what makes messages from events. */
interface FanOutOptions {
  readonly database: Database;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly readRecord: RecordReader;
  /** Returns the gateway's public address, for links to the console. */
  readonly origin: () => Promise<string | undefined>;
}

/** The most events of one transaction. */
const atOnce = 100;

/** Milliseconds after which events are tried again whose messages could not be made. */
const retryDelayMs = 30_000;

interface Noted {
  readonly eventId: string;
  readonly organizationId: string;
  readonly teamId: string;
}

/** A message to be stored, with the endpoints that get it. */
interface NewMessage {
  readonly id: string;
  readonly event: LoggedEvent;
  readonly type: string;
  readonly body: string;
  readonly endpointIds: readonly string[];
}

/** Endpoints whose messages about an event are equal. */
interface Variant {
  readonly teamIds: readonly string[];
  readonly isThin: boolean;
  readonly endpoints: readonly Wish[];
}

const claimSql = (now: Date) => sql`
  SELECT event_id AS "eventId", organization_id AS "organizationId", team_id AS "teamId" FROM webhook_outbox
  WHERE due_at <= ${now}::timestamptz
    AND organization_id = (
      SELECT organization_id FROM webhook_outbox AS first
      WHERE due_at <= ${now}::timestamptz AND ${notFrozen('first')}
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  ORDER BY due_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED`;

/** Reads events with the records that they are about, the oldest first. */
function readEvents(tx: Transaction, noted: readonly Noted[]): Promise<LoggedEvent[]> {
  const statement = sql`
    SELECT event.id, event.team_id AS "teamId", event.type_id AS "typeId", event.description, event.details,
      event.user_id AS "userId", event.user_name AS "userName", event.created,
      coalesce((
        SELECT json_agg(json_build_object('id', entity_id, 'typeId', type_id) ORDER BY position)
        FROM event_log_entities WHERE event_id = event.id), '[]') AS entities
    FROM event_logs AS event WHERE event.id = ANY(${noted.map(({ eventId }) => eventId)}::uuid[])
    ORDER BY event.created, event.id`;
  return tx.run<LoggedEvent>(prepared('event_logs.for_webhooks', statement));
}

function variantsOf(wishes: readonly Wish[]): Variant[] {
  const variants = new Map<string, { teamIds: readonly string[]; isThin: boolean; endpoints: Wish[] }>();
  for (const wish of wishes) {
    const teamIds = [...wish.teamIds].sort();
    const key = `${wish.payload} ${teamIds.join()}`;
    const known = variants.get(key) ?? { teamIds, isThin: wish.payload === 'THIN', endpoints: [] };
    known.endpoints.push(wish);
    variants.set(key, known);
  }
  return [...variants.values()];
}

/** Creates the caller that sees what the endpoints of a variant may see. */
async function readerOf(
  tx: Transaction,
  { organizationId, teamId }: Noted,
  teamIds: readonly string[],
): Promise<Caller> {
  const caller = gatewayCaller(organizationId, teamId);
  if (teamIds.length > 0) return { ...caller, teamIds };
  const statement = sql`SELECT id FROM teams WHERE organization_id = ${organizationId}::uuid`;
  const teams = await tx.run<{ id: string }>(prepared('teams.of_organization', statement));
  return { ...caller, role: 'ADMIN', teamIds: teams.map(({ id }) => id) };
}

/** Reads the records of events in a savepoint. A failure leaves the transaction usable. */
function readTogether(
  tx: Transaction,
  { database, clock, readRecord }: FanOutOptions,
  caller: Caller,
  events: readonly LoggedEvent[],
): Promise<(ShownRecord | undefined)[]> {
  return tx.inTransaction((part) => {
    const session = new Session(database, { caller, now: clock() });
    return session.within(part, () =>
      Promise.all(
        events.map((event) => {
          const kind = kindOfEvent(event);
          return kind && readRecord(session, kind, event.entities[0]?.id ?? '');
        }),
      ),
    );
  });
}

/** Reads the records of events. One that cannot be read is left out, and must not be in the way of others. */
async function readRecords(
  tx: Transaction,
  options: FanOutOptions,
  caller: Caller,
  events: readonly LoggedEvent[],
): Promise<(ShownRecord | undefined)[]> {
  try {
    return await readTogether(tx, options, caller, events);
  } catch (err) {
    if (unavailableOf(err)) throw err;
    options.log.error({ err, eventId: events[0]?.id }, 'The records of events cannot be read for webhooks');
    if (events.length === 1) return [undefined];
    const alone: (ShownRecord | undefined)[] = [];
    for (const event of events) alone.push(...(await readRecords(tx, options, caller, [event])));
    return alone;
  }
}

/** Makes the messages about events for each variant that wants them. */
async function makeMessages(
  tx: Transaction,
  options: FanOutOptions,
  first: Noted,
  wishes: readonly Wish[],
  events: readonly LoggedEvent[],
): Promise<NewMessage[]> {
  const facts = await readItemFacts(tx, wishes, events, options.clock());
  const origin = await options.origin();
  const messages: NewMessage[] = [];
  for (const { teamIds, isThin, endpoints } of variantsOf(wishes)) {
    const wanted = events.flatMap((event) => {
      const type = webhookTypeOf(event.typeId, kindOfEvent(event));
      if (type === undefined) return [];
      const item = facts.get(event.entities[0]?.id ?? '');
      const takers = endpoints.filter((wish) => wants(wish, event, type, item));
      return takers.length === 0 ? [] : [{ event, type, endpointIds: takers.map(({ id }) => id) }];
    });
    if (wanted.length === 0) continue;
    const caller = await readerOf(tx, first, teamIds);
    const records = await readRecords(
      tx,
      options,
      caller,
      wanted.map(({ event }) => event),
    );
    messages.push(
      ...wanted.map((each, at) => ({
        ...{ id: newId(), ...each },
        body: messageBody(each.event, each.type, records[at], isThin, origin),
      })),
    );
  }
  return messages;
}

/** Stores messages and their deliveries, which are due at once. */
async function storeMessages(
  tx: Transaction,
  { organizationId }: Noted,
  messages: readonly NewMessage[],
  now: Date,
): Promise<void> {
  const deliveries = messages.flatMap(({ id, endpointIds }) =>
    endpointIds.map((endpointId) => ({ id: newId(), messageId: id, endpointId })),
  );
  const of = <T>(value: (message: NewMessage) => T) => messages.map(value);
  const statement = sql`
    WITH stored AS (
      INSERT INTO webhook_messages (id, organization_id, team_id, event_id, type, body, occurred_at, created)
      SELECT id, ${organizationId}::uuid, team_id, event_id, type, body, occurred_at, ${now}::timestamptz
      FROM unnest(${of(({ id }) => id)}::uuid[], ${of(({ event }) => event.teamId)}::uuid[],
        ${of(({ event }) => event.id)}::uuid[], ${of(({ type }) => type)}::text[], ${of(({ body }) => body)}::text[],
        ${of(({ event }) => event.created)}::timestamptz[])
        AS message (id, team_id, event_id, type, body, occurred_at)
    )
    INSERT INTO webhook_deliveries (id, organization_id, message_id, endpoint_id, due_at, created, modified)
    SELECT id, ${organizationId}::uuid, message_id, endpoint_id, ${now}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz
    FROM unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ messageId }) => messageId)}::uuid[],
      ${deliveries.map(({ endpointId }) => endpointId)}::uuid[]) AS delivery (id, message_id, endpoint_id)`;
  await tx.run(prepared('webhook_messages.insert', statement));
}

async function work(
  tx: Transaction,
  options: FanOutOptions,
  noted: readonly [Noted, ...Noted[]],
): Promise<number> {
  const [first] = noted;
  const wishes = await readWishes(tx, first.organizationId);
  const events = wishes.length > 0 ? await readEvents(tx, noted) : [];
  const messages = await makeMessages(tx, options, first, wishes, events);
  if (messages.length > 0) await storeMessages(tx, first, messages, options.clock());
  const ids = noted.map(({ eventId }) => eventId);
  const statement = sql`DELETE FROM webhook_outbox WHERE event_id = ANY(${ids}::uuid[])`;
  await tx.run(prepared('webhook_outbox.delete', statement));
  return noted.length;
}

/**
 * Makes messages from the next events of one organization. The transaction that stores the messages deletes
 * the notes of the outbox, so each event leads to its messages once, even if the process dies.
 * @returns the number of events; zero if there were none
 */
export function fanOut(options: FanOutOptions): Promise<number> {
  const { database, clock, log } = options;
  return takeTurn<Noted, number>(database, {
    claim: prepared('webhook_outbox.claim', claimSql(clock())),
    work: (tx, noted) => work(tx, options, noted),
    putBack: (noted) => {
      const at = new Date(clock().getTime() + retryDelayMs);
      const ids = noted.map(({ eventId }) => eventId);
      const statement = sql`
        UPDATE webhook_outbox SET due_at = ${at}::timestamptz WHERE event_id = ANY(${ids}::uuid[])`;
      return prepared('webhook_outbox.again', statement);
    },
    onFault: (err, teamId) => log.error({ err, teamId }, 'The messages of webhooks cannot be made'),
    ...{ idle: 0, failed: 1 },
  });
}
