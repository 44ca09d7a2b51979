// Measures the gateway and its peers side by side: npm run bench -- peers
import { chosen, Failure } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { measure } from './lib/measure.mjs';
import { peers } from './lib/peers.mjs';
import { failuresText, keep, median, table } from './lib/table.mjs';
import { mistakesOf } from './lib/verify.mjs';
import { workloads } from './lib/workloads.mjs';

async function startAll(names, database) {
  const servers = [];
  for (const name of names) {
    const { dialect, lacks = [], start } = peers[name];
    servers.push({ name, dialect, lacks, ...(await start(database)) });
  }
  return servers;
}

async function runRounds(servers, database, names, { rounds, settle, ...cell }) {
  const cells = [];
  for (let round = 1; round <= rounds; round += 1) {
    // Every other round in reverse order, so that nobody is always first.
    const order = round % 2 === 0 ? [...servers].reverse() : servers;
    for (const workload of names) {
      for (const server of order.filter(({ lacks }) => !lacks.includes(workload))) {
        const first = round === 1 ? { settle } : {};
        const result = await measure(server, database, { workload, ...cell, ...first });
        cells.push({ round, workload, peer: server.name, ...result });
        const told = `${result.both.toFixed(3)} ms, failed: ${failuresText(result.failures)}`;
        console.error(`round ${round}, ${workload}, ${server.name}: ${told}`);
      }
    }
  }
  return cells;
}

const head = [
  'peer',
  'server',
  'PostgreSQL',
  'both',
  '÷ limit',
  '÷ equal',
  'req/s',
  'p50',
  'p99',
  'MiB',
  'spread',
  'failed',
];

function row(name, cells, limits) {
  const middle = (member) => median(cells.map((cell) => cell[member]));
  const costs = cells.map(({ both }) => both);
  const failed = cells.reduce(
    (sum, { failures }) => sum + Object.values(failures).reduce((a, b) => a + b, 0),
    0,
  );
  return [
    name,
    middle('server').toFixed(3),
    middle('postgres').toFixed(3),
    middle('both').toFixed(3),
    ...limits.map((limit) => (limit ? (middle('both') / limit).toFixed(2) : '')),
    middle('rate').toFixed(0),
    middle('p50').toFixed(1),
    middle('p99').toFixed(1),
    Math.max(...cells.map(({ memory }) => memory)).toFixed(0),
    (Math.max(...costs) / Math.min(...costs)).toFixed(2),
    failed,
  ];
}

function print(cells, names, servers) {
  for (const workload of names) {
    const of = (peer) => cells.filter((cell) => cell.workload === workload && cell.peer === peer);
    const limits = ['limit', 'limit-equal'].map(
      (peer) => of(peer).length > 0 && median(of(peer).map(({ both }) => both)),
    );
    const absent = servers.filter(({ lacks }) => lacks.includes(workload));
    const measured = servers.filter((server) => !absent.includes(server));
    const rows = measured.map(({ name }) => row(name, of(name), limits));
    rows.sort((a, b) => a[3] - b[3]);
    rows.push(...absent.map(({ name }) => [name, ...head.slice(1).map(() => '–')]));
    console.log(`\n**${workload}** ${workloads[workload].title}\n\n${table(head, rows)}`);
  }
}

/**
 * Measures every workload on every peer.
 * @param options peers and workloads, rounds, and what each cell is measured with
 * @returns the cells, what peers answer differently (then there are no cells), and the names that were measured
 */
export async function compare({ only, workload, ...options }) {
  const names = chosen(only, Object.keys(peers), 'peer');
  const chosenWorkloads = chosen(workload, Object.keys(workloads), 'workload');
  const database = await prepare();
  const servers = [];
  try {
    servers.push(...(await startAll(names, database)));
    const wrong = await mistakesOf(servers, database, chosenWorkloads);
    const cells = wrong.length > 0 ? [] : await runRounds(servers, database, chosenWorkloads, options);
    return { cells, wrong, servers, workloads: chosenWorkloads };
  } finally {
    for (const server of servers) await server.close();
    await database.close();
  }
}

/** Runs the measurement. */
export async function run(options) {
  const { cells, wrong, servers, workloads: names } = await compare(options);
  if (wrong.length > 0)
    throw new Failure(`Peers must answer alike before they are measured.\n${wrong.join('\n')}`);
  const { rounds, duration, warmup } = options;
  console.log('CPU in milliseconds a request, times in milliseconds.');
  print(cells, names, servers);
  keep('peers', { node: process.version, rounds, duration, warmup, cells });
}
