import type { Stats } from 'node:fs';
import { readFile, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseError } from 'pg';
import { fullDisk, remedyOfDamage, remedyOfWords, settingsRemedy } from '../server/remedies.js';
import type { Programs } from './programs.js';

/** Paths of the database cluster. The password is always stored beside the data. */
export interface Cluster {
  readonly data: string;
  readonly password: string;
  readonly log: string;
}

/** Returns the paths of the cluster in a data directory (an absolute path). They need not exist. */
export function clusterIn(dataDir: string): Cluster {
  return {
    data: join(dataDir, 'postgres', 'data'),
    password: join(dataDir, 'postgres', 'password'),
    log: join(dataDir, 'postgres.log'),
  };
}

/** Contents that PostgreSQL's folder always has. Without one it is damaged, also if a server would start. */
const contents = {
  folders: ['base', 'global', 'pg_multixact', 'pg_wal', 'pg_xact'],
  files: ['PG_VERSION', 'global/pg_control'],
  settings: ['pg_hba.conf', 'postgresql.conf'],
} as const;

/** Error of a data folder with which PostgreSQL cannot run. The message says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** Returns the state of a path, or undefined if there is nothing. */
async function look(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new DataFolderError(`${message}. ${remedyOfWords('Permission denied')}`, { cause });
  }
}

/** @throws {DataFolderError} if there is no folder */
async function needFolder(path: string, todo: string): Promise<void> {
  const found = await look(path);
  if (!found) throw new DataFolderError(`The folder ${path} is missing. ${todo}`);
  if (!found.isDirectory()) throw new DataFolderError(`${path} is not a folder. ${todo}`);
}

/** @throws {DataFolderError} if there is something, but not a file */
async function refuseFolder(path: string, todo: string): Promise<Stats | undefined> {
  const found = await look(path);
  if (found && !found.isFile()) throw new DataFolderError(`${path} is not a file. ${todo}`);
  return found;
}

/** @throws {DataFolderError} if there is no file, or nothing in it */
async function needFile(path: string, todo: string): Promise<void> {
  const found = await refuseFolder(path, todo);
  if (!found) throw new DataFolderError(`The file ${path} is missing. ${todo}`);
  if (found.size === 0) throw new DataFolderError(`The file ${path} is empty. ${todo}`);
}

/**
 * Checks that a data folder has everything with which a server can start. PostgreSQL itself would start on
 * some folders whose data is gone, or say nothing of use.
 * @throws {DataFolderError} with the name of the file and what to do
 */
export async function checkDataFolder({ data, password, log }: Cluster): Promise<void> {
  const folder = dirname(data);
  const rename = `Rename ${folder}, which keeps it, and restore a backup (docs/run/runbooks.md).`;
  await needFolder(
    folder,
    `Move it away: the next start creates a new database, into which you can restore a backup.`,
  );
  await needFolder(data, rename);
  for (const name of contents.folders) await needFolder(join(data, name), rename);
  for (const name of contents.files) await needFile(join(data, name), rename);
  for (const name of contents.settings) await needFile(join(data, name), settingsRemedy);
  await refuseFolder(join(data, 'postmaster.pid'), 'Move it away, and start again.');
  await refuseFolder(log, 'Move it away, and start again.');
  await refuseFolder(password, 'Move it away, and start again: a new password is then set.');
}

/**
 * Checks that programs are of the major version that made a data folder. Nothing is checked where no version
 * can be read.
 * @throws {DataFolderError} with the next step
 */
export async function checkMajorVersion({ data }: Cluster, programs: Programs): Promise<void> {
  const text = await readFile(join(data, 'PG_VERSION'), 'utf8').catch(() => '');
  const [made] = /^\d+(?=(\.\d+)?\s*$)/.exec(text) ?? [];
  if (made === undefined || Number(made) === programs.major) return;
  throw new DataFolderError(
    `PostgreSQL ${made} made ${data}, and ${programs.folder} has PostgreSQL ${programs.major}. Make a backup with ` +
      `the programs of PostgreSQL ${made} (set POSTGRES_PROGRAMS, or use the version of the gateway that bundled ` +
      `them), move ${dirname(data)} away, and restore the backup with PostgreSQL ${programs.major} ` +
      '(docs/run/postgresql.md).',
  );
}

/** Matches the level of a message. Before PostgreSQL has a log, its lines begin with the program's name. */
const level = /^(LOG|WARNING|ERROR|FATAL|PANIC|DETAIL|HINT|postgres|initdb):\s*/;

/** A message of PostgreSQL with its details. */
interface Message {
  text: string;
  readonly level: string;
}

/**
 * Returns PostgreSQL's messages in a part of its log. Its hints are left out. They are for people who set up a
 * server, and "you need to initdb" would lose all data.
 */
function messagesIn(said: string): Message[] {
  const messages: Message[] = [];
  for (const line of said.split('\n')) {
    // Lines of the log begin with the time and the process.
    const message = line.replace(/^.*? UTC \[\d+\] /, '').trim();
    const word = level.exec(message)?.[1];
    const text = message.replace(level, '');
    const last = messages.at(-1);
    if (word === 'DETAIL' && last) last.text += `: ${text}`;
    else if (!word && last?.level === 'postgres') last.text = `${last.text} ${text}`.trim();
    else if (word && word !== 'HINT') messages.push({ text, level: word });
  }
  return messages;
}

/** Returns the last message of the server's log. */
export async function lastMessageOf({ log }: Cluster): Promise<string> {
  return messagesIn(await readFile(log, 'utf8').catch(() => '')).at(-1)?.text ?? 'its log is empty';
}

/** Bytes below which a disk counts as full. PostgreSQL needs 16 MiB at once for the log of its changes. */
const leastSpace = 32 * 1024 ** 2;

/**
 * Creates the error of a server that failed. A full disk, or whatever else is wrong around it, is told before
 * damage that may only follow from that.
 * @param what says what failed
 * @param said its messages, which may be missing on a full disk
 */
export async function serverFailure(what: string, said: string, { log }: Cluster): Promise<Error> {
  const messages = messagesIn(said);
  const around = messages.find(({ text }) => remedyOfWords(text));
  const last = messages.findLast((message) => /^(ERROR|FATAL|PANIC|postgres)$/.test(message.level));
  const { bavail, bsize } = await statfs(dirname(log));
  const isFull = !around && bavail * bsize < leastSpace;
  const reason = (around ?? last ?? messages.at(-1))?.text ?? 'it says nothing';
  return explained(what, reason, isFull ? fullDisk : undefined, log);
}

/** Creates the error of files that could not be made, with its remedy if known. */
export function creationFailure(error: Error, { log }: Cluster): Error {
  const around = messagesIn(error.message).find(({ text }) => remedyOfWords(text));
  return around ? explained('PostgreSQL could not create its files', around.text, undefined, log) : error;
}

/** Creates the error of a server that runs, and refuses what its users need. */
export function refusalFailure({ message, detail }: DatabaseError, { log }: Cluster): Error {
  return explained(
    'PostgreSQL started, but refuses',
    [message, detail].filter(Boolean).join(': '),
    undefined,
    log,
  );
}

function explained(what: string, reason: string, known: string | undefined, log: string): Error {
  const todo = known ?? remedyOfWords(reason) ?? remedyOfDamage(reason) ?? `Its log is ${log}.`;
  return new DataFolderError(`${what}: ${reason.replace(/\.$/, '')}. ${todo}`);
}
