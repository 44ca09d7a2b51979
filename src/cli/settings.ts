import { type Config, readConfig, settings } from '../config/config.js';

type Key = keyof Config;

/** Settings with which a command finds its server. */
const server = [
  'databaseUrl',
  'databaseDirectUrl',
  'databasePooling',
  'dataDir',
  'postgresPrograms',
] as const satisfies readonly Key[];
/** Settings with which a command opens a migrated database. */
const migrated = [...server, 'databasePool', 'rowSecurity'] as const satisfies readonly Key[];
/** Settings with which a command opens its database. */
const database = [...migrated, 'migrate'] as const satisfies readonly Key[];

/** Settings with which a command reads and writes encrypted values. */
const keys = ['secretKey', 'secretKeyOld', 'secretKeyOldLinks'] as const satisfies readonly Key[];

/**
 * The settings that each command reads. `readSettings` returns only these, and the command's help lists them.
 */
const read = {
  worker: [
    ...database,
    'startupTimeout',
    'host',
    'metricsPort',
    'metricsToken',
    'maxConnections',
    'connectionsPerAddress',
    'trustProxy',
    'files',
    'uploadHosts',
    'ocr',
    'ocrCommand',
    'webhookPrivateHosts',
    'notifyHosts',
    'changesDays',
    'eventLogDays',
    'deliveryDays',
    ...keys,
    'mail',
    'mailRate',
    'asking',
    'demoMailTo',
    'publicUrl',
    'tracing',
    'logLevel',
    'logFormat',
  ],
  migrate: [...migrated, 'startupTimeout'],
  demo: database,
  'reminders preview': [...database, 'mail'],
  'reminders run': [...database, 'mail', 'demoMailTo'],
  backup: [...server, 'files'],
  restore: server,
  'go-live': database,
  grants: server,
  maintain: [...database, 'eventLogDays', 'deliveryDays'],
  'files check': [...database, 'files'],
  'files move': [...database, 'files'],
  import: [...database, 'files', 'binDays'],
  'token create': [...database, 'demoData', ...keys],
  'token list': database,
  'token revoke': database,
  'organization create': database,
  'organization list': database,
  'organization rename': database,
  'organization export': [...database, 'files', ...keys],
  'organization import': [...database, ...keys],
  'organization freeze': database,
  'organization unfreeze': database,
  'organization delete': database,
  'person export': [...database, 'files'],
  'person erase': database,
  'secret-key new': [...keys, 'dataDir'],
  'secret-key rotate': [...database, ...keys],
  'user list': database,
  'user invite': [...database, 'publicUrl', 'host', 'port'],
  'user deactivate': database,
  'user set': [...database, 'demoData', 'oidc'],
} as const satisfies Record<string, readonly Key[]>;

/** Commands that read every setting. */
const readAll = ['serve', 'config', 'doctor'];

/** A command that reads some of the settings. */
export type CommandName = keyof typeof read;

/** The settings that a command reads. */
export type SettingsOf<C extends CommandName> = Pick<Config, (typeof read)[C][number]>;

/**
 * Reads the settings of a command. All settings are checked, because mistakes should be reported early.
 * @throws {ConfigError} for invalid settings
 */
export function readSettings<C extends CommandName>(env: NodeJS.ProcessEnv, command: C): SettingsOf<C> {
  const config = readConfig(env);
  const keys: readonly (typeof read)[C][number][] = read[command];
  return Object.fromEntries(keys.map((key) => [key, config[key]])) as SettingsOf<C>;
}

/** Names of the environment variables that do not follow from the setting's name. */
const names: Partial<Record<Key, readonly string[]>> = {
  oidc: ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_ROLE_CLAIM', 'OIDC_TEAMS_CLAIM'],
  mail: ['SMTP_URL', 'SMTP_TLS', 'MAIL_FROM', 'MAIL_REPLY_TO'],
  files: ['FILES', 'FILES_FROM', 'FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY'],
  tracing: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
};

const variableNames = (key: Key) =>
  names[key] ?? [key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()];

/** Lists the settings that a command reads, in the order to show them. */
export function settingsReadBy(command: string): typeof settings {
  if (readAll.includes(command)) return settings;
  const keys: readonly Key[] = command in read ? read[command as CommandName] : [];
  const wanted = keys.flatMap(variableNames);
  return settings.filter(({ name }) => wanted.includes(name));
}
