// Posts notifications from a process of its own: node senders.mjs <url> <token> <count> <connections> <first id>
import { Agent, request } from 'node:http';

const [url, token, count, connections, first] = process.argv.slice(2);
const { hostname, port } = new URL(url);
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
const statuses = {};
const times = [];
let sent = 0;

function notification(id) {
  return JSON.stringify({
    id,
    action: 'fp.upload',
    timestamp: 1_795_000_000,
    text: {
      container: 'scans',
      url: `https://cdn.example.com/${id}`,
      filename: `permit ${id}.pdf`,
      client: 'Computer',
      key: `scans/${id}`,
      type: 'application/pdf',
      status: 'Stored',
      size: 1000,
      upload_Tags: { expiration_date: '2031-07-15' },
    },
  });
}

function post(body) {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  const path = '/v1/bulkscan/receive';
  return new Promise((resolve, reject) => {
    request({ agent, hostname, port, path, method: 'POST', headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    })
      .once('error', reject)
      .end(body);
  });
}

async function send() {
  while (sent < Number(count)) {
    const body = notification(Number(first) + sent++);
    const started = performance.now();
    const status = await post(body);
    times.push(performance.now() - started);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

const started = performance.now();
await Promise.all(Array.from({ length: Number(connections) }, send));
const seconds = (performance.now() - started) / 1000;
agent.destroy();
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor(times.length * share)];
process.stdout.write(JSON.stringify({ seconds, statuses, p50: at(0.5), p99: at(0.99) }));
