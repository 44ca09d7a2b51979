import { Counter, Gauge, type Registry } from 'prom-client';
import type { Admission } from '../load/admission.js';
import type { MemoryBudget } from '../load/memory-budget.js';

/**
 * Measures admission control for Prometheus: running, waiting and shed requests. Counts are read at each
 * scrape, so that shedding a request costs nothing more.
 */
export function measureAdmission(
  counts: Admission['counts'],
  memory: MemoryBudget,
  registers: Registry[],
): void {
  const counted = { overload: 0, memory: 0 };
  new Counter({
    name: 'gateway_shed_requests_total',
    help: 'Requests refused with 503 because of overload, or because memory (MEMORY_BUDGET) ran out.',
    labelNames: ['reason'],
    registers,
    collect() {
      const shed = { overload: counts().shed, memory: memory.refused };
      for (const reason of ['overload', 'memory'] as const) {
        this.inc({ reason }, shed[reason] - counted[reason]);
        counted[reason] = shed[reason];
      }
    },
  });
  new Gauge({
    name: 'gateway_running_requests',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(counts().running);
    },
  });
  new Gauge({
    name: 'gateway_waiting_requests',
    help: 'Requests waiting for their turn.',
    registers,
    collect() {
      this.set(counts().waiting);
    },
  });
}
