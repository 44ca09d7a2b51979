import { FileError, type FileProblem } from '../../domain/files.js';
import type { Database } from '../connection/database.js';
import { named } from '../connection/statement.js';
import { type Sql, sql } from '../sql/sql.js';
import { readStored, sha256Of } from './contents.js';
import { causeText } from './failures.js';
import { Patience } from './patience.js';
import { eachFile, findPlaced } from './placed.js';
import type { FileStore } from './store.js';

/** A file whose bytes cannot be read, or are not those that were stored. */
export interface FileFault {
  /** Id of the row that has the bytes, or says where they are. */
  readonly id: string;
  /** Null is the database. */
  readonly store: FileStore['kind'] | null;
  readonly objectKey: string | null;
  /** Its attachment and item; null if it is in the bin. */
  readonly attachmentId: string | null;
  readonly itemId: string | null;
  readonly name: string | null;
  readonly problem: FileProblem;
  /** Message of the store or the system. */
  readonly reason: string;
}

/** Result of examining files. */
export interface ExaminedFiles {
  readonly checked: number;
  /** Files of older versions that have their SHA-256 now. */
  readonly filled: number;
  readonly faults: readonly FileFault[];
}

export interface ExamineOptions {
  readonly signal?: AbortSignal;
  readonly onChecked?: (checked: number) => void;
}

async function keepDigest(database: Pick<Database, 'query'>, id: string, digest: Uint8Array): Promise<void> {
  const statement = sql`
    UPDATE attachment_contents SET digest = ${digest} WHERE id = ${id}::uuid AND digest IS NULL`;
  await database.query(named('attachment_contents.digest', statement));
}

/**
 * Reads a file, and compares it with its SHA-256.
 * @param fill true to give a file without one that of its bytes
 * @returns undefined if it is gone meanwhile
 */
async function examine(
  database: Database,
  id: string,
  { patience, fill }: { readonly patience: Patience; readonly fill: boolean },
): Promise<FileFault | 'filled' | 'good' | undefined> {
  const first = await findPlaced(database, id);
  if (!first) return undefined;
  try {
    const read = () => readStored(database, () => findPlaced(database, id));
    const bytes = await patience.attempt(first.store, read);
    if (!bytes) return undefined;
    if (first.digest || !fill) return 'good';
    await keepDigest(database, id, await sha256Of(bytes));
    return 'filled';
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { store, objectKey, attachmentId, itemId, name } = first;
    return {
      ...{ id, store, objectKey, attachmentId, itemId, name },
      ...{ problem: error.problem, reason: causeText(error) },
    };
  }
}

/**
 * Reads all files, wherever they are. It goes on past those that it cannot read.
 * @throws the reason of `signal` if it is aborted
 */
export async function examineFiles(
  database: Database,
  { signal, onChecked }: ExamineOptions = {},
): Promise<ExaminedFiles> {
  const faults: FileFault[] = [];
  const patience = new Patience();
  let [checked, filled] = [0, 0];
  const look = async (id: string) => {
    const found = await examine(database, id, { patience, fill: true });
    if (!found) return;
    checked += 1;
    if (found === 'filled') filled += 1;
    else if (found !== 'good') faults.push(found);
    onChecked?.(checked);
  };
  await eachFile(database, sql`TRUE`, look, signal);
  return { checked, filled, faults };
}

/** Reads some files that are in stores, chosen at random. */
export async function examineSample(database: Database, most: number): Promise<ExaminedFiles> {
  const page = (where: Sql) =>
    database.query<{ id: string }>(
      named(
        'attachment_contents.sample',
        sql`SELECT id FROM attachment_contents WHERE store IS NOT NULL AND ${where} ORDER BY id LIMIT ${most}`,
      ),
    );
  const from = sql`(SELECT gen_random_uuid())`;
  const found = await page(sql`id >= ${from}`);
  const sample = found.length < most ? await page(sql`TRUE`) : found;
  const patience = new Patience();
  const faults: FileFault[] = [];
  for (const { id } of sample) {
    const result = await examine(database, id, { patience, fill: false });
    if (typeof result === 'object') faults.push(result);
  }
  return { checked: sample.length, filled: 0, faults };
}
