// What one hostile caller takes of a gateway's memory and time: npm run bench -- hostile
import { attacks, pause } from './lib/attacks.mjs';
import { doors } from './lib/doors.mjs';
import { chosen } from './lib/failure.mjs';
import { prepare } from './lib/fixture.mjs';
import { startGateway } from './lib/gateway.mjs';
import { seedHostile } from './lib/hostile-data.mjs';
import { cpuOf, residentMemoryOf } from './lib/processes.mjs';
import { failuresText, keep, table } from './lib/table.mjs';
import { watch } from './lib/watch.mjs';

/** Parts of the rest period after which the memory is read. */
const looks = [0, 0.2, 0.5, 1];

/** How many times each body is sent at once. */
const atOnce = 8;

/** Reads a process's memory while it rests for a number of seconds; returns MiB. */
async function afterwards({ pid }, rest) {
  const started = performance.now();
  const seen = [];
  for (const part of looks) {
    await pause(started + part * rest * 1000 - performance.now());
    seen.push(residentMemoryOf(pid));
  }
  return seen;
}

/** Attacks one gateway, and waits a number of seconds for the memory that it frees. */
async function measure(name, database, rest) {
  const gateway = await startGateway(database, { WORKER: 'off' });
  await fetch(`${gateway.url}/graphql?query={me{id}}`, {
    headers: { authorization: `Bearer ${gateway.token}` },
  });
  await pause(1_000);
  const stop = watch(gateway);
  await pause(1_000);
  let ended;
  gateway.ended.then((how) => {
    ended = how;
  });
  const started = performance.now();
  const answers = await attacks[name].run(gateway);
  const seconds = (performance.now() - started) / 1000;
  const left = ended ? [] : await afterwards(gateway, rest);
  const lived = ended ?? 'lives';
  const seen = await stop();
  await gateway.close();
  return { name, title: attacks[name].title, answers, seconds, lived, left, ...seen };
}

const whole = (number) => number?.toFixed(0) ?? '–';

function rowOf({ title, before, peak, left, longest, lived, seconds, answers, failures }) {
  const failed = failuresText(failures);
  const memory = [before, peak, ...looks.map((_, n) => left[n])].map(whole);
  return [title, ...memory, whole(longest), lived, seconds.toFixed(1), failed, JSON.stringify(answers)];
}

/** Creates a token that may only send uploads. */
async function uploaderOf({ url, token }) {
  const query = 'mutation{createAccessToken(input:{name:"uploads",role:UPLOADER}){token}}';
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  return (await response.json()).data.createAccessToken.token;
}

/** The body of no bytes, sent before the others: what the machine itself is late by. */
const nothing = ['nothing', async () => '–'];

/** Sends each body of a door to one gateway: once, then eight times at once. */
async function tryDoor(door, database) {
  const gateway = await startGateway(database, { WORKER: 'off', RATE_LIMIT: 'off' });
  const results = [];
  try {
    const sender = { ...gateway, uploader: await uploaderOf(gateway) };
    for (const [title, send] of [nothing, ...doors[door]()]) {
      const stop = watch(gateway);
      await pause(200);
      const before = cpuOf(gateway.pid);
      const answer = await send(sender);
      const cpu = (cpuOf(gateway.pid) - before) * 1000;
      const once = await stop();
      const stopAgain = watch(gateway);
      await pause(200);
      const answers = await Promise.all(Array.from({ length: atOnce }, () => send(sender)));
      const together = await stopAgain();
      const { longest, peak } = together;
      results.push({ door, title, answer, cpu, longest: once.longest, answers, together: longest, peak });
      console.error(JSON.stringify({ ...results.at(-1), answers: answers.join(' ') }));
    }
  } finally {
    await gateway.close();
  }
  return results;
}

const bodyHead = [
  'door',
  'body',
  'answer',
  'CPU, ms',
  'block, ms',
  `${atOnce} at once: block, ms`,
  'peak, MiB',
];

const bodyRow = ({ door, title, answer, cpu, longest, together, peak }) => [
  ...[door, title, answer],
  ...[cpu, longest, together, peak].map(whole),
];

/** Runs the measurement. */
export async function run({ only, rest }) {
  const names = chosen(only, [...Object.keys(doors), ...Object.keys(attacks)], 'attack');
  const database = await prepare({ items: 100, writable: 10, vehicles: 100, contacts: 100 });
  const [results, bodies] = [[], []];
  try {
    await seedHostile(database);
    for (const name of names) {
      if (name in doors) {
        bodies.push(...(await tryDoor(name, database)));
        continue;
      }
      results.push(await measure(name, database, rest));
      console.error(`${name}: ${JSON.stringify(results.at(-1))}`);
    }
  } finally {
    await database.close();
  }
  const head = [
    'attack',
    'MiB before',
    'peak',
    ...looks.map((part) => `${part * rest} s later`),
    'block, ms',
    'process',
    'seconds',
    '/health/live failed',
    'answers',
  ];
  if (bodies.length > 0) console.log(table(bodyHead, bodies.map(bodyRow)));
  if (results.length > 0) console.log(table(head, results.map(rowOf)));
  keep('hostile', { node: process.version, main: process.env.GATEWAY_MAIN, results, bodies });
}
