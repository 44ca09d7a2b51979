// How the cost of lists grows with their tables: npm run bench -- growth
import pg from 'pg';
import { idOf } from './lib/data.mjs';
import { Failure } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { startGateway } from './lib/gateway.mjs';
import { eventGrowth, growth } from './lib/growth.mjs';
import { measure } from './lib/measure.mjs';
import { failuresText, keep, table } from './lib/table.mjs';

/**
 * Returns several sets of parameters, to be sent in turn: a cursor in the middle, and terms that one record
 * has.
 */
async function parametersIn({ url, size }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: middle } = await client.query(
    'SELECT id, expiration_date::text AS date FROM expiration_items ORDER BY expiration_date, id OFFSET $1 LIMIT 20',
    [Math.floor(size.items / 2)],
  );
  const { rows: vehicles } = await client.query(
    'SELECT vin FROM vehicles WHERE vin IS NOT NULL ORDER BY id LIMIT 20',
  );
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

/** Returns items with events, and terms that a few events have. */
const eventParameters = ({ size }) =>
  Array.from({ length: 50 }, (_, n) => {
    const item = 1 + ((n * 97) % Math.min(size.items, size.events / 20));
    return { id: idOf('item', item), term: `Details of ${size.events - 1000 - n}"` };
  });

/** What a number of rows means: in the tables of items and vehicles, or in the event log. */
const kinds = {
  rows: {
    requests: growth,
    prepare: (rows) => prepare({ items: rows, vehicles: rows, links: 1 }),
    parameters: parametersIn,
  },
  events: {
    requests: eventGrowth,
    prepare: (events, { months }) => prepare({ events, months }),
    parameters: eventParameters,
  },
};

/** Measures every list with a number of rows. */
async function costsWith(rows, names, kind, { duration, warmup, ...options }) {
  const database = await kind.prepare(rows, options);
  try {
    const parameters = await kind.parameters(database);
    const gateway = { ...(await startGateway(database, { WORKER: 'off' })), dialect: 'growth' };
    const costs = {};
    // Before any measurement, so that none includes the compilation of others' code.
    for (const workload of names) {
      await measure(gateway, database, { workload, parameters, duration: warmup, least: 40, connections: 4 });
    }
    for (const workload of names) {
      const cell = { workload, parameters, duration, warmup, least: 40, connections: 4 };
      costs[workload] = await measure(gateway, database, cell);
      const { both, failures } = costs[workload];
      console.error(`${rows} rows, ${workload}: ${both.toFixed(3)} ms, failed: ${failuresText(failures)}`);
    }
    await gateway.close();
    return costs;
  } finally {
    await database.close();
  }
}

/** Returns the cost of a list; a refused request has none. */
const costOf = ({ both, failures }) => (Object.keys(failures).length > 0 ? Number.NaN : both);
const shown = (cost) => (Number.isNaN(cost) ? 'refused' : cost.toFixed(2));

function print(sizes, names, results) {
  const head = [
    'list',
    ...sizes.map((rows) => `${rows} rows`),
    ...sizes.slice(1).map((rows) => `÷, ${rows} rows`),
  ];
  const lines = names.map((workload) => {
    const costs = results.map((costs) => costOf(costs[workload]));
    return [workload, ...costs.map(shown), ...costs.slice(1).map((cost) => shown(cost / costs[0]))];
  });
  console.log(`CPU milliseconds a request, gateway and PostgreSQL.\n\n${table(head, lines)}`);
}

/**
 * Runs the measurement.
 * @param only parts of the names of the lists; all by default
 */
export async function run({ rows, events, only = [''], duration, warmup, months }) {
  const [kind, sizes] = events ? [kinds.events, events] : [kinds.rows, rows];
  const names = Object.keys(kind.requests).filter((name) => only.some((part) => name.includes(part)));
  if (names.length === 0)
    throw new Failure(`No list is named so. There are: ${Object.keys(kind.requests).join('; ')}.`, 2);
  const results = [];
  for (const size of sizes) results.push(await costsWith(size, names, kind, { duration, warmup, months }));
  print(sizes, names, results);
  keep(events ? 'event-growth' : 'growth', {
    ...{ node: process.version, duration, warmup, sizes, results, months },
  });
}
