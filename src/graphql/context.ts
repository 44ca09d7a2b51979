import type { GraphQLSchema } from 'graphql';
import type { Session } from '../db/connection/session.js';
import type { Naming } from '../domain/text/names.js';
import type { EventReader } from '../live/follower.js';
import type { Live } from '../live/live.js';
import type { AnswerSize } from './limits/answer-size.js';

/** What callers see of a record through one of the doors. */
export interface Door {
  /** How it spells the names of fields. */
  readonly naming: Naming;
  /** Whether it shows a field of a type. */
  readonly shows: (type: string, field: string) => boolean;
}

/** What a resolver knows of its request. */
export interface Context {
  readonly session: Session;
  /** The gateway's schema, also where another door's is executed. */
  readonly schema: GraphQLSchema;
  /** How the caller's door shows records. */
  readonly door: Door;
  /** Live events and who reads them, at a door that has streams. */
  readonly stream?: { readonly live: Live; readonly reader: EventReader };
  /** The bytes that the input was read from, at a door where a body is one input and nothing else. */
  readonly body?: Uint8Array;
  /** How the bytes of files are shown: in base64, as a reference for which they are put later, or not at all. */
  readonly fileContent: 'base64' | 'reference' | 'none';
  /** Counts the bytes of what is answered, and tells how many there may be. */
  readonly answer: AnswerSize;
  /** What a door needs to know of a write beyond its record. */
  readonly outcome: { unchanged?: boolean };
}
