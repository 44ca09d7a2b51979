import type pg from 'pg';
import { Prisma, type PrismaClient } from '../generated/prisma/client.js';
import { type Joined, joined, type Models, modelNames, type Operations, type Sender } from './connections.js';

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
  /** Prisma's part, once it has one. */
  prisma?: Joined;
  /** The client that it becomes a part of. */
  readonly client: PrismaClient;
  savepoints: number;
}

const begun = new WeakMap<Transaction, Begun>();

function begunOf(tx: Transaction): Begun {
  const found = begun.get(tx);
  if (!found) throw new Error('This is no transaction of ours.');
  return found;
}

/** Whether a client is a transaction that `begin` has begun. */
export const isBegun = (client: Transaction) => begun.has(client);

/** Sends a statement in a transaction, past Prisma. */
export function sendIn(tx: Transaction, sql: string, values: readonly unknown[]): Promise<pg.QueryResult> {
  const { options, send } = begunOf(tx);
  options.onStatement(sql);
  return send(options.prepared(sql, values));
}

/** Statements on a connection, one after the other, until `end`; all of them together may take `longest`. */
function sending(connection: pg.PoolClient) {
  const deadline = performance.now() + longest;
  let last: Promise<unknown> = Promise.resolve();
  let over = false;
  const send: Sender = (query) => {
    const sent = last.then(() => {
      const left = Math.ceil(deadline - performance.now());
      if (over) throw new Error('The transaction is over.');
      if (left <= 0) throw new Error('Query read timeout: the transaction took too long.');
      return connection.query({ ...query, query_timeout: left } as pg.QueryConfig);
    });
    last = sent.catch(() => {});
    return sent;
  };
  const end = async (sql: string) => {
    await last;
    over = true;
    return connection.query({ text: sql, query_timeout: 5_000 } as pg.QueryConfig);
  };
  return { send, end };
}

/**
 * Does work in a transaction that is not Prisma's: an empty one of Prisma's takes 0.24 ms of processor time, and each
 * statement 0.1 ms; here, BEGIN, three statements and COMMIT take 0.15 ms together. Prisma joins it on the connection
 * when the work asks for one of its models.
 * @param client whose models the work sees
 * @throws what `work` throws, and then nothing is committed
 */
export async function begin<T>(
  options: BeginOptions,
  client: PrismaClient,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const connection = await options.pool.connect();
  connection.on('error', options.onError);
  const { send, end } = sending(connection);
  const state: Begun = { options, send, client, savepoints: 0 };
  let broken: Error | undefined;
  try {
    await send(options.first);
    const result = await work(facade(state));
    await state.prisma?.end();
    options.onStatement('COMMIT');
    const { command } = await end('COMMIT');
    // So PostgreSQL ends a transaction in which a statement failed, even if the work has caught its error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
    return result;
  } catch (error) {
    await state.prisma?.end().catch(() => {});
    options.onStatement('ROLLBACK');
    await end('ROLLBACK').catch((failed: Error) => {
      broken = failed;
    });
    throw error;
  } finally {
    connection.off('error', options.onError);
    connection.release(broken);
  }
}

/** Does work as a part of a transaction that can be undone alone. */
export async function beginWithin<T>(around: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const state = begunOf(around);
  const name = `part_${++state.savepoints}`;
  const command = (sql: string) => {
    state.options.onStatement(sql);
    return state.send({ text: sql });
  };
  await command(`SAVEPOINT ${name}`);
  try {
    const result = await work(facade(state));
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
      state.prisma ??= joined(state.client, state.send);
      // By the names that Prisma's client has them under, which are known only when it runs.
      const inner = (await state.prisma.tx) as unknown as Models;
      return inner[name]?.[operation]?.(args);
    },
  });
}

/** The transaction as the data layer knows it: Prisma's models, and raw statements that are sent past Prisma. */
class Facade {
  readonly state: Begun;

  constructor(state: Begun) {
    this.state = state;
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

function facade(state: Begun): Transaction {
  // It has what the data layer uses of Prisma's clients.
  const tx = new Facade(state) as unknown as Transaction;
  begun.set(tx, state);
  return tx;
}
