import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, findBreakingChanges, type GraphQLSchema } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { createProject, type Project, source } from './project.js';
import { addressOf } from './support.js';

/** What the types must refuse, each on the last line of a program of its own. */
const mistakes = [
  ['an enum value that there is not', `ask(listVehicles, { orderBy: [{ field: 'WHEELS' }] })`],
  ['a wrong type', `ask(createVehicle, { input: { name: 'Van', year: '2024' } })`],
  ['an unknown member', `ask(createVehicle, { input: { name: 'Van', wheels: 4 } })`],
  ['a required member left out', `ask(createVehicle, { input: { year: 2024 } })`],
  ['a variable left out', `ask(patchVehicle, { id: '' })`],
  ['a member that may be null', `ask(history, { id: '' }).then((data) => data.vehicle.eventLogs)`],
  ['a field that was not asked for', `ask(listVehicles, {}).then((data) => data.vehicles.pageInfo)`],
  [
    'a fragment’s field past the fragment',
    `ask(createVehicle, { input: { name: 'Van' } }).then((data) => data.createVehicle?.name)`,
  ],
] as const;

const program = (
  expression: string,
) => `import { connect, createVehicle, history, listVehicles, patchVehicle } from './flow.js';
const ask = connect('', '');
export const used = [createVehicle, history, listVehicles, patchVehicle];
export const answer = ${expression};`;

/** As docs/use/clients.md has it. */
const plugin = {
  name: 'gql.tada/ts-plugin',
  schema: './schema.graphql',
  tadaOutputLocation: './graphql-env.d.ts',
};

const cli = join(dirname(createRequire(import.meta.url).resolve('gql.tada/package.json')), 'bin/cli.js');

let gateway: TestGateway;
let project: Project;
beforeAll(async () => {
  gateway = await startGateway();
  project = await createProject();
  const sources = {
    'flow.ts': await source('tada.flow'),
    'sound.ts': program(`ask(listVehicles, {})`),
    ...Object.fromEntries(mistakes.map(([, expression], index) => [`${index}.ts`, program(expression)])),
  };
  const tsconfig = { compilerOptions: { strict: true, plugins: [plugin] } };
  await project.write({ ...sources, 'tsconfig.json': JSON.stringify(tsconfig) });
  const tool = (...words: string[]) =>
    promisify(execFile)(process.execPath, [cli, ...words], { cwd: project.folder });
  const { url, headers } = addressOf(gateway);
  await tool('generate-schema', url, '--header', `Authorization: ${headers.Authorization}`);
  await tool('generate-output');
  project.compile(Object.keys(sources));
});
afterAll(async () => {
  await project.remove();
  await gateway.close();
});

test('the introspected schema of a running gateway is the committed one', async () => {
  const read = async (path: string | URL): Promise<GraphQLSchema> =>
    buildSchema(await readFile(path, 'utf8'));
  const told = await read(join(project.folder, 'schema.graphql'));
  const committed = await read(new URL('../../schema/gateway.graphql', import.meta.url));
  expect(findBreakingChanges(committed, told)).toEqual([]);
  expect(findBreakingChanges(told, committed)).toEqual([]);
});

test.each(['flow.ts', 'sound.ts'])('compiles: %s', (name) => {
  expect(project.complaints(name)).toEqual([]);
});

test.each(mistakes.map(([name], index) => [name, index] as const))('does not compile: %s', (_name, index) => {
  expect(project.complaints(`${index}.ts`)).toMatchObject([{ line: 3 }]);
});

test('runs: creates a vehicle, patches it, finds it, reads its history', async () => {
  const { flow } = await project.run('flow.ts');
  const { url } = addressOf(gateway);
  const van = { name: 'Van 12', location: null, customFields: [] };
  expect(await flow(url, gateway.admin)).toMatchObject({
    created: '2026-11-20T09:30:00.000Z',
    van: { ...van, year: 2024, statusId: '7d2bd2f8-7a3a-4b5c-9f0e-2f4d5f6a7b8c' },
    year: 2025,
    total: 1,
    listed: [{ ...van, year: 2025 }],
    events: [
      ['CREATED', 2025],
      ['UPDATED', 2025],
    ],
    refused: 'Error: NOT_FOUND',
  });
});
