import type { Measured } from '../../http/metrics/exposition.js';
import type { KeyRequest, KeyResult } from '../../sign-in/password-hasher.js';

/** Messages from the primary process to a serving process. */
export type ToServingProcess =
  /** Gives it a connection, which comes with the message. It must answer `taken`. */
  | { readonly kind: 'connection' }
  /** Asks whether it still handles messages. It must answer `pong`. */
  | { readonly kind: 'ping' }
  /** Tells it to report that it is not ready. */
  | { readonly kind: 'retire' }
  /** Requests an orderly shutdown. No connection follows. */
  | { readonly kind: 'stop' }
  /** Requests the process's metrics. */
  | { readonly kind: 'measure'; readonly id: number }
  /** Answers a serving process's `metrics`. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  /** Answers a serving process's `key`. */
  | { readonly kind: 'key'; readonly id: number; readonly key: KeyResult };

/** Messages from a serving process to the primary. */
export type ToPrimary =
  /** Reports that the process can serve connections. */
  | { readonly kind: 'ready' }
  /** Answers `connection`. From then on, the connection belongs to this process alone. */
  | { readonly kind: 'taken' }
  /** Answers `ping`. */
  | { readonly kind: 'pong' }
  /** Asks for no more connections, and for `stop`. */
  | { readonly kind: 'leaving' }
  /** Answers `measure`. */
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured }
  /** Requests the metrics of all serving processes. */
  | { readonly kind: 'metrics'; readonly id: number }
  /** Requests a key, because one process derives those of all. */
  | { readonly kind: 'key'; readonly id: number; readonly request: KeyRequest };

/** Environment variable with the serving process's number, from 1. A replacement has the same number. */
export const processNumberVariable = 'GATEWAY_WORKER';
