import type { Writable } from 'node:stream';
import { Session } from '../db/connection/session.js';
import { prepared } from '../db/connection/statement.js';
import { modelColumns } from '../db/sql/conditions.js';
import { raw, sql } from '../db/sql/sql.js';
import { diskName, FileError } from '../domain/files.js';
import { snakeCase } from '../domain/text/names.js';
import { PersonalTexts } from '../domain/text/personal-values.js';
import { type ArchiveWriter, writeArchive } from '../exports/archive-writer.js';
import { findFile, readWholeFile } from '../items/attachment-files.js';
import type { PersonalWork } from './erase.js';
import type { Person } from './person.js';
import { foundRows, keySql, type WordedTable, wordedTables } from './register.js';

/** Values that prove who somebody is, and belong in no export. */
const secrets: readonly string[] = ['phc'];

/** Files that one statement lists. */
const page = 1_000;

/** Returns the columns of a table that an export leaves out: bytes, and secrets. */
function leftOut({ model }: WordedTable): string[] {
  const bytes = Object.entries(modelColumns[model]).flatMap(([field, { type }]) =>
    type === 'Bytes' ? [snakeCase(field)] : [],
  );
  return [...bytes, ...secrets];
}

/** Yields the rows of a table that have something of a person, as JSON. */
async function* rowsAsJson(
  { database }: PersonalWork,
  person: Person,
  texts: PersonalTexts,
  table: WordedTable,
) {
  const { organizationId, values } = person;
  const walk = { organizationId, pattern: texts.pattern, ids: values.ids };
  for await (const { key, ids, values: found } of foundRows(database, walk, table)) {
    const isOf = texts.isAbout(ids) || found.some((text) => text !== null && texts.mentions(text));
    // Bytes were found, but not read.
    const hasBytes = table.columns.some(({ type }) => type === 'Bytes');
    if (!isOf && !hasBytes) continue;
    const statement = sql`
      SELECT (to_jsonb(record) - ${leftOut(table)}::text[])::text AS row FROM ${raw(table.table)} AS record
      WHERE ${keySql(table, key)}`;
    const [row] = await database.query<{ row: string }>(prepared(`${table.table}.export`, statement));
    if (row) yield row.row;
  }
}

/** Yields everything of a person as JSON, table by table. */
async function* asJson(work: PersonalWork, person: Person, texts: PersonalTexts) {
  const { ids, emails, phones, names } = person.values;
  yield `{"exported":${JSON.stringify(work.now)},"person":${JSON.stringify({ ids, emails, phones, names })},"tables":{`;
  let separator = '\n';
  for (const table of await wordedTables(work.database)) {
    let isFirst = true;
    for await (const row of rowsAsJson(work, person, texts, table)) {
      yield isFirst ? `${separator}"${table.table}":[\n${row}` : `,\n${row}`;
      isFirst = false;
    }
    if (isFirst) continue;
    yield ']';
    separator = ',\n';
  }
  yield '}}\n';
}

interface PersonFile {
  readonly id: string;
  readonly name: string | null;
}

/** Yields the files of a contact's items, and those that a user sent. */
async function* filesOf(
  { database }: PersonalWork,
  { organizationId, values }: Person,
): AsyncGenerator<PersonFile> {
  const ids = sql`ANY(${values.ids}::uuid[])`;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const statement = sql`
      SELECT id, name FROM attachments WHERE organization_id = ${organizationId}::uuid AND id > ${after}::uuid AND (
        item_id IN (SELECT id FROM expiration_items WHERE contact_id = ${ids})
        OR item_id IN (SELECT item_id FROM expiration_item_contacts WHERE contact_id = ${ids})
        OR item_id IN (SELECT item_id FROM item_holders WHERE contact_id = ${ids})
        OR id IN (SELECT attachment_id FROM upload_notifications WHERE user_id = ${ids}))
      ORDER BY id LIMIT ${page}`;
    const rows = await database.query<PersonFile>(prepared('attachments.export_person', statement));
    yield* rows;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < page) return;
  }
}

/** Adds a file, unless it was deleted meanwhile or its bytes are lost. */
async function addFile(
  { database, caller, now }: PersonalWork,
  { id, name }: PersonFile,
  { add }: ArchiveWriter,
) {
  const session = new Session(database, { caller, now });
  const file = await findFile(session, id);
  if (!file) return;
  let bytes: Uint8Array;
  try {
    bytes = await readWholeFile(session, file);
  } catch (error) {
    if (error instanceof FileError && error.problem !== 'unavailable') return;
    throw error;
  }
  async function* content() {
    yield bytes;
  }
  await add(`files/${id.slice(-12)} ${diskName(name, 'file')}`, content(), false);
}

/**
 * Writes everything of a person as a ZIP file: `person.json`, and the files. It holds one file in memory.
 * @param signal ends it early
 */
export async function exportPerson(
  work: PersonalWork,
  person: Person,
  output: Writable,
  signal: AbortSignal,
): Promise<void> {
  const texts = new PersonalTexts(person.values, '');
  const store = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      output.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  const addAll = async (writer: ArchiveWriter) => {
    await writer.add('person.json', asJson(work, person, texts), true);
    for await (const file of filesOf(work, person)) {
      signal.throwIfAborted();
      await addFile(work, file, writer);
    }
  };
  await writeArchive(addAll, store, { mtime: work.now, signal });
}
