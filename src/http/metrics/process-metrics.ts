import { Counter, collectDefaultMetrics, Registry } from 'prom-client';

let known: Registry | undefined;

const unhandled = new Counter({
  name: 'gateway_unhandled_errors_total',
  help: 'Unhandled rejections and uncaught exceptions; each is a bug in the gateway, and is logged.',
  labelNames: ['kind'],
  registers: [],
});
// A counter that first appears with the value 1 hides the first error from `rate`.
for (const kind of ['rejection', 'exception']) unhandled.inc({ kind }, 0);

/** Counts an unhandled error. */
export const countUnhandled = (kind: 'rejection' | 'exception'): void => unhandled.inc({ kind });

/**
 * Gauges that prom-client names like counters. Gauges of the same names without `_total` replace them, by
 * kind.
 */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/**
 * Measures the process: CPU, memory, garbage collection, event loop lag. The registry is created on the first
 * call and shared by all gateways of the process.
 */
export function processMetrics(): Registry {
  if (known) return known;
  known = new Registry();
  collectDefaultMetrics({ register: known });
  known.registerMetric(unhandled);
  for (const name of misnamed) known.removeSingleMetric(name);
  return known;
}
