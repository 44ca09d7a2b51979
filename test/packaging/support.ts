import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { call, textOf } from '../cli/process.support.js';

/** The project's own folder. */
export const project = fileURLToPath(new URL('../..', import.meta.url));

/** The admin token of the started gateways. */
export const token = randomBytes(32).toString('base64');

/** Without the variables of the npm that runs these tests, which would tell another npm where to work. */
export const environment = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_(?!config_(registry|cache|userconfig|globalconfig)$)|^(NODE_ENV|VITEST)/i.test(name),
  ),
) as Record<string, string>;
Object.assign(environment, { npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' });

/** Runs a program to its end in a folder and returns its output. */
export async function run(folder: string, program: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: environment, maxBuffer: 1e8 };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout;
}

/** Copies the project to a folder, without the files and folders of these names. */
export async function copyProject(folder: string, left: ReadonlySet<string>): Promise<void> {
  await cp(project, folder, { recursive: true, filter: (path) => !left.has(basename(path)) });
}

/** Returns the MiB that a folder takes on disk. */
export async function mebibytes(folder: string): Promise<number> {
  const [kibibytes = ''] = (await run(folder, 'du', '-sk', '.')).split('\t');
  return Number(kibibytes) / 1024;
}

/** Loads the reference and the editor of GraphQL, and expects each file that they name. */
export async function expectPages(url: string): Promise<void> {
  for (const path of ['/docs', '/graphql']) {
    const page = await textOf(await call(`${url}${path}`, { headers: { Accept: 'text/html' } }));
    const names = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(names.length, path).toBeGreaterThan(2);
    for (const name of names) expect((await call(`${url}${name}`)).statusCode, name).toBe(200);
  }
}

/** Sends a request to each of a gateway's APIs, and expects that it accepts the token. */
export async function expectAnswers(url: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const vehicles = await call(`${url}/v1/vehicles`, { headers });
  expect(JSON.parse(await textOf(vehicles))).toMatchObject({ vehicles: expect.any(Array), page: 1 });
  const body = JSON.stringify({ query: '{ me { role } }' });
  const me = await call(`${url}/graphql`, { method: 'POST', headers, body });
  expect(JSON.parse(await textOf(me))).toEqual({ data: { me: { role: 'ADMIN' } } });
}
