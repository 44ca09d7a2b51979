import type { Measured } from '../../http/metrics/exposition.js';
import type { KeyRequest, KeyResult } from '../../sign-in/key-queue.js';

/** Messages from the primary process to a serving process. */
export type ToServingProcess =
  /** Requests an orderly shutdown. */
  | { readonly kind: 'stop' }
  /** Requests the process's metrics. */
  | { readonly kind: 'measure'; readonly id: number }
  /** Answers a serving process's `metrics`. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  /** Answers a serving process's `key`. */
  | { readonly kind: 'key'; readonly id: number; readonly key: KeyResult };

/** Messages from a serving process to the primary. */
export type ToPrimary =
  /** Reports that the process listens. */
  | { readonly kind: 'ready'; readonly url: string }
  /** Answers `measure`. */
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured }
  /** Requests the metrics of all serving processes. */
  | { readonly kind: 'metrics'; readonly id: number }
  /** Requests a key, because one process derives those of all. */
  | { readonly kind: 'key'; readonly id: number; readonly request: KeyRequest };

/** Environment variable with the serving process's number, from 1. A replacement has the same number. */
export const processNumberVariable = 'GATEWAY_WORKER';
