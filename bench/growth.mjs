// How the cost of lists grows with their tables: npm run bench -- growth [--rows=1000,100000,1000000]
import pg from 'pg';
import { prepare } from './lib/fixture.mjs';
import { startGateway } from './lib/gateway.mjs';
import { growth } from './lib/growth.mjs';
import { measure } from './lib/measure.mjs';
import { keep, table } from './lib/table.mjs';

/** Some sets of parameters, to be sent in turn: where the middle is, and terms that one record has. */
async function parametersIn({ url, size }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: middle } = await client.query(
    'SELECT id, expiration_date::text AS date FROM expiration_items ORDER BY expiration_date, id OFFSET $1 LIMIT 20',
    [Math.floor(size.items / 2)],
  );
  const { rows: vehicles } = await client.query('SELECT vin FROM vehicles ORDER BY id LIMIT 20');
  await client.end();
  return middle.map(({ id, date }, n) => {
    const position = ['expirationDate', 'asc', `${date}T00:00:00.000Z`, id];
    return {
      after: Buffer.from(JSON.stringify(position)).toString('base64url'),
      offset: Math.floor(size.items / 2) + n,
      page: Math.floor(size.vehicles / 100) + (n % 5),
      itemTerm: `item ${n + 100}:`,
      vehicleTerm: vehicles[n].vin.slice(3, 13),
    };
  });
}

/** What every list costs with so many items and vehicles. */
async function costsWith(rows, { duration, warmup }) {
  const database = await prepare({ items: rows, vehicles: rows, links: 1 });
  try {
    const parameters = await parametersIn(database);
    const gateway = { ...(await startGateway(database, { WORKER: 'off' })), dialect: 'growth' };
    const costs = {};
    // Before any is measured, so that none pays for the others' code to be compiled.
    for (const workload of Object.keys(growth)) {
      await measure(gateway, database, { workload, parameters, duration: warmup, least: 40, connections: 4 });
    }
    for (const workload of Object.keys(growth)) {
      const cell = { workload, parameters, duration, warmup, least: 40, connections: 4 };
      costs[workload] = await measure(gateway, database, cell);
      console.error(`${rows} rows, ${workload}: ${costs[workload].both.toFixed(3)} ms`);
    }
    await gateway.close();
    return costs;
  } finally {
    await database.close();
  }
}

function print(sizes, results) {
  const head = [
    'list',
    ...sizes.map((rows) => `${rows} rows`),
    ...sizes.slice(1).map((rows) => `÷, ${rows} rows`),
  ];
  const lines = Object.keys(growth).map((workload) => {
    const costs = results.map((costs) => costs[workload].both);
    const ratios = costs.slice(1).map((cost) => (cost / costs[0]).toFixed(2));
    return [workload, ...costs.map((cost) => cost.toFixed(2)), ...ratios];
  });
  console.log(`CPU milliseconds a request, gateway and PostgreSQL.\n\n${table(head, lines)}`);
}

/** Runs the measurement. */
export async function run({ rows = '1000,100000,1000000', duration = 8, warmup = 3 }) {
  const sizes = String(rows).split(',').map(Number);
  const results = [];
  for (const size of sizes) results.push(await costsWith(size, { duration, warmup }));
  print(sizes, results);
  keep('growth', { node: process.version, duration, warmup, sizes, results });
}
