import { LRUCache } from 'lru-cache';
import type { Database } from '../db/connection/database.js';
import { named } from '../db/connection/statement.js';
import { type Quota, useOnce } from '../domain/load/quota.js';

/** Quotas by their keys, which all processes of a deployment share. */
export interface SharedQuotas {
  /** Returns a quota: uses of this process, and of others when last settled. */
  of(key: string, cost: number): Quota;
  /** Uses a quota once; costs no statement. The caller has asked whether it may. */
  use(key: string, cost: number, now: number): Quota;
  /** Writes down what was used, and reads what others have used, with one statement. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface SharedQuotaOptions {
  /** Milliseconds from any moment on, by a clock that goes evenly and never back. */
  readonly uptime: () => number;
  /** Told when the counts cannot be settled, and not again until they were. This process counts on by itself. */
  readonly onError: (error: Error) => void;
  /** Milliseconds from a first use to the settling of it and of all that follow. */
  readonly interval?: number | undefined;
}

interface Kept {
  readonly key: string;
  readonly cost: number;
  until: number;
  /** Times that it was used since it was settled. */
  used: number;
}

interface Settled {
  readonly key: string;
  /** Milliseconds until all that was used is back. */
  readonly level: number;
}

/** Most quotas in memory. Of those unused for longest, only the shared count is kept. */
const largestMemory = 50_000;

/** Milliseconds between removals of quotas that are back as a whole. */
const tidyInterval = 60_000;

/** SQL for what has come back of a shared count. It is nothing where the database's clock was set back. */
const back = `greatest(0, extract(epoch FROM clock_timestamp() - shared.as_of)::float8 * 1000)`;

/** In the order of their keys, so that no two processes wait for one another. */
const settleAll = `
  INSERT INTO rate_limits AS shared (key, level, as_of)
  SELECT key, ms, clock_timestamp() FROM unnest($1::text[], $2::float8[]) AS used (key, ms) ORDER BY key
  ON CONFLICT (key) DO UPDATE
  SET level = greatest(0, shared.level - ${back}) + excluded.level, as_of = clock_timestamp()
  RETURNING key, level`;

const removeFull = `
  DELETE FROM rate_limits WHERE key IN (
    SELECT key FROM rate_limits AS shared WHERE level < ${back} ORDER BY key FOR UPDATE SKIP LOCKED
  )`;

/**
 * Makes the quotas of a process. It counts by itself and settles in the background, so that no request waits for a
 * statement and one that is refused costs none. Until they settle, processes do not know of one another: what is used
 * too much meanwhile is a debt, and has to come back before anything is to be had again.
 *
 * No clock that can be set is compared with another one: a process counts by its uptime, the shared count goes by the
 * database's clock alone, and what passes between them is how long it takes until all is back. A jump of the
 * database's clock gives back a minute's worth once, if it is forward, and nothing if it is back.
 */
export function createSharedQuotas(
  database: Database,
  { uptime, onError, interval = 1_000 }: SharedQuotaOptions,
): SharedQuotas {
  const quotas = new LRUCache<string, Kept>({ max: largestMemory });
  const unsettled = new Map<string, Kept>();
  let timer: NodeJS.Timeout | undefined;
  let settling: Promise<void> | undefined;
  let failing = false;
  let tidied = uptime();

  function keep(key: string, cost: number): Kept {
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
      // What has come back since it was used is owed no more: after an outage that would be hours.
      const costs = batch.map(({ quota, used }) =>
        Math.min(used * quota.cost, Math.max(0, quota.until - now)),
      );
      const rows = await database.query<Settled>(
        named('rate_limits.settle', { text: settleAll, values: [keys, costs] }),
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
  function keepUnsettled(quota: Kept, used: number): void {
    const known = unsettled.get(quota.key) ?? quota;
    known.used += used;
    unsettled.set(quota.key, known);
  }
  async function tidy(now: number): Promise<void> {
    if (now - tidied < tidyInterval) return;
    tidied = now;
    await database.query(named('rate_limits.sweep', { text: removeFull, values: [] }));
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
    // What is settled in vain is tried again, but a process does not stay for it.
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
