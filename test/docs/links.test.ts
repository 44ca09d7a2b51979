import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { pages, readText, root } from './pages.js';

const isThere = (path: string) => existsSync(new URL(path, root));

/** Removes blocks of code, whose `#` and `[…](…)` are neither headings nor links. */
function prose(page: string): string {
  return readText(page).replace(/^( *)```[\s\S]*?^\1```$/gm, '');
}

/** Creates the anchors of a page's headings as GitHub does. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of prose(page).matchAll(/^#+ (.+)$/gm)) {
    const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** Resolves a link of a page; returns what is wrong with it, if anything. */
function faultOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : posix.join(posix.dirname(page), decodeURI(path));
  if (!isThere(target)) return `${page}: there is no ${target}`;
  if (anchor !== undefined && !anchorsOf(target).has(anchor)) return `${page}: ${target} has no #${anchor}`;
  return undefined;
}

test('every relative link and anchor of the pages leads somewhere', () => {
  const links = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/i.test(link))
      .map((link) => [page, link] as const),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.map(([page, link]) => faultOf(page, link)).filter(Boolean)).toEqual([]);
});

test('every page of docs/ that other files name is there, with its anchor', () => {
  const command = [
    'grep',
    '-InoE',
    'docs/[a-z]+/[a-zA-Z-]+\\.md(#[a-z0-9_-]+)?',
    '--',
    '.',
    ':!prisma/generated',
  ];
  const found = execFileSync('git', command, { cwd: fileURLToPath(root), encoding: 'utf8' });
  const named = found.trim().split('\n');
  expect(named.length).toBeGreaterThan(30);
  const faults = named.map((line) => {
    const [file = '', number, ...link] = line.split(':');
    const fault = faultOf('README.md', link.join(':'));
    return fault && `${file}:${number}: ${fault}`;
  });
  expect(faults.filter(Boolean)).toEqual([]);
});

test('every path of the repository that a page names is there', () => {
  const paths = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) => [
      ...readText(page).matchAll(
        /`((?:src|test|clients|deploy|docs|prisma|public|schema|scripts|\.ci|\.github)\/[^`\s]*)`/g,
      ),
    ])
    .map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

test('every page of docs/ is linked from the index of its folder, and that from the README', () => {
  const isLinked = (page: string) => {
    const { dir, base } = posix.parse(page);
    return base === 'README.md'
      ? readText('README.md').includes(`(${page})`)
      : readText(`${dir}/README.md`).includes(`(${base})`);
  };
  const docs = pages.filter((page) => page.startsWith('docs/'));
  expect(docs.length).toBeGreaterThan(30);
  expect(docs.filter((page) => !isLinked(page))).toEqual([]);
});

test('every folder of the source is in the architecture', () => {
  const source = readdirSync(new URL('src/', root), { withFileTypes: true });
  const folders = source.filter((entry) => entry.isDirectory()).map(({ name }) => `src/${name}/`);
  const architecture = readText('docs/inside/architecture.md');
  expect(folders.filter((folder) => !architecture.includes(`\`${folder}\``))).toEqual([]);
});

test('the README is one screen, and tells how to run and to test', () => {
  const readme = readText('README.md');
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(70);
  expect(readme).toContain('npm ci && npm start');
  expect(readme).toContain('npm ci && npm test');
});
