import type DataLoader from 'dataloader';
import type { Caller } from '../../domain/caller.js';
import { type AskingSettings, usualAsking } from '../../domain/document-requests.js';
import { badFields, GatewayError, type Violation, withKnown } from '../../domain/errors.js';
import type { Precondition } from '../../domain/versions.js';
import { withStagedFiles } from '../files/staging.js';
import type { Secrets } from '../secrets/secrets.js';
import { defaultBound, ReadBound, TimeSlices } from './bounds.js';
import type { Database, ReadSource, SendStatement } from './database.js';
import type { Statement } from './statement.js';
import type { Transaction } from './transaction.js';

/** The caller, time and version condition of a request's work. */
interface SessionOptions {
  readonly caller: Caller;
  readonly now: Date;
  /** The caller's condition on the versions of the records to change. */
  readonly precondition?: Precondition | undefined;
  readonly secrets?: Secrets;
  /** Days for which the bin keeps deleted records; with 0 it keeps nothing. */
  readonly binDays?: number | undefined;
  readonly asking?: AskingSettings | undefined;
  /** DataLoaders shared with sessions of the same moment whose callers see the same. */
  readonly loaders?: Session['loaders'] | undefined;
  readonly slices?: TimeSlices | undefined;
  /** Returns whether mails with links to the gateway can be sent. Without it, they cannot. */
  readonly sendsMail?: (() => Promise<boolean>) | undefined;
  /** The caller's token as it was sent. Data encrypted with it is readable for nobody else. */
  readonly bearer?: string;
}

/** Default days for which the bin keeps deleted records. */
const defaultBinDays = 30;

/**
 * A request's work on the data, and its only way to the database. `read` and `lookUp` read; writes happen
 * `inTransaction`.
 */
export class Session {
  readonly caller: Caller;
  readonly now: Date;
  readonly secrets: Secrets | undefined;
  readonly bearer: string | undefined;
  readonly binDays: number;
  readonly asking: AskingSettings;
  readonly sendsMail: () => Promise<boolean>;
  /**
   * Database that writes go to. It is unscoped: only `read` and `lookUp` send statements on the caller's
   * behalf.
   */
  readonly database: Database;
  /** The DataLoaders of the request, by their keys. */
  readonly loaders: Map<unknown, DataLoader<string, unknown>>;
  /** Violations found before an input is validated. `validateValues` then rejects it. */
  known: readonly Violation[] = [];
  /** Limit on what its statements may read in total. */
  readBound = new ReadBound(defaultBound);
  /** Its time slices of the event loop. */
  readonly slices: TimeSlices;
  /** The transaction that all its work currently belongs to, if any. */
  #transaction: Transaction | undefined;
  #precondition: Precondition | undefined;
  #source: ReadSource;
  #pipeline: SendStatement | undefined;

  constructor(database: Database, options: SessionOptions) {
    const {
      caller,
      now,
      precondition,
      secrets,
      bearer,
      binDays = defaultBinDays,
      asking = usualAsking,
      sendsMail = async () => false,
    } = options;
    this.loaders = options.loaders ?? new Map();
    this.slices = options.slices ?? new TimeSlices();
    this.database = database;
    this.caller = caller;
    this.now = now;
    this.#precondition = precondition;
    this.secrets = secrets;
    this.bearer = bearer;
    this.binDays = binDays;
    this.asking = asking;
    this.sendsMail = sendsMail;
    this.#source = database;
  }

  /** The caller's condition on the versions of the records to change. */
  get precondition(): Precondition | undefined {
    return this.#precondition;
  }

  /** True if row-level security applies to its statements. */
  get rowSecurity(): boolean {
    return (this.#transaction ?? this.database).rowSecurity;
  }

  get transaction(): Transaction | undefined {
    return this.#transaction;
  }

  /** Sends a statement that is limited to the caller's rows (`rowsSql`), and returns its rows. */
  read<Row>(statement: Statement): Promise<Row[]> {
    return this.#transaction?.run(statement) ?? this.#source.query(statement, this.caller);
  }

  /** Sends a statement that finds rows by key. Those of one turn share a connection. */
  lookUp<Row>(statement: Statement): Promise<Row[]> {
    if (this.#transaction) return this.#transaction.run(statement);
    this.#pipeline ??= this.#source.pipeline(this.caller);
    return this.#pipeline(statement);
  }

  /** Sends an unscoped statement. It must reveal nothing of anybody's rows. */
  readUnscoped<Row>(statement: Statement): Promise<Row[]> {
    return this.#source.query(statement);
  }

  /**
   * Runs work in a transaction, or in a savepoint of the session's current one. Its events are announced
   * after the commit. Work that adds files runs again once they are in their store, if there is one.
   * @throws what `work` throws; nothing is committed then
   */
  inTransaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    if (this.#transaction) return this.#transaction.inTransaction(work);
    return withStagedFiles(this.database, this.caller, (staged) =>
      this.database.inTransaction(work, this.caller, staged),
    );
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
   * Collects further violations of a rejected input. Its write runs in a transaction that is rolled back.
   * @param known the violations so far
   * @param write tries the write with the readable part of the input
   * @returns the refusal with all violations
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
      // Violations of the input take precedence over any other error of the write.
      if (error instanceof GatewayError && error !== refusal) return withKnown(known, error);
    } finally {
      this.known = [];
    }
    return refusal;
  }

  /**
   * Runs work that changes records on a condition on their versions. The request's conditions apply as well.
   */
  async onCondition<T>(condition: Precondition, work: () => Promise<T>): Promise<T> {
    const others = this.#precondition;
    this.#precondition = (version, id) => others?.(version, id) ?? condition(version, id);
    try {
      return await work();
    } finally {
      this.#precondition = others;
    }
  }

  /** Sends reads to the replica, if one suits the caller. */
  readFromReplica(): void {
    const { replica } = this.database;
    if (!replica?.suits(this.caller, this.now)) return;
    this.#source = replica.source;
    this.#pipeline = undefined;
  }

  /**
   * Gives the session access to a workspace that it has just created. If the creation is rolled back, this
   * has no effect.
   */
  reach(teamId: string): void {
    (this.caller.teamIds as string[]).push(teamId);
  }

  /** Clears loaded records, because a write may have changed them. */
  forgetLoaded(): void {
    this.loaders.clear();
  }
}

/** Reads pages, each in a session of its own, which forgets what it has loaded. */
export type OnPage = <T>(read: (page: Session) => Promise<T>) => Promise<T>;
