import { familiesOf } from './exposition.js';
import { startGateway } from './gateway.js';

/** A process that starts others has this one beside theirs. */
const ofPrimary = ['gateway_worker_restarts_total', ['worker']] as const;

/**
 * Lists the gateway's own metrics, each with the names of its labels, as a gateway tells them that has all there is: an
 * issuer, a replica, several processes. Neither issuer nor replica need be reached for that.
 */
export async function gatewayMetrics(): Promise<Map<string, string[]>> {
  const gateway = await startGateway({
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_AUDIENCE: 'gateway',
    DATABASE_REPLICA_URL: 'postgresql://gateway@127.0.0.1:9/none',
  });
  try {
    await gateway.send('GET', '/v1/vehicles');
    const { text } = await gateway.send('GET', '/metrics', { token: null });
    const metrics = new Map<string, string[]>([[ofPrimary[0], [...ofPrimary[1]]]]);
    for (const [name, { samples }] of familiesOf(text)) {
      if (!name.startsWith('gateway_')) continue;
      const labels = new Set(samples.flatMap((sample) => Object.keys(sample.labels)));
      labels.delete('le');
      metrics.set(name, [...labels].sort());
    }
    return metrics;
  } finally {
    await gateway.close();
  }
}
