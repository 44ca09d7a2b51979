import { readdirSync } from 'node:fs';
import {
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  NoDeprecatedCustomRule,
  parse,
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

/** The names of all arguments and members of inputs that are deprecated. */
const deprecatedInputs = Object.values(schema.getTypeMap()).flatMap((type) => {
  const inputs = isInputObjectType(type)
    ? Object.values(type.getFields())
    : isObjectType(type) || isInterfaceType(type)
      ? Object.values(type.getFields()).flatMap(({ args }) => args)
      : [];
  return inputs.filter(({ deprecationReason }) => deprecationReason).map(({ name }) => name);
});

test.each(filesIn('console/src/', '.tsx'))('%s sends nothing that is deprecated', (file) => {
  const names = [...new Set(deprecatedInputs)];
  expect(names).toContain('entityType');
  expect(readText(file)).not.toMatch(new RegExp(`\\b(?:${names.join('|')}):`));
});
