// Records as large as the contract allows, in the workspace that the gateway's first start created.
import pg from 'pg';
import { idOf } from './data.mjs';

/** Notes with a body of 64 KB; items with a file of 16 MiB; items to which files are sent. */
export const counts = { notes: 100, files: 4, targets: 32 };

/** Bytes of the file of the item that is subscribed to; base64 and five aliases make 14 MB of it. */
const streamedFile = 2 * 1024 * 1024;

export const streamedItem = idOf('streamed', 1);
/** The document type of these items. */
export const category = idOf('category', 1);
export const targetItem = (n) => idOf('target', n);

const id = (kind) => `md5('${kind} ' || g)::uuid`;
const text = (length) =>
  `(SELECT left(string_agg(md5(g || ' ' || i), ''), ${length}) FROM generate_series(1, ${length / 32}) i)`;

/** Returns `SELECT`s of items with a file each, and of that file. */
function withFile(kind, count, bytes, owned) {
  const rows = `FROM generate_series(1, ${count}) g`;
  return [
    `INSERT INTO expiration_items (id, organization_id, team_id, category_id, name, expiration_date)
      SELECT ${id(kind)}, ${owned}, '${category}', 'Hostile ${kind} ' || g, date '2030-01-01' ${rows}`,
    bytes > 0 &&
      `INSERT INTO attachments (id, organization_id, team_id, item_id, name, content_type, content_length, position)
      SELECT ${id(`${kind} file`)}, ${owned}, ${id(kind)}, 'scan.pdf', 'application/pdf', ${bytes}, 0 ${rows}`,
    bytes > 0 &&
      `INSERT INTO attachment_contents (attachment_id, content)
      SELECT ${id(`${kind} file`)}, decode(repeat(md5('file ' || g), ${bytes / 16}), 'hex') ${rows}`,
  ].filter(Boolean);
}

/** Inserts the records. */
export async function seedHostile({ url, owner: { organizationId, teamId } }) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const owned = `'${organizationId}'::uuid, '${teamId}'::uuid`;
  try {
    await client.query(`INSERT INTO notes (id, organization_id, team_id, name, body, body_text)
      SELECT ${id('large note')}, ${owned}, 'Hostile note ' || g, ${text(64_000)}, 'short'
      FROM generate_series(1, ${counts.notes}) g`);
    for (const [kind, count, bytes] of [
      ['held', counts.files, 16 * 1024 * 1024],
      ['streamed', 1, streamedFile],
      ['target', counts.targets, 0],
    ]) {
      for (const statement of withFile(kind, count, bytes, owned)) await client.query(statement);
    }
  } finally {
    await client.end();
  }
}
