import type pg from 'pg';
import type { Caller } from '../../domain/caller.js';
import { callerRole, callerSettings, settingNames } from '../row-security/row-security.js';
import { type Entry, sendEntries } from './entry.js';
import type { LimitedQuery } from './statement.js';

/** Timeouts for the database in milliseconds. A request that exceeds one gets a 503. */
export interface DatabaseTimeouts {
  /** Timeout for a free or new connection and its settings. A pooler lets clients in without a server. */
  readonly connection: number;
  /**
   * Timeout for a lock that another writer holds. It is below the statement timeout, so that the error names
   * the real cause.
   */
  readonly lock: number;
  /** Timeout of any statement. PostgreSQL itself enforces it. */
  readonly statement: number;
  /**
   * Timeout for the answer to a statement outside transactions. Requests share connections, so a connection
   * that died silently must not block all of them.
   */
  readonly answer: number;
  /**
   * Timeout for a transaction's next statement. It exceeds what any transaction may take, so only a dead
   * process reaches it.
   */
  readonly idleTransaction: number;
}

export const defaultTimeouts: DatabaseTimeouts = {
  connection: 5_000,
  lock: 5_000,
  statement: 10_000,
  answer: 5_000,
  idleTransaction: 20_000,
};

/** The pooling of connections. Without a pooler, each has a session of its own. */
export type Pooling =
  | { readonly mode: 'session' }
  /** `prepares` tells that the pooler has prepared statements wherever it runs a transaction. */
  | { readonly mode: 'transaction'; readonly prepares: boolean };

/**
 * Returns the settings of every statement. Prisma's adapter writes and reads timestamps without an offset, so
 * sessions must be in UTC whatever the database's default is. JIT compilation is off: the planner
 * overestimates searches because of branches that hardly ever run.
 */
const settingsOf = ({ lock, statement, idleTransaction }: DatabaseTimeouts) => ({
  TimeZone: 'UTC',
  jit: 'off',
  lock_timeout: lock,
  statement_timeout: statement,
  idle_in_transaction_session_timeout: idleTransaction,
});

/** Settings of a caller; the values are parameters. */
const callerSql = [
  `set_config('role', '${callerRole}', true)`,
  `set_config('${settingNames.organization}', $1, true)`,
  `set_config('${settingNames.teams}', $2, true)`,
];

/** A query that may be sent on a caller's behalf. */
interface CallersQuery extends LimitedQuery {
  readonly caller?: Caller;
}

/** Commands that end a transaction or a part of it. They also work in a failed one. */
const isEnd = /^(COMMIT|ROLLBACK|RELEASE)\b/;

export interface SettingsOptions {
  readonly timeouts: DatabaseTimeouts;
  readonly rowSecurity: boolean;
  readonly pooling: Pooling;
}

/** The ways by which settings reach the database. */
export interface ConnectionSettings {
  /** Sets up a new connection. */
  connect(client: pg.ClientBase): Promise<void>;
  /** Arranges what goes ahead of statements, for a new pool. */
  install(pool: pg.Pool): void;
}

/**
 * Returns how the settings reach the database. Usually they are sent once, in one round trip, when a
 * connection is made. Start-up options would also do, but connection poolers reject those. Under transaction
 * pooling, where nothing outlives a transaction, they are sent in the packet of each statement and BEGIN.
 */
export function createSettings({ timeouts, rowSecurity, pooling }: SettingsOptions): ConnectionSettings {
  const settings = Object.entries(settingsOf(timeouts));
  const perTransaction = pooling.mode === 'transaction';
  const own = perTransaction
    ? settings.map(([name, value]) => `set_config('${name}', '${value}', true)`)
    : [];
  const nameOf = (name: string) => (perTransaction && !pooling.prepares ? '' : name);
  const enter: Entry = { name: nameOf('enter'), text: `SELECT ${own.join(', ')}`, values: [] };
  const enterCaller = {
    name: nameOf('enter_caller'),
    text: `SELECT ${[...own, ...callerSql].join(', ')}`,
    values: ['', ''],
  };
  const session = settings.map(([name, value]) => `SET ${name} = '${value}'`).join('; ');
  const entries = [...(perTransaction ? [enter] : []), ...(rowSecurity ? [enterCaller] : [])];
  const entryOf = ({ caller, text }: CallersQuery, isInTransaction: boolean): Entry | undefined => {
    if (caller) return { ...enterCaller, values: callerSettings(caller) };
    return perTransaction && !isInTransaction && !isEnd.test(text) ? enter : undefined;
  };
  return {
    async connect(client) {
      const prepared = entries.filter(({ name }) => name !== '');
      const first: pg.QueryConfig[] = [
        ...(perTransaction ? [] : [{ text: session }]),
        ...prepared.map(({ name, text, values }) => ({ name, text, values: [...values] })),
      ];
      const limit = { query_timeout: timeouts.connection };
      await Promise.all(first.map((query) => client.query({ ...query, ...limit })));
    },
    install(pool) {
      if (entries.length > 0) sendEntries(pool, entryOf);
    },
  };
}
