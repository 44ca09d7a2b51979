// Limits what a reading program may use. Others go first.
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Exit statuses by the problems that they tell. Any other one means that the file is damaged.
 * @type {Readonly<Record<string, number>>}
 */
export const statuses = { PROTECTED: 3, TOO_LARGE: 4, UNSUPPORTED: 5 };

/** Last words of this program on its standard error. They tell the gateway that nobody else killed it. */
export const tooCostly = 'This document takes too much time or memory.';

/**
 * Kills this program when it uses too much, or outlives the gateway that started it. It does so in a thread of its own,
 * because a parser may block this one. V8's own limit excludes decompressed streams and WebAssembly. On Linux, a command
 * that the program runs counts, too, and is killed with it.
 * @param {{ memory: number, time: number, cpu?: number }} limits bytes, and milliseconds of a clock and a processor
 */
export function guard({ memory, time, cpu = time }) {
  setPriority(10);
  const watch = `
    const { readFileSync, writeSync } = require('node:fs');
    const parent = process.ppid;
    const read = (path) => { try { return readFileSync('/proc/' + path, 'utf8').trim(); } catch { return ''; } };
    const commands = () => read(process.pid + '/task/' + process.pid + '/children').split(' ').filter(Boolean);
    const end = () => {
      try { writeSync(2, ${JSON.stringify(tooCostly)}); } catch {}
      for (const pid of commands()) try { process.kill(Number(pid), 'SIGKILL'); } catch {}
      process.kill(process.pid, 'SIGKILL');
    };
    const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    // Bytes and milliseconds of the command, by pages of 4 KiB and hundredths of a second.
    const ofCommands = () => commands().reduce((sum, pid) => {
      const [, user = 0, system = 0] = /\\) (?:\\S+ ){11}(\\d+) (\\d+)/.exec(read(pid + '/stat')) ?? [];
      const pages = Number(read(pid + '/statm').split(' ')[1] ?? 0);
      return { memory: sum.memory + 4096 * pages, cpu: sum.cpu + 10 * (Number(user) + Number(system)) };
    }, { memory: 0, cpu: 0 });
    setInterval(() => {
      const command = ofCommands();
      const isTooMuch = process.memoryUsage.rss() + command.memory > ${memory} || used() + command.cpu > ${cpu};
      if (isTooMuch || process.ppid !== parent) end();
    }, 10);
    setTimeout(end, ${time});`;
  new Worker(watch, { eval: true, execArgv: [] }).unref();
}

/** Writes a line of JSON. What is written so far is kept if this program is killed. @param {unknown} value */
export const writeLine = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

/**
 * Ends this program with the status of a problem.
 * @param {'PROTECTED' | 'TOO_LARGE' | 'UNSUPPORTED'} problem
 * @returns {never}
 */
export function endWith(problem) {
  process.exit(statuses[problem]);
}
