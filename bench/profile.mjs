// Where the gateway's own time goes: npm run bench -- profile
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosen } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { measured, startGateway } from './lib/gateway.mjs';
import { measure } from './lib/measure.mjs';
import { sumProfile } from './lib/profile.mjs';
import { table } from './lib/table.mjs';
import { workloads } from './lib/workloads.mjs';

/** Profiles a gateway under one workload. */
async function profile(database, workload, { duration, warmup }) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-profile-'));
  try {
    const options = ['--cpu-prof', '--cpu-prof-interval=200', `--cpu-prof-dir=${folder}`];
    const gateway = { ...(await startGateway(database, measured(database), options)), dialect: 'gateway' };
    const cost = await measure(gateway, database, { workload, duration, warmup });
    await gateway.close();
    const [file] = readdirSync(folder);
    return { cost, ...sumProfile(JSON.parse(readFileSync(join(folder, file), 'utf8')), duration * 1e6) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the measurement. The shares are of the gateway's busy time. */
export async function run({ workload, duration, warmup, count }) {
  const names = chosen(workload, Object.keys(workloads), 'workload');
  const database = await prepare();
  try {
    for (const name of names) {
      const { cost, layers, lines, calls } = await profile(database, name, { duration, warmup });
      const shares = (entries) =>
        entries.map(([what, share]) => [what, (share * 100).toFixed(1), (share * cost.server).toFixed(3)]);
      console.log(`\n**${name}** ${workloads[name].title}: ${cost.server.toFixed(3)} ms, profiled\n`);
      console.log(table(['layer', '%', 'ms'], shares(layers)));
      console.log(`\n${table(['self', '%', 'ms'], shares(lines.slice(0, count)))}`);
      console.log(`\n${table(['with what it calls', '%', 'ms'], shares(calls.slice(0, count)))}`);
    }
  } finally {
    await database.close();
  }
}
