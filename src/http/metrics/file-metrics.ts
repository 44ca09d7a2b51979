import { Counter, type Registry } from 'prom-client';
import type { Database } from '../../db/connection/database.js';
import { failureReasons, storeOperations } from '../../db/files/failures.js';

/** Counts files that could not be read, stored or removed. Counts are read at each scrape. */
export function measureFiles({ files }: Pick<Database, 'files'>, registers: Registry[]): void {
  const counted = storeOperations.flatMap((operation) =>
    failureReasons.map((reason) => ({ operation, reason, count: 0 })),
  );
  new Counter({
    name: 'gateway_file_failures_total',
    help: 'Files that could not be read, stored or removed, by reason.',
    labelNames: ['operation', 'reason'],
    registers,
    collect() {
      for (const kind of counted) {
        const { operation, reason } = kind;
        const now = files.failures(operation, reason);
        this.inc({ operation, reason }, now - kind.count);
        kind.count = now;
      }
    },
  });
}
