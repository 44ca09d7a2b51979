/**
 * Prints the shape of the sources, by room: files, lines of code, exported names and who imports them, import
 * statements, and circles. It says how deep the modules are, and decides nothing.
 *
 *     node scripts/shape.mjs           a table
 *     node scripts/shape.mjs --names   the exported names that no other file, one file or only tests import
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { project } from './stamps.mjs';

const source = join(project, 'src');

/** What a file exports and imports. */
/** @typedef {{ lines: number, statements: number, exports: string[], imports: Map<string, Set<string>> }} Shape */

/** Lists the modules below a folder, as paths. @param {string} folder @returns {string[]} */
const modulesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(ts|mjs)$/.test(file) && !/node_modules|generated/.test(file))
        .map((file) => join(folder, file))
    : [];

/** Counts the lines of a text that have more than a comment or blanks. @param {string} text */
const codeLines = (text) =>
  text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\/\/|\/?\*)/.test(line)).length;

/** Returns the names that a statement exports. @param {ts.Statement} statement @returns {string[]} */
function exportedBy(statement) {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  if (!modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
  if (!ts.isVariableStatement(statement)) {
    const { name } = /** @type {ts.FunctionDeclaration} */ (statement);
    return name ? [name.text] : ['default'];
  }
  /** @param {ts.BindingName} name @returns {string[]} */
  const names = (name) =>
    ts.isIdentifier(name)
      ? [name.text]
      : name.elements.flatMap((element) => (ts.isBindingElement(element) ? names(element.name) : []));
  return statement.declarationList.declarations.flatMap(({ name }) => names(name));
}

/** Returns the module that a relative path leads to. @param {string} from @param {string} name */
function moduleAt(from, name) {
  if (!name.startsWith('.')) return undefined;
  const path = resolve(dirname(from), name);
  return [path.replace(/\.js$/, '.ts'), path].find((one) => /\.(ts|mjs)$/.test(one) && existsSync(one));
}

/** Reads the shape of a module. @param {string} file @returns {Shape} */
function shapeOf(file) {
  const text = readFileSync(file, 'utf8');
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  /** @type {Shape['imports']} */
  const imports = new Map();
  /** @param {string} name @param {readonly string[]} names */
  const add = (name, names) => {
    const target = moduleAt(file, name);
    if (target) imports.set(target, new Set([...(imports.get(target) ?? []), ...names]));
  };
  let statements = 0;
  for (const statement of parsed.statements) {
    if (!ts.isImportDeclaration(statement)) continue;
    statements += 1;
    const bindings = statement.importClause?.namedBindings;
    const names = bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
    const specifier = /** @type {ts.StringLiteral} */ (statement.moduleSpecifier);
    add(
      specifier.text,
      bindings && ts.isNamespaceImport(bindings)
        ? ['*']
        : names.map(({ name, propertyName }) => (propertyName ?? name).text),
    );
  }
  // What is imported when it is needed is found by its names in the text.
  for (const [, name = ''] of text.matchAll(/import\('([^']+)'\)/g)) {
    const target = moduleAt(file, name);
    const exported = target
      ? ts.createSourceFile(target, readFileSync(target, 'utf8'), ts.ScriptTarget.Latest)
      : undefined;
    const names = exported?.statements.flatMap(exportedBy) ?? [];
    add(
      name,
      names.filter((one) => new RegExp(`\\b${one}\\b`).test(text)),
    );
  }
  return { lines: codeLines(text), statements, exports: parsed.statements.flatMap(exportedBy), imports };
}

/** Returns a circle of imports that begins at each module that is in one. @param {Map<string, Shape>} shapes */
function circlesIn(shapes) {
  /** @type {string[][]} */
  const found = [];
  /** @type {Map<string, 'open' | 'done'>} */
  const state = new Map();
  /** @param {string} file @param {string[]} way */
  const visit = (file, way) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') return void found.push([...way.slice(way.indexOf(file)), file]);
    state.set(file, 'open');
    for (const target of shapes.get(file)?.imports.keys() ?? []) visit(target, [...way, file]);
    state.set(file, 'done');
  };
  for (const file of shapes.keys()) visit(file, []);
  return found;
}

/** @param {string} file */
const roomOf = (file) => {
  const path = relative(source, file).replaceAll('\\', '/');
  return path.includes('/') ? /** @type {string} */ (path.split('/')[0]) : '(top)';
};

const shapes = new Map(modulesIn(source).map((file) => [file, shapeOf(file)]));
const outside = ['test', 'bench', 'scripts']
  .flatMap((folder) => modulesIn(join(project, folder)))
  .map(shapeOf);

/** Importers of a name. @param {readonly Shape[]} of @param {string} file @param {string} name */
const importers = (of, file, name) =>
  of.filter(({ imports }) => imports.get(file)?.has(name) || imports.get(file)?.has('*')).length;

const inside = [...shapes.values()];
const names = [...shapes].flatMap(([file, { exports }]) =>
  exports.map((name) => ({
    room: roomOf(file),
    name: `${relative(project, file)} ${name}`,
    src: importers(inside, file, name),
    others: importers(outside, file, name),
  })),
);

/** Prints lines. @param {readonly string[]} lines */
const print = (lines) => process.stdout.write(`${lines.join('\n')}\n`);

if (process.argv.includes('--names')) {
  for (const [title, of] of /** @type {const} */ ([
    ['Imported by nothing', names.filter(({ src, others }) => src + others === 0)],
    ['Imported by tests and scripts alone', names.filter(({ src, others }) => src === 0 && others > 0)],
    ['Imported by one file', names.filter(({ src }) => src === 1)],
  ]))
    print([`${title} (${of.length}):`, ...of.map(({ name }) => `  ${name}`), '']);
} else {
  const rooms = [...new Set([...shapes.keys()].map(roomOf))].sort();
  const head = [
    'room',
    'files',
    'code',
    'largest',
    'names',
    'one importer',
    'tests alone',
    'unused',
    'imports',
  ];
  /** @param {string} title @param {(room: string) => boolean} isIn */
  const row = (title, isIn) => {
    const of = [...shapes].filter(([file]) => isIn(roomOf(file))).map(([, shape]) => shape);
    const named = names.filter(({ room }) => isIn(room));
    const sum = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0);
    return [
      title,
      of.length,
      sum(of.map(({ lines }) => lines)),
      Math.max(...of.map(({ lines }) => lines)),
      named.length,
      named.filter(({ src }) => src === 1).length,
      named.filter(({ src, others }) => src === 0 && others > 0).length,
      named.filter(({ src, others }) => src + others === 0).length,
      sum(of.map(({ statements }) => statements)),
    ];
  };
  const rows = [head, ...rooms.map((room) => row(room, (one) => one === room)), row('all', () => true)];
  print(
    rows.map((cells) =>
      cells.map((cell, at) => (at ? String(cell).padStart(12) : String(cell).padEnd(14))).join(''),
    ),
  );
  const circles = circlesIn(shapes);
  print(['', `${circles.length} circles of imports`]);
  print(circles.map((way) => `  ${way.map((file) => relative(source, file)).join(' → ')}`));
}
