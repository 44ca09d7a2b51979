import type { Measured } from '../../http/metrics/exposition.js';

/** What the primary process tells a worker process. */
export type ToWorker =
  /** End in good order. */
  | { readonly kind: 'stop' }
  /** Tell what you have measured. */
  | { readonly kind: 'measure'; readonly id: number }
  /** The answer to a worker's `metrics`. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string };

/** What a worker process tells the primary. */
export type ToPrimary =
  /** It listens. */
  | { readonly kind: 'ready'; readonly url: string }
  /** The answer to `measure`. */
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured }
  /** What have all of us measured? */
  | { readonly kind: 'metrics'; readonly id: number };

/** In a worker's environment: which of the workers it is, from 1; one that takes a lost one's place has its number. */
export const workerVariable = 'GATEWAY_WORKER';
