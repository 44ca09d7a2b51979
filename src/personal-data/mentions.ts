import type { Database } from '../db/connection/database.js';
import { prepared } from '../db/connection/statement.js';
import { modelInfo } from '../db/sql/models.js';
import { sql } from '../db/sql/sql.js';
import { snakeCase } from '../domain/text/names.js';
import { type PersonalTexts, textsIn } from '../domain/text/personal-values.js';
import type { Person } from './person.js';
import { foundRows, type WordedTable } from './register.js';

/** The most mentions that are listed. */
export const maxMentions = 1_000;

/** Characters shown on each side of what was found. */
const around = 40;

/** A place that people or documents wrote and that mentions a person. */
export interface PersonMention {
  /** The public name of the kind of record, or of its table. */
  readonly kind: string;
  readonly id: string;
  readonly field: string;
  /** The words around it. Null for a document, which is not shown. */
  readonly excerpt: string | null;
}

const kindOf = ({ model, table }: WordedTable) => modelInfo[model].noun ?? table;

/** Returns the words around the first value in a text. */
function excerptOf(texts: PersonalTexts, value: string): string | undefined {
  for (const text of textsIn(value)) {
    const [found] = texts.find(text);
    if (!found) continue;
    const [from, to] = [Math.max(0, found.start - around), Math.min(text.length, found.end + around)];
    const part = text.slice(from, to).replace(/\s+/g, ' ');
    return `${from > 0 ? '…' : ''}${part}${to < text.length ? '…' : ''}`;
  }
  return undefined;
}

/** Lists the documents of the items that somebody is a contact or a holder of. Their bytes are not searched. */
function documentsOf(database: Database, { organizationId, values }: Person): Promise<PersonMention[]> {
  const statement = sql`
    SELECT 'attachment' AS kind, id, 'content' AS field, NULL AS excerpt FROM attachments AS record
    WHERE organization_id = ${organizationId}::uuid AND (
      item_id IN (SELECT id FROM expiration_items WHERE contact_id = ANY(${values.ids}::uuid[]))
      OR item_id IN (SELECT item_id FROM expiration_item_contacts WHERE contact_id = ANY(${values.ids}::uuid[]))
      OR item_id IN (SELECT item_id FROM item_holders WHERE contact_id = ANY(${values.ids}::uuid[]))
      OR id IN (SELECT attachment_id FROM upload_notifications WHERE user_id = ANY(${values.ids}::uuid[])))
    ORDER BY id LIMIT ${maxMentions + 1}`;
  return database.query<PersonMention>(prepared('attachments.of_person', statement));
}

/**
 * Lists texts of people about a person, and documents that may be. Somebody has to decide about them.
 * @param isOwn returns whether a row is to be left out because it is the person's own
 * @returns at most one more than are listed
 */
export async function listMentions(
  database: Database,
  person: Person,
  texts: PersonalTexts,
  tables: readonly WordedTable[],
  isBefore: boolean,
): Promise<PersonMention[]> {
  const mentions = await documentsOf(database, person);
  const { organizationId, values } = person;
  for (const table of tables) {
    // Before an erasure, what the gateway wrote is still to be replaced.
    const columns = table.columns.filter(({ writer }) => !isBefore || writer === 'people');
    if (columns.length === 0) continue;
    const walk = { organizationId, pattern: texts.pattern, ids: [] };
    for await (const { key, values: found } of foundRows(database, walk, { ...table, columns }, columns)) {
      const id = key.join(' ');
      if (values.ids.includes(id)) continue;
      for (const [at, column] of columns.entries()) {
        const value = found[at];
        // Bytes are not read: that the row was found says that they have something.
        const isDocument = column.type === 'Bytes';
        const excerpt = isDocument ? null : value ? excerptOf(texts, value) : undefined;
        if (excerpt === undefined) continue;
        mentions.push({ kind: kindOf(table), id, field: snakeCase(column.field), excerpt });
        if (mentions.length > maxMentions) return mentions;
      }
    }
  }
  return mentions;
}
