/**
 * Starts the gateway as somebody does who has just cloned it: `npm start` in a terminal of its own, until it
 * greets. It sends one request to each API, presses Ctrl-C, and checks that nothing is left running. Only
 * Linux has such a terminal for a script; elsewhere it looks for the log's line instead, and ends the process.
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const patience = 180_000;
const folder = await mkdtemp(join(tmpdir(), 'gateway-start-'));
await chmod(folder, 0o711); // as root, PostgreSQL runs as another user
const hasTerminal = process.platform === 'linux';
// Only the port and the folder of the data differ from what a person has.
const env = { ...process.env, PORT: '0', DATA_DIR: join(folder, 'data') };
const options = { env, stdio: ['pipe', 'pipe', 'inherit'] };
const terminal = hasTerminal
  ? spawn('script', ['-qfec', 'npm start', '/dev/null'], options)
  : spawn(process.execPath, ['scripts/start.mjs'], options);
let output = '';
terminal.stdout.setEncoding('utf8').on('data', (text) => {
  output += stripVTControlCharacters(text);
  process.stdout.write(text);
});

/** Waits until a look finds something, and ends the terminal when it never does. */
async function eventually(what, look) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    const found = await look();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${what} did not happen within ${patience / 1000} s.`);
}

/** Lists the processes that know the folder, by their environment or their command line. */
async function running() {
  if (!hasTerminal) return [];
  const found = [];
  for (const pid of (await readdir('/proc')).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )) {
    const read = (name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '');
    const [command, environment] = await Promise.all([read('cmdline'), read('environ')]);
    if (`${command}\0${environment}`.includes(folder)) found.push(`${pid} ${command.replaceAll('\0', ' ')}`);
  }
  return found;
}

const hasEnded = () => terminal.exitCode !== null || terminal.signalCode !== null;

/** Returns the address and the token that a first start tells, once it is ready. */
async function greeting() {
  if (hasEnded()) throw new Error(`npm start ended with status ${terminal.exitCode}.`);
  if (hasTerminal)
    return (
      output.includes('Press Ctrl-C to stop') &&
      /curl (http:\/\/\S+?)\/v1\S+ -H "Authorization: Bearer (\S+)"/.exec(output)?.slice(1)
    );
  const url = /"url":"([^"]+)".*"msg":"ready"/.exec(output)?.[1];
  if (!url) return undefined;
  const secrets = await readFile(join(folder, 'data', 'first-start.txt'), 'utf8');
  return [url, /^Admin token: (\S+)$/m.exec(secrets)?.[1]];
}

/** Throws unless an API answers 200 with what is expected. */
async function expectAnswer(url, options, isRight) {
  const response = await fetch(url, options);
  const body = await response.json();
  if (response.status !== 200 || !isRight(body))
    throw new Error(`${url}: ${response.status} ${JSON.stringify(body)}`);
}

try {
  const [url, token] = await eventually('The greeting', greeting);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  await expectAnswer(`${url}/v1/vehicles`, { headers }, ({ total }) => total > 0);
  const body = JSON.stringify({ query: '{ vehicles { totalCount } }' });
  await expectAnswer(
    `${url}/graphql`,
    { method: 'POST', headers, body },
    ({ data }) => data.vehicles.totalCount > 0,
  );
  if (hasTerminal) terminal.stdin.write('\x03');
  else terminal.kill('SIGINT');
  await eventually('The end after Ctrl-C', hasEnded);
  // On Windows, a signal ends a process without asking it.
  const expected = process.platform === 'win32' ? [null] : [0, 130];
  if (!expected.includes(terminal.exitCode)) {
    throw new Error(`npm start ended with status ${terminal.exitCode} after Ctrl-C.`);
  }
  await eventually('The end of all processes', async () => (await running()).length === 0);
  process.stdout.write('npm start: both APIs answered, and Ctrl-C left nothing running.\n');
} catch (error) {
  process.stderr.write(`npm start: ${error.message}\nStill running:\n${(await running()).join('\n')}\n`);
  process.exitCode = 1;
} finally {
  terminal.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}
