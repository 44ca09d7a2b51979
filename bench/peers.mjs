// The gateway and its peers, side by side: npm run bench -- peers
import { prepare } from './lib/fixture.mjs';
import { measure } from './lib/measure.mjs';
import { peers } from './lib/peers.mjs';
import { keep, median, table } from './lib/table.mjs';
import { verify } from './lib/verify.mjs';
import { workloads } from './lib/workloads.mjs';

async function startAll(names, database) {
  const servers = [];
  for (const name of names) {
    const { dialect, lacks = [], start } = peers[name];
    servers.push({ name, dialect, lacks, ...(await start(database)) });
  }
  return servers;
}

async function runRounds(servers, database, names, { rounds, duration, warmup }) {
  const cells = [];
  for (let round = 1; round <= rounds; round += 1) {
    // Every other round the other way round, so that nobody is always first.
    const order = round % 2 === 0 ? [...servers].reverse() : servers;
    for (const workload of names) {
      for (const server of order.filter(({ lacks }) => !lacks.includes(workload))) {
        const result = await measure(server, database, { workload, duration, warmup });
        cells.push({ round, workload, peer: server.name, ...result });
        console.error(
          `round ${round}, ${workload}, ${server.name}: ${result.both.toFixed(3)} ms ${JSON.stringify(result.failures)}`,
        );
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
  'req/s',
  'p50',
  'p99',
  'MiB',
  'spread',
  'failed',
];

function row(name, cells, limit) {
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
    limit ? (middle('both') / limit).toFixed(2) : '',
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
    const limit = of('limit').length > 0 && median(of('limit').map(({ both }) => both));
    const absent = servers.filter(({ lacks }) => lacks.includes(workload));
    const measured = servers.filter((server) => !absent.includes(server));
    const rows = measured.map(({ name }) => row(name, of(name), limit));
    rows.sort((a, b) => a[3] - b[3]);
    rows.push(...absent.map(({ name }) => [name, ...head.slice(1).map(() => '–')]));
    console.log(`\n**${workload}** ${workloads[workload].title}\n\n${table(head, rows)}`);
  }
}

/** Runs the measurement. */
export async function run({ rounds = 3, duration = 8, warmup = 3, only, workload }) {
  const names = only ? only.split(',') : Object.keys(peers);
  const chosen = workload ? workload.split(',') : Object.keys(workloads);
  const database = await prepare();
  const servers = [];
  try {
    servers.push(...(await startAll(names, database)));
    await verify(servers, database, chosen);
    const cells = await runRounds(servers, database, chosen, { rounds, duration, warmup });
    console.log('CPU in milliseconds a request, times in milliseconds.');
    print(cells, chosen, servers);
    keep('peers', { node: process.version, rounds, duration, warmup, cells });
  } finally {
    for (const server of servers) await server.close();
    await database.close();
  }
}
