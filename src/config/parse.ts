import type * as z from 'zod';
import { maxConnections } from '../db/embedded/postmaster.js';
import { fileVariable, readSecretFiles, secretNames } from './secret-files.js';
import { type Setting, table } from './table.js';

type Name = keyof typeof table;

/** Error for invalid settings. The message has a line for each, and no secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const title = problems.length === 1 ? 'A setting is wrong:' : `${problems.length} settings are wrong:`;
    super([title, ...problems].join('\n  '));
    this.problems = problems;
  }
}

function describe(
  name: string,
  setting: Setting<unknown>,
  value: string | undefined,
  expected: string,
): string {
  // A URL may have a password even where none belongs.
  const isSecret = setting.secret || /:\/\/[^/]*:[^/]*@/.test(value ?? '');
  const shown = isSecret ? '(value not shown)' : JSON.stringify(value);
  return `${name} ${shown}: expected ${expected}`;
}

/** The parsed settings. */
export type SettingValues = { [K in Name]: z.output<(typeof table)[K]['schema']> };

/** Settings that are meaningless without another. */
const together: readonly (readonly [Name, Name])[] = [
  ['DATABASE_DIRECT_URL', 'DATABASE_URL'],
  ['DATABASE_REPLICA_URL', 'DATABASE_URL'],
  ['OIDC_ISSUER', 'OIDC_AUDIENCE'],
  ['OIDC_AUDIENCE', 'OIDC_ISSUER'],
  ['OIDC_ROLE_CLAIM', 'OIDC_ISSUER'],
  ['OIDC_TEAMS_CLAIM', 'OIDC_ISSUER'],
  ['OIDC_CONSOLE_CLIENT_ID', 'OIDC_ISSUER'],
  ['OIDC_CONSOLE_SCOPE', 'OIDC_ISSUER'],
  ['SMTP_URL', 'MAIL_FROM'],
  ['MAIL_FROM', 'SMTP_URL'],
  ['MAIL_REPLY_TO', 'SMTP_URL'],
  ['FILES_ACCESS_KEY_ID', 'FILES_SECRET_ACCESS_KEY'],
  ['FILES_SECRET_ACCESS_KEY', 'FILES_ACCESS_KEY_ID'],
];

/** Reads and checks all settings, with secrets from files. It reports all invalid ones at once. */
export function parse(given: NodeJS.ProcessEnv): SettingValues {
  const { env, problems: withoutSecret } = readSecretFiles(given);
  const problems = [...withoutSecret];
  const entries = (Object.keys(table) as Name[]).map((name) => {
    // In a shell or a compose file, `VAR=` means "not set".
    const setting: Setting<unknown> = table[name];
    const value = env[name]?.trim() || setting.default;
    const result = setting.schema.safeParse(value);
    if (!result.success) problems.push(describe(name, setting, value, result.error.issues[0]?.message ?? ''));
    return [name, result.data];
  });
  const values: SettingValues = Object.fromEntries(entries);
  for (const [name, other] of together) {
    // An invalid setting has been reported already, and is not missing.
    if (values[name] && !env[other]?.trim()) {
      problems.push(describe(name, table[name], env[name], `${other} to be set, too`));
    }
  }
  problems.push(...wrongFiles(values));
  if (values.PERSISTED_OPERATIONS_ONLY && !values.PERSISTED_OPERATIONS) {
    problems.push('PERSISTED_OPERATIONS_ONLY "on": expected PERSISTED_OPERATIONS to be set, too');
  }
  if (values.MCP_ASKING && !values.MCP) problems.push('MCP_ASKING "on": expected MCP to be on');
  if (values.MCP_OPERATIONS && !values.MCP) {
    problems.push(`MCP_OPERATIONS ${JSON.stringify(values.MCP_OPERATIONS)}: expected MCP to be on`);
  }
  if (values.DATABASE_POOLING === 'transaction' && !values.DATABASE_DIRECT_URL) {
    problems.push('DATABASE_POOLING "transaction": expected DATABASE_DIRECT_URL to be set, too');
  }
  if (values.TRUST_PROXY && Number.isFinite(values.CONNECTIONS_PER_ADDRESS)) {
    const given = `CONNECTIONS_PER_ADDRESS "${values.CONNECTIONS_PER_ADDRESS}"`;
    problems.push(`${given}: expected off with TRUST_PROXY, because all connections come from the proxies`);
  }
  if (problems.length === 0) problems.push(...tooManyConnections(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

/** Checks the places of files against each other. Each file says only what kind of place it is in. */
function wrongFiles({ FILES, FILES_FROM, FILES_ACCESS_KEY_ID }: SettingValues): string[] {
  const problems: string[] = [];
  for (const [name, place] of Object.entries({ FILES, FILES_FROM })) {
    if (place?.kind === 'S3' && !FILES_ACCESS_KEY_ID) {
      problems.push(`${name} "s3://${place.bucket}/…": expected FILES_ACCESS_KEY_ID to be set, too`);
    }
  }
  if (FILES && FILES.kind === FILES_FROM?.kind) {
    const kinds = FILES.kind === 'S3' ? 'buckets' : 'folders';
    problems.push(
      `FILES_FROM: expected another kind of place than FILES; between ${kinds}, copy the files with a tool of theirs`,
    );
  }
  return problems;
}

/**
 * Counts the connections that all serving processes may open. Each has a pool, and one connection to listen
 * on.
 */
export function maxDatabaseConnections({
  workers,
  databasePool,
}: {
  readonly workers: number;
  readonly databasePool: number;
}): number {
  return workers * (databasePool + 1);
}

/** Spare connections of the embedded PostgreSQL, for commands beside the gateway and for itself. */
const SPARE_CONNECTIONS = 20;

function tooManyConnections({ DATABASE_URL, WORKERS, DATABASE_POOL }: SettingValues): string[] {
  const most = maxConnections - SPARE_CONNECTIONS;
  if (
    DATABASE_URL !== undefined ||
    maxDatabaseConnections({ workers: WORKERS, databasePool: DATABASE_POOL }) <= most
  ) {
    return [];
  }
  const given = `DATABASE_POOL "${DATABASE_POOL}" with WORKERS "${WORKERS}"`;
  const [pool, workers] = [Math.floor(most / WORKERS) - 1, Math.floor(most / (DATABASE_POOL + 1))];
  const fewer = [pool > 0 && `a pool of at most ${pool}`, workers > 0 && `at most ${workers} WORKERS`].filter(
    Boolean,
  );
  return [
    `${given}: expected ${fewer.join(', or ')}, because the embedded PostgreSQL allows ${most} connections`,
  ];
}

/** A setting with its current value. */
interface SettingInForce {
  readonly name: string;
  /** Its value; in words if it is missing; never a secret. */
  readonly value: string;
  readonly source: 'environment' | '.env' | 'file' | 'default';
}

const hidden = '(set, not shown)';

/**
 * Lists all settings with their current values, in the order to show them.
 * @param fromFile names of the settings that come from a file
 */
export function settingsInForce(env: NodeJS.ProcessEnv, fromFile: ReadonlySet<string>): SettingInForce[] {
  return Object.entries(table as Record<string, Setting<unknown>>).map(([name, setting]) => {
    const text = env[name]?.trim();
    if (!text && setting.secret && env[fileVariable(name)]?.trim())
      return { name, value: hidden, source: 'file' };
    if (!text) return { name, value: setting.default ?? setting.otherwise ?? '', source: 'default' };
    const value = setting.secret ? hidden : text;
    return { name, value, source: fromFile.has(name) ? '.env' : 'environment' };
  });
}

/** Wraps a text into comment lines. */
function comment(text: string): string {
  return text.replace(/(.{1,108})(?: +|$)/g, '# $1\n').trimEnd();
}

/** Generates `.env.example`: every setting with its meaning and default, all commented out. */
export function envExample(): string {
  const head = comment(
    'Settings, read from the file .env in the working directory. Environment variables take precedence. ' +
      'To change a setting, remove the # before its name. A secret may also be in a file, which the name with _FILE ' +
      'at its end names.',
  );
  const parts = Object.entries(table as Record<string, Setting<unknown>>).map(([name, setting]) => {
    const standard = setting.default === undefined ? `\n# Default: ${setting.otherwise}.` : '';
    return `${comment(setting.description)}${standard}\n#${name}=${setting.default ?? ''}`;
  });
  return `${[head, ...parts].join('\n\n')}\n`;
}

const names = [...Object.keys(table), ...secretNames.map(fileVariable)];

/**
 * Counts the edits between two words (Damerau-Levenshtein distance): letters added, removed, replaced,
 * swapped.
 */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const kept = at(row - 1, column - 1) + (isSame ? 0 : 1);
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(kept, swapped, at(row - 1, column) + 1, (line[column - 1] ?? 0) + 1));
    }
  }
  return at(one.length, other.length);
}

/**
 * Returns the most edits by which a name may differ from a setting's. A short name soon becomes another word
 * (HOST, HOME).
 */
const tolerance = (name: string) => (name.length < 8 ? 1 : 2);

/** Finds the setting that a misspelt name probably means, if any. */
function findMeantSetting(name: string): string | undefined {
  if (names.includes(name)) return undefined;
  const upper = name.toUpperCase();
  // Most differ by more than that even in length.
  return names.find(
    (known) =>
      Math.abs(name.length - known.length) <= tolerance(known) && distance(upper, known) <= tolerance(known),
  );
}

/** Finds misspelt settings in the environment, such as PORTT, and what they probably mean. */
export function unknownSettings(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  return Object.keys(env).flatMap((name) => {
    const meant = findMeantSetting(name);
    return meant === undefined ? [] : [{ name, meant }];
  });
}
