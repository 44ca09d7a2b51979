// What processes have used so far, from /proc (Linux).
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc a second; 100 on every Linux that Node.js runs on. */
const ticks = 100;

function statOf(pid) {
  try {
    // The name, in brackets, may hold anything; what follows is in columns.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const columns = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent, user, system, gone] = [1, 11, 12, 13].map((column) => Number(columns[column]));
    return { parent, ticks: user + system, reaped: gone + Number(columns[14]) };
  } catch {
    return undefined;
  }
}

/** CPU seconds of a process and of all that descend from it, those that have ended included. */
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

/** The most memory that a process has had in use, in MiB. */
export function peakMemoryOf(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
