// Sums up a CPU profile of the gateway by layers and by lines of its source.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url).href;
const maps = new Map();

/** Returns the source file and line of a frame that was bundled into dist/; else its own. */
function placeOf({ url, lineNumber, columnNumber }) {
  if (!url.startsWith(`${root}dist/`)) return { url, line: lineNumber };
  const file = fileURLToPath(url);
  if (!maps.has(file)) {
    const text = existsSync(`${file}.map`) && readFileSync(`${file}.map`, 'utf8');
    maps.set(file, text ? new SourceMap(JSON.parse(text)) : undefined);
  }
  const { originalSource, originalLine } = maps.get(file)?.findEntry(lineNumber, columnNumber) ?? {};
  if (originalSource === undefined) return { url, line: lineNumber };
  return { url: new URL(originalSource, url).href, line: originalLine };
}

/**
 * Returns the package, or the folder of the gateway's source, that a frame belongs to; none for Node.js
 * itself.
 */
function ownerOf(frame) {
  if (frame.functionName === '(garbage collector)') return 'garbage collection';
  if (frame.url.startsWith('wasm:')) return 'Prisma: query compiler (WebAssembly)';
  const { url } = placeOf(frame);
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  if (name) return name;
  if (url.startsWith(`${root}prisma/generated/`)) return 'Prisma: generated';
  if (!url.startsWith(`${root}src/`)) return undefined;
  const path = url.slice(`${root}src/`.length);
  return path.startsWith('generated')
    ? 'Prisma: generated'
    : `src/${path.includes('/') ? path.split('/')[0] : ''}`;
}

/** Returns the name of a frame in a report: its function and its place. */
function titleOf(frame) {
  const name = frame.functionName || '(anonymous)';
  const { url, line } = placeOf(frame);
  const path = url.startsWith(root) ? url.slice(root.length) : url;
  return path ? `${name} ${path}:${line + 1}` : name;
}

/** Maximum microseconds of one sample. In longer ones, the process was not running. */
const longest = 2_000;

const idle = new Set(['(idle)', '(program)', '(root)']);

/**
 * Computes shares of the busy time in the last microseconds of a profile. Time in Node.js counts for the
 * caller.
 * @returns entries of name and share, the largest first; those of `calls` count what a function of the gateway calls
 */
export function sumProfile({ nodes, samples, timeDeltas }, last) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  const layerOf = (node) => {
    for (let at = node; at; at = at.parent) {
      const owner = ownerOf(at.callFrame);
      if (owner) return owner;
    }
    return 'Node.js';
  };
  const titles = new Map();
  const callersOf = (node) => {
    if (!titles.has(node)) {
      const found = new Set(node.parent && callersOf(node.parent));
      const own = titleOf(node.callFrame);
      if (own.includes(' src/')) found.add(own);
      titles.set(node, found);
    }
    return titles.get(node);
  };
  const [layers, lines, calls] = [new Map(), new Map(), new Map()];
  const add = (map, key, time) => map.set(key, (map.get(key) ?? 0) + time);
  let [total, left] = [0, last];
  for (let at = samples.length - 1; at >= 0 && left > 0; at -= 1) {
    left -= timeDeltas[at];
    const node = byId.get(samples[at]);
    if (idle.has(node.callFrame.functionName)) continue;
    const time = Math.min(timeDeltas[at], longest);
    total += time;
    add(layers, layerOf(node), time);
    add(lines, titleOf(node.callFrame), time);
    for (const title of callersOf(node)) add(calls, title, time);
  }
  const shares = (map) =>
    [...map].map(([name, time]) => [name, time / total]).sort(([, one], [, other]) => other - one);
  return { layers: shares(layers), lines: shares(lines), calls: shares(calls) };
}
