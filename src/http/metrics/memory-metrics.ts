import { Gauge, type Registry } from 'prom-client';
import type { MemoryBudget } from '../load/memory-budget.js';
import { heldKinds } from '../load/memory-hold.js';

/** Measures the memory that requests hold, for Prometheus. */
export function measureMemory(memory: MemoryBudget, registers: Registry[]): void {
  new Gauge({
    name: 'gateway_memory_held_bytes',
    help: 'Bytes that requests hold: bodies that are read, answers that are made or unread, unread events.',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const kind of heldKinds) this.set({ kind }, memory.held[kind]);
    },
  });
  new Gauge({
    name: 'gateway_memory_budget_bytes',
    help: 'Bytes that requests may hold together (MEMORY_BUDGET).',
    registers,
  }).set(memory.limit);
}
