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
  GraphQLError,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
  print,
  specifiedRules,
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

/** @typedef {import('graphql').GraphQLSchema} Schema */
/** @typedef {import('graphql').GraphQLObjectType} ObjectType */

/** Returns what is selected of a linked record; undefined if it is none that has a name. @param {ObjectType} type */
function nameIn(type) {
  if (type.name === 'Contact') return '{ ...ContactName }';
  if (type.name === 'CustomField') return '{ ...FieldValue }';
  const fields = type.getFields();
  return fields.id && fields.name ? '{ id name }' : undefined;
}

/**
 * Lists the fields of a type that its inputs have, each with what is selected for it. A link has the linked record's name.
 * @param {ObjectType} type @param {import('graphql').GraphQLInputObjectType} input
 */
function writtenFields(type, input) {
  const shown = type.getFields();
  return Object.values(input.getFields()).flatMap(({ name, deprecationReason }) => {
    if (deprecationReason || name === 'id' || name === 'teamId') return [];
    const link = shown[name.replace(/Id$/, '')];
    const field = link && isObjectType(getNamedType(link.type)) ? link : shown[name];
    if (!field || field.deprecationReason || field.args.length > 0) return [];
    const of = getNamedType(field.type);
    const rest = isLeafType(of) ? '' : isObjectType(of) ? nameIn(of) : undefined;
    return rest === undefined ? [] : [{ name, selected: field.name, rest }];
  });
}

/**
 * Writes the documents that list, show and change records of a type: its page has all fields that people fill in, and its
 * list those of the columns that are shown. Fragments by hand, `VehicleRow` and `VehiclePage`, add to both. Undefined for a
 * type whose records are not written in this way.
 * @param {Schema} schema @param {string} name @param {ReadonlyMap<string, Fragment>} fragments those by hand
 */
function documentsOf(schema, name, fragments) {
  const [queries, mutations] = [
    schema.getQueryType()?.getFields() ?? {},
    schema.getMutationType()?.getFields() ?? {},
  ];
  const list = Object.values(queries).find(
    ({ args, type }) =>
      getNamedType(type).name === `${name}Connection` &&
      args.some((arg) => arg.name === 'filter') &&
      args.some((arg) => arg.name === 'orderBy'),
  );
  const record = `${name[0]?.toLowerCase()}${name.slice(1)}`;
  const verbs = ['create', 'update', 'delete', 'restore'];
  if (!list || !queries[record] || verbs.some((verb) => !mutations[verb + name])) return undefined;
  const type = /** @type {ObjectType} */ (schema.getType(name));
  if (!type.getFields().name) return undefined;
  const input = /** @type {import('graphql').GraphQLInputObjectType} */ (
    schema.getType(`Create${name}Input`)
  );
  const fields = writtenFields(type, input);
  const team = type.getFields().team ? 'team { id name }' : '';
  /** @param {string} ending */
  const added = (ending) => (fragments.has(name + ending) ? `...${name}${ending}` : '');
  // Every row has these, whichever columns are shown.
  const always = new Set(['name']);
  for (const selection of fragments.get(`${name}Row`)?.selectionSet.selections ?? []) {
    if (selection.kind === Kind.FIELD) always.add(selection.name.value);
  }
  const columns = fields.filter((field) => !always.has(field.selected));
  return `
    query ${name}List(
      $filter: ${name}Filter, $orderBy: [${name}Order!], $first: Int = 50, $after: String
      ${columns.map((column) => `$${column.name}: Boolean = false`).join(' ')}
    ) {
      list: ${list.name}(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
        totalCount isTotalComplete
        pageInfo { ...PageEnd }
        nodes {
          id name ${added('Row')}
          ${columns.map((column) => `${column.selected} @include(if: $${column.name}) ${column.rest}`).join(' ')}
        }
      }
    }
    query ${name}Record($id: ID!) {
      record: ${record}(id: $id) {
        id version ${team} ${fields.map((field) => `${field.selected} ${field.rest}`).join(' ')} ${added('Page')}
      }
    }
    mutation Create${name}($input: Create${name}Input!) { record: create${name}(input: $input) { id } }
    mutation Update${name}($id: ID!, $ifVersion: String, $input: Update${name}Input!) {
      record: update${name}(id: $id, ifVersion: $ifVersion, input: $input) { id }
    }
    mutation Delete${name}($id: ID!, $ifVersion: String) {
      record: delete${name}(id: $id, ifVersion: $ifVersion) { id }
    }
    mutation Restore${name}($id: ID!) { record: restore${name}(id: $id) { id } }
  `;
}

/**
 * Reads the definitions of each folder, and adds a folder for each type whose records are written alike.
 * @param {Schema} schema
 */
function readFolders(schema) {
  const byHand = readdirSync(operationsFolder)
    .sort()
    .map((folder) => {
      const files = readdirSync(join(operationsFolder, folder)).filter((file) => file.endsWith('.graphql'));
      const texts = files.sort().map((file) => readFileSync(join(operationsFolder, folder, file), 'utf8'));
      return { folder, type: '', definitions: texts.flatMap((text) => parse(text).definitions) };
    });
  const fragments = new Map(
    byHand
      .flatMap(({ definitions }) => definitions)
      .flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  const written = Object.keys(schema.getTypeMap()).flatMap((type) => {
    const text = documentsOf(schema, type, fragments);
    return text
      ? [{ folder: `${type[0]?.toLowerCase()}${type.slice(1)}`, type, definitions: parse(text).definitions }]
      : [];
  });
  return [...byHand, ...written];
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

/** Kinds of records that compliance follows from. */
const complianceKinds = [
  'ATTACHMENT',
  'CATEGORY',
  'COMPANY',
  'CONTACT',
  'EXEMPTION',
  'EXPIRATION_ITEM',
  'LOCATION',
  'REQUIREMENT',
  'VEHICLE',
];

/**
 * Kinds of records that others are computed from, by the type of what is computed. Such a document need not have a
 * field of these records. Every event is about a record of one of its kinds.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const computedFrom = {
  Compliance: complianceKinds,
  ComplianceSummary: complianceKinds,
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

/**
 * Makes the console's documents: those of each folder, and those written for each kind of records.
 * @param {Schema} schema
 */
export function readDocuments(schema) {
  const folders = readFolders(schema);
  /** @type {Map<string, Fragment>} */
  const fragments = new Map();
  for (const definition of folders.flatMap(({ definitions }) => definitions)) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  return folders.map(({ folder, type, definitions }) => {
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
    return { folder, type, documents };
  });
}

/**
 * Folders of screens that people read on the way. Their answers may be kept on the device, for one person. All other
 * screens show settings, or what is only of use with a connection.
 */
const keptFolders = new Set([
  ...[
    'calendar',
    'compliance',
    'items',
    'list',
    'records',
    'reminders',
    'start',
    'inbox',
    'requests',
    'deliveries',
  ],
  ...[
    'expirationItem',
    'category',
    'company',
    'contact',
    'location',
    'reminderPolicy',
    'requirement',
    'vehicle',
  ],
]);

/** Fields with an address that lets in whoever has it. Answers with one are never kept. */
const openingFields = new Set([
  'link',
  'url',
  'token',
  'secret',
  'downloadUrl',
  'recoveryCodes',
  'signingSecret',
]);

/**
 * Returns whether the answers of a document may be kept on the device.
 * @param {string} folder @param {string} kind of the operation @param {import('graphql').DocumentNode} document
 */
export function isKept(folder, kind, document) {
  let isOpening = false;
  visit(document, {
    Field({ name }) {
      if (openingFields.has(name.value)) isOpening = true;
    },
  });
  return kind === 'query' && keptFolders.has(folder) && !isOpening;
}

/** Reads all of the program, without what is generated. @param {string} folder */
function readSources(folder = join(consoleFolder, 'src')) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

/**
 * Finds the documents that the program takes, by their names or by that of all documents of a type.
 * @template {ReturnType<typeof readDocuments>[number]} Folder
 * @param {readonly Folder[]} folders
 */
export function usedDocuments(folders, source = readSources()) {
  const words = new Set(source.match(/\b\w+\b/g));
  return folders.map((folder) => {
    const isWhole = words.has(`${folder.folder}Documents`);
    return {
      ...folder,
      documents: folder.documents.filter(({ name }) => isWhole || words.has(name)),
      isWhole,
    };
  });
}

/** Writes a file if its text is another one, so that a watcher sees no change where there is none. @param {string} path @param {string} text */
function writeChanged(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

/** Reads the schema that the gateway has printed. */
const readSchema = () => parse(readFileSync(join(consoleFolder, '..', 'schema', 'gateway.graphql'), 'utf8'));

/** Numbers that may stop before the end, each with the field that says so. */
const bounded = { totalCount: 'isTotalComplete', total: 'isComplete' };

/**
 * Refuses a number that may stop before the end without the field that says so.
 * @type {import('graphql').ValidationRule}
 */
const totalsSayWhetherComplete = (context) => ({
  SelectionSet(node) {
    const type = context.getParentType();
    const fields = isObjectType(type) ? type.getFields() : {};
    const names = node.selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : ''));
    for (const [total, isComplete] of Object.entries(bounded)) {
      if (names.includes(total) && fields[isComplete] && !names.includes(isComplete))
        context.reportError(new GraphQLError(`${total} needs ${isComplete} beside it.`, { nodes: node }));
    }
  },
});

const head = '// Written by scripts/operations.mjs.\n';

/**
 * Writes the operations that the console is built from, in a file for each folder, so that a screen loads its own.
 * @throws {Error} for a document that does not fit the schema
 */
export function writeOperations() {
  const built = buildSchema(print(readSchema()));
  // Most types have documents that are written for them, and no screen. The gateway need not know these.
  const folders = usedDocuments(readDocuments(built)).filter(({ documents }) => documents.length > 0);
  const documents = folders.flatMap((folder) => folder.documents);
  const kindsOf = kindsReader(built);
  for (const { name, document } of documents) {
    const [fault] = validate(built, document, [...specifiedRules, totalsSayWhetherComplete]);
    if (fault) throw new Error(`${name}: ${fault.message}`);
  }
  const suffixes = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' };
  const imports =
    "import type { Operation } from '../../data/client';\nimport type * as types from '../types';\n\n";
  const operationsFolder = join(generatedFolder, 'operations');
  mkdirSync(operationsFolder, { recursive: true });
  // The type check would read what is left of folders that are gone, and of an older version of this script.
  rmSync(`${operationsFolder}.ts`, { force: true });
  for (const name of readdirSync(operationsFolder)) {
    if (!folders.some(({ folder }) => name === `${folder}.ts`)) rmSync(join(operationsFolder, name));
  }
  for (const { folder, type, documents, isWhole } of folders) {
    const ids = documents.map(({ name, kind, document, hash }) => {
      const type = `types.${name}${suffixes[kind]}`;
      const kinds = kindsOf(document).map((shown) => `'${shown}'`);
      const marks = [
        ...(kind === 'mutation' ? [', isWrite: true'] : []),
        ...(isKept(folder, kind, document) ? [', isKept: true'] : []),
      ];
      const value = `{ id: '${hash}', kinds: [${kinds.join(', ')}]${marks.join('')} }`;
      return `export const ${name}: Operation<${type}, ${type}Variables> = ${value};\n`;
    });
    // What a screen of these records takes, by one name.
    const all =
      isWhole &&
      `export const ${folder}Documents = { list: ${type}List, record: ${type}Record, create: Create${type}, update: Update${type}, remove: Delete${type}, restore: Restore${type} };\n`;
    writeChanged(join(operationsFolder, `${folder}.ts`), `${head}${imports}${ids.join('')}${all || ''}`);
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
    definitions: readFolders(buildSchema(print(readSchema()))).flatMap((folder) => folder.definitions),
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
