import { collectDefaultMetrics, Registry } from 'prom-client';

let known: Registry | undefined;

/** Numbers of things that are there now, called as only counters may be; without `_total` they are told by kind. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/**
 * What the process itself tells: CPU, memory, garbage collection, how late the event loop is. There is one of it,
 * measured from the first call on, however many gateways a process has.
 */
export function processMetrics(): Registry {
  if (known) return known;
  known = new Registry();
  collectDefaultMetrics({ register: known });
  for (const name of misnamed) known.removeSingleMetric(name);
  return known;
}
