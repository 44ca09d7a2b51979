/**
 * Builds the gateway if needed, and runs it in this process for `npm start`. So a single process gets the
 * signals, without a shell. The build runs in a process of its own, whose memory is freed afterwards.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { project, staleness } from './stamps.mjs';

const stale = staleness();
if (stale.compiled || stale.console) {
  const program = fileURLToPath(new URL('build.mjs', import.meta.url));
  const { status } = spawnSync(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exit(status ?? 1);
}
const main = join(project, 'dist', 'main.js');
if (!existsSync(main)) {
  process.stderr.write(`There is no ${main}: the gateway is not built, and its sources are not here.\n`);
  process.exit(1);
}
/** Stops when the shell that npm starts this with ends, because npm sends SIGTERM only to the shell. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    // The only signal that never counts as a second one, because this process may be stopping already.
    process.kill(process.pid, 'SIGHUP');
  }, 200);
  watch.unref();
}

if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
process.argv.splice(1, 1, main, 'serve');
await import(pathToFileURL(main).href);
