import { modelRows } from '../../src/domain/models.js';
import type { TestGateway } from '../support/gateway.js';
import { ask } from './support.js';

/** Tables from which deletions take nothing, that store what was deleted, or that follow from the others. */
const others = [
  'event_logs',
  'event_log_entities',
  'access_tokens',
  'idempotency_keys',
  'bin_entries',
  'bin_rows',
  'compliance_turns',
  'compliance_notices',
  'asked_papers',
  'holder_compliances',
];

const tables = modelRows.map(([, { table }]) => table).filter((table) => !others.includes(table));

/** Reads every row of every table as text, by table; bytes of files by their hash. */
export async function everything({ database }: TestGateway): Promise<Record<string, string[]>> {
  const entries = tables.map(async (table) => {
    const row =
      table === 'attachment_contents'
        ? `jsonb_build_object('id', row.id, 'attachment', row.attachment_id, 'entry', row.bin_entry_id, 'bytes', md5(row.content))`
        : // A restored workspace gets a standard policy of its own again, with another id.
          /^(?:teams|reminder_(?:policies|steps|marks))$/.test(table)
          ? `(to_jsonb(row) - '{${table === 'teams' ? '' : 'id,'}policy_id,reminder_policy_id}'::text[])`
          : 'to_jsonb(row)';
    const rows = await database.sql<{ text: string }>(
      `SELECT ${row}::text AS text FROM ${table} AS row ORDER BY 1`,
      [],
    );
    return [table, rows.map(({ text }) => text)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Leaves out modification times, which change. */
export const withoutModified = (rows: Record<string, string[]>, table: string) => ({
  ...rows,
  [table]: (rows[table] ?? []).map((text) => text.replace(/"modified": "[^"]*"/, '')).sort(),
});

/** Deletes a record of a type. */
export const remove = async (gateway: TestGateway, type: string, id: string, token = gateway.admin) =>
  (await ask(gateway, `mutation ($id: ID!) { gone: delete${type}(id: $id) { id } }`, { id }, token)).gone;

/** Mutation that restores a record of a type. */
export const restoring = (type: string) =>
  `mutation ($id: ID!) { back: restore${type}(id: $id) { __typename id } }`;

/** Restores a record of a type. */
export const restore = async (gateway: TestGateway, type: string, id: string, token = gateway.admin) =>
  (await ask(gateway, restoring(type), { id }, token)).back;

/** Creates a record of a type. */
export const make = async (
  gateway: TestGateway,
  type: string,
  input: object,
  token = gateway.admin,
): Promise<{ id: string }> =>
  (
    await ask(
      gateway,
      `mutation ($input: Create${type}Input!) { made: create${type}(input: $input) { id } }`,
      { input },
      token,
    )
  ).made;

/** Lists the bin. */
export const listBin = async (gateway: TestGateway, args = '', token = gateway.admin) =>
  (
    await ask(
      gateway,
      `{ bin${args} { totalCount nodes { id kind recordId name deletedAt expiresAt deletedBy { id } team { id } } } }`,
      {},
      token,
    )
  ).bin;
