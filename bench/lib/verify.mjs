// Checks that peers give the same answers, and write as many rows, before they are measured.
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
  if (!response.ok) throw new Error(`${response.status} ${text.slice(0, 500)}`);
  const answer = read(text && JSON.parse(text));
  const { echoed } = workloads[workload];
  if (answer?.nodes && answer.nodes.length !== 50) throw new Error('not a page of 50');
  if (echoed && answer[echoed] !== parameters[echoed]) throw new Error('not written');
  return canonical(workload, answer);
}

/** The numbers that make each write unique. */
const uniques = /(?<=revision |person ?)\d+/gi;

/** Returns a peer's answers to the same requests as all others; each write is unique. */
async function answersOf(server, workload, { size, owner }) {
  const random = randomOf(4711);
  const answers = [];
  for (let n = 0; n < tries; n += 1) {
    answers.push(await ask(server, workload, workloads[workload].parameters(random, size, unique), owner));
  }
  return answers.map((answer) => answer.replace(uniques, ''));
}

/** Finds peers that fail, answer differently, or do not write what they should; gives a sentence about each. */
export async function mistakesOf(servers, database, names) {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const count = async (table) =>
    (await client.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
  const countAll = async ({ counted = {} }) => {
    const counts = {};
    for (const table of Object.keys(counted)) counts[table] = await count(table);
    return counts;
  };
  let expected;
  const check = async (server, name) => {
    const before = await countAll(workloads[name]);
    const answers = await answersOf(server, name, database);
    expected ??= { from: server.name, answers };
    const at = answers.findIndex((answer, index) => answer !== expected.answers[index]);
    if (at >= 0) {
      throw new Error(`the answer is\n${answers[at]}\nand that of ${expected.from}\n${expected.answers[at]}`);
    }
    const after = await countAll(workloads[name]);
    for (const [table, each] of Object.entries(workloads[name].counted ?? {})) {
      const [added, due] = [after[table] - before[table], each * tries];
      if (added !== due) throw new Error(`${added} rows of ${table} were added, not ${due}`);
    }
  };
  const mistakes = [];
  try {
    for (const name of names) {
      expected = undefined;
      for (const server of servers.filter(({ lacks }) => !lacks.includes(name))) {
        await check(server, name).catch(({ message }) =>
          mistakes.push(`${name}, ${server.name}: ${message}`),
        );
      }
    }
    return mistakes;
  } finally {
    await client.end();
  }
}
