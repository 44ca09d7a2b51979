import type { Caller } from '../../domain/caller.js';
import type { Statement } from './statement.js';

/** Sends a statement and returns its rows. */
export type SendStatement = <Row>(statement: Statement) => Promise<Row[]>;

/** A place to read from: the database or a replica of it. */
export interface ReadSource {
  /** Sends a statement on a connection of its own, for a caller if given. */
  query<Row>(statement: Statement, caller?: Caller): Promise<Row[]>;
  /** Returns a sender that pipelines a caller's statements. Those of one turn share a connection. */
  pipeline(caller: Caller): SendStatement;
}

/** A read replica. */
export interface Replica {
  /** Reads from the replica. A statement that fails there is repeated on the primary. */
  readonly source: ReadSource;
  /** Returns whether a caller may read from it now. */
  suits(caller: Caller, now: Date): boolean;
  /** Returns its replication lag in milliseconds; undefined while it is unknown. */
  lag(): number | undefined;
  /** Returns whether callers who have not written lately read from it. */
  isUsed(): boolean;
  close(): Promise<void>;
}
