import type { Caller } from '../../domain/caller.js';
import { Kept } from '../../domain/kept.js';
import type { PrismaClient } from '../../generated/prisma/client.js';
import { clientNameOf, type Models, type Operations } from '../connection/connections.js';
import { type Database, openDatabase, type SentStatement } from '../connection/database.js';
import { createReplicaLag } from './replica-lag.js';
import { largestLag, positionOf, watchReplica } from './replica-watch.js';

/** What a caller must find in what it reads. */
export interface Progress {
  /** When its user last wrote anything, by the clocks of the gateways. */
  readonly lastWrite: Date | null;
  /** Where the primary's log was when the caller was looked up: all that was answered before lies below. */
  readonly position: bigint;
}

/** A replica that reads can go to. */
export interface Replica {
  /** It, with the primary behind it: a statement that fails is sent there. */
  readonly database: Database;
  /** Whether a caller may read from it now. */
  suits(caller: Caller, now: Date): boolean;
  /** Milliseconds of which it may lack what was committed; undefined while nothing is known of it. */
  lag(): number | undefined;
  /** Whether callers who have not written lately read from it. */
  isUsed(): boolean;
  close(): Promise<void>;
}

/** What a replica is opened with. */
export interface ReplicaOptions {
  readonly url: string;
  /** Connections at most. */
  readonly poolSize: number;
  /** As the primary's. */
  readonly rowSecurity?: boolean;
  /** Told whenever it begins to be used, and with the reason when it is no longer. */
  readonly onChange: (reason: string | undefined) => void;
  /** Told why a statement was sent to the primary as well. */
  readonly onFallback: (error: unknown) => void;
  readonly onStatement?: ((statement: SentStatement) => void) | undefined;
}

/** Milliseconds that a read may take on the replica, before it is sent to the primary. */
const readPatience = 10_000;

/**
 * Milliseconds after a caller's write in which its reads must find it for certain. Longer than `largestLag`, what a
 * write may take from its beginning to its commit, and what the clocks of gateways may be apart, together.
 */
export const writerMemory = 120_000;

/** Columns of the look-up of callers, for `Progress`. What users write is in the event log, indexed by them. */
export const progressColumns = `
    (SELECT max(created) FROM event_logs WHERE event_logs.user_id = users.id) AS "lastWrite",
    ${positionOf('pg_current_wal_flush_lsn()')} AS "writtenTo"`;

const progresses = new Kept<Caller, Progress>();

/** Keeps what a caller must find in what it reads. Of whom nothing is known reads from the primary. */
export function noteProgress(caller: Caller, progress: Progress): void {
  progresses.set(caller, progress);
}

const replicas = new WeakMap<Database, Replica>();

/** The replica of a database, if it has one. */
export function replicaOf(database: Database): Replica | undefined {
  return replicas.get(database);
}

/**
 * Opens the replica of a database, and watches from now on how far it is. It need not be there.
 *
 * Callers who have not written lately may read from it while it is at most `largestLag` behind. Who has must find
 * what was written, through whichever gateway: such a caller may read from it once it has replayed all that the
 * primary had committed when the caller was looked up.
 */
export function openReplica(primary: Database, options: ReplicaOptions): Replica {
  const { url, poolSize, rowSecurity = false, onChange, onFallback, onStatement } = options;
  const settings = { url, poolSize, rowSecurity, onStatement, queryTimeout: readPatience };
  const own = openDatabase({ ...settings, onError: () => {} });
  const lag = createReplicaLag();
  const watch = watchReplica(primary, url, lag, onChange);
  /** Reads here, or at the primary when that fails. */
  const falling = <T>(read: (at: Database) => Promise<T>, here = own, there = primary): Promise<T> =>
    read(here).catch((error) => {
      onFallback(error);
      return read(there);
    });
  const database: Database = {
    ...own,
    // With row security, what Prisma's client does are transactions, and these are what is done there again.
    prisma: rowSecurity ? own.prisma : withFallback(own.prisma, primary.prisma, onFallback),
    query: (sql, values, together) => falling((at) => at.query(sql, values, together)),
    as(caller) {
      if (!rowSecurity) return database;
      const both = [own.as(caller), primary.as(caller)] as const;
      return {
        ...database,
        query: (sql, values, together) => falling((at) => at.query(sql, values, together), ...both),
        transaction: (client, work) => falling(({ transaction }) => transaction(client, work), ...both),
      };
    },
  };
  const isUsed = () => lag.behind(performance.now()) <= largestLag;
  const replica: Replica = {
    database,
    isUsed,
    lag() {
      const behind = lag.behind(performance.now());
      return Number.isFinite(behind) ? behind : undefined;
    },
    suits(caller, now) {
      const progress = progresses.get(caller);
      if (!progress || !isUsed()) return false;
      const { lastWrite, position } = progress;
      const isWriter = lastWrite !== null && now.getTime() - lastWrite.getTime() < writerMemory;
      return !isWriter || lag.has(position);
    },
    close: async () => {
      replicas.delete(primary);
      await watch.close();
      await own.close();
    },
  };
  replicas.set(primary, replica);
  return replica;
}

/** A client whose operations are sent to another when they fail: what only reads can be done twice. */
function withFallback(
  client: PrismaClient,
  other: PrismaClient,
  onFallback: (error: unknown) => void,
): PrismaClient {
  const extended = client.$extends({
    query: {
      async $allOperations({ model, operation, args, query }) {
        try {
          return await query(args);
        } catch (error) {
          onFallback(error);
          // By names that are known only when it runs.
          const whole = other as unknown as Operations & Models;
          const operations = model ? whole[clientNameOf(model)] : whole;
          return operations?.[operation]?.(args);
        }
      },
    },
  });
  // As in scope.ts: the same arguments and answers.
  return extended as unknown as PrismaClient;
}
