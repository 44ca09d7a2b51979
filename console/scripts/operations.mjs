/**
 * Writes the console's operations: the documents by their hashes, and, with `--types`, their types. The program
 * has the hashes alone; the gateway knows the documents. Only type checking and editors need the types.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSchema, Kind, parse, print, validate, visit } from 'graphql';
import { requireFrom } from '../../scripts/packages.mjs';

const consoleFolder = fileURLToPath(new URL('..', import.meta.url));
const operationsFolder = join(consoleFolder, 'operations');
const generatedFolder = join(consoleFolder, 'src', 'generated');

/** @typedef {import('graphql').FragmentDefinitionNode} Fragment */
/** @typedef {import('graphql').OperationDefinitionNode} Operation */

/**
 * Records that are made, changed, deleted and brought back alike: their names in the console and in the schema, by the
 * folder of their other operations.
 * @type {Readonly<Record<string, Readonly<Record<string, string>>>>}
 */
const writtenAlike = {
  companies: { Company: 'Company' },
  contacts: { Contact: 'Contact' },
  items: { Watch: 'Watch' },
  locations: { Location: 'Location' },
  reminders: { Policy: 'ReminderPolicy' },
  settings: { Workspace: 'Team' },
  types: { DocumentType: 'Category' },
  vehicles: { Vehicle: 'Vehicle' },
};

/** Returns the mutations of one of these kinds. @param {string} name @param {string} type */
const mutationsOf = (name, type) => `
  mutation Create${name}($input: Create${type}Input!) { record: create${type}(input: $input) { id } }
  mutation Update${name}($id: ID!, $ifVersion: String, $input: Update${type}Input!) {
    record: update${type}(id: $id, ifVersion: $ifVersion, input: $input) { id }
  }
  mutation Delete${name}($id: ID!, $ifVersion: String) {
    record: delete${type}(id: $id, ifVersion: $ifVersion) { id }
  }
  mutation Restore${name}($id: ID!) { record: restore${type}(id: $id) { id } }
`;

/** Reads the definitions of each folder, and makes those that are alike. */
function readFolders() {
  return readdirSync(operationsFolder)
    .sort()
    .map((folder) => {
      const files = readdirSync(join(operationsFolder, folder)).filter((file) => file.endsWith('.graphql'));
      const texts = files.sort().map((file) => readFileSync(join(operationsFolder, folder, file), 'utf8'));
      const alike = Object.entries(writtenAlike[folder] ?? {}).map(([name, type]) => mutationsOf(name, type));
      return { folder, definitions: [...texts, ...alike].flatMap((text) => parse(text).definitions) };
    });
}

/**
 * Lists the fragments that a definition spreads, and those that they spread.
 * @param {Operation | Fragment} definition @param {ReadonlyMap<string, Fragment>} fragments
 * @param {Set<Fragment>} [found]
 */
function fragmentsOf(definition, fragments, found = new Set()) {
  visit(definition, {
    FragmentSpread({ name }) {
      const fragment = fragments.get(name.value);
      if (!fragment || found.has(fragment)) return;
      found.add(fragment);
      fragmentsOf(fragment, fragments, found);
    },
  });
  return found;
}

/** Makes the documents of each folder, each of one operation with its fragments. */
function readDocuments() {
  const folders = readFolders();
  /** @type {Map<string, Fragment>} */
  const fragments = new Map();
  for (const definition of folders.flatMap(({ definitions }) => definitions)) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return folders.map(({ folder, definitions }) => {
    const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const documents = operations.map((operation) => {
      const document = {
        kind: Kind.DOCUMENT,
        definitions: [operation, ...fragmentsOf(operation, fragments)],
      };
      const text = print(document);
      const hash = createHash('sha256').update(text).digest('hex');
      return { name: operation.name?.value ?? '', kind: operation.operation, text, hash };
    });
    return { folder, documents };
  });
}

/** Writes a file if its text is another one, so that a watcher sees no change where there is none. @param {string} path @param {string} text */
function writeChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** Reads the schema that the gateway has printed. */
const readSchema = () => parse(readFileSync(join(consoleFolder, '..', 'schema', 'gateway.graphql'), 'utf8'));

const head = '// Written by scripts/operations.mjs.\n';

/**
 * Writes the operations that the console is built from, in a file for each folder, so that a screen loads its own.
 * @throws {Error} for a document that does not fit the schema
 */
export function writeOperations() {
  const folders = readDocuments();
  const documents = folders.flatMap((folder) => folder.documents);
  const built = buildSchema(print(readSchema()));
  for (const { name, text } of documents) {
    const [fault] = validate(built, parse(text));
    if (fault) throw new Error(`${name}: ${fault.message}`);
  }
  const suffixes = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  const imports =
    "import type { Operation } from '../../data/operation';\nimport type * as types from '../types';\n\n";
  mkdirSync(join(generatedFolder, 'operations'), { recursive: true });
  for (const { folder, documents } of folders) {
    const ids = documents.map(({ name, kind, hash }) => {
      const type = `types.${name}${suffixes[kind]}`;
      return `export const ${name} = '${hash}' as Operation<${type}, ${type}Variables>;\n`;
    });
    writeChanged(join(generatedFolder, 'operations', `${folder}.ts`), `${head}${imports}${ids.join('')}`);
  }
  const manifest = Object.fromEntries(documents.map(({ hash, text }) => [hash, text]));
  writeChanged(join(generatedFolder, 'operations.json'), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Writes the types of the operations, with the packages of tools/codegen. */
async function writeTypes() {
  const { resolve } = await requireFrom('tools/codegen');
  /** @param {string} name */
  const load = (name) => import(pathToFileURL(resolve(name)).href);
  const { codegen } = await load('@graphql-codegen/core');
  const typescriptOperations = await load('@graphql-codegen/typescript-operations');
  const document = {
    kind: Kind.DOCUMENT,
    definitions: readFolders().flatMap((folder) => folder.definitions),
  };
  const types = await codegen({
    filename: 'types.ts',
    schema: readSchema(),
    documents: [{ location: 'operations', document }],
    config: {
      enumType: 'string-literal',
      skipTypename: true,
      inlineFragmentTypes: 'inline',
      strictScalars: true,
      defaultScalarType: 'unknown',
      useTypeImports: true,
      scalars: {
        ID: 'string',
        BigInt: 'string',
        Date: 'string',
        DateTime: 'string',
        JSON: 'unknown',
        UUID: 'string',
        Upload: 'File',
      },
    },
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
  });
  writeChanged(join(generatedFolder, 'types.ts'), `${head}${types}`);
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  writeOperations();
  if (argv.includes('--types')) await writeTypes();
}
