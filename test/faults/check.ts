import { expect, type TestContext } from 'vitest';
import { sendOnce } from './client.js';
import type { LoadResult } from './load.js';
import { query } from './support.js';

/** The figures of a scenario. */
export interface Figures {
  readonly scenario: string;
  /** Writes that were answered that they are done. */
  readonly acknowledged: number;
  /** Writes that are there; some of those that nobody was told of are, too. */
  readonly found: number;
  /** Acknowledged writes that are not there. */
  readonly lost: number;
  /** Writes that are there more than once. */
  readonly doubled: number;
  /** Answers 503. */
  readonly refused: number;
  /** Requests whose connection ended before the answer. */
  readonly unanswered: number;
  /** Milliseconds from when the cause was gone until a write was acknowledged; of each time. */
  readonly recovery: readonly number[];
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figures[];
  }
}

/** What a scenario left behind, and where. */
export interface Outcome {
  readonly scenario: string;
  readonly result: LoadResult;
  readonly recovery: readonly number[];
  readonly databaseUrl: string;
  /** A gateway on this database. */
  readonly url: string;
  readonly token: string;
}

/** An event with the record that it is about. */
interface LoggedEvent {
  readonly id: string;
  readonly type: number;
  readonly kind: number;
  readonly record: string;
  readonly details: string | null;
}

const eventsSql = `
  SELECT log.id, log.type_id AS type, entity.type_id AS kind, entity.entity_id AS record, log.details
  FROM event_logs AS log LEFT JOIN event_log_entities AS entity
    ON entity.event_id = log.id AND entity.position = 0`;

/** The fields in which a load leaves its markers, as the records have them now. */
const statesSql = `
  SELECT 1 AS kind, id AS record, 'name' AS field, name AS value FROM expiration_items
  UNION ALL SELECT 1, id, 'details', details FROM expiration_items
  UNION ALL SELECT 3, id, 'name', name FROM vehicles
  UNION ALL SELECT 5, id, 'name', name FROM contacts`;

interface State {
  readonly kind: number;
  readonly record: string;
  readonly field: string;
  readonly value: string | null;
}

/** A change of a field by an event. */
interface Link {
  readonly before: string | null;
  readonly after: string | null;
}

function linksOf(events: readonly LoggedEvent[], { record, field }: State): Link[] {
  return events
    .filter((event) => event.record === record && event.details !== null)
    .map(({ details }) => JSON.parse(details ?? '{}')[field] as Link | undefined)
    .filter((link) => link !== undefined);
}

/**
 * Follows a field from nothing to what it is now, from event to event: a write without its event leaves a gap, an
 * event without its write one that leads nowhere.
 */
function checkChain(state: State, links: readonly Link[]): void {
  const byBefore = new Map(links.map((link) => [link.before, link]));
  let value: string | null = null;
  for (let steps = 0; steps < links.length; steps++) value = byBefore.get(value)?.after ?? null;
  const where = `${state.kind} ${state.record} ${state.field}`;
  expect([where, value, byBefore.size]).toEqual([where, state.value, links.length]);
}

/** Checks that every record is made by one event, and every event of a record is about one that is there. */
function checkRecords(events: readonly LoggedEvent[], states: readonly State[]): void {
  // The bootstrap token's event is about no record.
  expect(events.filter(({ record, type }) => record === null && type !== 13)).toEqual([]);
  const made = events.filter(({ type, kind }) => type === 1 && [1, 3, 5].includes(kind));
  const records = states.filter(({ field }) => field === 'name').map(({ record }) => record);
  expect(made.map(({ record }) => record).sort()).toEqual(records.sort());
}

/** Returns what was received: each notification once, with one event. */
async function receivedIn(databaseUrl: string): Promise<string[]> {
  const rows = await query<{ filename: string; events: number }>(
    databaseUrl,
    `SELECT filename, (SELECT count(*)::int FROM event_log_entities AS entity
        JOIN event_logs AS log ON log.id = entity.event_id AND log.type_id = 10
        WHERE entity.entity_id = upload.id) AS events FROM upload_notifications AS upload`,
  );
  expect(rows.filter(({ events }) => events !== 1)).toEqual([]);
  return rows.map(({ filename }) => filename);
}

/** Renewals are kept beside the item: there are as many as their events. */
async function checkRenewals(databaseUrl: string, events: readonly LoggedEvent[]): Promise<void> {
  const renewed = events.filter(({ type }) => type === 3).map(({ record }) => record);
  const rows = await query<{ id: string }>(databaseUrl, 'SELECT item_id AS id FROM renewals');
  expect(rows.map(({ id }) => id).sort()).toEqual(renewed.sort());
}

/** Checks that the same is read through the gateway: every event, every vehicle, every item. */
async function checkGateway({ url, token }: Outcome, events: readonly LoggedEvent[], states: State[]) {
  const read = async (path: string, body?: object) => {
    const { text } = await sendOnce(token, url, { method: body ? 'POST' : 'GET', path, body });
    return JSON.parse(text);
  };
  const all = async (name: 'eventlogs' | 'vehicles') => {
    const found: { id: string; name?: string }[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = await read(`/v1/${name}?paging=500&page=${page}&sort=id`);
      pages = answer.pages;
      found.push(...answer[name]);
    }
    return found;
  };
  const named = (kind: number) =>
    states
      .filter((state) => state.kind === kind && state.field === 'name')
      .map(({ record, value }) => [record, value])
      .sort();
  expect((await all('eventlogs')).map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
  expect((await all('vehicles')).map(({ id, name }) => [id, name]).sort()).toEqual(named(3));
  const { data } = await read('/graphql', { query: '{ expirationItems(first: 100) { nodes { id name } } }' });
  const items: { id: string; name: string }[] = data.expirationItems.nodes;
  expect(items.map(({ id, name }) => [id, name]).sort()).toEqual(named(1));
}

/** Requests with a key that were acknowledged have their answer kept, once. */
async function checkKeys({ result, databaseUrl }: Outcome): Promise<void> {
  const rows = await query<{ key: string }>(databaseUrl, 'SELECT key FROM idempotency_keys');
  const kept = new Set(rows.map(({ key }) => key));
  const keyed = result.writes.filter(({ key, acknowledged }) => acknowledged && key !== undefined);
  expect(keyed.filter(({ key }) => !kept.has(key ?? ''))).toEqual([]);
}

/**
 * Returns the one check that every scenario ends in: no acknowledged write is lost, none is there twice, the
 * event log has every write and nothing else, no answer was an error but 503 with `Retry-After`.
 */
export async function check(outcome: Outcome): Promise<Figures> {
  const { scenario, result, recovery, databaseUrl } = outcome;
  expect(result.unexpected).toEqual([]);
  const events = await query<LoggedEvent>(databaseUrl, eventsSql);
  const states = await query<State>(databaseUrl, statesSql);
  const links = states.map((state) => ({ state, links: linksOf(events, state) }));
  for (const { state, links: ofState } of links) checkChain(state, ofState);
  checkRecords(events, states);
  await checkRenewals(databaseUrl, events);
  await checkKeys(outcome);
  const received = await receivedIn(databaseUrl);
  await checkGateway(outcome, events, states);
  const markers = new Map<string | null, number>();
  for (const marker of [...links.flatMap((of) => of.links.map(({ after }) => after)), ...received]) {
    markers.set(marker, (markers.get(marker) ?? 0) + 1);
  }
  const figures = { scenario, ...countWrites(result, markers), recovery };
  expect({ lost: figures.lost, doubled: figures.doubled }).toEqual({ lost: 0, doubled: 0 });
  expect(figures.acknowledged).toBeGreaterThan(0);
  return figures;
}

function countWrites(
  { writes, refused, unanswered }: LoadResult,
  markers: ReadonlyMap<string | null, number>,
) {
  const count = (isIt: (found: number, acknowledged: boolean) => boolean) =>
    writes.filter(({ marker, acknowledged }) => isIt(markers.get(marker) ?? 0, acknowledged)).length;
  return {
    acknowledged: count((_found, acknowledged) => acknowledged),
    found: count((found) => found > 0),
    lost: count((found, acknowledged) => acknowledged && found === 0),
    doubled: count((found) => found > 1),
    refused,
    unanswered,
  };
}

/** Checks, shows the figures, and keeps them for the table. */
export async function report({ task }: TestContext, outcome: Outcome): Promise<Figures> {
  const figures = await check(outcome);
  task.meta.figures = [...(task.meta.figures ?? []), figures];
  // biome-ignore lint/suspicious/noConsole: the numbers are what these tests are looked at for.
  console.info(figures);
  return figures;
}
