import { Gauge, type Registry } from 'prom-client';
import type { MemoryBudget } from '../load/memory-budget.js';
import { heldKinds } from '../load/memory-hold.js';

/** Measures the memory that requests hold, for Prometheus. */
export function measureMemory(memory: MemoryBudget, registers: Registry[]): void {
  new Gauge({
    name: 'gateway_memory_held_bytes',
    help: 'Memory held by requests, by kind: request bodies, responses, and unread events of streams.',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const kind of heldKinds) this.set({ kind }, memory.held[kind]);
    },
  });
  new Gauge({
    name: 'gateway_memory_budget_bytes',
    help: 'Memory that all requests together may hold (MEMORY_BUDGET).',
    registers,
  }).set(memory.limit);
}
