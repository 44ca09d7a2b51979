import type { Measured } from '../../http/metrics/exposition.js';

/** Messages of the primary process to a serving process. */
export type ToServingProcess =
  /** End in good order. */
  | { readonly kind: 'stop' }
  /** Tell what you have measured. */
  | { readonly kind: 'measure'; readonly id: number }
  /** The answer to a serving process's `metrics`. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string };

/** Messages of a serving process to the primary. */
export type ToPrimary =
  /** It listens. */
  | { readonly kind: 'ready'; readonly url: string }
  /** The answer to `measure`. */
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured }
  /** What have all of us measured? */
  | { readonly kind: 'metrics'; readonly id: number };

/**
 * Environment variable with the serving process's number, from 1. One that takes a lost one's place has its
 * number.
 */
export const processNumberVariable = 'GATEWAY_WORKER';
