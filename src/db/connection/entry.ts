import pg from 'pg';
import type { LimitedQuery } from './statement.js';

/** A SELECT of settings that precedes a statement, in the same packet and transaction. */
export interface Entry {
  /** Its name on connections where it is prepared, or an empty string. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly string[];
}

/** Returns the entry that a query needs, if any. */
type EntryOf<Q> = (query: Q, isInTransaction: boolean) => Entry | undefined;

/** Methods of every query. The types of `pg` omit the two that handle messages. */
interface Handlers extends pg.Query {
  submit(connection: pg.Connection): unknown;
  handleDataRow(row: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

const handlers = pg.Query.prototype as Handlers;

/**
 * A query with an entry ahead of it. Both go to the server before one `Sync`, so both happen or neither. A
 * single statement is its own transaction, with which the settings end; after BEGIN, they last for the whole
 * transaction.
 */
class EnteredQuery extends pg.Query {
  readonly query_timeout: number | undefined;
  readonly #entry: Entry;
  #isEntered = false;

  constructor(config: LimitedQuery, entry: Entry) {
    const extended = { ...config, queryMode: 'extended' };
    super(extended);
    this.#entry = entry;
    this.query_timeout = config.query_timeout;
  }

  // The types of `pg` declare it as a property.
  override submit = (connection: pg.Connection) => {
    const { name, text, values } = this.#entry;
    connection.stream.cork();
    try {
      if (name === '') connection.parse({ name, text, types: [] }, true);
      connection.bind({ statement: name, values: [...values] }, true);
      connection.execute({}, true);
      const refused = handlers.submit.call(this, connection);
      // It has not sent its statement, so the next one would run with these settings.
      if (refused) connection.stream.destroy();
      return refused;
    } finally {
      connection.stream.uncork();
    }
  };

  handleDataRow(row: unknown) {
    if (this.#isEntered) handlers.handleDataRow.call(this, row);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection) {
    if (this.#isEntered) handlers.handleCommandComplete.call(this, message, connection);
    this.#isEntered = true;
  }
}

/** Detects a BEGIN that sets the isolation level, which must come before any query. */
const isSnapshot = /^BEGIN\s+ISOLATION/;

/** Creates a query that begins a transaction, with its entry behind BEGIN. */
function enteredSnapshot({ text, query_timeout }: LimitedQuery, entry: Entry): EnteredQuery {
  const limit = query_timeout === undefined ? {} : { query_timeout };
  return new EnteredQuery({ ...entry, values: [...entry.values], ...limit }, { name: '', text, values: [] });
}

type Send = (...args: unknown[]) => unknown;

/** Returns whether a connection is in a transaction after a statement has been sent. */
function isInTransactionAfter(text: string | undefined, before: boolean): boolean {
  const [command] = /^(BEGIN|COMMIT|ROLLBACK)\b(?! TO)/.exec(text ?? '') ?? [];
  return command === undefined ? before : command === 'BEGIN';
}

/** Sends the statements of a pool's connections together with their entries. */
export function sendEntries<Q extends LimitedQuery>(pool: pg.Pool, entryOf: EntryOf<Q>): void {
  pool.on('connect', (client) => {
    const { query: own } = client;
    const send: Send = (...args) => Reflect.apply(own, client, args);
    let isInTransaction = false;
    const query: Send = (statement, ...rest) => {
      const given = (typeof statement === 'string' ? { text: statement } : statement) as Q;
      const config = Array.isArray(rest[0]) ? { ...given, values: rest[0] } : given;
      const entry = entryOf(config, isInTransaction);
      isInTransaction = isInTransactionAfter(config.text, isInTransaction);
      if (!entry) return send(statement, ...rest);
      const sent = isSnapshot.test(config.text)
        ? enteredSnapshot(config, entry)
        : new EnteredQuery(config, entry);
      const callback = rest.at(-1);
      if (typeof callback === 'function') return send(sent, undefined, callback);
      return new Promise((resolve, reject) => {
        send(sent, undefined, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
      });
    };
    // `query` has overloads, which an assignment cannot keep; its results stay the same.
    (client as { query: unknown }).query = query;
  });
}
