import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A user of the operating system. */
export interface SystemUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the user that PostgreSQL must run as; undefined for this process's own. Only root needs another
 * user, because PostgreSQL refuses to run as root.
 * @param cluster the database folder; if it exists, its owner is the user
 * @throws {Error} if root owns the folder, or the system has no suitable user
 */
export async function serverUser(cluster: string): Promise<SystemUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await systemUsers();
  const preferred = users.find((u) => u.name === 'postgres') ?? users.find((u) => u.name === 'nobody');
  const found = await stat(cluster).catch(() => undefined);
  const owner = found?.isDirectory() ? found : undefined;
  if (owner?.uid === 0) {
    const name = preferred?.name ?? 'nobody';
    throw new Error(
      `${cluster} belongs to root, which PostgreSQL does not accept. Run: chown -R ${name} ${cluster}`,
    );
  }
  if (owner) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? String(owner.uid);
    return { name, uid: owner.uid, gid: owner.gid };
  }
  if (preferred) return preferred;
  throw new Error(
    'PostgreSQL refuses to run as root and there is no user "postgres" or "nobody" to run it as',
  );
}

async function systemUsers(): Promise<SystemUser[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  return lines.flatMap(([name, , uid, gid]) =>
    name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [],
  );
}

/**
 * Finds the first folder on a path, root first, that a user may not enter. Undefined if there is none. It
 * reads only the mode bits, so use it to explain a failure, not to predict one.
 */
export async function findForbiddenFolder(path: string, user: SystemUser): Promise<string | undefined> {
  for (const folder of wayTo(path)) {
    const stats = await stat(folder).catch(() => undefined);
    if (!stats) return undefined;
    const bit = stats.uid === user.uid ? 0o100 : stats.gid === user.gid ? 0o010 : 0o001;
    if (!(stats.mode & bit)) return folder;
  }
  return undefined;
}

function wayTo(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...wayTo(parent), path];
}
