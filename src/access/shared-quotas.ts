import { LRUCache } from 'lru-cache';
import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { sweep } from '../db/queue/queue.js';
import { raw } from '../db/sql/sql.js';
import { type Quota, useOnce } from '../domain/load/quota.js';

/** Quotas by their keys, shared by all processes of a deployment. */
export interface SharedQuotas {
  /** Returns a quota: uses of this process, and of others as last exchanged. */
  of(key: string, cost: number): Quota;
  /** Uses a quota once, without a statement. The caller must have checked it before. */
  use(key: string, cost: number, now: number): Quota;
  /** Stores the uses of this process, and reads those of others, with one statement. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

interface SharedQuotaOptions {
  /** Returns the milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  /**
   * Called when the counts cannot be exchanged, and not again until they have been. This process then counts
   * alone.
   */
  readonly onError: (error: Error) => void;
  /** Milliseconds from the first use to storing it and the following ones. */
  readonly interval?: number | undefined;
}

interface WeakCache {
  readonly key: string;
  readonly cost: number;
  until: number;
  /** Uses since they were last stored. */
  used: number;
}

interface Settled {
  readonly key: string;
  /** Milliseconds until all uses are refilled. */
  readonly level: number;
}

/** The most quotas in memory. For those unused the longest, only the shared count remains. */
const largestMemory = 50_000;

/** Milliseconds between removals of quotas that are completely refilled. */
const tidyInterval = 60_000;

/** Returns SQL for the refilled part of a shared count. It is zero if the database's clock was set back. */
const backSql = (row: string) =>
  `greatest(0, extract(epoch FROM clock_timestamp() - ${row}.as_of)::float8 * 1000)`;

/** In the order of their keys, to prevent deadlocks between processes. */
const settleAll = `
  INSERT INTO rate_limits AS shared (key, level, as_of)
  SELECT key, ms, clock_timestamp() FROM unnest($1::text[], $2::float8[]) AS used (key, ms) ORDER BY key
  ON CONFLICT (key) DO UPDATE
  SET level = greatest(0, shared.level - ${backSql('shared')}) + excluded.level, as_of = clock_timestamp()
  RETURNING key, level`;

/** Quotas that are completely refilled. */
const full = { key: 'key', where: raw(`level < ${backSql('record')}`), order: 'key' };

/**
 * Creates the quotas of a process. It counts locally and exchanges counts in the background, so that no
 * request waits for a statement and a refused one costs none. Between exchanges, processes do not know of
 * each other: excess uses become a debt, which must be refilled before anything is available again.
 *
 * Adjustable clocks are never compared: a process counts by its monotonic clock, the shared count uses only
 * the database's clock, and they exchange durations until everything is refilled. If the database's clock
 * jumps forward, it refills a minute's worth once; if it jumps back, nothing.
 */
export function createSharedQuotas(
  database: Database,
  { uptime, onError, interval = 1_000 }: SharedQuotaOptions,
): SharedQuotas {
  const quotas = new LRUCache<string, WeakCache>({ max: largestMemory });
  const unsettled = new Map<string, WeakCache>();
  let timer: NodeJS.Timeout | undefined;
  let settling: Promise<void> | undefined;
  let failing = false;
  let tidied = uptime();

  function keep(key: string, cost: number): WeakCache {
    const known = quotas.get(key);
    if (known) return known;
    const quota = unsettled.get(key) ?? { key, cost, until: 0, used: 0 };
    quotas.set(key, quota);
    return quota;
  }
  async function write(now: number): Promise<void> {
    const batch = [...unsettled.values()].map((quota) => ({ quota, used: quota.used }));
    unsettled.clear();
    for (const { quota } of batch) quota.used = 0;
    try {
      const keys = batch.map(({ quota }) => quota.key);
      // Uses that have been refilled since are not owed any more: after an outage that could be hours.
      const costs = batch.map(({ quota, used }) =>
        Math.min(used * quota.cost, Math.max(0, quota.until - now)),
      );
      const rows = await database.query<Settled>(
        prepared('rate_limits.settle', { text: settleAll, values: [keys, costs] }),
      );
      const levels = new Map(rows.map(({ key, level }) => [key, level]));
      for (const { quota } of batch) {
        quota.until = now + (levels.get(quota.key) ?? 0) + quota.used * quota.cost;
      }
    } catch (error) {
      for (const { quota, used } of batch) keepUnsettled(quota, used);
      throw error;
    }
  }
  function keepUnsettled(quota: WeakCache, used: number): void {
    const known = unsettled.get(quota.key) ?? quota;
    known.used += used;
    unsettled.set(quota.key, known);
  }
  async function tidy(now: number): Promise<void> {
    if (now - tidied < tidyInterval) return;
    tidied = now;
    await sweep(database, { table: 'rate_limits', ...full, isShared: true });
  }
  async function attempt(): Promise<void> {
    try {
      const now = uptime();
      if (unsettled.size > 0) await write(now);
      await tidy(now);
      failing = false;
    } catch (error) {
      if (!failing) onError(error as Error);
      failing = true;
    }
  }
  function settle(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    settling ??= attempt().finally(() => {
      settling = undefined;
      if (unsettled.size > 0) arm();
    });
    return settling;
  }
  function arm(): void {
    // A failed exchange is retried, but does not keep the process running.
    timer ??= setTimeout(settle, interval).unref();
  }
  return {
    of: (key, cost) => quotas.get(key) ?? { cost, until: 0 },
    use(key, cost, now) {
      const quota = keep(key, cost);
      quota.until = useOnce(quota, now);
      quota.used++;
      unsettled.set(key, quota);
      if (!settling) arm();
      return quota;
    },
    settle,
    async close() {
      await settling;
      await settle();
      clearTimeout(timer);
    },
  };
}
