import type { OnPage, Session } from '../db/connection/session.js';
import { named } from '../db/connection/statement.js';
import { sizeSql } from '../db/files/contents.js';
import { recordsSql } from '../db/sql/conditions.js';
import { sql } from '../db/sql/sql.js';
import { GatewayError } from '../domain/errors.js';
import { diskName } from '../domain/files.js';
import { groupByKey } from '../records/loaders.js';

/** The most files of an exported workspace. A ZIP file lists all of them at its end, so they are in memory. */
export const mostFiles = 100_000;

/** Files that one statement lists. */
const page = 5_000;

interface FoundFile {
  readonly id: string;
  readonly itemId: string;
  readonly itemName: string | null;
  readonly name: string | null;
  readonly contentType: string | null;
  readonly position: number;
  /** Size in bytes. */
  readonly size: number;
}

/** A file of a workspace, with its path in the archive. */
export interface TeamFile extends FoundFile {
  readonly path: string;
}

/** Returns the folder of an item's files. The end of its id makes it unique. */
const folderOf = ({ itemId, itemName }: FoundFile) =>
  `files/${diskName(itemName, 'item')} ${itemId.slice(-12)}`;

/**
 * Lists the files of a workspace that have bytes, item by item.
 * @throws GatewayError BAD_REQUEST if there are too many
 */
export async function listTeamFiles(onPage: OnPage, teamId: string): Promise<TeamFile[]> {
  const found: FoundFile[] = [];
  const joined = sql`
    JOIN attachment_contents AS stored ON stored.attachment_id = record.id
    JOIN expiration_items AS item ON item.id = record.item_id`;
  const read = (after: string) => (session: Session) =>
    session.read<FoundFile>(
      named(
        'attachments.of_team',
        sql`SELECT record.id, record.item_id AS "itemId", item.name AS "itemName", record.name,
          record.content_type AS "contentType", record.position, ${sizeSql} AS size
          ${recordsSql(session, 'attachment', { teamId, id: { gt: after } }, joined)}
          ORDER BY record.id LIMIT ${page}`,
      ),
    );
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await onPage(read(after));
    found.push(...rows);
    if (found.length > mostFiles)
      throw new GatewayError('BAD_REQUEST', `An export has at most ${mostFiles} attached files.`);
    after = rows.at(-1)?.id ?? after;
    if (rows.length < page) break;
  }
  const itemIds = [...new Set(found.map(({ itemId }) => itemId))];
  return groupByKey(itemIds, found, ({ itemId }) => itemId).flatMap((files) =>
    [...files]
      .sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1))
      .map((file, at) => ({ ...file, path: `${folderOf(file)}/${at + 1} ${diskName(file.name, 'file')}` })),
  );
}
