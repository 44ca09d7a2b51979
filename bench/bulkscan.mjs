// Measures notifications received and filed per second, compared with bare durable inserts by `pg` into the
// same database.
import pg from 'pg';
import { startDatabase, startGateway } from './lib/gateway.mjs';
import { measure } from './lib/measure.mjs';
import { peakMemoryOf } from './lib/processes.mjs';
import { failuresText } from './lib/table.mjs';

const connections = 16;

/** The columns of a notification in a table with only a primary key. */
const bareTable = `
  DROP TABLE IF EXISTS bare;
  CREATE TABLE bare (
    id bigint PRIMARY KEY, action text, "timestamp" bigint, container text, url text, filename text, client text,
    key text, type text, status text, size bigint, upload_tags jsonb
  )`;
const bareInsert = 'INSERT INTO bare VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)';

/** Inserts one row per statement, each in its own transaction, over a number of connections. */
async function insertBare(url, count, connections) {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  await pool.query(bareTable);
  let next = 0;
  const insert = async () => {
    while (next < count) {
      const id = next++;
      const file = [`https://cdn.example.com/${id}`, `permit ${id}.pdf`, 'Computer', `scans/${id}`];
      const rest = ['application/pdf', 'Stored', 1000, '{"expiration_date":"2031-07-15"}'];
      const values = [id, 'fp.upload', 1_795_000_000, 'scans', ...file, ...rest];
      await pool.query({ name: 'bare', text: bareInsert, values });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, insert));
  const seconds = (performance.now() - started) / 1000;
  await pool.end();
  return count / seconds;
}

/** Sends a number of notifications, and returns how long that took. */
const receive = (gateway, database, count) =>
  measure({ ...gateway, dialect: 'gateway' }, database, {
    workload: 'W5',
    connections,
    duration: 0,
    least: count,
  });

const settled = `
  SELECT count(*) FILTER (WHERE state = 'FILED')::int AS filed, count(*) FILTER (WHERE state = 'RECEIVED')::int AS open,
    count(*)::int AS stored FROM upload_notifications`;

/** Waits until everything is filed, at most five minutes. */
async function waitUntilFiled(client) {
  const until = performance.now() + 300_000;
  for (;;) {
    const [counts] = (await client.query(settled)).rows;
    if (counts.open === 0 || performance.now() > until) return counts;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function measureReceiving(database, rounds, count) {
  const gateway = await startGateway(database, { WORKER: 'off' });
  await receive(gateway, database, count);
  const results = [];
  for (let round = 1; round <= rounds; round += 1) {
    const alone = await insertBare(database.url, Math.ceil(count / 4), 1);
    const bare = await insertBare(database.url, count, connections);
    const received = await receive(gateway, database, count);
    results.push({ alone, bare, ...received, share: received.rate / bare });
    console.log(line(`round ${round}`, results.at(-1)));
  }
  const memory = peakMemoryOf(gateway.pid);
  await gateway.close();
  results.sort((a, b) => a.share - b.share);
  console.log(line('median', results[Math.floor(results.length / 2)]));
  console.log(`peak memory of the gateway: ${memory.toFixed(0)} MiB`);
}

function line(name, { alone, bare, rate, share, server, postgres, p50, p99, failures }) {
  const cpu = `CPU ${server.toFixed(3)} + ${postgres.toFixed(3)} ms`;
  const time = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  const bares = `bare ${bare.toFixed(0)}/s over ${connections} connections, ${alone.toFixed(0)}/s over one`;
  const rates = `${bares}; received ${rate.toFixed(0)}/s (${(share * 100).toFixed(0)} %)`;
  return `${name}: ${rates}; ${cpu}; ${time}; failed: ${failuresText(failures)}`;
}

async function measureFiling(database, count) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('TRUNCATE upload_notifications');
  const gateway = await startGateway(database);
  const started = performance.now();
  await receive(gateway, database, count);
  const { filed, stored } = await waitUntilFiled(client);
  const seconds = (performance.now() - started) / 1000;
  const items = await client.query('SELECT count(*)::int AS items FROM attachments');
  console.log(
    `received and filed: ${(count / seconds).toFixed(0)}/s; ${count} sent, ${stored} stored, ${filed} filed, ` +
      `${items.rows[0].items} attachments; peak memory ${peakMemoryOf(gateway.pid).toFixed(0)} MiB`,
  );
  await client.end();
  await gateway.close();
}

/** Runs the measurement. */
export async function run({ rounds, count }) {
  const database = await startDatabase();
  try {
    await measureReceiving(database, rounds, count);
    await measureFiling(database, 1000);
  } finally {
    await database.close();
  }
}
