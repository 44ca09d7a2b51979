/**
 * Prepares, checks and describes a release: `npm run release -- prepare 1.2.3`. The changelog's heading of a
 * version that is prepared says "not yet published" in place of a date, until `date` writes one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

const undated = 'not yet published';
const semanticVersion = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

/** Packages that have the gateway's version. */
const manifests = ['package.json', 'clients/typescript/package.json'];
/** Files that are history, or that other commands write. */
const untouched = /^(CHANGELOG\.md|prisma\/|schema\/|test\/)|(^|\/)package(-lock)?\.json$/;

/**
 * Matches what names the version of the gateway in files: tarballs, images, Kustomize's tag, the job of
 * Kubernetes, the Dockerfile's argument, and the greeting.
 */
export const mention =
  /(expiration-gateway(?:-client|-migrate)?[-:@]|\bnewTag: |\bARG VERSION=|Expiration gateway )v?(\d+([.-])\d+\3\d+)/g;

/** @param {string} root @param {string} path */
const read = (root, path) => readFileSync(join(root, path), 'utf8');

/** Returns the version of `package.json`. @param {string} root */
const currentVersion = (root) => JSON.parse(read(root, 'package.json')).version;

/** Lists the files that Git knows. @param {string} root @returns {string[]} */
function trackedFiles(root) {
  return execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
}

/** Returns whether a version comes after another. @param {string} version @param {string} other */
const isLater = (version, other) => version.localeCompare(other, 'en', { numeric: true }) > 0;

/**
 * Cuts a changelog at its headings of versions.
 * @param {string} changelog
 * @returns {{ preface: string, sections: { name: string, date: string, body: string }[] }}
 */
function parseChangelog(changelog) {
  const [preface = '', ...parts] = changelog.split(/^(?=## \[)/m);
  const sections = parts.map((part) => {
    const [, name = '', date = '', body = ''] =
      /^## \[([^\]\n]*)\](?: - ([^\n]*))?\n?([\s\S]*)$/.exec(part) ?? [];
    return { name, date: date.trim(), body: body.trim() };
  });
  return { preface, sections };
}

/** @param {ReturnType<typeof parseChangelog>} changelog */
function printChangelog({ preface, sections }) {
  const texts = sections.map(({ name, date, body }) => {
    const heading = date ? `## [${name}] - ${date}` : `## [${name}]`;
    return body ? `${heading}\n\n${body}\n` : `${heading}\n`;
  });
  return preface + texts.join('\n');
}

/**
 * Joins the bodies of sections, so that each kind of change has one heading.
 * @param {string[]} bodies
 */
function joinBodies(bodies) {
  /** @type {Map<string, string[]>} */
  const kinds = new Map();
  for (const part of bodies.flatMap((body) => body.split(/^(?=### )/m))) {
    const [, heading = '', text = ''] = /^(### [^\n]*\n)?([\s\S]*)$/.exec(part) ?? [];
    const kind = heading.trim();
    if (text.trim()) kinds.set(kind, [...(kinds.get(kind) ?? []), text.trim()]);
  }
  const plain = kinds.get('') ?? [];
  kinds.delete('');
  return [...plain, ...[...kinds].map(([kind, texts]) => `${kind}\n\n${texts.join('\n')}`)].join('\n\n');
}

/**
 * Moves what is unreleased under the heading of a version. If that is there and not published, it joins both.
 * @param {string} changelog
 * @param {string} version
 * @throws {Error} if there is nothing unreleased, or the version is published
 */
export function moveUnreleased(changelog, version) {
  const { preface, sections } = parseChangelog(changelog);
  const [unreleased, ...others] = sections;
  if (unreleased?.name !== 'Unreleased') throw new Error('The changelog does not begin with [Unreleased].');
  const prepared = others.find(({ name }) => name === version);
  if (prepared && prepared.date !== undated) throw new Error(`${version} is published already.`);
  const body = joinBodies([unreleased.body, prepared?.body ?? '']);
  if (!body) throw new Error('The changelog has nothing unreleased.');
  const rest = others.filter((section) => section !== prepared);
  const moved = [{ ...unreleased, body: '' }, { name: version, date: undated, body }, ...rest];
  return printChangelog({ preface, sections: moved });
}

/**
 * Returns the section of a version, without its heading.
 * @param {string} changelog
 * @param {string} version
 * @throws {Error} if there is none, or it is empty
 */
export function releaseNotes(changelog, version) {
  const section = parseChangelog(changelog).sections.find(({ name }) => name === version);
  if (!section?.body) throw new Error(`CHANGELOG.md has no section about ${version}.`);
  return `${section.body}\n`;
}

/**
 * Writes a version everywhere that names it, but for what `npm run contracts` prints.
 * @param {string} root
 * @param {string} version
 * @throws {Error} if it is no version, not a later one, or the changelog has nothing about it
 */
export function prepare(root, version) {
  const current = currentVersion(root);
  if (!semanticVersion.test(version)) throw new Error(`${version} is no version such as 1.2.3.`);
  if (isLater(current, version)) throw new Error(`${version} is older than ${current}, which is current.`);
  const changelog = moveUnreleased(read(root, 'CHANGELOG.md'), version);
  const files = trackedFiles(root);
  for (const path of files.filter((file) => manifests.includes(file))) {
    const text = read(root, path).replace(/^( {2}"version": )"[^"]*"/m, `$1"${version}"`);
    writeFileSync(join(root, path), text);
    const lockPath = path.replace('package.json', 'package-lock.json');
    if (!files.includes(lockPath)) continue;
    const lock = JSON.parse(read(root, lockPath));
    lock.version = version;
    lock.packages[''].version = version;
    writeFileSync(join(root, lockPath), `${JSON.stringify(lock, null, 2)}\n`);
  }
  for (const path of files.filter((file) => !untouched.test(file))) {
    const text = read(root, path);
    const replaced = text.replace(mention, (found, _name, old, sign) =>
      found.replace(old, version.replaceAll('.', sign)),
    );
    // A file that is no text would not survive being read as one.
    if (replaced !== text && !text.includes('\0')) writeFileSync(join(root, path), replaced);
  }
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
}

/**
 * Writes the day of the release into the changelog's heading.
 * @param {string} root
 * @param {Date} now
 * @throws {Error} if the version of `package.json` is not prepared, or has its date already
 */
export function date(root, now) {
  const version = currentVersion(root);
  const changelog = read(root, 'CHANGELOG.md');
  const heading = `## [${version}] - `;
  if (!changelog.includes(`\n${heading}${undated}\n`))
    throw new Error(`CHANGELOG.md has no heading “${heading}${undated}”.`);
  const day = now.toISOString().slice(0, 10);
  writeFileSync(
    join(root, 'CHANGELOG.md'),
    changelog.replace(`\n${heading}${undated}\n`, `\n${heading}${day}\n`),
  );
}

/**
 * Checks that a tag may be released, and returns its version.
 * @param {string} root
 * @param {string} tag such as `v1.2.3`
 * @throws {Error} if it is not the version of `package.json`, or the changelog has no dated section about it
 */
export function check(root, tag) {
  const version = currentVersion(root);
  if (tag !== `v${version}`) throw new Error(`The tag is ${tag}, but package.json has version ${version}.`);
  const changelog = read(root, 'CHANGELOG.md');
  releaseNotes(changelog, version);
  const section = parseChangelog(changelog).sections.find(({ name }) => name === version);
  if (!/^\d{4}-\d\d-\d\d$/.test(section?.date ?? ''))
    throw new Error(`CHANGELOG.md has no date for ${version}. Run: npm run release -- date`);
  return version;
}

const usage = `Usage: npm run release -- prepare <version>     writes the version everywhere, and the contracts
       npm run release -- date                  dates the version in the changelog, before the tag
       node scripts/release.mjs check <tag>     refuses a tag that is not ready, and prints its version
       node scripts/release.mjs notes <version> prints the changelog's section
`;

/** @param {string} root @param {string[]} args @returns the exit status */
function main(root, [command, argument = '', ...others]) {
  const takes = new Map([
    ['prepare', 1],
    ['date', 0],
    ['check', 1],
    ['notes', 1],
  ]).get(command ?? '');
  if (takes === undefined || others.length > 0 || (argument !== '') !== (takes === 1)) {
    process.stderr.write(usage);
    return 2;
  }
  if (command === 'notes') process.stdout.write(releaseNotes(read(root, 'CHANGELOG.md'), argument));
  if (command === 'check') process.stdout.write(`${check(root, argument)}\n`);
  if (command === 'date') date(root, new Date());
  if (command !== 'prepare') return 0;
  prepare(root, argument);
  // `npm` is a script on Windows, which only a shell can start.
  const { status } = spawnSync('npm run contracts', { cwd: root, shell: true, stdio: 'inherit' });
  return status ?? 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    process.exitCode = main(fileURLToPath(new URL('..', import.meta.url)), process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    process.exitCode = 1;
  }
}
