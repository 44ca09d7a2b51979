/**
 * Writes what the console takes from the gateway: the documents by their hashes, what is declared of its resources, and,
 * with `--types`, the types of the documents. The program has the hashes alone; the gateway knows the documents. Only
 * type checking and editors need the types.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  buildSchema,
  getNamedType,
  Kind,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
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

/**
 * Kinds of records that others are computed from, by the type of what is computed. Such a document need not have a
 * field of these records. Every event is about a record of one of its kinds.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const computedFrom = {
  EffectiveReminderPolicy: ['CATEGORY', 'REMINDER_POLICY', 'TEAM'],
  EventLog: [
    'ATTACHMENT',
    'CATEGORY',
    'COMPANY',
    'CONTACT',
    'EXPIRATION_ITEM',
    'LOCATION',
    'NOTE',
    'RENEWAL',
    'TEAM',
    'UPLOAD_NOTIFICATION',
    'USER',
    'VEHICLE',
  ],
  ExpirationSummary: ['CATEGORY', 'EXPIRATION_ITEM'],
  NextReminder: ['CATEGORY', 'REMINDER_POLICY', 'TEAM', 'WATCH'],
  UpcomingReminder: ['CATEGORY', 'EXPIRATION_ITEM', 'REMINDER_POLICY', 'TEAM', 'WATCH'],
  UpcomingRecipient: ['CONTACT', 'USER', 'WATCH'],
  WatchedItems: ['EXPIRATION_ITEM'],
};

/**
 * Creates a function that lists the kinds of records that a document shows, so that no screen forgets one.
 * @param {import('graphql').GraphQLSchema} schema
 * @returns {(document: import('graphql').DocumentNode) => string[]}
 */
export function kindsReader(schema) {
  const changed = /** @type {import('graphql').GraphQLEnumType} */ (schema.getType('ChangedRecordKind'));
  const kinds = new Set(changed.getValues().map(({ name }) => name));
  for (const [type, of] of Object.entries(computedFrom)) {
    const unknown = of.filter((kind) => !kinds.has(kind));
    if (!schema.getType(type) || unknown.length > 0)
      throw new Error(`${type} or ${unknown} is not in the schema.`);
  }
  /** @param {string} type */
  const kindsOf = (type) => {
    const kind = type.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
    return computedFrom[type] ?? (kinds.has(kind) ? [kind] : []);
  };
  return (document) => {
    const info = new TypeInfo(schema);
    /** @type {Set<string>} */
    const found = new Set();
    const enter = () => {
      // A document that only counts records selects nothing of them.
      const type = getNamedType(info.getParentType())?.name.replace(/(Connection|Edge)$/, '') ?? '';
      for (const kind of kindsOf(type)) found.add(kind);
    };
    visit(document, visitWithTypeInfo(info, { SelectionSet: { enter } }));
    return [...found].sort();
  };
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
      /** @type {import('graphql').DocumentNode} */
      const document = {
        kind: Kind.DOCUMENT,
        definitions: [operation, ...fragmentsOf(operation, fragments)],
      };
      const text = print(document);
      const hash = createHash('sha256').update(text).digest('hex');
      return { name: operation.name?.value ?? '', kind: operation.operation, document, text, hash };
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
  const kindsOf = kindsReader(built);
  for (const { name, document } of documents) {
    const [fault] = validate(built, document);
    if (fault) throw new Error(`${name}: ${fault.message}`);
  }
  const suffixes = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  const imports =
    "import type { Operation } from '../../data/operation';\nimport type * as types from '../types';\n\n";
  const operationsFolder = join(generatedFolder, 'operations');
  mkdirSync(operationsFolder, { recursive: true });
  // The type check would read what is left of folders that are gone, and of an older version of this script.
  rmSync(`${operationsFolder}.ts`, { force: true });
  for (const name of readdirSync(operationsFolder)) {
    if (!folders.some(({ folder }) => name === `${folder}.ts`)) rmSync(join(operationsFolder, name));
  }
  for (const { folder, documents } of folders) {
    const ids = documents.map(({ name, kind, document, hash }) => {
      const type = `types.${name}${suffixes[kind]}`;
      const kinds = kindsOf(document).map((shown) => `'${shown}'`);
      const value = `{ id: '${hash}', kinds: [${kinds.join(', ')}]${kind === 'mutation' ? ', isWrite: true' : ''} }`;
      return `export const ${name}: Operation<${type}, ${type}Variables> = ${value};\n`;
    });
    writeChanged(join(operationsFolder, `${folder}.ts`), `${head}${imports}${ids.join('')}`);
  }
  const manifest = Object.fromEntries(documents.map(({ hash, text }) => [hash, text]));
  writeChanged(join(generatedFolder, 'operations.json'), `${JSON.stringify(manifest, null, 1)}\n`);
}

/** Writes the facts about the resources that the gateway declares: rules of fields, what retires a record, imports, mails. */
function writeResources() {
  const file = join(consoleFolder, '..', 'schema', 'resources.json');
  const { resources, imports, mailFields = [] } = JSON.parse(readFileSync(file, 'utf8'));
  /** @param {string} name @param {unknown} value */
  const print = (name, value) => `export const ${name} = ${JSON.stringify(value)} as const;\n`;
  const text = `${head}${print('resources', resources)}${print('imports', imports)}${print('mailFields', mailFields)}`;
  writeChanged(join(generatedFolder, 'resources.ts'), text);
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
  writeResources();
  if (argv.includes('--types')) await writeTypes();
}
