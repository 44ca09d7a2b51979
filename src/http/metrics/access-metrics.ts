import { Counter, type Registry } from 'prom-client';
import { type IssuerFailure, issuerFailures } from '../auth/issuer-keys.js';
import { type LimitName, limitNames } from '../auth/rate-limit.js';

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
