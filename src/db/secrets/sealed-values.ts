import type pg from 'pg';
import { DatabaseClient } from '../hosts/hosts.js';
import { SecretKeyError, type Secrets } from './secrets.js';

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

/** Returns a value encrypted with another key, or undefined to leave it as it is. */
export type SealAgain = (sealed: Uint8Array, owner: string) => Promise<Uint8Array | undefined>;

interface SealedRow {
  readonly place: string;
  readonly key: string;
  readonly bytes: Buffer;
}

async function readSealed(
  client: pg.ClientBase,
  { table, bytes, key }: SealedValues,
  rest: string,
  ...after: string[]
) {
  const { rows } = await client.query<SealedRow>(
    `SELECT ctid::text AS place, (${key})::text AS key, ${bytes} AS bytes FROM ${table} WHERE ${bytes} IS NOT NULL AND ${rest}`,
    after,
  );
  return rows;
}

async function seal(
  client: pg.ClientBase,
  { table, set, owner }: SealedValues,
  row: SealedRow,
  again: SealAgain,
) {
  const value = await again(row.bytes, owner(row.key));
  if (!value) return 0;
  await client.query(`UPDATE ${table} SET ${set} WHERE ctid = $2::tid`, [Buffer.from(value), row.place]);
  return 1;
}

/**
 * Encrypts the values of rows again, in the caller's transaction.
 * @param where SQL condition on the rows
 * @returns the number of values that were encrypted
 * @throws what `again` throws
 */
export async function sealRowsAgain(
  client: pg.ClientBase,
  values: SealedValues,
  where: string,
  again: SealAgain,
): Promise<number> {
  let count = 0;
  for (const row of await readSealed(client, values, `(${where})`))
    count += await seal(client, values, row, again);
  return count;
}

/** Rows of a transaction, so that nobody waits long for one of them. */
const batchRows = 500;

/** Counts of the encrypted values of a database. */
export interface SealedCounts {
  /** Values that this key opens. */
  current: number;
  /** Values of the old key: they were encrypted again, or would be. */
  old: number;
  /** Values that neither key opens. */
  readonly unreadable: { readonly table: string; readonly key: string }[];
}

export interface RotationOptions {
  /** True to count only. */
  readonly isDry?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (counts: SealedCounts) => void;
}

/**
 * Encrypts all values of a database with the present key, in batches. Gateways can keep running. What was done
 * stays done when it ends early, and the next run goes on.
 * @param url connection string of the tables' owner
 * @throws {SecretKeyError} if there is no key; the reason of `signal` if it is aborted
 */
export async function rotateSealedValues(
  url: string,
  all: readonly SealedValues[],
  secrets: Pick<Secrets, 'sealAgain'>,
  { isDry = false, signal, onProgress }: RotationOptions = {},
): Promise<SealedCounts> {
  const counts: SealedCounts = { current: 0, old: 0, unreadable: [] };
  const client = new DatabaseClient({ connectionString: url });
  try {
    await client.connect();
    for (const values of all) await rotate(values);
    return counts;
  } finally {
    await client.end();
  }

  async function rotate(values: SealedValues): Promise<void> {
    const order = `(${values.key})::text COLLATE "C"`;
    let after = '';
    for (;;) {
      signal?.throwIfAborted();
      await client.query('BEGIN');
      const rest = `${order} > $1 ORDER BY ${order} LIMIT ${batchRows}${isDry ? '' : ' FOR UPDATE'}`;
      const rows = await readSealed(client, values, rest, after);
      for (const row of rows) await rotateRow(values, row);
      await client.query('COMMIT');
      onProgress?.(counts);
      if (rows.length < batchRows) return;
      after = rows.at(-1)?.key ?? '';
    }
  }

  async function rotateRow(values: SealedValues, row: SealedRow): Promise<void> {
    try {
      const value = await secrets.sealAgain(row.bytes, values.owner(row.key));
      if (value && !isDry) await seal(client, values, row, async () => value);
      counts[value ? 'old' : 'current'] += 1;
    } catch (error) {
      if (!(error instanceof SecretKeyError)) throw error;
      counts.unreadable.push({ table: values.table, key: row.key });
    }
  }
}
