import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import ts from 'typescript';
import type { EmbeddedDatabase } from '../../src/db/embedded/embedded.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

export const isRoot = process.getuid?.() === 0;

/** Creates a log that remembers its messages. */
export function memoryLog() {
  const messages: string[] = [];
  const remember = (_details: object, message: string) => void messages.push(message);
  return { messages, info: remember, warn: remember, error: remember };
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string, values?: unknown[]) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the statement fails as well
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Polls until a condition holds. Errors count as "not yet". */
export async function until<T>(what: string, condition: () => Promise<T> | T): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const value = await Promise.resolve()
      .then(condition)
      .catch(() => undefined);
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await sleep(10);
  }
}

export const isDown = (url: string) =>
  query(url, 'SELECT 1').then(
    () => false,
    (error) => error.code === 'ECONNREFUSED',
  );

/** Returns the process id of the server; 0 if there is none. */
export function serverPid(dataDir: string): number {
  const file = join(dataDir, 'postgres/data/postmaster.pid');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
}

/**
 * Compiles src/db/{embedded,migrations,server} for plain Node processes, below a folder that looks like the
 * project.
 */
export async function compile(root: string): Promise<string> {
  const source = join(PROJECT, 'src/db');
  const target = join(root, 'dist/db');
  const names = ['embedded', 'migrations', 'server'].flatMap((room) =>
    readdirSync(join(source, room)).map((name) => join(room, name)),
  );
  for (const name of names) {
    await mkdir(dirname(join(target, name)), { recursive: true });
    const { outputText } = ts.transpileModule(readFileSync(join(source, name), 'utf8'), {
      compilerOptions: {
        module: ts.ModuleKind.ESNext,
        target: ts.ScriptTarget.ES2023,
        verbatimModuleSyntax: true,
      },
    });
    await writeFile(join(target, name.replace(/\.ts$/, '.js')), outputText);
  }
  await writeFile(join(root, 'package.json'), '{"type":"module"}');
  await symlink(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  await writeFile(join(target, 'process.js'), GATEWAY);
  return target;
}

const GATEWAY = `
import { openEmbedded } from './embedded/embedded.js';
const log = { info() {}, warn() {}, error() {} };
const database = await openEmbedded({ dataDir: process.argv[2], log }).catch((error) => process.send({ error: error.message }));
process.once('message', async (order) => {
  if (order === 'close') await database.close();
  process.disconnect();
});
process.send({ url: database.url, started: database.started });
`;

/** Another process that has opened the database. */
export interface Other extends Pick<EmbeddedDatabase, 'url' | 'started'> {
  readonly child: ChildProcess;
  /** Lets it end by itself, with or without closing the database. */
  end(how: 'close' | 'forget'): Promise<number | null>;
  kill(): Promise<void>;
}

/** Starts another process that opens the database. */
export async function startOther(compiled: string, dataDir: string, uid?: number): Promise<Other> {
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = fork(join(compiled, 'process.js'), [dataDir], { ...user, cwd: '/', execArgv: [] });
  const exited = once(child, 'exit');
  const [said] = await Promise.race([once(child, 'message'), exited]);
  if (!said?.url) throw new Error(`no database: ${said?.error ?? said}`);
  return {
    child,
    url: said.url,
    started: said.started,
    end: async (how) => {
      child.send(how);
      return (await exited)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
