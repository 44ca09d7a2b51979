import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const page = '<!doctype html>\n<html lang="en"><head><title>Console</title></head><body></body></html>\n';
const script = `console.log(${JSON.stringify('of the console '.repeat(100))});\n`;

/** Files of a small built console, by name. */
export const built = {
  'index.html': page,
  'assets/index-Ab12_-9z.js': script,
  'assets/index-Ab12_-9z.js.br': brotliCompressSync(script),
  'assets/index-Ab12_-9z.js.map': '{}',
  'assets/style-00000000.css': 'body { margin: 0 }\n',
  'stamp.json': '{}',
} as const;

/** An operation of a console in its manifest. */
export const meOperation = 'query ConsoleMe { me { role } }';

/** Returns the id of an operation. */
export const idOf = (text: string) => createHash('sha256').update(text).digest('hex');

/** Writes a small console as a build would. Building the real one takes too long. */
export async function makeConsole() {
  const folder = await mkdtemp(join(tmpdir(), 'console-'));
  await mkdir(join(folder, 'assets'));
  const operations = JSON.stringify({ [idOf(meOperation)]: meOperation });
  for (const [name, content] of Object.entries({ ...built, 'operations.json': operations }))
    await writeFile(join(folder, name), content);
  return {
    consoleFolder: pathToFileURL(`${folder}/`),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Finds texts in a file of the console's sources. */
function inSource(path: string, pattern: RegExp): string[] {
  const source = readFileSync(new URL(`../../console/src/${path}`, import.meta.url), 'utf8');
  const found = [...source.matchAll(pattern)].map(([, text = '']) => text);
  if (found.length === 0) throw new Error(`${path} is written otherwise.`);
  return found;
}

/** Lists the folders of the kinds of records that the console shows. */
const shownFolders = (): string[] => inSource('app/addresses.ts', /\bfolder: '(\/[^']+)'/g);

/** Lists the addresses of the console's screens from its own tables, with `{id}` for a segment. */
export const builtScreens = (): string[] => [
  ...inSource('app/screens.ts', /\bpath: '([^']+)'/g).map((path) => path.replace(':id', '{id}')),
  ...shownFolders().flatMap((folder) => [folder, `${folder}/{id}`]),
];
