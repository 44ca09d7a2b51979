import { readdirSync, readlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { type ServeProcess, serveProcess } from '../cli/process.support.js';
import { eventually } from '../support/eventually.js';
import { knockUntilRefused, type Outcomes, startKnocking, total } from '../support/knocking.js';
import { isLong, onPosix, prepareBench, timeout } from './fixture.js';

const bench = prepareBench();
/** Gateways, and kills of each. A process that dies often is replaced ever more slowly. */
const [gateways, kills] = isLong ? [20, 10] : [1, 4];
/** Gateways that are asked to end. */
const ends = isLong ? 20 : 2;
const callers = 12;

const replaced = 'a worker process replaced a lost one';

/** Starts a gateway that only serves. */
async function serve(workers: number, more: Record<string, string> = {}): Promise<[ServeProcess, string]> {
  const env = { DATABASE_URL: await bench.database(), WORKERS: String(workers), WORKER: 'off', ...more };
  const gateway = serveProcess(bench.program, env);
  return [gateway, String((await gateway.line('ready')).url)];
}

/** The processes that serve now: those of the start, and those that replaced them. */
function serving(gateway: ServeProcess): number[] {
  const log = gateway.log();
  const first = log.find(({ msg }) => msg === 'ready')?.workers as number[];
  return [...first, ...log.filter(({ msg }) => msg === replaced).map(({ pid }) => Number(pid))];
}

/** Counts the sockets that a process has open. */
function socketsOf(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:');
    } catch {
      return false; // closed meanwhile
    }
  }).length;
}

const stop = async ({ child, exited }: ServeProcess) => {
  child.kill('SIGTERM');
  return exited;
};

/** Kills processes one after the other, or all at once, while connections arrive. */
async function killUnderLoad(times: number, victims: number): Promise<[Outcomes, number]> {
  const [gateway, url] = await serve(3);
  const primary = Number(gateway.child.pid);
  const before = socketsOf(primary);
  const knocking = startKnocking(url);
  let lost = 0;
  for (let time = 0; time < times; time++) {
    const answered = knocking.outcomes[200] ?? 0;
    await eventually(() => expect(knocking.outcomes[200]).toBeGreaterThan(answered + 20));
    for (const pid of serving(gateway).slice(lost, lost + victims)) process.kill(pid, 'SIGKILL');
    lost += victims;
    await gateway.line(replaced, lost - 1);
  }
  const outcomes = await knocking.stop();
  await eventually(() => expect(socketsOf(primary)).toBeLessThanOrEqual(before));
  expect(await stop(gateway)).toBe(0);
  return [outcomes, knocking.longest()];
}

onPosix('processes are killed one by one while connections arrive', { timeout }, async ({ annotate }) => {
  const results: [Outcomes, number][] = [];
  for (let round = 0; round < gateways; round++) results.push(await killUnderLoad(kills, 1));
  const outcomes = total(results.map(([one]) => one));
  const longest = Math.max(...results.map(([, one]) => one));
  await annotate(`${gateways * kills} kills: ${JSON.stringify(outcomes)}, longest ${longest} ms`);
  const { 200: answered = 0, ECONNRESET: reset = 0, ended = 0, ...others } = outcomes;
  expect(others).toEqual({});
  expect(answered).toBeGreaterThan(gateways * kills * 20);
  // Only what was in the hands of the one that was killed.
  expect(reset + ended).toBeLessThan(answered / 10);
});

onPosix('all processes are killed at once while connections arrive', { timeout }, async ({ annotate }) => {
  const [outcomes, longest] = await killUnderLoad(2, 3);
  await annotate(`${JSON.stringify(outcomes)}, longest ${longest} ms`);
  // Nobody is refused: the port stays open, and connections wait for the replacements.
  const { 200: answered = 0, ECONNRESET: _reset, ended: _ended, ...others } = outcomes;
  expect(others).toEqual({});
  expect(answered).toBeGreaterThan(40);
});

for (const workers of [1, 3]) {
  onPosix(`${workers} processes are asked to end while connections arrive`, { timeout }, async (context) => {
    const all: Outcomes[] = [];
    for (let round = 0; round < ends; round++) {
      const [gateway, url] = await serve(workers, round % 2 ? { SHUTDOWN_DELAY: '1' } : {});
      const knocking = Array.from({ length: callers }, () => knockUntilRefused(url));
      expect(await stop(gateway)).toBe(0);
      all.push(total(await Promise.all(knocking)));
    }
    const { refused, 200: answered = 0, ...others } = total(all);
    await context.annotate(`${ends} ends: ${answered} answered`);
    expect(others).toEqual({});
    expect(refused).toBe(callers * ends);
  });
}
