// Peers must give the same answers, and write as many rows, before they are measured.
import pg from 'pg';
import { canonical } from './canonical.mjs';
import { dialects } from './peers.mjs';
import { randomOf } from './random.mjs';
import { workloads } from './workloads.mjs';

/** Requests of each workload. */
const tries = 12;
let next = 1;
const unique = () => next++;

async function ask(server, workload, parameters, owner) {
  const { request, read } = dialects[server.dialect][workload];
  const { method, path, headers, body } = request(parameters, unique, owner);
  const authorization = server.token && { authorization: `Bearer ${server.token}` };
  const response = await fetch(server.url + path, {
    method,
    body,
    headers: { ...headers, ...authorization },
  });
  const text = await response.text();
  const from = `${server.name}, ${workload}`;
  if (!response.ok) throw new Error(`${from}: ${response.status} ${text.slice(0, 500)}`);
  const answer = read(text && JSON.parse(text));
  if (workload === 'W3' && answer.vehicles.length !== 50)
    throw new Error(`${from}: not a page of 50 vehicles`);
  if (workload === 'W4' && answer.details !== parameters.details) throw new Error(`${from}: not updated`);
  return canonical(workload, answer);
}

/** What a peer answers to the same requests as all others; a write is of something new for each. */
async function answersOf(server, workload, { size, owner }) {
  const random = randomOf(4711);
  const answers = [];
  for (let n = 0; n < tries; n += 1) {
    answers.push(await ask(server, workload, workloads[workload].parameters(random, size, unique), owner));
  }
  return answers.map((answer) => answer.replace(/, revision \d+/, ''));
}

/** @throws an error naming the peer that answers differently, or does not write what it should */
export async function verify(servers, database, names) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const count = async ({ counted }) => (counted ? (await client.query(counted)).rows[0].count : 0);
  try {
    for (const name of names) {
      let expected;
      for (const server of servers) {
        const before = await count(workloads[name]);
        const answers = await answersOf(server, name, database);
        expected ??= answers;
        const at = answers.findIndex((answer, index) => answer !== expected[index]);
        if (at >= 0) {
          throw new Error(
            `${name}: ${server.name} answers\n${answers[at]}\nand ${servers[0].name}\n${expected[at]}`,
          );
        }
        const added = (await count(workloads[name])) - before;
        if (workloads[name].counted && added !== tries)
          throw new Error(`${name}: ${server.name} added ${added} rows`);
      }
    }
  } finally {
    await client.end();
  }
}
