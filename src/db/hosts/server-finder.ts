import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { NamedServer, WantedRole } from './host-list.js';

/** Milliseconds that a server may take to accept a connection or to answer. */
const LOOK_TIMEOUT_MS = 3_000;

/** Milliseconds between two looks at the server in use, and between two searches for one. */
const [WATCH_INTERVAL_MS, SEARCH_INTERVAL_MS] = [1_000, 500];

/**
 * Milliseconds that other servers get to answer once one is found. A former primary that was cut off may
 * still take itself for one; the newer timeline then decides.
 */
const GRACE_MS = 300;

/**
 * Milliseconds that an older timeline is refused after a newer primary was last seen. By then, a former primary
 * that was cut off has stepped down, and an older timeline is that of a restored database. It must be longer than
 * `ttl` + `loop_wait` of Patroni, which are 25 seconds in `deploy/ha`.
 */
const FORMER_REFUSED_MS = 60_000;

/** No server of a connection string has the wanted role now. */
export class NoServerError extends Error {
  /** SQLSTATE sqlclient_unable_to_establish_sqlconnection. */
  readonly code = '08001';
}

/** SQL for the number of a primary's timeline, which grows with each failover. It is null on a standby. */
export const timelineSql = `CASE WHEN NOT pg_is_in_recovery()
  THEN ('x' || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8))::bit(32)::bigint END`;

const lookSql = `
  SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS "readOnly",
    ${timelineSql} AS timeline`;

interface Look {
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly timeline: string | null;
}

/** A server that was looked at, with the connection for further looks. */
interface Candidate {
  readonly server: NamedServer;
  readonly client: pg.Client;
  readonly timeline: bigint;
}

/** Returns why a server has not the wanted role, or undefined if it has. */
function mismatch(wanted: WantedRole, { standby, readOnly }: Look): string | undefined {
  if (wanted === 'standby') return standby ? undefined : 'is no standby';
  if (standby) return 'is a standby';
  return readOnly ? 'accepts no writes' : undefined;
}

async function lookAt(client: pg.Client): Promise<Look> {
  const [look] = (await client.query<Look>(lookSql)).rows;
  if (!look) throw new Error('A statement without a condition gave no row.');
  return look;
}

/** Connects to a server and checks its role. */
async function tryServer(server: NamedServer, wanted: WantedRole): Promise<Candidate> {
  const client = new pg.Client({
    connectionString: server.url,
    application_name: 'expiration-gateway-watch',
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    query_timeout: LOOK_TIMEOUT_MS,
    keepAlive: true,
  });
  client.on('error', () => {}); // its end is noticed
  try {
    await client.connect();
    const look = await lookAt(client);
    const problem = mismatch(wanted, look);
    if (problem !== undefined) throw new NoServerError(problem);
    return { server, client, timeline: BigInt(look.timeline ?? 0) };
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** A connection that must end when another server takes over. */
export interface MovableConnection {
  /** Ends it as if the network had. */
  drop(reason: Error): void;
}

/**
 * Finds the server with the wanted role, and watches it while it is in use. When another one takes over, the
 * connections to the former are dropped.
 */
export class ServerFinder {
  readonly #servers: readonly NamedServer[];
  readonly #wanted: WantedRole;
  readonly #connections = new Map<MovableConnection, NamedServer>();
  #current: Candidate | undefined;
  readonly #now: () => number;
  /** Timeline of the last primary. A server with an older one has been replaced, whatever it says. */
  #newest = 0n;
  /** Time of the last look that found that primary. */
  #seenAt = 0;
  #finding: Promise<NamedServer> | undefined;
  #searching = false;

  /** @param now a monotonic clock in milliseconds */
  constructor(servers: readonly NamedServer[], wanted: WantedRole, now = () => performance.now()) {
    this.#servers = servers;
    this.#wanted = wanted;
    this.#now = now;
  }

  /**
   * Returns the server to connect to.
   * @throws {NoServerError} if none has the role now; and the error of `pg` if all refuse the connection
   */
  find(): Promise<NamedServer> {
    if (this.#current) return Promise.resolve(this.#current.server);
    this.#finding ??= this.#choose().finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  /** Registers a connection to a server. It is dropped at once if another server has taken over. */
  follow(connection: MovableConnection, server: NamedServer): void {
    this.#connections.set(connection, server);
    this.#dropStale();
  }

  leave(connection: MovableConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size === 0) this.#forget();
  }

  /** Doubts a server that failed. The next connection looks at all servers again. */
  doubt(server: NamedServer): void {
    if (this.#current?.server !== server) return;
    this.#forget();
    void this.#search();
  }

  async #choose(): Promise<NamedServer> {
    const found: Candidate[] = [];
    let isOver = false;
    const tries = this.#servers.map(async (server) => {
      const candidate = await tryServer(server, this.#wanted);
      const isFormer = candidate.timeline < this.#newest && this.#now() - this.#seenAt < FORMER_REFUSED_MS;
      if (!isOver && !isFormer) return void found.push(candidate);
      void candidate.client.end().catch(() => {});
      if (isFormer) throw new NoServerError('is a former primary');
    });
    const all = Promise.allSettled(tries);
    const grace = () => sleep(GRACE_MS, undefined, { ref: false });
    await Promise.race([all, Promise.any(tries).then(grace, () => {})]);
    isOver = true;
    const [chosen] = found.toSorted((one, other) => Number(other.timeline - one.timeline));
    if (!chosen) throw this.#refusal(await all);
    for (const { client } of found) if (client !== chosen.client) void client.end().catch(() => {});
    this.#current = chosen;
    this.#newest = chosen.timeline;
    this.#seenAt = this.#now();
    this.#dropStale();
    this.#watch(chosen);
    return chosen.server;
  }

  /** Describes why no server will do. A refusal that lasts, such as a wrong password, comes first. */
  #refusal(results: readonly PromiseSettledResult<void>[]): Error {
    const reasons = results.flatMap((result, index) =>
      result.status === 'rejected'
        ? [{ reason: result.reason as Error, place: this.#servers[index]?.place }]
        : [],
    );
    const lasting = reasons.find(({ reason }) => /^(28|3D)/.test((reason as { code?: string }).code ?? ''));
    if (lasting) return lasting.reason;
    const texts = reasons.map(({ reason, place }) =>
      reason instanceof NoServerError
        ? `${place} ${reason.message}`
        : `${place}: ${reason.message || 'unreachable'}`,
    );
    const lacking = this.#wanted === 'primary' ? 'no server accepts writes' : 'no server is a standby';
    return new NoServerError(`${lacking} (${texts.join('; ')})`);
  }

  #dropStale(): void {
    const server = this.#current?.server;
    if (!server) return;
    for (const [connection, at] of this.#connections) {
      if (at === server) continue;
      this.#connections.delete(connection);
      connection.drop(new Error(`Connection terminated: ${server.place} is the ${this.#wanted} now`));
    }
  }

  #forget(): void {
    const client = this.#current?.client;
    this.#current = undefined;
    void client?.end().catch(() => {});
  }

  /** Looks at the server in use until it fails or loses its role. */
  #watch(candidate: Candidate): void {
    const { server, client } = candidate;
    const isCurrent = () => this.#current === candidate;
    client.once('end', () => isCurrent() && this.doubt(server));
    (client.connection.stream as Socket).unref();
    const look = async () => {
      if (!isCurrent()) return;
      const problem = await lookAt(client).then(
        (found) => mismatch(this.#wanted, found),
        (error: Error) => error.message,
      );
      if (!isCurrent()) return;
      if (problem !== undefined) return this.doubt(server);
      this.#seenAt = this.#now();
      setTimeout(look, WATCH_INTERVAL_MS).unref();
    };
    setTimeout(look, WATCH_INTERVAL_MS).unref();
  }

  /** Searches for a server as long as connections may have to move to it. */
  async #search(): Promise<void> {
    if (this.#searching) return;
    this.#searching = true;
    while (!this.#current && this.#connections.size > 0) {
      await this.find().catch(() => {});
      await sleep(SEARCH_INTERVAL_MS, undefined, { ref: false });
    }
    this.#searching = false;
  }
}
