// Exits with 0 if the gateway of this container is ready, else with 1: the image's health check. `serve`
// listens on PORT, and `worker` only on METRICS_PORT. So the first port that answers belongs to the process.
const { HOST, PORT, METRICS_PORT } = process.env;
const host = !HOST || HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST;

for (const port of [PORT || '4000', METRICS_PORT]) {
  if (!port) continue;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}/health/ready`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_500) }).catch(() => undefined);
  if (answer) process.exit(answer.ok ? 0 : 1);
}
process.exit(1);
