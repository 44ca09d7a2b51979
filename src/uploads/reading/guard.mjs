// Limits what a reading program may use. Others go first.
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/**
 * Exit statuses by the problems that they tell. Any other one means that the file is damaged.
 * @type {Readonly<Record<string, number>>}
 */
export const statuses = { PROTECTED: 3, TOO_LARGE: 4 };

/**
 * Kills this program when it uses too much, or outlives the gateway that started it. It does so in a thread of its own,
 * because a parser may block this one. V8's own limit excludes decompressed streams and WebAssembly.
 * @param {{ memory: number, time: number, cpu?: number }} limits bytes, and milliseconds of a clock and a processor
 */
export function guard({ memory, time, cpu = time }) {
  setPriority(10);
  const watch = `
    const parent = process.ppid;
    const end = () => process.kill(process.pid, 'SIGKILL');
    const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
    setInterval(() => {
      if (process.memoryUsage.rss() > ${memory} || used() > ${cpu} || process.ppid !== parent) end();
    }, 10);
    setTimeout(end, ${time});`;
  new Worker(watch, { eval: true }).unref();
}

/** Writes a line of JSON. What is written so far is kept if this program is killed. @param {unknown} value */
export const writeLine = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

/**
 * Ends this program with the status of a problem.
 * @param {'PROTECTED' | 'TOO_LARGE'} problem
 * @returns {never}
 */
export function endWith(problem) {
  process.exit(statuses[problem]);
}
