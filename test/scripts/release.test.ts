import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { check, date, mention, moveUnreleased, prepare, releaseNotes } from '../../scripts/release.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const changelog = `# Changelog

Words.

## [Unreleased]

### Added

- New.

### Fixed

- Mended.

## [1.0.0] - 2026-01-02

- First.
`;

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
const trackedIn = (folder: string) =>
  git(folder, 'ls-files', '-z')
    .split('\0')
    .filter((path) => path && existsSync(join(folder, path)));

/** Creates a repository of a few files, and returns its folder. */
function repository(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, 'init', '--quiet');
  git(folder, 'add', '.');
  return folder;
}

const small = (version: string, text = changelog) =>
  repository({
    'package.json': `{\n  "name": "expiration-gateway",\n  "version": "${version}"\n}\n`,
    'CHANGELOG.md': text,
  });

/** Reads the files that name versions of the gateway. */
function textsIn(folder: string): [path: string, text: string][] {
  const history = /^(CHANGELOG\.md|prisma\/migrations\/|src\/generated\/|test\/)|(^|\/)package-lock\.json$/;
  return trackedIn(folder)
    .filter((path) => !history.test(path))
    .map((path): [string, string] => [path, readFileSync(join(folder, path), 'utf8')])
    .filter(([, text]) => !text.includes('\0'));
}

/** Lists the places that name another version of the gateway than `package.json`. */
function otherVersions(folder: string): string[] {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return textsIn(folder).flatMap(([path, text]) =>
    [...text.matchAll(mention)]
      .filter(([, , other]) => other?.replaceAll('-', '.') !== version)
      .map(([found]) => `${path}: ${found}`),
  );
}

test('no file names another version of the gateway than package.json', () => {
  expect(otherVersions(project)).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const read = (path: string) => JSON.parse(readFileSync(join(project, path), 'utf8'));
  expect(read('clients/typescript/package.json').version).toBe(version);
  for (const lock of [read('package-lock.json'), read('clients/typescript/package-lock.json')])
    expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
});

test('a copy of the project gets a version everywhere', () => {
  const folder = repository({});
  for (const path of trackedIn(project).filter((name) => !/^(test|src|bench)\//.test(name)))
    cpSync(join(project, path), join(folder, path));
  git(folder, 'add', '.');
  const before = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  // Something may be prepared just now, with nothing unreleased since then.
  const path = join(folder, 'CHANGELOG.md');
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('## [Unreleased]\n', '## [Unreleased]\n\n- Something.\n'),
  );
  git(folder, 'add', '.');
  prepare(folder, '98.7.6');
  expect(otherVersions(folder)).toEqual([]);
  const left = textsIn(folder)
    .filter(
      ([name, text]) =>
        !name.startsWith('schema/') && new RegExp(`\\b${before.replaceAll('.', '[.-]')}\\b`).test(text),
    )
    .map(([name]) => name);
  // What was measured with that version.
  expect(left.filter((name) => !/^docs\/(.*\/)?(runbooks|dependencies)\.md$/.test(name))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toEqual({
    ...JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')),
    version: '98.7.6',
  });
  // No other file has changed, and no line was lost.
  const lines = git(folder, 'diff', '--numstat', '--', '.', ':!CHANGELOG.md').trim().split('\n');
  for (const [added, removed] of lines.map((line) => line.split('\t'))) expect(added).toBe(removed);
  expect(() => check(folder, 'v98.7.6')).toThrow('has no date');
  date(folder, new Date('2026-12-01T23:00:00Z'));
  expect(check(folder, 'v98.7.6')).toBe('98.7.6');
  expect(readFileSync(path, 'utf8')).toContain('\n## [Unreleased]\n\n## [98.7.6] - 2026-12-01\n\n');
});

test('what is unreleased moves under the version, and later entries join it under the same headings', () => {
  const once = moveUnreleased(changelog, '1.1.0');
  expect(once).toBe(
    changelog.replace('## [Unreleased]', '## [Unreleased]\n\n## [1.1.0] - not yet published'),
  );
  const more = once.replace(
    '## [Unreleased]',
    '## [Unreleased]\n\n### Fixed\n\n- Mended more.\n\n### Fixed\n\n- And more.',
  );
  expect(releaseNotes(moveUnreleased(more, '1.1.0'), '1.1.0')).toBe(
    '### Fixed\n\n- Mended more.\n- And more.\n- Mended.\n\n### Added\n\n- New.\n',
  );
});

test.each([
  ['nothing unreleased', changelog.replace(/### Added[\s\S]*?(?=## \[1)/, ''), '1.1.0', 'nothing unreleased'],
  ['a published version', changelog, '1.0.0', 'published already'],
  ['no [Unreleased]', changelog.replace('Unreleased', '0.9.0'), '1.1.0', 'does not begin'],
  ['an empty changelog', '', '1.1.0', 'does not begin'],
])('a changelog with %s is refused', (_name, text, version, message) => {
  expect(() => moveUnreleased(text, version)).toThrow(message);
});

test.each(['0.9.9', '1.1', 'v1.1.0', '1.1.0-rc.1', '01.1.0', '', '../1.1.0', '$&'])(
  'version "%s" after 1.0.0 is refused, and nothing is written',
  (version) => {
    const folder = small('1.0.0');
    expect(() => prepare(folder, version)).toThrow(/is no version|is older/);
    expect(git(folder, 'diff', '--name-only')).toBe('');
  },
);

test('a tag is refused unless it is the version, with a dated section that is not empty', () => {
  const ready = changelog.replace('[Unreleased]', '[Unreleased]\n\n## [1.1.0] - 2026-02-03');
  expect(check(small('1.1.0', ready), 'v1.1.0')).toBe('1.1.0');
  expect(() => check(small('1.0.0', ready), 'v1.1.0')).toThrow('but package.json has version 1.0.0');
  for (const tag of ['1.1.0', 'v1.1.0-rc.1', 'v1.1.0 ', ''])
    expect(() => check(small('1.1.0', ready), tag)).toThrow('The tag is');
  expect(() => check(small('1.1.0'), 'v1.1.0')).toThrow('no section about 1.1.0');
  const empty = changelog.replace(
    '[Unreleased]',
    '[Unreleased]\n\n## [1.1.0] - 2026-02-03\n\n## [1.0.9] - 2026-02-01',
  );
  expect(() => check(small('1.1.0', empty), 'v1.1.0')).toThrow('no section about 1.1.0');
  expect(() => date(small('1.1.0', ready), new Date())).toThrow('no heading');
});

test('the command prints the notes, and refuses what it does not know', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: project, encoding: 'utf8' });
  const notes = run('notes', '0.1.0');
  expect(notes.stdout).toBe(releaseNotes(readFileSync(join(project, 'CHANGELOG.md'), 'utf8'), '0.1.0'));
  expect(notes.stdout).not.toContain('## [');
  expect(run('notes', '9.9.9')).toMatchObject({
    status: 1,
    stderr: 'CHANGELOG.md has no section about 9.9.9.\n',
  });
  expect(run('check', 'v9.9.9')).toMatchObject({ status: 1, stdout: '' });
  for (const args of [
    [],
    ['prepare'],
    ['date', '0.3.0'],
    ['publish'],
    ['toString'],
    ['notes', '0.1.0', '0.2.0'],
  ])
    expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage:') });
});
