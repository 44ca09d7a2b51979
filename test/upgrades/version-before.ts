import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * Finds the commit of the last release before this commit: the last one that gave a version a date in the
 * changelog. A version that is only prepared has none.
 */
function findRelease(): string | undefined {
  try {
    if (git('rev-parse', '--is-shallow-repository') === 'true') return undefined;
    return (
      git('log', '-1', '--format=%H', '-G^## \\[[0-9.]+\\] - [0-9]', 'HEAD^', '--', 'CHANGELOG.md') ||
      undefined
    );
  } catch {
    return undefined;
  }
}

/** The commit of the version before; undefined if the history does not reach so far. */
export const releaseCommit = findRelease();

/** A built version of the gateway. */
export interface Version {
  readonly version: string;
  /** The program to run. */
  readonly program: string;
  readonly migrations: string;
}

/** Builds the version before in a folder, with its own packages. */
export function buildVersionBefore(folder: string): Version {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = join(folder, 'version-before.tar');
  git('archive', `--output=${archive}`, String(releaseCommit));
  run('tar', '-xf', archive);
  run('npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error');
  run('npm', 'run', '--silent', 'build');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { version, program: join(folder, 'dist/main.js'), migrations: join(folder, 'prisma/migrations') };
}
