import { Histogram, type Registry } from 'prom-client';
import { type OnTried, outcomes } from '../../domain/uploads/upload.js';

/**
 * Histogram buckets in seconds. An upload takes milliseconds, a minute to fetch a file, ten seconds to read
 * it.
 */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Measures how uploads are filed. */
export function measureFiling(registers: Registry[]): OnTried {
  const durations = new Histogram({
    name: 'gateway_upload_filing_duration_seconds',
    help: 'Duration of an attempt to file an upload, including its file, by outcome.',
    labelNames: ['outcome'],
    buckets,
    registers,
  });
  // A counter that first appears with the value 1 hides the first failure from `rate`.
  for (const outcome of outcomes) durations.zero({ outcome });
  return (outcome, ms) => durations.observe({ outcome }, ms / 1_000);
}
