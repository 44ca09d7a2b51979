import { readdirSync, readFileSync } from 'node:fs';

/** The root of the repository. */
export const root = new URL('../../', import.meta.url);

/** Reads a file of the repository as text. */
export function readText(name: string): string {
  return readFileSync(new URL(name, root), 'utf8');
}

/** The names of all pages of documentation: those at the root, and those in `docs/`. */
export const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'clients/typescript/README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`),
];

/** Reads the rows of the one table below a heading of a page, without the two lines at its top. */
export function tableUnder(page: string, heading: string): string[][] {
  const [, section = ''] = readText(page).split(new RegExp(`^#+ ${heading}\n`, 'm'));
  const [text = ''] = section.split(/^#/m);
  const lines = text.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

/** Removes the marks of code around the whole text of a cell. */
export function plain(cell: string | undefined): string | undefined {
  return cell?.replace(/^`([^`]*)`$/, '$1');
}
