import type { Caller } from '../../domain/caller.js';
import type { Statement } from './statement.js';

/** Sends a statement, and gives its rows. */
export type SendStatement = <Row>(statement: Statement) => Promise<Row[]>;

/** Where reads are sent: the database, or a replica of it. */
export interface ReadSource {
  /** Sends a statement on a connection of its own, on behalf of a caller if there is one. */
  query<Row>(statement: Statement, caller?: Caller): Promise<Row[]>;
  /** Makes what sends a caller's statements of one turn of the event loop over one connection. */
  pipeline(caller: Caller): SendStatement;
}

/** A replica that reads can go to. */
export interface Replica {
  /** It, with the primary behind it: a statement that fails is sent there. */
  readonly source: ReadSource;
  /** Whether a caller may read from it now. */
  suits(caller: Caller, now: Date): boolean;
  /** Milliseconds of which it may lack what was committed; undefined while nothing is known of it. */
  lag(): number | undefined;
  /** Whether callers who have not written lately read from it. */
  isUsed(): boolean;
  close(): Promise<void>;
}
