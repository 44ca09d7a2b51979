import pg from 'pg';
import { type Caller, seesAllTeams } from '../../domain/caller.js';
import type { LimitedQuery } from '../connection/statement.js';

/** PostgreSQL role for callers' statements. Policies apply to it, but not to the tables' owner. */
export const callerRole = 'expiration_gateway_caller';

/** Session settings that the policies read. While they are unset, policies let no row through. */
export const settingNames = { organization: 'gateway.organization', teams: 'gateway.teams' } as const;

/** A statement that is sent on a caller's behalf. */
export interface CallerStatement extends LimitedQuery {
  readonly caller: Caller;
}

const ENTER_STATEMENT = 'enter_caller';

/** SQL that prepares the statement which sets a caller's role and settings for one transaction. */
export const prepareSql = `
  PREPARE ${ENTER_STATEMENT} (text, text) AS SELECT set_config('role', '${callerRole}', true),
    set_config('${settingNames.organization}', $1, true), set_config('${settingNames.teams}', $2, true)`;

/**
 * Returns the settings of a caller for the policies. Callers with equal settings see the same rows: as in
 * scope.ts, an admin sees all workspaces of the organization.
 */
export const callerSettings = (caller: Caller): [organization: string, teams: string] => [
  caller.organizationId,
  seesAllTeams(caller) ? 'all' : `{${caller.teamIds.join(',')}}`,
];

/** Methods of every query. The types of `pg` omit the two that handle messages. */
interface Handlers extends pg.Query {
  submit(connection: pg.Connection): unknown;
  handleDataRow(row: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

const handlers = pg.Query.prototype as Handlers;

/**
 * A query that first sets the role and settings of its caller. Both go to the server before one `Sync`, so
 * both happen or neither. A single statement is its own transaction, with which the settings end; after
 * BEGIN, they last for the whole transaction.
 */
class CallerQuery extends pg.Query {
  readonly query_timeout: number | undefined;
  readonly #caller: Caller;
  #isEntered = false;

  constructor({ caller, ...config }: CallerStatement) {
    const extended = { ...config, queryMode: 'extended' };
    super(extended);
    this.#caller = caller;
    this.query_timeout = config.query_timeout;
  }

  // The types of `pg` declare it as a property.
  override submit = (connection: pg.Connection) => {
    connection.stream.cork();
    try {
      connection.bind({ statement: ENTER_STATEMENT, values: callerSettings(this.#caller) }, true);
      connection.execute({}, true);
      const refused = handlers.submit.call(this, connection);
      // It has not sent its statement, so the next one would run with this caller's settings.
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

type Send = (...args: unknown[]) => unknown;

/** Lets a pool's connections send statements on callers' behalf, which have a `caller`. */
export function enableCallerStatements(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const { query: own } = client;
    const send: Send = (...args) => Reflect.apply(own, client, args);
    const query: Send = (statement, ...rest) => {
      if (!(statement as Partial<CallerStatement>).caller) return send(statement, ...rest);
      const sent = new CallerQuery(statement as CallerStatement);
      const callback = rest.at(-1);
      if (callback) return send(sent, undefined, callback);
      return new Promise((resolve, reject) => {
        send(sent, undefined, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
      });
    };
    // `query` has overloads, which an assignment cannot keep; its results stay the same.
    (client as { query: unknown }).query = query;
  });
}
