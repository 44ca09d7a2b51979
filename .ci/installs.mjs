/**
 * Measures what an install brings, in a clone where nothing is installed: `node .ci/installs.mjs`. It prints a
 * table: megabytes, packages and seconds of the whole and of the production install, first from the registry,
 * then from npm's cache without a network, and the first `npm start`. It fails beyond the limits of
 * docs/inside/dependencies.md, for a warning of npm, and when a start without a network fails.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gateway-installs-'));
// As root, PostgreSQL runs as another user.
chmodSync(folder, 0o755);
const clone = join(folder, 'clone');
/** Without the variables of an npm that runs this. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_(?!config_(registry|userconfig)$)|^NODE_ENV$/i.test(name),
  ),
);
env.npm_config_cache = join(folder, 'cache');
env.npm_config_update_notifier = 'false';

/** Runs a command in the clone, and measures its seconds. */
function run(program, ...args) {
  const begun = performance.now();
  const options = { cwd: clone, env, encoding: 'utf8', maxBuffer: 2 ** 28 };
  const { status, stdout = '', stderr = '', error } = spawnSync(program, args, options);
  const seconds = Math.round((performance.now() - begun) / 1000);
  return { isDone: status === 0, said: `${stdout}${stderr}${error?.message ?? ''}`, seconds };
}

/** Runs a command without a network, but for the loopback; undefined where the system does not let us. */
function runOffline(program, ...args) {
  // Another user would be needed to run PostgreSQL as root; so root stays root.
  const own = process.getuid?.() === 0 ? [] : ['--map-current-user', '--keep-caps'];
  const up = 'ip link set lo up && exec "$@"';
  const inside = (...command) => run('unshare', ...own, '--net', 'sh', '-c', up, 'sh', ...command);
  return inside('true').isDone ? inside(program, ...args) : undefined;
}

const limits = { full: { megabytes: 515, packages: 330 }, production: { megabytes: 230, packages: 50 } };
const faults = [];
const rows = [];

/** Installs from the registry and again from the cache, and adds a row to the table. */
function measure(name, ...flags) {
  const cold = run('npm', 'ci', '--no-audit', '--no-fund', ...flags);
  if (!cold.isDone) throw new Error(`npm ci ${flags.join(' ')} failed:\n${cold.said}`);
  if (/npm (warn|notice)|deprecated/i.test(cold.said)) faults.push(`npm ci warns:\n${cold.said}`);
  const megabytes = Math.round(Number(run('du', '-sk', 'node_modules').said.split('\t')[0]) / 1024);
  const { packages } = JSON.parse(readFileSync(join(clone, 'node_modules/.package-lock.json'), 'utf8'));
  const count = Object.keys(packages).length;
  const warm = runOffline('npm', 'ci', '--offline', '--no-audit', '--no-fund', ...flags);
  if (warm?.isDone === false) faults.push(`npm ci from the cache fails:\n${warm.said}`);
  const limit = limits[name];
  if (megabytes > limit.megabytes || count > limit.packages)
    faults.push(
      `${name}: ${megabytes} MB in ${count} packages, of at most ${limit.megabytes} and ${limit.packages}`,
    );
  rows.push([
    `\`npm ci${flags.map((flag) => ` ${flag}`).join('')}\``,
    megabytes,
    count,
    cold.seconds,
    warm?.seconds ?? '–',
  ]);
}

try {
  const { status } = spawnSync('git', ['clone', '--quiet', '--depth=1', `file://${project}`, clone], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The project cannot be cloned.');
  measure('production', '--omit=dev');
  measure('full');
  const start = runOffline('node', '.ci/first-start.mjs');
  if (start?.isDone === false) faults.push(`npm start fails without a network:\n${start.said}`);
  rows.push(['first `npm start` until it has answered and ended', '–', '–', '–', start?.seconds ?? '–']);
  if (argv.includes('--tests')) {
    const tests = runOffline('npm', 'test', '--silent');
    if (tests?.isDone === false) faults.push(`npm test fails without a network:\n${tests.said}`);
    rows.push(['`npm test`', '–', '–', '–', tests?.seconds ?? '–']);
  }
  if (existsSync(join(clone, 'console/node_modules'))) faults.push('npm start has installed something.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const cells = [
  [`Node.js ${process.versions.node}`, 'MB', 'packages', 's, new', 's, without network'],
  ['---', '---:', '---:', '---:', '---:'],
  ...rows,
];
process.stdout.write(`${cells.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length > 0 ? 1 : 0;
