import { Counter, Gauge, type Registry } from 'prom-client';
import type { Admission } from './admission.js';

/** Measures the admission control of a gateway for Prometheus; requests that are shed cost nothing more by it. */
export function measureAdmission(counts: Admission['counts'], registers: Registry[]): void {
  let told = 0;
  new Counter({
    name: 'gateway_shed_requests_total',
    help: 'Requests that were answered 503 at once because of an overload; they are in no other metric.',
    labelNames: ['reason'],
    registers,
    collect() {
      const { shed } = counts();
      this.inc({ reason: 'overload' }, shed - told);
      told = shed;
    },
  });
  new Gauge({
    name: 'gateway_running_requests',
    help: 'Requests that are worked on.',
    registers,
    collect() {
      this.set(counts().running);
    },
  });
  new Gauge({
    name: 'gateway_waiting_requests',
    help: 'Requests that wait for their turn.',
    registers,
    collect() {
      this.set(counts().waiting);
    },
  });
}
