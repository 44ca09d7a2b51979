// Starts processes, and reads what they have used so far from /proc (Linux).
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Failure } from './failure.mjs';

/**
 * Starts a server that prints `"url":"…"` on its standard output when it is ready.
 * @param onText gets its output
 */
export async function startServer(args, env, program = process.execPath, onText = () => {}) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Nobody reads its output any more, so it could not end by itself.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) =>
    child.once('close', (code, signal) => resolve(`ended: ${signal ?? code}`)),
  );
  ended.then(() => process.off('exit', kill));
  const url = await new Promise((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      onText(String(chunk));
      // Later output is read and dropped, so that the pipe never fills.
      if (text !== undefined) text += chunk;
      const ready = text && /"url":"([^"]+)"/.exec(text);
      if (!ready) return;
      text = undefined;
      resolve(ready[1]);
    });
    child.once('error', reject);
    ended.then(() => reject(new Failure(`${args.join(' ')} did not start.`)));
  });
  return {
    url,
    pid: child.pid,
    /** Resolves when it has ended, with its status or the signal that ended it. */
    ended,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Clock ticks of /proc per second; 100 on every Linux that Node.js runs on. */
const ticks = 100;

function statOf(pid) {
  try {
    // The name in brackets may contain anything; the columns come after it.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const columns = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system, gone] = [1, 11, 12, 13].map((column) => Number(columns[column]));
    return { parent, ticks: user + system, reaped: gone + Number(columns[14]) };
  } catch {
    return undefined;
  }
}

/** Returns the CPU seconds of a process and of all its descendants, including those that have ended. */
export function cpuOf(root) {
  const stats = new Map();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) && statOf(name);
    if (stat) stats.set(Number(name), stat);
  }
  let sum = 0;
  for (const [pid, stat] of stats) {
    for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) {
      if (at !== root) continue;
      sum += stat.ticks + stat.reaped;
      break;
    }
  }
  return sum / ticks;
}

function memoryOf(pid, line) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
}

/** Returns the peak memory of a process in MiB. */
export const peakMemoryOf = (pid) => memoryOf(pid, 'VmHWM');

/**
 * Watches the memory of a process's children, which may be short-lived.
 * @returns a function that ends it, and returns the peak of the largest child in MiB
 */
export function watchChildren(parent = process.pid) {
  let peak = 0;
  const childrenOf = (thread) =>
    readFileSync(`/proc/${parent}/task/${thread}/children`, 'utf8')
      .split(' ')
      .filter((pid) => pid.trim() !== '');
  const look = () => {
    try {
      // A process that has ended has no memory left.
      for (const pid of readdirSync(`/proc/${parent}/task`).flatMap(childrenOf))
        peak = Math.max(peak, peakMemoryOf(pid) || 0);
    } catch {}
  };
  const timer = setInterval(look, 50);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

/** Returns the resident memory of a process in MiB. */
export const residentMemoryOf = (pid) => memoryOf(pid, 'VmRSS');

/** Counts the open sockets of a process. */
export function socketsOf(pid) {
  const isSocket = (name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`).startsWith('socket:');
    } catch {
      // Closed in between.
      return false;
    }
  };
  return readdirSync(`/proc/${pid}/fd`).filter(isSocket).length;
}
