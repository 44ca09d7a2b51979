import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type NamedServer, readHostList, type WantedRole } from './host-list.js';

/** Milliseconds that a server may take to answer. */
const TIMEOUT_MS = 5_000;

/** SQLSTATEs of a function that the role may not call, or that the server lacks. */
const UNKNOWN = /^(42501|42883|0A000)$/;

interface Seen {
  readonly place: string;
  readonly standby: boolean;
  /** Number of the cluster, which all its servers share. It is undefined if it cannot be read. */
  readonly cluster: string | undefined;
}

async function lookAt(url: string): Promise<Omit<Seen, 'place'>> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
    const cluster = await client.query('SELECT system_identifier AS id FROM pg_control_system()').then(
      (found) => String(found.rows[0].id),
      (error: { code?: string }) => {
        if (UNKNOWN.test(error.code ?? '')) return undefined;
        throw error;
      },
    );
    return { standby: rows[0].standby, cluster };
  } finally {
    await client.end();
  }
}

/** Looks at the servers of a connection string. Those that cannot be reached are left out. */
async function lookAtAll(url: string): Promise<Seen[]> {
  const { servers } = readHostList(url);
  const seen = await Promise.allSettled(
    servers.map(async (server) => ({ place: server.place, ...(await lookAt(server.url)) })),
  );
  return seen.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

/**
 * Rejects a standby that is named as the primary, and servers of different clusters.
 * @param replicaUrl the connection string of the replica, if there is one
 * @throws {Error} with instructions
 */
export async function checkServers(url: string, replicaUrl: string | undefined): Promise<void> {
  const ours = await lookAtAll(url);
  const [first] = ours;
  if (readHostList(url).wanted === undefined && first?.standby) {
    throw new Error(
      `DATABASE_URL: PostgreSQL at ${first.place} is a standby, which accepts no writes: name the primary, or all servers of the cluster, separated by commas.`,
    );
  }
  const theirs = replicaUrl === undefined ? [] : await lookAtAll(replicaUrl);
  const known = [...ours, ...theirs].filter(({ cluster }) => cluster !== undefined);
  const other = known.find(({ cluster }) => cluster !== known[0]?.cluster);
  if (!other) return;
  const name = ours.includes(other) ? 'DATABASE_URL' : 'DATABASE_REPLICA_URL';
  throw new Error(
    `${name}: PostgreSQL at ${other.place} belongs to a different cluster than ${known[0]?.place}: name only servers of one cluster, which replicate one another.`,
  );
}

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
class NoServerError extends Error {
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
  if (wanted === 'standby') return standby ? undefined : 'is not a standby';
  if (standby) return 'is a standby';
  return readOnly ? 'accepts no writes' : undefined;
}

async function readHostRole(client: pg.Client): Promise<Look> {
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
    const look = await readHostRole(client);
    const problem = mismatch(wanted, look);
    if (problem !== undefined) throw new NoServerError(problem);
    return { server, client, timeline: BigInt(look.timeline ?? 0) };
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** A connection that must end when another server takes over. */
interface MovableConnection {
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
      const problem = await readHostRole(client).then(
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

/** SQLSTATE of a write that a standby refuses. */
const READ_ONLY = '25006';

/** The finders of this process, by connection string. All connections of one string share a finder. */
const finders = new Map<string, ServerFinder>();

function finderOf(url: string): ServerFinder | undefined {
  const { servers, wanted } = readHostList(url);
  if (wanted === undefined) return undefined;
  const finder = finders.get(url) ?? new ServerFinder(servers, wanted);
  finders.set(url, finder);
  return finder;
}

/**
 * A connection to the database, whose connection string may name several servers. It is made to the one that
 * has the wanted role, and is dropped when another server takes over. A server that refuses a write because it
 * has become a standby loses the connection, too.
 */
export class DatabaseClient extends pg.Client implements MovableConnection {
  readonly #finder: ServerFinder | undefined;

  constructor(config: pg.ClientConfig & { readonly connectionString: string }) {
    const { connectionString } = config;
    const finder = finderOf(connectionString);
    const [first] = readHostList(connectionString).servers;
    super(finder && first ? { ...config, connectionString: first.url } : config);
    this.#finder = finder;
    // A server may end the session in the packet that accepts it, before its user could listen. An error that
    // nobody listens to would end the process; whoever uses the connection is told by the next statement.
    this.on('error', () => {});
    this.connection.on('errorMessage', ({ code }: { code: string }) => {
      // The statement learns of its error first.
      if (code === READ_ONLY)
        setImmediate(() => this.drop(new Error('Connection terminated: it is a standby')));
    });
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#finder ? this.#connectTo(this.#finder) : super.connect();
    if (!callback) return connected.then(() => this);
    // `pg` calls back without an error once it is connected.
    const succeed = callback as () => void;
    void connected.then(() => succeed(), callback);
    return undefined;
  }

  drop(reason: Error): void {
    this.connection.stream.destroy(reason);
  }

  async #connectTo(finder: ServerFinder): Promise<void> {
    const server = await finder.find();
    // The pool does that if it takes too long.
    if (this.connection.stream.destroyed) throw new Error('Connection terminated due to connection timeout');
    this.host = server.host;
    this.port = server.port;
    this.once('end', () => finder.leave(this));
    try {
      await super.connect();
      finder.follow(this, server);
    } catch (error) {
      finder.doubt(server);
      throw error;
    }
  }
}
