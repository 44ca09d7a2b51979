// How long the gateway takes to start: npm run bench -- start
import { rmSync } from 'node:fs';
import { prepare } from './lib/fixture.mjs';
import { newFolder, startGateway } from './lib/gateway.mjs';
import { cpuOf } from './lib/processes.mjs';
import { keep, median, table } from './lib/table.mjs';

/** Starts and stops a gateway; returns the milliseconds until it is ready, and its own CPU milliseconds. */
async function time(target, env) {
  const started = performance.now();
  const gateway = await startGateway(target, env);
  const { status } = await fetch(`${gateway.url}/health/ready`);
  const milliseconds = performance.now() - started;
  const cpu = cpuOf(gateway.pid) * 1000;
  await gateway.close();
  if (status !== 200) throw new Error(`/health/ready answered ${status}.`);
  return { milliseconds, cpu };
}

async function several(rounds, target, env) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) times.push(await time(target, env));
  return times;
}

/** Runs the measurement. */
export async function run({ rounds }) {
  const folder = newFolder();
  const own = { DATABASE_URL: '', DATA_DIR: folder };
  const database = await prepare({ items: 1000, vehicles: 1000 });
  // Without a token of its own, the first start would make one and print it.
  const withToken = { token: database.token };
  try {
    const results = {
      'first start in a new folder': [await time(withToken, own)],
      'an existing folder': await several(rounds, withToken, own),
      'a database that runs': await several(rounds, database, {}),
    };
    const rows = Object.entries(results).map(([name, times]) => [
      name,
      median(times.map(({ milliseconds }) => milliseconds)).toFixed(0),
      Math.max(...times.map(({ milliseconds }) => milliseconds)).toFixed(0),
      median(times.map(({ cpu }) => cpu)).toFixed(0),
    ]);
    console.log(table(['start with', 'ready after, ms', 'at most', 'CPU, ms'], rows));
    keep('start', { node: process.version, results });
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
