import { readFile } from 'node:fs/promises';
import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway } from '../support/gateway.js';
import { createProject, type Project, source } from './project.js';
import { createItems } from './support.js';

/** As docs/use/clients.md has it. */
const config = {
  documentMode: 'string',
  strictScalars: true,
  scalars: {
    BigInt: 'string',
    Date: 'string',
    DateTime: 'string',
    JSON: 'unknown',
    Upload: 'Blob',
    UUID: 'string',
  },
};

const sdl = new URL('../../schema/gateway.graphql', import.meta.url);

/** What the types must refuse, each on the last line of a program of its own. */
const mistakes = [
  ['a number for a whole number of 64 bits', `ask(receiveUpload, { input: { id: 7 } })`],
  ['an enum value that there is not', `ask(listQuery, { filter: { status: ['GONE'] } })`],
  ['a required member left out', `ask(createItem, { input: { name: 'A' } })`],
  ['variables left out', `ask(createItem)`],
  [
    'a member that may be null',
    `ask(createItem, variables).then((data) => data.createExpirationItem.created)`,
  ],
  ['a field that was not asked for', `ask(me).then((data) => data.me.email)`],
  [
    'a fragment’s field past the fragment',
    `ask(listQuery, { after: null }).then((data) => data.expirationItems.nodes[0]?.name)`,
  ],
] as const;

const program = (
  expression: string,
) => `import { connect, createItem, listQuery, me, receiveUpload } from './flow.js';
const ask = connect('', '');
const variables = { input: { name: 'A', expirationDate: '2027-01-01' } };
export const used = [variables, createItem, listQuery, me, receiveUpload];
export const answer = ${expression};`;

/**
 * Returns what the tool's command line generates for a source file, which needs a later Node than this
 * package.
 */
async function generate(flow: string): Promise<Record<string, string>> {
  const documents = [...flow.matchAll(/graphql\(`([^`]*)`\)/g)].map(([, text = '']) => ({
    location: 'flow.ts',
    document: parse(text),
    rawSDL: text,
  }));
  const sections = await preset.buildGeneratesSection({
    baseOutputDir: 'gql/',
    schema: parse(await readFile(sdl, 'utf8')),
    config,
    documents,
    plugins: [],
    pluginMap: {},
    presetConfig: {},
  });
  const files = sections.map(async (section) => [section.filename, await codegen(section)]);
  return Object.fromEntries(await Promise.all(files));
}

let project: Project;
beforeAll(async () => {
  project = await createProject();
  const flow = await source('codegen.flow');
  const sources = {
    ...(await generate(flow)),
    'flow.ts': flow,
    'sound.ts': program('ask(createItem, variables)'),
    ...Object.fromEntries(mistakes.map(([, expression], index) => [`${index}.ts`, program(expression)])),
  };
  await project.write(sources);
  project.compile(Object.keys(sources));
});
afterAll(() => project.remove());

test.each(['gql/graphql.ts', 'gql/gql.ts', 'gql/fragment-masking.ts', 'flow.ts', 'sound.ts'])(
  'compiles: %s',
  (name) => {
    expect(project.complaints(name)).toEqual([]);
  },
);

test.each(mistakes.map(([name], index) => [name, index] as const))('does not compile: %s', (_name, index) => {
  expect(project.complaints(`${index}.ts`)).toMatchObject([{ line: 4 }]);
});

test('runs: reads pages, writes, reads records of several types by their ids', async () => {
  const { flow } = await project.run('flow.ts');
  const gateway = await startGateway();
  try {
    await createItems(gateway, 'ABCDEFG');
    expect(await flow(`${gateway.url}/graphql`, gateway.admin)).toMatchObject({
      caller: { name: 'Ada Admin', role: 'ADMIN' },
      item: {
        name: 'Trade licence',
        expirationDate: '2026-12-01',
        category: { name: 'Licence' },
        customFields: [{ name: 'Number', value: '7' }],
      },
      status: 'NOTIFYING',
      names: ['Trade licence', ...'ABCDEFG'],
      told: ['2026-12-01', '9007199254740993', null],
      refused: 'Error: BAD_REQUEST',
    });
  } finally {
    await gateway.close();
  }
});
