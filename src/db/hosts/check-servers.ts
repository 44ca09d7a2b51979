import pg from 'pg';
import { readHostList } from './host-list.js';

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
