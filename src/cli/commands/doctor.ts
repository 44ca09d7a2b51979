import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Config, type FilesConfig, type OidcConfig, readConfig } from '../../config/config.js';
import { settingsInForce } from '../../config/in-force.js';
import { unknownSettings } from '../../config/unknown.js';
import { lastBackupOf } from '../../db/backup/last-backup.js';
import { openDatabase } from '../../db/connection/database.js';
import { describePrograms } from '../../db/embedded/build-info.js';
import { findPrograms } from '../../db/embedded/programs.js';
import { rotateSealedValues } from '../../db/secrets/sealed-values.js';
import { keyFileIn, readKeyFile } from '../../db/secrets/secret-key.js';
import { createSecrets } from '../../db/secrets/secrets.js';
import { type Examination, examineDatabase } from '../../db/server/examine.js';
import { checkIssuerKeys } from '../../http/auth/issuer-keys.js';
import { allSealedValues } from '../../setup/sealed-values.js';
import { checkReading } from '../../uploads/reading/read-picture.js';
import { checkDataDir, nearestExisting } from '../data-dir.js';
import { checkObjects, openFileStores } from '../file-stores.js';
import { checkPool, checkPort, checkPublicUrl, checkReplica, checkTls } from '../network-checks.js';
import { withServer } from '../process/server.js';
import {
  type CheckResult,
  checkMail,
  checkReminders,
  checkStoredMail,
  checkStoredTimes,
} from '../reminder-checks.js';
import { formatDuration } from '../terminal/duration.js';
import { type Io, quietLog, type ReportOptions, report } from '../terminal/io.js';
import { warnOfUnknown } from '../unknown.js';
import { unreadableText } from './secret-key.js';

export interface Finding {
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
const mostSkew = 5_000;
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
const mostBackupHours = 36;

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
    const isOld = Date.now() - since.getTime() > mostBackupHours * 3_600_000;
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
            if (Math.abs(skew) > mostSkew) throw new Error(`${apart}: synchronize both with NTP.`);
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
