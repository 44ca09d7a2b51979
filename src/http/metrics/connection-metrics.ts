import { Counter, Gauge, type Registry } from 'prom-client';
import type { ConnectionEvents, ConnectionTable } from '../connections/connection-table.js';

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
