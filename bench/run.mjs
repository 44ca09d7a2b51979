// npm run bench -- <what> [options]; see README.md
import { parseArgs } from 'node:util';

const measurements = {
  peers: () => import('./peers.mjs'),
  ablation: () => import('./ablation.mjs'),
  bulkscan: () => import('./bulkscan.mjs'),
  connections: () => import('./connections.mjs'),
  garbage: () => import('./garbage.mjs'),
  growth: () => import('./growth.mjs'),
  latency: () => import('./latency.mjs'),
  live: () => import('./live.mjs'),
  hostile: () => import('./hostile.mjs'),
  overload: () => import('./overload.mjs'),
  memory: () => import('./memory.mjs'),
  start: () => import('./start.mjs'),
  profile: () => import('./profile.mjs'),
};

const text = { type: 'string' };
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: text,
    count: text,
    duration: text,
    warmup: text,
    minutes: text,
    rows: text,
    only: text,
    rest: text,
    times: text,
    nice: text,
    workload: text,
  },
});
const [name = 'peers'] = positionals;
if (!Object.hasOwn(measurements, name)) {
  console.error(`Say what to measure: ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}
const read = (value) => (/^\d+(\.\d+)?$/.test(value) ? Number(value) : value);
const options = Object.fromEntries(Object.entries(values).map(([option, value]) => [option, read(value)]));
await (await measurements[name]()).run(options);
