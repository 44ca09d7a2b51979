import type { Writable } from 'node:stream';
import pg from 'pg';
import { type Backup, type BackupOptions, writeBackup } from '../backup/backup.js';
import type { ExportedOrganization } from '../backup/backup-file.js';
import type { SealedValues } from '../secrets/sealed-values.js';
import type { Secrets } from '../secrets/secrets.js';
import { describeMoment, listChangedTables } from './changes.js';
import { listOwnedTables } from './owned-tables.js';
import { hasSealedValues, keyIdOf } from './sealed-values.js';

/** An organization to export. */
export interface Exported {
  readonly id: string;
  /** The encryption of the database's secrets. */
  readonly secrets: Pick<Secrets, 'keyFor' | 'hasKey'>;
  readonly sealed: readonly SealedValues[];
  /** The head of an earlier file, to write only what has changed since then. */
  readonly since?: ExportedOrganization | undefined;
}

/**
 * Writes everything of an organization to a file, as of one moment, or its changes. It may be in use meanwhile.
 * @param url connection string
 * @param target see `writeBackup`
 * @throws {Error} if there is no such organization, or its changes are not known; and what `writeBackup` throws
 */
export function exportOrganization(
  url: string,
  target: string | Writable,
  { id, secrets, sealed, since }: Exported,
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
      const told = { id, name: organization.name, ...key };
      if (!since) return { organization: { ...told, base: await describeMoment(client) }, tables };
      if (!since.base || since.id !== id)
        throw new Error(
          `The earlier file is not one of ${JSON.stringify(organization.name)}, with everything.`,
        );
      return {
        organization: { ...told, since: since.base.id },
        tables: await listChangedTables(client, tables, since.base),
      };
    },
  });
}
