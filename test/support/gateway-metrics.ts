import { familiesOf } from './exposition.js';
import { startGateway } from './gateway.js';

/** Metrics by name, each with the names of its labels, except `le` and the parts of histograms. */
export type MetricLabels = ReadonlyMap<string, readonly string[]>;

/**
 * Lists the metrics of a gateway with all features: an issuer, a replica, mail, several processes. None of
 * them needs to be reachable.
 */
export async function metricLabels(): Promise<MetricLabels> {
  const gateway = await startGateway({
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_AUDIENCE: 'gateway',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'expiry@example.com',
    DATABASE_REPLICA_URL: 'postgresql://gateway@127.0.0.1:9/none',
  });
  try {
    await gateway.send('GET', '/v1/vehicles');
    const { text } = await gateway.send('GET', '/metrics', { token: null });
    // The primary process adds this one to those of the others.
    const metrics = new Map([['gateway_worker_restarts_total', ['worker']]]);
    for (const [name, { samples }] of familiesOf(text)) {
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
      labels.delete('le');
      metrics.set(name, [...labels].sort());
    }
    return metrics;
  } finally {
    await gateway.close();
  }
}
