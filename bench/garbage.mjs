// What requests leave to garbage collection: npm run bench -- garbage
import { chosen } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { measured, startGateway } from './lib/gateway.mjs';
import { measure } from './lib/measure.mjs';
import { table } from './lib/table.mjs';
import { workloads } from './lib/workloads.mjs';

/** Makes V8 write a line for each collection. */
const tracing = ['--trace-gc', '--trace-gc-nvp'];

/** Reads a number from V8's line about a collection: `name=number`. */
const numberIn = (line, name) => Number(new RegExp(` ${name}=([\\d.]+)`).exec(line)?.[1] ?? 0);

function rowOf(name, { rate, server }, said, duration) {
  const lines = said.split('\n');
  const small = lines.filter((line) => line.includes(' gc=s '));
  const sum = (what) => small.reduce((total, line) => total + numberIn(line, what), 0);
  const each = (what, unit) => sum(what) / unit / (rate * duration);
  return [
    name,
    server.toFixed(3),
    each('allocated', 1_000).toFixed(0),
    // Copied once within the young space, and once more out of it.
    each('new_space_survived', 1_000).toFixed(1),
    each('promoted', 1_000).toFixed(1),
    each('pause', 1).toFixed(3),
    small.length,
    lines.filter((line) => line.includes(' gc=mc ')).length,
  ];
}

const head = ['', 'server ms', 'allocated KB', 'survives once', 'twice', 'pause ms', 'small', 'full'];

/** Runs the measurement. Everything but the numbers of collections is per request. */
export async function run({ workload, duration, warmup }) {
  const names = chosen(workload, Object.keys(workloads), 'workload');
  const database = await prepare();
  let said = '';
  const hear = (text) => {
    said += text;
  };
  const gateway = await startGateway(database, measured(database), tracing, hear);
  const server = { ...gateway, dialect: 'gateway' };
  try {
    const rows = [];
    for (const name of names) {
      await measure(server, database, { workload: name, duration: warmup });
      said = '';
      const cost = await measure(server, database, { workload: name, duration });
      rows.push(rowOf(name, cost, said, duration));
    }
    console.log(table(head, rows));
  } finally {
    await gateway.close();
    await database.close();
  }
}
