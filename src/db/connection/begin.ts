import type pg from 'pg';
import { Prisma, type PrismaClient } from '../../generated/prisma/client.js';
import { type Joined, joined, type Models, modelNames, type Operations, type Sender } from './connections.js';
import { packTogether } from './pipeline.js';

type Transaction = Prisma.TransactionClient;

/** Milliseconds that a transaction may take. */
const longest = 15_000;

/** What the transactions of a database are made with. */
export interface BeginOptions {
  readonly pool: pg.Pool;
  /** What begins one. */
  readonly first: pg.QueryConfig;
  /** A statement as it is sent: prepared, with values of the classes that Prisma's are of. */
  readonly prepared: (sql: string, values: readonly unknown[]) => pg.QueryConfig;
  /** Told of what begins and ends nothing but parts of transactions, and of their ends. */
  readonly onStatement: (sql: string) => void;
  readonly onError: (error: Error) => void;
}

/** A connection that is a transaction's. */
interface Begun {
  readonly options: BeginOptions;
  readonly send: Sender;
  /** Sends the transaction's last statement, and what ends it. */
  readonly sendLast: Sender;
  /** Prisma's part, once it has one. */
  prisma?: Joined;
  /** The client that it becomes a part of. */
  readonly client: () => PrismaClient;
  savepoints: number;
}

function facadeOf(tx: object): Facade {
  if (!(tx instanceof Facade)) throw new Error('This is no transaction of ours.');
  return tx;
}

/** Whether something is a transaction that `begin` has begun. */
export const isBegun = (tx: object): tx is Transaction => tx instanceof Facade;

/**
 * Sends a statement in a transaction, past Prisma.
 * @param isLast whether the work sends no more: then COMMIT goes in one packet with it. PostgreSQL takes it for a
 *   ROLLBACK when the statement fails; what fails afterwards undoes nothing any more
 */
export function sendIn(
  tx: Transaction,
  sql: string,
  values: readonly unknown[],
  isLast = false,
): Promise<pg.QueryResult> {
  const { state, isPart } = facadeOf(tx);
  const { options, send, sendLast, prisma } = state;
  options.onStatement(sql);
  const query = options.prepared(sql, values);
  // What is around a part goes on, and Prisma has an end of its own.
  return isLast && !isPart && !prisma ? sendLast(query) : send(query);
}

/** Whether a statement changes nothing, and locks no more than a transaction's end lets go of. */
const isReading = (query: pg.QueryConfig) => /^\s*SELECT\b/.test(query.text);

/**
 * Statements on a connection until `end`, sent as they come and executed one after the other; all of them together may
 * take `longest`.
 * @param first what begins the transaction. Reads go with it, unless it is what makes the transaction its caller's; what
 *   writes, and all that comes after, is only sent when it has been done, for otherwise it would be committed by itself
 */
function sending(connection: pg.PoolClient, { first, onStatement }: BeginOptions) {
  const deadline = performance.now() + longest;
  const left = () => Math.ceil(deadline - performance.now());
  const isOfCaller = 'caller' in first;
  let isBegun = false;
  let ending: Promise<pg.QueryResult> | undefined;
  /** Statements that wait for the first. */
  let held = 0;
  const now = (query: pg.QueryConfig): Promise<pg.QueryResult> => {
    const query_timeout = left();
    if (ending) throw new Error('The transaction is over.');
    if (query_timeout <= 0) throw new Error('Query read timeout: the transaction took too long.');
    packTogether(connection);
    return connection.query({ ...query, query_timeout } as pg.QueryConfig);
  };
  const begun = now(first).then(() => {
    isBegun = true;
  });
  // Whoever waits for it is told.
  begun.catch(() => {});
  const hold = async () => {
    held++;
    await begun.finally(() => held--);
  };
  const send: Sender = async (query) => {
    if (held > 0 || !(isBegun || (!isOfCaller && isReading(query)))) await hold();
    return now(query);
  };
  /** Ends the transaction, unless something has; `behind` what takes so many milliseconds at most. */
  const end = (sql: string, behind = 0) => {
    if (!ending) {
      onStatement(sql);
      ending = connection.query({ text: sql, query_timeout: behind + 5_000 } as pg.QueryConfig);
    }
    return ending;
  };
  const sendLast: Sender = async (query) => {
    await hold();
    // It throws what cannot be sent, and then nothing is committed.
    const result = now(query);
    // Whoever awaits the end of the work is told.
    end('COMMIT', left()).catch(() => {});
    return result;
  };
  return { begun, send, sendLast, end };
}

/**
 * Does work in a transaction that is not Prisma's: an empty one of Prisma's takes 0.24 ms of processor time, and each
 * statement 0.1 ms; here, BEGIN, three statements and COMMIT take 0.15 ms together. Prisma joins it on the connection
 * when the work asks for one of its models.
 * @param client whose models the work sees; called when it asks for one
 * @throws what `work` throws, and then nothing is committed, unless it has sent its last statement as such
 */
export async function begin<T>(
  options: BeginOptions,
  client: () => PrismaClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const connection = await options.pool.connect();
  connection.on('error', options.onError);
  const { begun, send, sendLast, end } = sending(connection, options);
  const state: Begun = { options, send, sendLast, client, savepoints: 0 };
  let broken: Error | undefined;
  try {
    const result = await work(facade(state));
    await begun;
    await state.prisma?.end();
    const { command } = await end('COMMIT');
    // So PostgreSQL ends a transaction in which a statement failed, even if the work has caught its error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    return result;
  } catch (failed) {
    await state.prisma?.end().catch(() => {});
    // Where it could not begin, all else has failed by that.
    const error = await begun.then(
      () => failed,
      (refused: unknown) => refused,
    );
    // If its COMMIT was refused, which no constraint of ours is deferred to, the connection is given up as well.
    await end('ROLLBACK').catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    connection.off('error', options.onError);
    connection.release(broken);
  }
}

/** Does work as a part of a transaction that can be undone alone. */
export async function beginWithin<T>(around: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const { state } = facadeOf(around);
  const name = `part_${++state.savepoints}`;
  const command = (sql: string) => {
    state.options.onStatement(sql);
    return state.send({ text: sql });
  };
  await command(`SAVEPOINT ${name}`);
  try {
    const result = await work(facade(state, true));
    await command(`RELEASE SAVEPOINT ${name}`);
    return result;
  } catch (error) {
    await command(`ROLLBACK TO SAVEPOINT ${name}`);
    throw error;
  }
}

/** A model of Prisma's, which joins the transaction when it is used. */
function modelOf(state: Begun, name: string): Operations {
  return new Proxy({} as Operations, {
    get: (_, operation: string) => async (args: unknown) => {
      state.prisma ??= joined(state.client(), state.send);
      // By the names that Prisma's client has them under, which are known only when it runs.
      const inner = (await state.prisma.tx) as unknown as Models;
      return inner[name]?.[operation]?.(args);
    },
  });
}

/** The transaction as the data layer knows it: Prisma's models, and raw statements that are sent past Prisma. */
class Facade {
  readonly state: Begun;
  /** Whether it is a part of a transaction. */
  readonly isPart: boolean;

  constructor(state: Begun, isPart: boolean) {
    this.state = state;
    this.isPart = isPart;
  }

  #send(sql: string, values: readonly unknown[]) {
    // Each is made by `facade`, as which the data layer knows it.
    return sendIn(this as unknown as Transaction, sql, values);
  }

  $queryRaw(query: TemplateStringsArray, ...values: unknown[]) {
    const { text, values: parameters } = Prisma.sql(query, ...values);
    return this.$queryRawUnsafe(text, ...parameters);
  }

  $executeRaw(query: TemplateStringsArray, ...values: unknown[]) {
    const { text, values: parameters } = Prisma.sql(query, ...values);
    return this.$executeRawUnsafe(text, ...parameters);
  }

  async $queryRawUnsafe(sql: string, ...values: unknown[]) {
    return (await this.#send(sql, values)).rows;
  }

  async $executeRawUnsafe(sql: string, ...values: unknown[]) {
    return (await this.#send(sql, values)).rowCount ?? 0;
  }
}

for (const name of modelNames) {
  Object.defineProperty(Facade.prototype, name, {
    get(this: Facade) {
      return modelOf(this.state, name);
    },
  });
}

function facade(state: Begun, isPart = false): Transaction {
  // It has what the data layer uses of Prisma's clients.
  return new Facade(state, isPart) as unknown as Transaction;
}
