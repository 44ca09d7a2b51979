import type pg from 'pg';
import type { SealedValues } from '../secrets/sealed-values.js';
import type { Secrets } from '../secrets/secrets.js';
import type { OwnedTable } from './owned-tables.js';

type Key = Pick<Secrets, 'keyFor'>;

/** Returns an id of a key that tells nothing about it. Equal keys have equal ids. */
export async function keyIdOf(secrets: Key): Promise<string> {
  const derived = await secrets.keyFor('id of the key in files of organizations');
  return derived.export().toString('hex').slice(0, 32);
}

/** Returns whether an organization has encrypted values. */
export async function hasSealedValues(
  client: pg.ClientBase,
  sealed: readonly SealedValues[],
  tables: readonly OwnedTable[],
): Promise<boolean> {
  for (const { table, bytes } of sealed) {
    const where = tables.find(({ name }) => name === table)?.where;
    if (where === undefined) throw new Error(`${table} belongs to no organization.`);
    const { rowCount } = await client.query(
      `SELECT FROM ${table} WHERE (${where}) AND ${bytes} IS NOT NULL LIMIT 1`,
    );
    if (rowCount) return true;
  }
  return false;
}
