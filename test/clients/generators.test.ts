import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { installPackages } from '../../scripts/packages.mjs';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { document } from '../support/openapi.js';
import { createProject, source } from './project.js';

const run = promisify(execFile);

/** The generators' own package, with the versions that are tried. */
const tools = fileURLToPath(new URL('../../.ci/generators', import.meta.url));

const kubb = `
import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default defineConfig({
  input: { path: 'v1.json' },
  output: { path: 'api', format: false, lint: false },
  plugins: [pluginOas({ generators: [], validate: false }), pluginTs({}), pluginClient({ client: 'axios' })],
});`;

const orval = (url: string) => `
export const api = {
  input: 'v1.json',
  output: { target: 'api.ts', client: 'fetch', baseUrl: '${url}' },
};`;

const rtk = {
  'rtk.cjs': `module.exports = {
  schemaFile: 'v1.json', apiFile: './base.ts', apiImport: 'base', outputFile: 'api.ts', exportName: 'api',
};`,
  'base.ts': `
import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';
export const base = createApi({ baseQuery: fetchBaseQuery({ baseUrl: '/' }), endpoints: () => ({}) });`,
};

interface Generator {
  readonly name: string;
  readonly command: readonly string[];
  /** The files that it needs besides the document, by the gateway's address. */
  readonly files?: (url: string) => Readonly<Record<string, string>>;
  /** True for a client that only its framework can run. It is compiled. */
  readonly isCompiledOnly?: boolean;
}

const generators: readonly Generator[] = [
  { name: 'hey-api', command: ['openapi-ts', '-i', 'v1.json', '-o', 'api'] },
  {
    name: 'kubb',
    command: ['kubb', 'generate', '--config', 'kubb.config.mjs'],
    files: () => ({ 'kubb.config.mjs': kubb }),
  },
  { name: 'ng-openapi-gen', command: ['ng-openapi-gen', '-i', 'v1.json', '-o', 'api'], isCompiledOnly: true },
  { name: 'oazapfts', command: ['oazapfts', 'v1.json', 'api.ts'] },
  { name: 'openapi-typescript-codegen', command: ['openapi', '-i', 'v1.json', '-o', 'api'] },
  { name: 'openapi-zod-client', command: ['openapi-zod-client', 'v1.json', '-o', 'api.ts'] },
  {
    name: 'orval',
    command: ['orval', '--config', 'orval.config.js'],
    files: (url) => ({ 'orval.config.js': orval(url) }),
  },
  {
    name: 'rtk-query',
    command: ['rtk-query-codegen-openapi', 'rtk.cjs'],
    files: () => rtk,
    isCompiledOnly: true,
  },
  {
    name: 'swagger-typescript-api',
    command: ['swagger-typescript-api', 'generate', '-p', 'v1.json', '-o', 'api'],
  },
  { name: 'typed-openapi', command: ['typed-openapi', 'v1.json', '-o', 'api.ts', '-r', 'none'] },
];

/** As strict as a front end's project. What a tool generates may name files with their endings, or without. */
const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  types: [],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  experimentalDecorators: true,
};

/** Runs a program of the generators' package. @throws Error with all that it printed, if it fails */
async function execute(folder: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const options = { cwd: folder, env: { ...process.env, DO_NOT_TRACK: '1', NO_COLOR: '1' } };
  const printed = run(join(tools, 'node_modules/.bin', program), args, options);
  await printed.catch(({ stdout, stderr }) => {
    throw new Error(`${program}:\n${stdout}\n${stderr}`);
  });
}

let gateway: TestGateway;
beforeAll(async () => {
  await installPackages(tools);
  gateway = await startGateway();
}, 600_000);
afterAll(() => gateway?.close());

describe.each(generators)('$name', ({ name, command, files, isCompiledOnly }) => {
  test('makes a client that compiles, and whose operations succeed', async () => {
    const project = await createProject(join(tools, 'node_modules'));
    onTestFinished(() => project.remove());
    await project.write({
      'v1.json': JSON.stringify(document),
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      ...files?.(gateway.url),
    });
    await execute(project.folder, command);
    if (!isCompiledOnly) {
      await project.write({
        'flow.ts': await source(`generators/${name}.flow`),
        'only.ts': await source('generators/only'),
      });
    }
    await execute(project.folder, ['tsc', '--project', '.']);
    if (isCompiledOnly) return;

    const { flow } = await project.run('flow.ts');
    const content = Buffer.from('%PDF-1.4').toString('base64');
    const file = new File(['name,year\r\nTruck,2021\r\n'], 'vehicles.csv', { type: 'text/csv' });
    const done = await flow(gateway.url, gateway.admin, content, file, name);
    expect(done).toMatchObject({
      patched: { name, color: 'red', custom_fields: [{ name: 'Seats', value: '9' }] },
      listed: { vehicles: [{ id: done.patched.id }], total: 1 },
      imported: { kind: 'vehicles', file_name: 'vehicles.csv' },
      uploaded: { filename: 'licence.pdf' },
    });
  }, 180_000);
});
