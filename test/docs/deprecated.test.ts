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
import { schema } from '../../src/graphql/schema.js';
import { pages, readText, root } from './pages.js';

/** Lists the files below a folder that have an ending. */
const filesIn = (folder: string, ending: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}${name.replaceAll('\\', '/')}`);

const written = ['schema/operations/', 'schema/mcp/', 'console/operations/'].flatMap((folder) =>
  filesIn(folder, '.graphql'),
);

/** Returns the deprecated things that a document asks for. */
const deprecatedIn = (text: string) =>
  validate(schema, parse(text), [NoDeprecatedCustomRule]).map(({ message }) => message);

test('there are operations to look at', () => {
  expect(written.length).toBeGreaterThan(50);
  expect(deprecatedIn('{ node(id: "x") { ... on RelatedEntity { typeId } } }')).toHaveLength(1);
});

test.each(written)('%s asks for nothing that is deprecated', (file) => {
  expect(deprecatedIn(readText(file))).toEqual([]);
});

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
const members = new Map(
  filesIn('console/operations/', '.graphql').flatMap((file) =>
    parse(readText(file)).definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
      const names = definition.variableDefinitions?.flatMap(({ type }) =>
        deprecatedMembers(print(type).replace(/\W/g, '')),
      );
      return [[definition.name?.value ?? '', names ?? []] as const];
    }),
  ),
);

test.each(filesIn('console/src/', '.tsx'))('%s sends nothing that is deprecated', (file) => {
  expect(members.get('AddNote')).toContain('entityType');
  const text = readText(file);
  const used = [...members].filter(([operation]) => new RegExp(`\\b${operation}\\b`).test(text));
  const names = used.flatMap(([, deprecated]) => deprecated);
  expect(names.filter((name) => new RegExp(`\\b${name}:`).test(text))).toEqual([]);
});
