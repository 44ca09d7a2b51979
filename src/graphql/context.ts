import type { GraphQLEnumType, GraphQLLeafType, GraphQLSchema } from 'graphql';
import type { Session } from '../db/connection/session.js';
import type { Naming } from '../domain/text/names.js';
import type { EventReader } from '../live/follower.js';
import type { Live } from '../live/live.js';
import type { Receivers } from '../outbound/outbound.js';
import type { MailService } from '../reminders/mail-server.js';
import type { RelyingParty } from '../sign-in/factors/passkeys.js';
import type { SignInContext } from '../sign-in/sessions.js';
import type { ResponseSize } from './limits/response-size.js';

/** Naming and visibility of fields in one of the APIs. */
export interface Door {
  /** Converts the names of fields. */
  readonly naming: Naming;
  /** Returns whether the API shows a field of a type. */
  readonly shows: (type: string, field: string) => boolean;
  /** Returns the type that a scalar or enum is shown as. */
  readonly leaf: (type: GraphQLLeafType) => GraphQLLeafType;
  /** Converts an enum's value to the gateway's spelling. Invalid values are returned unchanged. */
  readonly word: (value: unknown, type: GraphQLEnumType) => unknown;
  /** True if it requires only what the contract requires. */
  readonly isContract: boolean;
  /** Returns what changes records of a type, for messages. */
  readonly changes: (type: string) => string;
}

/** The ways to sign in, for resolvers. */
export interface SignInDoor {
  readonly context: SignInContext;
  /** Gives the browser of a session its new secret. Undefined over a WebSocket, which has no way to. */
  readonly setSecret?: (secret: string) => void;
  /** Returns where passkeys belong to. Throws where there can be none. */
  readonly party: () => RelyingParty;
}

/** Systems outside of the gateway, as resolvers reach them. */
export interface Services {
  readonly mail: MailService;
  readonly chat: Receivers;
  readonly webhooks: Receivers;
}

/** The context of a request's resolvers. */
export interface Context {
  readonly session: Session;
  /** The gateway's schema, even if another API's schema is executed. */
  readonly schema: GraphQLSchema;
  /** The caller's API, which names and shows fields. */
  readonly door: Door;
  /** Live events and their reader; undefined if the API has no streams. */
  readonly stream?: { readonly live: Live; readonly reader: EventReader };
  /** Origin of links to the gateway's pages, if the API has any. */
  readonly origin?: string;
  /** Systems outside, if the API shows them. */
  readonly services?: Services;
  /** The ways to sign in, if the API has them. */
  readonly signIn?: SignInDoor;
  /** The bytes of the input, if the API's bodies are one input each. */
  readonly body?: Uint8Array;
  /** Format of files' bytes: base64, a reference, a patch's token, or none. */
  readonly fileContent: 'base64' | 'reference' | 'token' | 'none';
  /** Counts the bytes of the answer, and limits them. */
  readonly answer: ResponseSize;
  /** Results of a write that the API needs besides the record. */
  readonly outcome: { unchanged?: boolean };
}

/** Returns the systems outside that an API shows. */
export function servicesOf({ services }: Pick<Context, 'services'>): Services {
  if (!services) throw new Error('This API reaches no systems outside.');
  return services;
}
