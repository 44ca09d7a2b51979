import { lookup } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, type FilesConfig, type OidcConfig, readConfig } from '../../config/config.js';
import { maxDatabaseConnections, settingsInForce, unknownSettings } from '../../config/parse.js';
import { lastBackupOf } from '../../db/backup/last-backup.js';
import { openDatabase } from '../../db/connection/database.js';
import { describePrograms, findPrograms } from '../../db/embedded/programs.js';
import { readHostList } from '../../db/hosts/host-list.js';
import { DatabaseClient } from '../../db/hosts/hosts.js';
import { readTimes, silentText } from '../../db/queue/loop.js';
import { rotateSealedValues } from '../../db/secrets/sealed-values.js';
import { createSecrets, type KeySource, keyFileIn, readKeyFile } from '../../db/secrets/secrets.js';
import { type Examination, examineDatabase } from '../../db/server/examine.js';
import { paths } from '../../domain/doors/paths.js';
import { clockText, maxApart } from '../../domain/load/clocks.js';
import { obstacleOf, type ReminderObstacle, type WorkersState } from '../../domain/reminders/reasons.js';
import { checkIssuerKeys } from '../../http/auth/issuer.js';
import { type ArrivedRequest, signRouteCheck } from '../../http/pages/route-check.js';
import { isLoopback } from '../../http/session/cookies.js';
import { createMailer, type MailSettings } from '../../mail/mailer.js';
import { readWorkers } from '../../reminders/health.js';
import { createMailServer, notSetUp } from '../../reminders/mail-server.js';
import { remindersState } from '../../reminders/send/queue.js';
import { allSealedValues } from '../../setup/first-visit.js';
import { checkReading } from '../../uploads/reading/read-document.js';
import { checkObjects, openFileStores } from '../database.js';
import { checkListening } from '../process/listening.js';
import { checkDataDir, nearestExisting, withServer } from '../process/server.js';
import { formatDuration, type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { warnOfUnknown } from '../unknown.js';
import { unreadableText } from './secret-key.js';

/** Result of a check: the state found, or a warning that stops nothing. */
type CheckResult = string | { readonly warning: string };

/** Timeout of the mail server in milliseconds. */
const mailTimeoutMs = 20_000;

/**
 * Checks that the mail server accepts a connection and the login.
 * @throws {Error} with the server's message and instructions
 */
async function checkMail(mail: MailSettings | undefined): Promise<CheckResult> {
  if (!mail) return { warning: `${notSetUp} Until then, no reminders are sent (docs/use/reminders.md).` };
  const { host, port } = mail.server;
  const mailer = createMailer(mail);
  try {
    const late = sleep(mailTimeoutMs, `no response within ${mailTimeoutMs / 1_000} seconds`, { ref: false });
    const problem = await Promise.race([mailer.check(), late]);
    if (problem === undefined) return `${host}:${port} accepts mail from ${mail.from}.`;
    throw new Error(
      `${host}:${port} accepts no mail: ${problem}. Correct SMTP_URL, or make sure that this machine can reach the server.`,
    );
  } finally {
    mailer.close();
  }
}

/**
 * Checks the mail server that is stored in the database, if one is.
 * @param url connection string of a database that may lack migrations
 * @throws {Error} with the server's message and instructions
 */
async function checkStoredMail(url: string, config: KeySource): Promise<CheckResult> {
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, onError: () => {} });
  try {
    const environment = { mail: undefined, origin: undefined };
    const { mail, problem } = await createMailServer(database, createSecrets(config), environment).read();
    if (problem !== undefined) throw new Error(problem);
    return await checkMail(mail);
  } catch (error) {
    if ((error as { code?: string }).code !== '42P01') throw error;
    return checkMail(undefined);
  } finally {
    await database.close();
  }
}

/**
 * Checks that no time is stored that is ahead of all clocks. The database may lack migrations.
 * @throws {Error} with instructions
 */
async function checkStoredTimes(url: string, now: Date): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, onError: () => {} });
  try {
    const { stored } = await readTimes(database);
    const ms = Math.min(0, now.getTime() - (stored ?? 0));
    if (-ms <= maxApart) return;
    const text = clockText({ from: 'STORED', ms });
    throw new Error(
      `${text} If this clock is right, workers set back what a wrong one has stored, after ten minutes.`,
    );
  } catch (error) {
    // Missing tables and rights are what other checks are about.
    if (!['42P01', '42501'].includes((error as { code?: string }).code ?? '')) throw error;
  } finally {
    await database.close();
  }
}

/** Describes when reminders were last decided. */
function lastDecided({ decidedAt }: WorkersState, now: Date): string {
  if (!decidedAt) return 'Reminders have never been decided.';
  const isRecent = now.getTime() - decidedAt.getTime() < 60_000;
  return `Reminders were last decided ${isRecent ? 'just now' : `${formatDuration(decidedAt, now)} ago`}.`;
}

/** Instructions for administrators, by what prevents reminders from being sent. */
const todo: Readonly<Record<Exclude<ReminderObstacle, 'RESTORED' | 'NO_WORKER' | 'NO_MAIL'>, string>> = {
  MAIL_REFUSED: 'A running worker cannot use the mail server',
  SOME_MAIL_REFUSED:
    'Mails wait because a mail server refused them: see the failed attempts in *Deliveries*.',
  STANDSTILL: 'Workers are running, but have not decided due reminders for ten minutes: see their log.',
};

/**
 * Checks that reminders are decided, as far as the database shows.
 * @param url connection string of a database that may lack migrations
 * @throws {Error} with the problem of the running workers
 */
async function checkReminders(url: string, mail: MailSettings | undefined, now: Date): Promise<CheckResult> {
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, onError: () => {} });
  try {
    const [workers, { next, refused }] = await Promise.all([
      readWorkers(database, now),
      remindersState(database, now),
    ]);
    const last = lastDecided(workers, now);
    const obstacle = obstacleOf(workers, next, refused, now);
    if (obstacle === null) return last;
    if (obstacle === 'RESTORED') return { warning: silentText };
    if (obstacle === 'NO_WORKER')
      return { warning: `${last} No worker is running now: start \`serve\` or \`worker\`.` };
    if (obstacle === 'NO_MAIL' && !mail)
      return { warning: `${last} The running workers have no mail server.` };
    if (obstacle === 'NO_MAIL')
      throw new Error(`${last} The running workers have no SMTP_URL: restart them with these settings.`);
    const said = obstacle === 'MAIL_REFUSED' ? `: ${workers.mailProblem}.` : '';
    throw new Error(`${last} ${todo[obstacle]}${said}`);
  } catch (error) {
    if ((error as { code?: string }).code !== '42P01') throw error;
    return 'Reminders have never been decided: the database will be migrated at the next start.';
  } finally {
    await database.close();
  }
}

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
async function checkPort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<CheckResult> {
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
  plain: ArrivedRequest;
  spoofed: ArrivedRequest;
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
async function checkPublicUrl(config: Config, publicUrl: string): Promise<CheckResult> {
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
      ? ((await answer.json()) as ArrivedRequest)
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
async function checkTls(
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
async function checkPool(config: Config, { maxConnections }: Examination): Promise<CheckResult> {
  if (config.databasePooling === 'transaction') return 'A pooler shares the connections of PostgreSQL.';
  const most = maxDatabaseConnections(config);
  const text = `This gateway uses up to ${most} of ${maxConnections} connections`;
  if (most <= maxConnections) return `${text}.`;
  return {
    warning: `${text}: raise max_connections, or lower DATABASE_POOL or WORKERS (docs/run/scaling.md).`,
  };
}

/** Checks that the replica is a standby. A start refuses one of another cluster. */
async function checkReplica(replicaUrl: string): Promise<CheckResult> {
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

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  /** True if the gateway runs without it, but it should be fixed. */
  readonly warning?: true;
  /** The state found, or instructions. */
  readonly text: string;
}

/** A named check. It throws the problem with instructions, or returns a description of the state. */
type Check = readonly [name: string, look: () => Promise<CheckResult>];

/** The oldest supported PostgreSQL, as `server_version_num`. */
const oldest = 140_000;
/** The most milliseconds by which the clocks of process and database may differ. */
const maxSkew = 5_000;
/** Minimum free bytes on the disk with the data. */
const leastSpace = 1024 ** 3;

/**
 * Prints the current settings and their sources; secrets are hidden.
 * @throws {ConfigError} for invalid settings, after they are printed
 */
export async function configCommand(io: Io, options: ReportOptions): Promise<void> {
  const settings = settingsInForce(io.env, io.fromFile ?? new Set());
  const width = (key: 'name' | 'source') => Math.max(...settings.map((setting) => setting[key].length)) + 2;
  const [names, sources] = [width('name'), width('source')];
  const lines = settings.map(
    ({ name, value, source }) => `${name.padEnd(names)}${source.padEnd(sources)}${value}`,
  );
  // Print it even with --quiet, because it was asked for.
  await report(io, { ...options, quiet: false }, settings, lines.join('\n'));
  warnOfUnknown(io.env, quietLog(io, options));
  readConfig(io.env);
}

/**
 * Checks what a gateway with these settings needs. If something is missing, it gives instructions. The
 * embedded PostgreSQL is started for the checks, if it is not running.
 * @throws {ConfigError} for invalid settings
 * @throws {Error} if a check has failed
 */
export async function doctorCommand(io: Io, options: ReportOptions): Promise<void> {
  const config = readConfig(io.env);
  const findings = [
    ...(await runAll(firstChecks(io, config))),
    ...(await checkDatabase(io, config, options)),
  ];
  const failed = findings.filter(({ ok }) => !ok);
  // Failures and warnings are printed even with --quiet.
  const told = options.quiet ? findings.filter(({ ok, warning }) => !ok || warning) : findings;
  const lines = told.map((finding) => `${wordOf(finding)}  ${finding.check.padEnd(11)}${finding.text}`);
  await report(io, { ...options, quiet: told.length === 0 }, findings, lines.join('\n'));
  if (failed.length > 0) throw new Error(`${failed.length} of ${findings.length} checks failed.`);
}

const wordOf = ({ ok, warning }: Finding) => (warning ? 'warn' : ok ? 'ok  ' : 'FAIL');

function firstChecks(io: Io, config: Config): Check[] {
  const { databaseUrl, secretKey, dataDir, postgresPrograms, publicUrl, oidc, mail, files } = config;
  const usesFolder = databaseUrl === undefined || secretKey === undefined;
  return [
    ['settings', () => checkNames(io.env)],
    ['port', () => checkPort(config)],
    ...(publicUrl ? ([['public URL', () => checkPublicUrl(config, publicUrl)]] as const) : []),
    ...(usesFolder ? ([['folder', () => checkFolder(dataDir)]] as const) : []),
    ...(secretKey === undefined ? ([['key', () => checkKey(dataDir)]] as const) : []),
    ...(databaseUrl === undefined
      ? ([['postgresql', async () => describePrograms(await findPrograms(postgresPrograms))]] as const)
      : []),
    ...(files ? ([['files', () => checkFiles(files)]] as const) : []),
    ...(oidc ? ([['issuer', () => checkIssuer(oidc)]] as const) : []),
    ...(mail ? ([['mail', () => checkMail(mail)]] as const) : []),
    ['pictures', () => checkPictures(config)],
  ];
}

async function runAll(checks: readonly Check[]): Promise<Finding[]> {
  return Promise.all(
    checks.map(async ([check, look]) =>
      look().then(
        (found): Finding =>
          typeof found === 'string'
            ? { check, ok: true, text: found }
            : { check, ok: true, warning: true, text: found.warning },
        (error: Error) => ({ check, ok: false, text: error.message.replace(/\s+/g, ' ') }),
      ),
    ),
  );
}

async function checkNames(env: NodeJS.ProcessEnv): Promise<string> {
  const unknown = unknownSettings(env).map(
    ({ name, meant }) => `${name} is not a setting: set ${meant} instead.`,
  );
  if (unknown.length > 0) throw new Error(unknown.join(' '));
  return 'All settings are valid.';
}

async function checkFolder(dataDir: string): Promise<string> {
  await checkDataDir(dataDir);
  const folder = resolve(dataDir);
  const { bavail, bsize } = await statfs(await nearestExisting(folder));
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB are free for DATA_DIR ${folder}`;
  if (bavail * bsize < leastSpace)
    throw new Error(`Only ${free}: free some space, or set DATA_DIR to a folder on another disk.`);
  return `${free}.`;
}

/** Checks that the file with the key of secrets can be read, if it exists. */
async function checkKey(dataDir: string): Promise<string> {
  const path = keyFileIn(dataDir);
  const key = await readKeyFile(path).catch(({ message }: Error) => {
    throw new Error(
      `${message} Restore it from a copy. Without one, move it away, and create the signed tokens again.`,
    );
  });
  return key ? `${path} has a key.` : `There is no ${path} yet: the first secret creates it.`;
}

/** Hours after which a nightly backup is late. */
const maxBackupHours = 36;

/** Checks when the database was last backed up. A new gateway needs none yet. */
async function checkBackups(url: string): Promise<CheckResult> {
  const database = openDatabase({ url, poolSize: 1, rowSecurity: false, onError: () => {} });
  try {
    const last = await lastBackupOf(database);
    const [first] = await database.sql<{ created: Date | null }>(
      'SELECT min(created) AS created FROM organizations',
      [],
    );
    const since = last?.finishedAt ?? first?.created ?? new Date();
    const age = formatDuration(since, new Date());
    const isOld = Date.now() - since.getTime() > maxBackupHours * 3_600_000;
    if (last && !isOld) return `The last backup was made ${age} ago.`;
    if (!isOld) return 'There is no backup yet.';
    const text = last
      ? `The last backup was made ${age} ago.`
      : `There is no backup of this database, which is ${age} old.`;
    return { warning: `${text} Run \`backup\` every night, unless another tool does (docs/run/backup.md).` };
  } finally {
    await database.close();
  }
}

/** Checks that the present key opens all encrypted values. The embedded key is not created for that. */
async function checkSecrets(url: string, config: Config): Promise<CheckResult> {
  const counts = await rotateSealedValues(url, allSealedValues, createSecrets(config), { isDry: true });
  if (counts.unreadable.length > 0) throw new Error(unreadableText(counts));
  if (counts.old > 0) {
    const text = `${counts.old} encrypted values need the key before this one: run \`secret-key rotate\`.`;
    return { warning: text };
  }
  return `The key opens all ${counts.current} encrypted values.`;
}

/** Checks that files outside the database can be written, read and removed. */
async function checkFiles(files: FilesConfig): Promise<string> {
  const stores = openFileStores(files, { warn: () => {} }).all;
  for (const store of stores) await store.check();
  return `Files can be written, read and removed in ${stores.map(({ address }) => address).join(' and ')}.`;
}

/** Checks that pictures of documents can be read. The gateway runs without. */
async function checkPictures(config: Config): Promise<CheckResult> {
  const { isReady, text } = await checkReading(config);
  return isReady ? text : { warning: text };
}

/** Checks the issuer's metadata and keys (OpenID Connect Discovery 1.0 §4). */
async function checkIssuer({ issuer }: OidcConfig): Promise<string> {
  try {
    await checkIssuerKeys(issuer);
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`${message}. Correct OIDC_ISSUER, or make sure that this machine can reach it.`, {
      cause,
    });
  }
  return `${issuer} has valid metadata and keys.`;
}

/**
 * Describes the rights of the database role. Only those that the gateway needs may be missing.
 * @throws {Error} with the statements or the command that grant them
 */
function describeRights(
  { migrate }: Pick<Config, 'migrate'>,
  pending: number,
  { denied, rights }: Pick<Examination, 'denied' | 'rights'>,
): string {
  if (denied !== undefined && (migrate || !rights)) throw new Error(denied);
  if (!rights) return 'The database role has the rights that migrations need.';
  const { role, isOwner, denied: tables } = rights;
  if (tables.length > 0) {
    const what = `The role ${role} may not read and write ${tables.slice(0, 5).join(', ')}`;
    throw new Error(`${what}: run the output of \`grants ${role}\` as the owner of the tables.`);
  }
  if (isOwner) return 'The database role owns the tables.';
  const work = pending > 0 ? '`migrate` and `maintain`' : '`maintain`';
  return `The database role reads and writes only. Run ${work} as the owner of the tables, \`maintain\` once a day.`;
}

async function checkDatabase(io: Io, config: Config, options: ReportOptions): Promise<Finding[]> {
  const { databaseReplicaUrl: replica } = config;
  try {
    return await withServer(config, quietLog(io, options), async ({ directUrl: url }) => {
      const examination = await examineDatabase(url, () => new Date());
      const { version, versionNumber, standby, skew, pending, ...rights } = examination;
      return runAll([
        [
          'database',
          async () => {
            if (versionNumber < oldest) throw new Error(`PostgreSQL ${version} is too old: use 14 or later.`);
            if (standby) throw new Error('The server is a standby: set DATABASE_URL to the primary.');
            const when = config.migrate ? 'at the next start' : 'by the command `migrate`';
            const rest = pending === 0 ? 'up to date' : `${pending} migrations will be applied ${when}`;
            return `PostgreSQL ${version}, ${rest}.`;
          },
        ],
        [
          'grants',
          async () => {
            return describeRights(config, pending, rights);
          },
        ],
        [
          'clock',
          async () => {
            const apart = `The database's clock is ${Math.abs(skew)} ms ${skew < 0 ? 'behind' : 'ahead of'} this one`;
            if (Math.abs(skew) > maxSkew) throw new Error(`${apart}: synchronize both with NTP.`);
            await checkStoredTimes(url, new Date());
            return `${apart}.`;
          },
        ],
        ...(config.databaseUrl
          ? ([
              ['connection', () => checkTls(config, examination)],
              ['pool', () => checkPool(config, examination)],
            ] as const)
          : []),
        ...(replica ? ([['replica', () => checkReplica(replica)]] as const) : []),
        ...(config.files && pending === 0
          ? ([['objects', () => checkObjects(url, config.files)]] as const)
          : []),
        ...(config.mail ? [] : ([['mail', () => checkStoredMail(url, config)]] as const)),
        ...(pending === 0 ? ([['backup', () => checkBackups(url)]] as const) : []),
        ['reminders', () => checkReminders(url, config.mail, new Date())],
        ...(pending === 0 ? ([['secrets', () => checkSecrets(url, config)]] as const) : []),
      ]);
    });
  } catch (error) {
    return [{ check: 'database', ok: false, text: (error as Error).message.replace(/\s+/g, ' ') }];
  }
}
