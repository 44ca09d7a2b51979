import type { GraphQLEnumType, GraphQLLeafType, GraphQLSchema } from 'graphql';
import type { Session } from '../db/connection/session.js';
import type { Naming } from '../domain/text/names.js';
import type { EventReader } from '../live/follower.js';
import type { Live } from '../live/live.js';
import type { MailDoor } from '../reminders/shown/mail-door.js';
import type { AnswerSize } from './limits/answer-size.js';

/** Naming and visibility of fields at one of the doors. */
export interface Door {
  /** Spells the names of fields. */
  readonly naming: Naming;
  /** Tells if it shows a field of a type. */
  readonly shows: (type: string, field: string) => boolean;
  /** Type that a scalar or an enum is shown as. */
  readonly leaf: (type: GraphQLLeafType) => GraphQLLeafType;
  /** Spells a word of an enum as the gateway does. What is none of its words stays. */
  readonly word: (value: unknown, type: GraphQLEnumType) => unknown;
}

/** The context of resolvers: their request. */
export interface Context {
  readonly session: Session;
  /** The gateway's schema, also where another door's is executed. */
  readonly schema: GraphQLSchema;
  /** The caller's door, which names and shows fields. */
  readonly door: Door;
  /** Live events and who reads them, at a door that has streams. */
  readonly stream?: { readonly live: Live; readonly reader: EventReader };
  /** Origin of links to the gateway's pages, at a door that answers some. */
  readonly origin?: string;
  /** The gateway's mail, at a door that shows it. */
  readonly mail?: MailDoor;
  /** The bytes of the input, at a door whose bodies are one input each. */
  readonly body?: Uint8Array;
  /** Form of files' bytes: base64, a reference that is replaced later, or none. */
  readonly fileContent: 'base64' | 'reference' | 'none';
  /** Counts the bytes of what is answered, and tells how many there may be. */
  readonly answer: AnswerSize;
  /** Facts of a write that its door needs beyond its record. */
  readonly outcome: { unchanged?: boolean };
}
