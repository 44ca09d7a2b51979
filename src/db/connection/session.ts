import type DataLoader from 'dataloader';
import type { Caller } from '../../domain/caller.js';
import { GatewayError, type Violation } from '../../domain/errors.js';
import { badFields, withKnown } from '../../domain/input/violations.js';
import type { Precondition } from '../../domain/versions.js';
import type { Secrets } from '../secrets/secrets.js';
import type { Database } from './database.js';
import { ReadBound, usualBound } from './read-bound.js';
import type { ReadSource, SendStatement } from './read-source.js';
import type { Statement } from './statement.js';
import { TimeSlices } from './time-slices.js';
import type { Transaction } from './transaction.js';

/** On whose behalf, when, and on what condition a request works on the data. */
export interface SessionOptions {
  readonly caller: Caller;
  readonly now: Date;
  /** The caller's condition on the versions of records that are changed. */
  readonly precondition?: Precondition | undefined;
  readonly secrets?: Secrets;
  /** Days for which the bin keeps what is deleted; with 0 it keeps nothing. */
  readonly binDays?: number | undefined;
  /** DataLoaders that it shares with sessions of the same moment, whose callers see the same. */
  readonly loaders?: Session['loaders'] | undefined;
  readonly slices?: TimeSlices | undefined;
  /** True if mails with links to the gateway can be sent. */
  readonly sendsMail?: boolean | undefined;
  /** Caller's token, as it was sent. What is encrypted with it, nobody else can read. */
  readonly bearer?: string;
}

/** Days for which the bin keeps what is deleted, unless told. */
const usualBinDays = 30;

/**
 * A request's work on the data, and its only way to the database. `read` and `lookUp` read, and what writes is done
 * `inTransaction`.
 */
export class Session {
  readonly caller: Caller;
  readonly now: Date;
  readonly secrets: Secrets | undefined;
  readonly bearer: string | undefined;
  readonly binDays: number;
  readonly sendsMail: boolean;
  /** Database that writes go to. It shows everything: only `read` and `lookUp` send a caller's statements. */
  readonly database: Database;
  /** The DataLoaders of the request, by what they load. */
  readonly loaders: Map<unknown, DataLoader<string, unknown>>;
  /** Violations that an input has before it is checked. `validateValues` then refuses it. */
  known: readonly Violation[] = [];
  /** Bound of what its statements may read together. */
  readBound = new ReadBound(usualBound);
  /** Its shares of the event loop. */
  readonly slices: TimeSlices;
  /** The transaction that all of its work is a part of, while there is one. */
  #transaction: Transaction | undefined;
  #precondition: Precondition | undefined;
  #source: ReadSource;
  #pipeline: SendStatement | undefined;

  constructor(database: Database, options: SessionOptions) {
    const { caller, now, precondition, secrets, bearer, binDays = usualBinDays, sendsMail = false } = options;
    this.loaders = options.loaders ?? new Map();
    this.slices = options.slices ?? new TimeSlices();
    this.database = database;
    this.caller = caller;
    this.now = now;
    this.#precondition = precondition;
    this.secrets = secrets;
    this.bearer = bearer;
    this.binDays = binDays;
    this.sendsMail = sendsMail;
    this.#source = database;
  }

  /** The caller's conditions on the versions of records that are changed. */
  get precondition(): Precondition | undefined {
    return this.#precondition;
  }

  get transaction(): Transaction | undefined {
    return this.#transaction;
  }

  /** Sends a statement that says whose rows it reads (`rowsSql`), and gives its rows. */
  read<Row>(statement: Statement): Promise<Row[]> {
    return this.#transaction?.run(statement) ?? this.#source.query(statement, this.caller);
  }

  /** Sends a statement that finds rows by keys. Those of one turn share a connection. */
  lookUp<Row>(statement: Statement): Promise<Row[]> {
    if (this.#transaction) return this.#transaction.run(statement);
    this.#pipeline ??= this.#source.pipeline(this.caller);
    return this.#pipeline(statement);
  }

  /** Reads with a statement that is not the caller's, and shows nothing of anybody's rows. */
  readUnscoped<Row>(statement: Statement): Promise<Row[]> {
    return this.#source.query(statement);
  }

  /**
   * Does work in a transaction, or in a savepoint of the one around the session. Its events are announced when
   * all is committed.
   * @throws what `work` throws, and then nothing is committed
   */
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (this.#transaction) return this.#transaction.inTransaction(work);
    return this.database.inTransaction(work, this.caller);
  }

  /** Runs work whose statements all belong to a transaction. */
  async within<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    const around = this.#transaction;
    this.#transaction = transaction;
    try {
      return await work();
    } finally {
      this.#transaction = around;
    }
  }

  /**
   * Looks for further violations of an input that is refused. Its write runs in a transaction that is undone.
   * @param known what is wrong with the input already
   * @param write does what would have been done, had the input been right, as far as it can be read
   * @returns the refusal, with all that is wrong
   */
  async refuse(known: readonly Violation[], write: () => Promise<unknown>): Promise<GatewayError> {
    const refusal = badFields(known);
    try {
      await this.inTransaction((tx) =>
        this.within(tx, async () => {
          this.known = known;
          await write();
          throw refusal;
        }),
      );
    } catch (error) {
      // Whatever else stands against the write: the input comes first.
      if (error instanceof GatewayError && error !== refusal) return withKnown(known, error);
    } finally {
      this.known = [];
    }
    return refusal;
  }

  /** Runs work that changes records, on a condition on their versions. The request's conditions hold as well. */
  async onCondition<T>(condition: Precondition, work: () => Promise<T>): Promise<T> {
    const others = this.#precondition;
    this.#precondition = (version, id) => others?.(version, id) ?? condition(version, id);
    try {
      return await work();
    } finally {
      this.#precondition = others;
    }
  }

  /** Sends reads to the replica, if there is one that suits the caller. */
  readFromReplica(): void {
    const { replica } = this.database;
    if (!replica?.suits(this.caller, this.now)) return;
    this.#source = replica.source;
    this.#pipeline = undefined;
  }

  /**
   * Lets the session reach a workspace that it has just made. The rest of the request may use it. Were the making to be
   * undone, it would reach for nothing.
   */
  reach(teamId: string): void {
    (this.caller.teamIds as string[]).push(teamId);
  }

  /** Forgets what was loaded: a write may have changed it. */
  forgetLoaded(): void {
    this.loaders.clear();
  }
}
