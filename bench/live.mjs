// What a live event costs each of many subscribers: npm run bench -- live
import { Agent } from 'node:http';
import { prepare } from './lib/fixture.mjs';
import { measured, startGateway } from './lib/gateway.mjs';
import { cpuOf, peakMemoryOf } from './lib/processes.mjs';
import { dataOf, graphql, send } from './lib/requests.mjs';
import { subscribe } from './lib/streams.mjs';
import { keep, table } from './lib/table.mjs';

/** Events that are written per second. */
const rate = 50;
/** The most streams of one token. */
const perToken = 100;

async function ask({ url, token }, { path, headers, ...rest }) {
  const response = await fetch(url + path, {
    ...rest,
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  return response.json();
}

/** Creates a token of the caller's own. */
async function newToken(gateway) {
  const query = 'mutation { made: createAccessToken(input: {name: "live", role: ADMIN}) { token } }';
  return dataOf(await ask(gateway, send('POST', '/graphql', { query }))).made.token;
}

/** Writes records at a steady rate; returns how many were written. */
async function write(gateway, seconds, seed) {
  const { request } = graphql.W7;
  const started = performance.now();
  const writes = [];
  for (let n = 0; n < rate * seconds; n += 1) {
    const wait = (n * 1000) / rate - (performance.now() - started);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const input = { name: `Person ${seed}`, email: `live${seed}-${n}@example.com` };
    writes.push(ask(gateway, request(input)).then(({ errors }) => !errors));
  }
  return (await Promise.all(writes)).filter(Boolean).length;
}

/** Waits until a number stops growing. */
async function settled(read) {
  let before = -1;
  while (read() !== before) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Runs the measurement. */
export async function run({ count, duration, warmup }) {
  const database = await prepare();
  const gateway = await startGateway(database, measured(database));
  const agent = new Agent({ keepAlive: true, maxSockets: count });
  const cpu = () => ({ server: cpuOf(gateway.pid), postgres: cpuOf(database.pid) });
  try {
    const tokens = [];
    for (let n = 0; n < count; n += perToken) tokens.push(await newToken(gateway));
    let delivered = 0;
    const onEvent = () => {
      delivered += 1;
    };
    const ends = [];
    // One after the other; the measurement begins when all are open.
    for (let n = 0; n < count; n += 1) {
      ends.push(await subscribe(agent, gateway.url, tokens[Math.floor(n / perToken)], onEvent));
    }
    await write(gateway, warmup, 'warmup');
    await settled(() => delivered);
    const [before, already] = [cpu(), delivered];
    const written = await write(gateway, duration, 'measured');
    await settled(() => delivered);
    const after = cpu();
    const events = delivered - already;
    const each = (name) => ((after[name] - before[name]) * 1000) / events;
    const [server, postgres] = [each('server'), each('postgres')];
    for (const end of ends) end();
    const expected = written * count;
    console.log(
      `\n**W11** ${count} subscribers, ${rate} events a second; CPU in ms a delivered event, its writing included\n`,
    );
    const head = ['peer', 'server', 'PostgreSQL', 'both', 'delivered', 'of', 'MiB'];
    const row = ['gateway', ...[server, postgres, server + postgres].map((ms) => ms.toFixed(4))];
    console.log(table(head, [[...row, events, expected, peakMemoryOf(gateway.pid).toFixed(0)]]));
    keep('live', { node: process.version, count, duration, server, postgres, events, expected });
  } finally {
    agent.destroy();
    await gateway.close();
    await database.close();
  }
}
