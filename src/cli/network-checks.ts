import { lookup } from 'node:dns/promises';
import type { Config } from '../config/config.js';
import { mostDatabaseConnections } from '../config/parse.js';
import { DatabaseClient } from '../db/hosts/client.js';
import { readHostList } from '../db/hosts/host-list.js';
import { createSecrets } from '../db/secrets/secrets.js';
import type { Examination } from '../db/server/examine.js';
import { paths } from '../domain/doors/paths.js';
import { type RouteArrival, signRouteCheck } from '../http/pages/route-check.js';
import { isLoopback } from '../http/session/cookies.js';
import { checkListening } from './process/listening.js';
import type { CheckResult } from './reminder-checks.js';

/** Milliseconds to wait for an answer from the public address. */
const publicTimeoutMs = 5_000;
/** An address of documentation (RFC 5737), which nobody calls from. */
const forged = '192.0.2.1';

/** Returns whether browsers and `fetch` refuse a port (Fetch, section "Port blocking"). */
async function isBlockedPort(port: number): Promise<boolean> {
  const refused = await fetch(`http://127.0.0.1:${port}`, {
    method: 'HEAD',
    signal: AbortSignal.timeout(2_000),
  }).then(
    () => undefined,
    ({ cause }: Error) => cause as Error | undefined,
  );
  return refused?.message === 'bad port';
}

/**
 * Checks that the port is free, or that this gateway itself uses it. Browsers must be able to call it.
 * @throws {Error} with instructions
 */
export async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<CheckResult> {
  if (await isBlockedPort(port)) {
    return {
      warning: `Browsers and fetch refuse to call port ${port}, which another protocol uses: set PORT to another one, unless only a proxy calls it.`,
    };
  }
  try {
    await checkListening({ host, port, setting: 'PORT' });
  } catch (error) {
    const here = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
    const url = `http://${here.includes(':') ? `[${here}]` : here}:${port}`;
    const answer = await fetch(`${url}${paths.live}`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    );
    if (!answer?.headers.has('X-Request-Id')) throw error;
    return `A gateway is running at ${url}.`;
  }
  return port === 0 ? 'Any free port will be used.' : `${port} is free on ${host}.`;
}

/** Says what is wrong with a proxy or TRUST_PROXY; undefined if nothing is. */
function problemOfRoute({
  plain,
  spoofed,
  origin,
}: {
  plain: RouteArrival;
  spoofed: RouteArrival;
  origin: string;
}) {
  const { forwarded: proxies, trusted } = plain;
  const set = `set TRUST_PROXY=${proxies}`;
  if (trusted < proxies) {
    return `The header X-Forwarded-For has ${proxies} addresses of proxies, but TRUST_PROXY is ${trusted}, so that all callers count as one: ${set}.`;
  }
  // A proxy that replaces the header leaves nothing of what was forged.
  if (spoofed.forwarded > proxies && trusted > proxies) {
    return `TRUST_PROXY is ${trusted}, but X-Forwarded-For has only ${proxies} addresses of proxies, so that callers can forge their address: ${set}.`;
  }
  if (plain.origin !== origin) {
    const lost = new URL(plain.origin).host === new URL(origin).host ? 'X-Forwarded-Proto' : 'Host';
    return `A request to PUBLIC_URL arrives as one to ${plain.origin}: let the proxy pass on ${lost}.`;
  }
  return undefined;
}

/**
 * Checks the public address: its name, its scheme, and how a request to it arrives. A gateway that is not running
 * cannot be asked.
 * @throws {Error} with instructions, if its name does not resolve
 */
export async function checkPublicUrl(config: Config, publicUrl: string): Promise<CheckResult> {
  const { hostname, protocol, origin } = new URL(publicUrl);
  await lookup(hostname.replace(/^\[|\]$/g, '')).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(
      `The name ${hostname} in PUBLIC_URL does not resolve (${code}), so links in mails lead nowhere: correct it, or add it to DNS.`,
    );
  });
  if (protocol === 'http:' && !isLoopback(hostname) && !config.insecureCookies) {
    return {
      warning:
        'PUBLIC_URL is http, so nobody can sign in at the console: use https (docs/run/reverse-proxy.md).',
    };
  }
  const query = await signRouteCheck(createSecrets(config), new Date());
  const live = await ask(`${origin}${paths.live}`);
  if (typeof live === 'string') return { warning: `${publicUrl} does not answer: ${live}.` };
  if (live.status !== 200 || !live.headers.has('X-Request-Id')) {
    const what = live.headers.get('location')
      ? `leads to ${live.headers.get('location')}`
      : `is ${live.status}`;
    return { warning: `${publicUrl} does not lead to a gateway that runs: its ${paths.live} ${what}.` };
  }
  const arrived = async (headers: Record<string, string> = {}) => {
    const answer = await ask(`${origin}${paths.route}?${query}`, headers);
    return typeof answer !== 'string' && answer.status === 200
      ? ((await answer.json()) as RouteArrival)
      : undefined;
  };
  const [plain, spoofed] =
    query === undefined ? [] : await Promise.all([arrived(), arrived({ 'X-Forwarded-For': forged })]);
  if (!plain || !spoofed) {
    return { warning: `A gateway answers at ${publicUrl}, but not with the key of these settings.` };
  }
  const problem = problemOfRoute({ plain, spoofed, origin });
  if (problem) return { warning: problem };
  const through =
    ['not through a proxy', 'through a proxy'][plain.forwarded] ?? `through ${plain.forwarded} proxies`;
  return `${publicUrl} leads here, ${through}.`;
}

/** Returns an answer, or in words why there was none. */
async function ask(url: string, headers: Record<string, string> = {}): Promise<Response | string> {
  try {
    return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(publicTimeoutMs) });
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message: string } };
    return cause?.code ?? cause?.message ?? message;
  }
}

/** Checks that a connection over a network is encrypted. */
export async function checkTls(
  { databaseUrl = '' }: Pick<Config, 'databaseUrl'>,
  { isEncrypted }: Examination,
): Promise<CheckResult> {
  if (isEncrypted) return 'Connections to the database are encrypted.';
  const remote = readHostList(databaseUrl).servers.filter(({ host }) => !isLocal(host));
  if (remote.length === 0) return 'The database is on this machine.';
  return {
    warning: `Connections to ${remote.map(({ place }) => place).join(' and ')} are not encrypted: add sslmode=verify-full to DATABASE_URL, unless the network is your own (docs/run/postgresql.md).`,
  };
}

/** Returns whether a server is on this machine, or reached over a Unix socket. */
const isLocal = (host: string) => host === '' || host.startsWith('/') || isLoopback(host);

/** Checks that the server allows the connections of all processes of this gateway. */
export async function checkPool(config: Config, { maxConnections }: Examination): Promise<CheckResult> {
  if (config.databasePooling === 'transaction') return 'A pooler shares the connections of PostgreSQL.';
  const most = mostDatabaseConnections(config);
  const text = `This gateway uses up to ${most} of ${maxConnections} connections`;
  if (most <= maxConnections) return `${text}.`;
  return {
    warning: `${text}: raise max_connections, or lower DATABASE_POOL or WORKERS (docs/run/scaling.md).`,
  };
}

/** Checks that the replica is a standby. A start refuses one of another cluster. */
export async function checkReplica(replicaUrl: string): Promise<CheckResult> {
  const timeouts = { connectionTimeoutMillis: 10_000, query_timeout: 10_000 };
  const client = new DatabaseClient({ connectionString: replicaUrl, ...timeouts });
  await client.connect();
  try {
    const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    if (rows[0]?.standby) return 'DATABASE_REPLICA_URL leads to a standby.';
  } finally {
    await client.end();
  }
  return { warning: 'DATABASE_REPLICA_URL leads to the primary, so it takes no load off it: correct it.' };
}
