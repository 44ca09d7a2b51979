// npm run bench -- <what> [--rounds=5] [--count=4000]
import { parseArgs } from 'node:util';

const measurements = { bulkscan: () => import('./bulkscan.mjs') };

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, count: { type: 'string' } },
});
const [name = ''] = positionals;
if (!Object.hasOwn(measurements, name)) {
  console.error(`Say what to measure: ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}
const options = Object.fromEntries(Object.entries(values).map(([option, value]) => [option, Number(value)]));
await (await measurements[name]()).run(options);
