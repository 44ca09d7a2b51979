// What each of the gateway's own parts gains, by leaving it out: npm run bench -- ablation
import { chosen } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { measured, startGateway } from './lib/gateway.mjs';
import { measure } from './lib/measure.mjs';
import { keep, median, table } from './lib/table.mjs';
import { buildWithout, parts } from './lib/without.mjs';
import { workloads } from './lib/workloads.mjs';

/** Measures with and without a part alternately, in several rounds per workload; returns medians. */
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

/** Runs the measurement. The gain is the additional cost of a request without the part. */
export async function run({ rounds, duration, warmup, only, workload }) {
  const leftOut = chosen(only, Object.keys(parts), 'part');
  const names = chosen(workload, Object.keys(workloads), 'workload');
  const builds = [];
  const database = await prepare();
  const servers = [];
  const start = async (program) => {
    const gateway = await startGateway(database, measured(database), [], undefined, program);
    servers.push({ ...gateway, dialect: 'gateway' });
  };
  try {
    await start();
    for (const part of leftOut) {
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
    console.log(table(['', 'all', ...leftOut], rows));
    for (const part of leftOut) console.log(`\n${part}: ${parts[part].title}`);
    keep('ablation', { node: process.version, rounds, duration, warmup, leftOut, rows });
  } finally {
    for (const server of servers) await server.close();
    for (const { remove } of builds) remove();
    await database.close();
  }
}
