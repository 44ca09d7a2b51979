import pg from 'pg';
import type { Caller } from '../../domain/caller.js';

/** The role under which callers' statements run: the policies of row-security.ts hold for it, not for the owner. */
export const callerRole = 'expiration_gateway_caller';

/** What the policies read. Without them they let nothing through. */
export const settingNames = { organization: 'gateway.organization', teams: 'gateway.teams' } as const;

/** A statement that is sent on a caller's behalf. */
export interface OnBehalf {
  readonly caller: Caller;
}

const entering = 'enter_caller';

/** What a connection begins with, so that statements on callers' behalf can be sent over it (`sendOnBehalf`). */
export const preparing = `
  PREPARE ${entering} (text, text) AS SELECT set_config('role', '${callerRole}', true),
    set_config('${settingNames.organization}', $1, true), set_config('${settingNames.teams}', $2, true)`;

/** Tells the callers apart that see the same: as in scope.ts, an admin's workspaces are all of the organization's. */
export const reachOf = ({ role, organizationId, teamIds }: Caller): [organization: string, teams: string] => [
  organizationId,
  role === 'ADMIN' ? 'all' : `{${teamIds.join(',')}}`,
];

/** What `pg` calls of its statements, which its types leave out. */
interface Handlers {
  submit(connection: pg.Connection): unknown;
  handleDataRow(row: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
}

const Query = pg.Query as unknown as new (config: object) => Handlers;

/**
 * A statement that goes to the server behind the one that makes the transaction its caller's, before they are told to
 * be one (`Sync`): both are done, or neither. The transaction is the statement's own, and with it ends what was set;
 * BEGIN goes on with it, so that it is all of a longer one's.
 */
class StatementOfCaller extends Query {
  readonly query_timeout: number | undefined;
  readonly #caller: Caller;
  #isEntered = false;

  constructor({ caller, ...config }: OnBehalf & { readonly query_timeout?: number }) {
    super({ ...config, queryMode: 'extended' });
    this.#caller = caller;
    this.query_timeout = config.query_timeout;
  }

  override submit(connection: pg.Connection) {
    connection.stream.cork();
    try {
      connection.bind({ statement: entering, values: reachOf(this.#caller) }, true);
      connection.execute({}, true);
      const refused = super.submit(connection);
      // It has sent nothing, so that the next statement would be this caller's.
      if (refused) connection.stream.destroy();
      return refused;
    } finally {
      connection.stream.uncork();
    }
  }

  override handleDataRow(row: unknown) {
    if (this.#isEntered) super.handleDataRow(row);
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection) {
    if (this.#isEntered) super.handleCommandComplete(message, connection);
    this.#isEntered = true;
  }
}

type Send = (...args: unknown[]) => unknown;

/** Lets the connections of a pool send statements on callers' behalf: those that say whose they are. */
export function sendOnBehalf(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const { query: own } = client;
    const send: Send = (...args) => Reflect.apply(own, client, args);
    const query: Send = (statement, ...rest) => {
      if (!(statement as Partial<OnBehalf>).caller) return send(statement, ...rest);
      const sent = new StatementOfCaller(statement as OnBehalf);
      const callback = rest.at(-1);
      if (callback) return send(sent, undefined, callback);
      return new Promise((resolve, reject) => {
        send(sent, undefined, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
      });
    };
    // `query` has overloads, which an assignment cannot keep; what it answers stays the same.
    (client as { query: unknown }).query = query;
  });
}
