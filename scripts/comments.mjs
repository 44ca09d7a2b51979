/**
 * Checks the doc comments of src, of the client and of the console: `node scripts/comments.mjs`, or with
 * rooms of src as arguments (`http rest/openapi`) only those.
 *
 * The first sentence says in plain words what a thing is or does; reasons follow it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { argv, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

const mostWords = 15;

/**
 * First words of a riddle: they lead to a sentence without a subject, or with one that the reader cannot see.
 */
const riddles = new Set(
  (
    'what whether how of which who whom whose where when why as not than it so instead for ' +
    'nothing nobody none neither everything anything something this that these those there'
  ).split(' '),
);

/** Words in -s that are not verbs. */
const noVerbs = new Set('its less plus thus always perhaps across besides towards'.split(' '));

/**
 * Returns the first sentence of a comment as one line.
 *
 * @param {string} comment
 */
export function firstSentence(comment) {
  const text = comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^[ \t]*\*(?!\*)/gm, '')
    .trim()
    .replace(/^#+ .*\n/, '')
    .split(/\n\s*\n|\n\s*@|^@/, 1)
    .join()
    .replace(/\s+/g, ' ')
    .trim();
  // A period within code, or after an abbreviation, ends no sentence.
  const masked = text
    .replace(/`[^`]*`|\{@link [^}]*\}/g, (code) => 'x'.repeat(code.length))
    .replace(/\b(?:e\.g|i\.e|etc|vs)\./g, (short) => 'x'.repeat(short.length));
  const end = /[.!?][)"'”]*(?= |$)/.exec(masked);
  return end ? text.slice(0, end.index + end[0].length) : text;
}

/**
 * Returns the words of a sentence; inline code counts as one.
 *
 * @param {string} sentence
 */
function wordsOf(sentence) {
  return sentence
    .replace(/`[^`]*`|\{@link [^}]*\}/g, 'x')
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

/**
 * Returns the fault of a comment's first sentence.
 *
 * @param {string} sentence
 * @param {boolean} ofFunction - True for a function, whose sentence begins with a verb in the third person.
 * @returns {string | undefined}
 */
export function faultOf(sentence, ofFunction) {
  const words = wordsOf(sentence);
  const first = (words[0] ?? '').replace(/[^\p{L}]+$/u, '').toLowerCase();
  if (words.length === 0) return 'says nothing';
  if (words.length > mostWords) return `has ${words.length} words, ${mostWords} at most`;
  if (riddles.has(first)) return `begins with "${words[0]}": name the thing`;
  if (ofFunction && (!first.endsWith('s') || first.endsWith('ss') || noVerbs.has(first))) {
    return 'does not begin with a verb ("Reads", "Returns"), though it is about a function';
  }
  return undefined;
}

/** @param {ts.Node | undefined} node */
const isFunction = (node) =>
  node !== undefined &&
  (ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node));

/**
 * Returns the function that a declaration declares, or its class.
 *
 * @param {ts.Node} node
 * @returns {ts.Node | undefined}
 */
function declared(node) {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.initializer;
  if (ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) return node.initializer;
  return node;
}

/** @param {ts.Node} node */
const isExported = (node) =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true;

/**
 * Finds the faults of a file.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function faultsOf(path, text) {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {string[]} */
  const faults = [];
  /** @param {number} position @param {string} fault */
  const add = (position, fault) =>
    faults.push(`${path}:${file.getLineAndCharacterOfPosition(position).line + 1}: ${fault}`);
  /** @type {Set<number>} */
  const attached = new Set();
  /** @param {ts.Node} node */
  const visit = (node) => {
    const thing = declared(node);
    const comments = /** @type {{ jsDoc?: ts.JSDoc[] }} */ (node).jsDoc ?? [];
    for (const { pos } of comments) attached.add(pos);
    comments.forEach((comment, index) => {
      const sentence = firstSentence(comment.getText(file));
      // The comment next to a declaration is about it; an earlier one is about the file.
      const fault = faultOf(sentence, index === comments.length - 1 && isFunction(thing));
      // Tags without text are JavaScript types.
      if (fault && !(sentence === '' && comment.tags?.length)) add(comment.pos, `"${sentence}" ${fault}`);
    });
    if (
      comments.length === 0 &&
      isExported(node) &&
      thing &&
      (isFunction(thing) || ts.isClassDeclaration(thing))
    ) {
      // Overloads and default arguments: one comment on the first is enough.
      add(node.getStart(file), `${node.getText(file).split('\n')[0]} has no doc comment`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  // The syntax tree has no place for comments on members of a union.
  for (const { index, 1: indent = '', 2: comment = '' } of text.matchAll(/^([ \t]*)(\/\*\*.*?\*\/)/gms)) {
    const position = index + indent.length;
    if (attached.has(position) || comment.includes('@type')) continue;
    const sentence = firstSentence(comment);
    const fault = faultOf(sentence, false);
    if (fault) add(position, `"${sentence}" ${fault}`);
  }
  return faults;
}

/** @param {string} file @param {string} room */
const isIn = (file, room) =>
  [`src/${room}.ts`, `src/${room}`].includes(file) || file.startsWith(`src/${room}/`);

/** Lists the sources below a folder, in order, without generated ones. @param {string} folder */
const filesIn = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.m?tsx?$|\.mjs$/.test(name) && !/^generated[/.]/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);

/** Prints the faults of all files, or of the requested rooms. */
function main() {
  const rooms = argv.slice(2).map((room) => room.replace(/^src\/|\/$/g, ''));
  const files =
    rooms.length > 0
      ? filesIn('src').filter((file) => rooms.some((room) => isIn(file, room)))
      : [...filesIn('src'), ...filesIn('clients/typescript/src'), ...filesIn('console/src')];
  for (const file of files) {
    for (const fault of faultsOf(file, readFileSync(`${root}${file}`, 'utf8'))) {
      stderr.write(`${fault}\n`);
      process.exitCode = 1;
    }
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) main();
