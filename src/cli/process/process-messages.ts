import type { Measured } from '../../http/metrics/exposition.js';

/** Messages of the primary process to a serving process. */
export type ToServingProcess =
  /** Asks for an orderly end. */
  | { readonly kind: 'stop' }
  /** Asks for the process's metrics. */
  | { readonly kind: 'measure'; readonly id: number }
  /** Answers a serving process's `metrics`. */
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string };

/** Messages of a serving process to the primary. */
export type ToPrimary =
  /** Says that the process listens. */
  | { readonly kind: 'ready'; readonly url: string }
  /** Answers `measure`. */
  | { readonly kind: 'measured'; readonly id: number; readonly measured: Measured }
  /** Asks for the metrics of all serving processes. */
  | { readonly kind: 'metrics'; readonly id: number };

/** Environment variable with the serving process's number, from 1. One in its place takes it over. */
export const processNumberVariable = 'GATEWAY_WORKER';
