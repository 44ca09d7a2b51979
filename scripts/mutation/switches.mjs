/**
 * Chooses conditions in sources at random, and makes each a switch that a test run can break (mutant schemata).
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** @typedef {{ at: number, end: number, text: string }} Edit */

/** What stands for a comparison at its limit. */
const atLimit = new Map([
  ['<', '<='],
  ['<=', '<'],
  ['>', '>='],
  ['>=', '>'],
]);
const comparisons = new Set([...atLimit.keys(), '===', '!==']);
const connectives = new Set(['&&', '||']);

/**
 * Returns random numbers from 0 to 1, the same for the same seed (mulberry32).
 *
 * @param {number} seed
 */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Returns a binary expression's operator; an empty text for other nodes.
 *
 * @param {ts.Node} node
 */
const operatorOf = (node) =>
  ts.isBinaryExpression(node) ? (ts.tokenToString(node.operatorToken.kind) ?? '') : '';

/**
 * Returns the conditions of a file: what decides in `if`, `while`, `?:`, `&&` and `||`, and all comparisons.
 *
 * @param {ts.SourceFile} source
 */
function conditionsIn(source) {
  /** @type {Set<ts.Expression>} */
  const found = new Set();
  /** @param {ts.Expression | undefined} node */
  const decide = (node) => {
    if (!node) return;
    if (ts.isParenthesizedExpression(node)) decide(node.expression);
    else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      decide(node.operand);
    else if (ts.isBinaryExpression(node) && connectives.has(operatorOf(node))) {
      decide(node.left);
      decide(node.right);
    } else if (node.kind !== ts.SyntaxKind.TrueKeyword) found.add(node);
  };
  /** @param {ts.Node} node */
  const walk = (node) => {
    if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node))
      decide(node.expression);
    if (ts.isConditionalExpression(node) || ts.isForStatement(node)) decide(node.condition);
    if (ts.isBinaryExpression(node)) {
      if (comparisons.has(operatorOf(node))) found.add(node);
      if (connectives.has(operatorOf(node))) decide(node.left);
    }
    ts.forEachChild(node, walk);
  };
  walk(source);
  return [...found];
}

/**
 * Returns the edits that make a condition a switch, and what it is when broken.
 *
 * @param {ts.Expression} node
 * @param {ts.SourceFile} source
 * @param {number} id
 * @param {boolean} isLimit
 */
function switchOf(node, source, id, isLimit) {
  const [at, end] = [node.getStart(source), node.getEnd()];
  const limit = ts.isBinaryExpression(node) && isLimit ? atLimit.get(operatorOf(node)) : undefined;
  if (!limit || !ts.isBinaryExpression(node)) {
    const edits = [
      { at, end: at, text: `__negate(${id}, (` },
      { at: end, end, text: '))' },
    ];
    return { edits, change: 'negated' };
  }
  const token = node.operatorToken;
  const edits = [
    { at, end: at, text: `__compare(${id}, '${operatorOf(node)}', '${limit}', (` },
    { at: token.getStart(source), end: token.getEnd(), text: '), (' },
    { at: end, end, text: '))' },
  ];
  return { edits, change: limit };
}

/** Stands at the end of each changed file; declared functions can be called before. */
const switches = `
function __negate(id, value) { return globalThis.isBroken?.(id) ? !value : value; }
function __compare(id, usual, broken, a, b) {
  const operator = globalThis.isBroken?.(id) ? broken : usual;
  return operator === '<' ? a < b : operator === '<=' ? a <= b : operator === '>' ? a > b : a >= b;
}
`;

/**
 * Chooses conditions in the sources of a tree, and makes them switches.
 *
 * @param {string} tree
 * @param {number} count
 * @param {number} seed
 */
export function plantSwitches(tree, count, seed) {
  const random = randomNumbers(seed);
  const found = readdirSync(join(tree, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((name) => {
      const file = `src/${name}`;
      const source = ts.createSourceFile(
        file,
        readFileSync(join(tree, file), 'utf8'),
        ts.ScriptTarget.Latest,
        true,
      );
      return conditionsIn(source).map((node) => ({ node, source, order: random(), isLimit: random() < 0.5 }));
    });
  const chosen = found.toSorted((a, b) => a.order - b.order).slice(0, count);
  /** @type {Map<ts.SourceFile, Edit[]>} */
  const edits = new Map();
  // An outer condition comes first, so that of two that begin at the same place, it begins first.
  const outerFirst = chosen.toSorted((a, b) => b.node.getEnd() - a.node.getEnd());
  const mutants = outerFirst.map(({ node, source, isLimit, order }, index) => {
    const { edits: own, change } = switchOf(node, source, index + 1, isLimit);
    edits.set(source, [...(edits.get(source) ?? []), ...own]);
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const text = node.getText(source).replace(/\s+/g, ' ');
    return { id: index + 1, order, place: `${source.fileName}:${line + 1}`, text, change };
  });
  for (const [source, all] of edits)
    writeFileSync(join(tree, source.fileName), edited(source.text, all) + switches);
  // In random order, so that a run that is cut short has measured a sample, too.
  return { mutants: mutants.toSorted((a, b) => a.order - b.order), total: found.length };
}

/**
 * Returns a text with its edits. At the same place, what ends comes before what begins.
 *
 * @param {string} text
 * @param {Edit[]} edits
 */
function edited(text, edits) {
  const isEnd = (/** @type {Edit} */ { text }) => Number(text === '))');
  let [result, from] = ['', 0];
  for (const { at, end, text: own } of edits.toSorted((a, b) => a.at - b.at || isEnd(b) - isEnd(a))) {
    result += text.slice(from, at) + own;
    from = end;
  }
  return result + text.slice(from);
}
