import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type OnTried, outcomes } from '../../domain/uploads/upload.js';
import { type IssuerFailure, issuerFailures } from '../auth/issuer-keys.js';
import { type LimitName, limitNames } from '../auth/rate-limit.js';
import type { ConnectionEvents, ConnectionTable } from '../connections/connections.js';
import type { Admission } from '../load/admission.js';
import type { MemoryBudget } from '../load/memory-budget.js';
import { heldKinds } from '../load/memory-hold.js';

/** Counts requests that a rate limit refuses (429), by limit. Returns the counter's listener. */
export function measureLimits(registers: Registry[]): (limit: LimitName) => void {
  const limited = new Counter({
    name: 'gateway_rate_limited_total',
    help: 'Requests and operations refused with 429, by the limit that was exceeded.',
    labelNames: ['limit'],
    registers,
  });
  // A counter that first appears with the value 1 hides the first refusal from `rate`.
  for (const limit of limitNames) limited.inc({ limit }, 0);
  return (limit) => limited.inc({ limit });
}

/** Counts failures of the OpenID Connect issuer by kind. Returns the counter's listener. */
export function measureIssuer(registers: Registry[]): (reason: IssuerFailure) => void {
  const failures = new Counter({
    name: 'gateway_issuer_failures_total',
    help: 'Failed attempts to fetch or use the keys of OIDC_ISSUER, by reason.',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of issuerFailures) failures.inc({ reason }, 0);
  return (reason) => failures.inc({ reason });
}

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

/** Measures the connections of clients: open, refused and evicted ones. */
export function measureOpen(states: ConnectionTable['states'], registers: Registry[]): ConnectionEvents {
  new Gauge({
    name: 'gateway_connections_open',
    help: 'Open client connections, by state; the reserve for health checks is counted separately.',
    labelNames: ['state'],
    registers,
    collect() {
      for (const [state, count] of Object.entries(states())) this.set({ state }, count);
    },
  });
  const refused = new Counter({
    name: 'gateway_connections_refused_total',
    help: 'New connections that were closed because all others of the address or process were busy, or because they sent too many requests ahead.',
    labelNames: ['reason'],
    registers,
  });
  const evicted = new Counter({
    name: 'gateway_connections_evicted_total',
    help: 'Connections without a request that were closed to make room for new ones, by limit and state.',
    labelNames: ['reason', 'state'],
    registers,
  });
  // A counter that first appears with the value 1 hides the first event from `rate`.
  for (const reason of ['address', 'process', 'pipelined']) refused.inc({ reason }, 0);
  for (const reason of ['address', 'process', 'reserve']) {
    for (const state of ['head', 'idle']) evicted.inc({ reason, state }, 0);
  }
  return {
    onRefused: (reason) => refused.inc({ reason }),
    onEvicted: (reason, _address, state) => evicted.inc({ reason, state }),
    onOverrun: () => refused.inc({ reason: 'pipelined' }),
  };
}
