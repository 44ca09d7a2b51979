import { readdirSync } from 'node:fs';
import {
  getNamedType,
  isInputObjectType,
  Kind,
  NoDeprecatedCustomRule,
  parse,
  print,
  specifiedRules,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { readDocuments } from '../../console/scripts/operations.mjs';
import { schema } from '../../src/graphql/schema.js';
import { pages, readText, root } from './pages.js';

/** Lists the files below a folder that have an ending. */
const filesIn = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}${name.replaceAll('\\', '/')}`);

const written = ['schema/operations/', 'schema/mcp/'].flatMap((folder) => filesIn(folder, '.graphql'));

/** The console's documents, with the type whose screens take them together. */
const documents = readDocuments(schema).flatMap(({ type, documents: own }) =>
  own.map((document) => ({ ...document, type })),
);

/** Returns the deprecated things that a document asks for. */
const deprecatedIn = (text: string) =>
  validate(schema, parse(text), [NoDeprecatedCustomRule]).map(({ message }) => message);

test('there are operations to look at', () => {
  expect(written.length).toBeGreaterThan(20);
  expect(documents.length).toBeGreaterThan(150);
  expect(deprecatedIn('{ node(id: "x") { ... on RelatedEntity { typeId } } }')).toHaveLength(1);
});

test.each(written)('%s asks for nothing that is deprecated', (file) => {
  expect(deprecatedIn(readText(file))).toEqual([]);
});

test.each(documents.map(({ name, text }) => [name, text]))(
  "the console's %s asks for nothing that is deprecated",
  (_name, text) => {
    expect(deprecatedIn(text)).toEqual([]);
  },
);

test.each(pages)('no operation of %s asks for anything that is deprecated', (page) => {
  const text = readText(page);
  const sent = [...text.matchAll(/"query": ("(?:[^"\\\n]|\\.)*")/g)].map(([, query = '']) =>
    JSON.parse(query),
  );
  const shown = [...text.matchAll(/^```graphql\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const operations = [...sent, ...shown].filter((operation) => isValid(operation));
  expect(operations.flatMap(deprecatedIn)).toEqual([]);
});

/** Recognizes an operation, not a part of a schema or one with something left out. */
function isValid(text: string): boolean {
  try {
    return validate(schema, parse(text), specifiedRules).length === 0;
  } catch {
    return false;
  }
}

/** Lists the deprecated members of an input and of those in it. */
function deprecatedMembers(name: string, seen = new Set<string>()): string[] {
  const type = schema.getType(name);
  if (!isInputObjectType(type) || seen.has(name)) return [];
  seen.add(name);
  return Object.values(type.getFields()).flatMap((member) => [
    ...(member.deprecationReason ? [member.name] : []),
    ...deprecatedMembers(getNamedType(member.type).name, seen),
  ]);
}

/** The deprecated members that each of the console's operations could be sent. */
const members = documents.map(({ name, type, document }) => {
  const variables = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  const deprecated = variables.flatMap((variable) =>
    deprecatedMembers(print(variable.type).replace(/\W/g, '')),
  );
  const folder = type && `${type[0]?.toLowerCase()}${type.slice(1)}Documents`;
  return { name, names: folder ? [name, folder] : [name], deprecated };
});

test.each(filesIn('console/src/', '.tsx'))('%s sends nothing that is deprecated', (file) => {
  expect(members.find(({ name }) => name === 'CreateNote')?.deprecated).toContain('entityType');
  const text = readText(file);
  const used = members.filter(({ names }) => names.some((name) => new RegExp(`\\b${name}\\b`).test(text)));
  const sent = used.flatMap(({ deprecated }) => deprecated);
  expect(sent.filter((name) => new RegExp(`\\b${name}:`).test(text))).toEqual([]);
});
