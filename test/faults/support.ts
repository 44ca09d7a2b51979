import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { build } from '../../scripts/build.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles the gateway if needed (scripts/build.mjs), and links it into a folder; returns what to run. */
export async function compileGateway(root: string): Promise<string> {
  await build();
  await copyFile(join(project, 'package.json'), join(root, 'package.json'));
  for (const name of ['dist', 'node_modules', 'prisma']) await symlink(join(project, name), join(root, name));
  return join(root, 'dist', 'main.js');
}

/** A gateway in processes of its own, including its embedded PostgreSQL if it has one. */
export interface GatewayProcess {
  readonly url: string;
  /** Its PostgreSQL. */
  readonly databaseUrl: string;
  /** Kills all its processes at once with SIGKILL. */
  kill(): Promise<void>;
  /** Resolves with its exit status when it has ended. */
  readonly exited: Promise<number | null>;
  /** Asks it to end; returns its exit status. */
  stop(): Promise<number | null>;
}

/** Options for starting a gateway process. */
export interface GatewaySettings {
  readonly program: string;
  readonly dataDir: string;
  readonly token: string;
  /** Undefined for the embedded PostgreSQL. */
  readonly databaseUrl?: string;
  /** Further settings of the gateway. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a gateway, and waits until it is ready. */
export async function startProcess(settings: GatewaySettings): Promise<GatewayProcess> {
  const { program, dataDir, token, env } = settings;
  const own = { DATA_DIR: dataDir, PORT: '0', DEMO_DATA: 'off', BOOTSTRAP_TOKEN: token, ...env };
  const external = settings.databaseUrl !== undefined && { DATABASE_URL: settings.databaseUrl };
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH, ...own, ...external },
    // A process group of its own, which can be killed as a whole.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([status]) => status as number | null);
  const url = await Promise.race([readyAt(child), exited]);
  if (typeof url !== 'string') throw new Error(`The gateway ended with status ${url}.`);
  const databaseUrl = settings.databaseUrl ?? databaseIn(dataDir);
  return {
    url,
    databaseUrl,
    exited,
    kill: async () => {
      const servers = external ? [] : await serversOf(dataDir, databaseUrl);
      for (const pid of [-Number(child.pid), ...servers]) kill(pid);
      await exited;
    },
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** Reads the log until it says where the gateway listens, and then the rest, so that writing never blocks. */
function readyAt({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('The gateway has no output.');
  const lines = createInterface({ input: stdout });
  return new Promise((resolve) => {
    lines.on('line', (line) => {
      const { msg, url } = line.startsWith('{') ? JSON.parse(line) : {};
      if (msg === 'ready') resolve(url);
    });
  });
}

/** Returns the connection string of the embedded PostgreSQL in a folder. */
export function databaseIn(dataDir: string): string {
  const password = readFileSync(join(dataDir, 'postgres/password'), 'utf8').trim();
  const port = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[3]?.trim();
  return `postgresql://gateway:${password}@127.0.0.1:${port}/gateway`;
}

/** Returns the processes of a PostgreSQL: the postmaster and its children. */
export async function serversOf(dataDir: string, databaseUrl: string): Promise<number[]> {
  const file = readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8');
  const others = await query<{ pid: number }>(databaseUrl, 'SELECT pid FROM pg_stat_activity');
  return [Number(file.split('\n')[0]), ...others.map(({ pid }) => pid)];
}

/** Kills a process, or a group of them, with SIGKILL. A process that has already ended is no error. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills processes with SIGKILL, and waits for their ends. */
export async function killAll(processes: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    processes.map((each) => {
      const exited = once(each, 'exit');
      kill(Number(each.pid));
      return exited;
    }),
  );
}

/** Runs one statement on a connection of its own. */
export async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // the statement fails as well
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
