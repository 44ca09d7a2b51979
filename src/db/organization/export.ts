import type { Writable } from 'node:stream';
import pg from 'pg';
import { type Backup, type BackupOptions, writeBackup } from '../backup/backup.js';
import type { Secrets } from '../secrets/secrets.js';
import { listOwnedTables } from './owned-tables.js';
import { hasSealedValues, keyIdOf, type SealedValues } from './sealed-values.js';

/** An organization to export. */
export interface Exported {
  readonly id: string;
  /** The encryption of the database's secrets. */
  readonly secrets: Pick<Secrets, 'keyFor' | 'hasKey'>;
  readonly sealed: readonly SealedValues[];
}

/**
 * Writes everything of an organization to a file, as of one moment. It may be in use meanwhile.
 * @param url connection string
 * @param target see `writeBackup`
 * @throws {Error} if there is no such organization; and what `writeBackup` throws
 */
export function exportOrganization(
  url: string,
  target: string | Writable,
  { id, secrets, sealed }: Exported,
  options: Omit<BackupOptions, 'select'> = {},
): Promise<Backup> {
  return writeBackup(url, target, {
    ...options,
    select: async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM organizations WHERE id = $1', [
        id,
      ]);
      const [organization] = rows;
      if (!organization) throw new Error(`There is no organization with the id ${id}.`);
      const tables = await listOwnedTables(client, pg.escapeLiteral(id));
      const isSealed = await hasSealedValues(client, sealed, tables);
      const key = isSealed && (await secrets.hasKey()) ? { key: await keyIdOf(secrets) } : {};
      return { organization: { id, name: organization.name, ...key }, tables };
    },
  });
}
