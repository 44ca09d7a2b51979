import type pg from 'pg';
import type { Secrets } from '../secrets/secrets.js';
import type { OwnedTable } from './owned-tables.js';

/** Values of a table that are encrypted with the gateway's key. */
export interface SealedValues {
  readonly table: string;
  /** SQL that reads the encrypted bytes of a row; NULL if it has none. */
  readonly bytes: string;
  /** SQL that sets the value to the bytes `$1`. */
  readonly set: string;
  /** SQL that names a row for `owner`. */
  readonly key: string;
  /** Returns what the value of a row was encrypted for; see `Secrets.seal`. */
  readonly owner: (key: string) => string;
}

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

/** The key that values were encrypted with, and the one for the future. */
export interface KeyChange {
  readonly from: Pick<Secrets, 'open'>;
  readonly to: Pick<Secrets, 'seal'>;
}

/**
 * Encrypts an organization's values again with another key, in the caller's transaction.
 * @returns the number of values
 * @throws {SecretKeyError} for a value that the old key does not open
 */
export async function sealAgain(
  client: pg.ClientBase,
  sealed: readonly SealedValues[],
  tables: readonly OwnedTable[],
  { from, to }: KeyChange,
): Promise<number> {
  let count = 0;
  for (const { table, bytes, set, key, owner } of sealed) {
    const where = tables.find(({ name }) => name === table)?.where;
    const { rows } = await client.query<{ place: string; key: string; bytes: Buffer }>(
      `SELECT ctid::text AS place, (${key})::text AS key, ${bytes} AS bytes
       FROM ${table} WHERE (${where}) AND ${bytes} IS NOT NULL`,
    );
    for (const row of rows) {
      const text = await from.open(row.bytes, owner(row.key));
      const value = Buffer.from(await to.seal(text, owner(row.key)));
      await client.query(`UPDATE ${table} SET ${set} WHERE ctid = $2::tid`, [value, row.place]);
    }
    count += rows.length;
  }
  return count;
}
