// What each of the gateway's own parts gains, by leaving it out: npm run bench -- ablation [--only=tree,batches]
import { prepare } from './lib/fixture.mjs';
import { measured, startGateway } from './lib/gateway.mjs';
import { measure } from './lib/measure.mjs';
import { keep, median, table } from './lib/table.mjs';
import { buildWithout, parts } from './lib/without.mjs';
import { workloads } from './lib/workloads.mjs';

/** Measures whole and without a part by turns, each workload in so many rounds; gives medians. */
async function compare(database, servers, workload, { rounds, duration, warmup }) {
  const costs = servers.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const order = [...servers.keys()];
    for (const at of round % 2 === 0 ? order : order.reverse()) {
      const cell = { workload, duration, warmup: round === 0 ? warmup : 0 };
      costs[at].push((await measure(servers[at], database, cell)).both);
    }
  }
  return costs.map(median);
}

/** Runs the measurement. A gain is how much more a request takes without the part. */
export async function run({ rounds = 3, duration = 4, warmup = 4, only, workload }) {
  const chosen = only ? only.split(',') : Object.keys(parts);
  const names = workload ? workload.split(',') : Object.keys(workloads);
  const builds = [];
  const database = await prepare();
  const servers = [];
  const start = async (program) => {
    const gateway = await startGateway(database, measured(database), [], undefined, program);
    servers.push({ ...gateway, dialect: 'gateway' });
  };
  try {
    await start();
    for (const part of chosen) {
      const build = await buildWithout(part);
      builds.push(build);
      await start(build.program);
    }
    const rows = [];
    for (const name of names) {
      const [whole, ...without] = await compare(database, servers, name, { rounds, duration, warmup });
      rows.push([
        name,
        whole.toFixed(3),
        ...without.map((cost) => `${((cost / whole - 1) * 100).toFixed(0)} %`),
      ]);
      console.error(rows.at(-1).join(' '));
    }
    console.log('CPU in milliseconds a request of all, and how much more it takes without a part.\n');
    console.log(table(['', 'all', ...chosen], rows));
    for (const part of chosen) console.log(`\n${part}: ${parts[part].title}`);
    keep('ablation', { node: process.version, rounds, duration, warmup, chosen, rows });
  } finally {
    for (const server of servers) await server.close();
    for (const { remove } of builds) remove();
    await database.close();
  }
}
