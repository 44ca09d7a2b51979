import type pg from 'pg';
import { type ModelName, type ModelRow, modelRows, models } from '../../domain/models.js';
import { snakeCase } from '../../domain/text/names.js';
import { type CopiedTable, listTables } from '../backup/tables.js';

/**
 * Tables without a model whose rows belong to an organization. They are not part of its file, because triggers
 * write them, or because they have what can be made anew. They are deleted with it.
 */
export const derivedTables: readonly string[] = ['record_counts', 'record_changes', 'archive_parts'];

/**
 * Tables without a model that belong to the whole installation. Rows in them that are about somebody of an
 * organization are short-lived, and deleted by `forgetSql`.
 */
export const sharedTables: readonly string[] = [
  '_prisma_migrations',
  'file_removals',
  'first_token',
  'last_backup',
  'mail_settings',
  'primary_timeline',
  'rate_limits',
  'record_change_epochs',
  'restored_backup',
  'setup',
  'sign_in_challenges',
  'workers',
];

const rowOf = (model: ModelName): ModelRow => models[model];
const columnOf = (relation: string) => snakeCase(`${relation}Id`);

/** Returns the condition on the rows of a model that belong to an organization. `id` is an SQL literal. */
function conditionOf({ scope, partOf }: ModelRow, id: string): string {
  if (scope === 'own organization') return `id = ${id}`;
  if (scope === 'own members') return `team_id IN (SELECT id FROM teams WHERE organization_id = ${id})`;
  if (!partOf) return `organization_id = ${id}`;
  return [partOf, ...(partOf.orOf ? [partOf.orOf] : [])]
    .map(({ record, relation }) => {
      const owner = rowOf(record as ModelName);
      return `${columnOf(relation)} IN (SELECT id FROM ${owner.table} WHERE ${conditionOf(owner, id)})`;
    })
    .join(' OR ');
}

/** Returns the conditions on the rows of an organization, by table. `id` is an SQL literal. */
export function ownedRows(id: string): ReadonlyMap<string, string> {
  return new Map(modelRows.map(([, row]) => [row.table, conditionOf(row, id)]));
}

/** A table with the condition on the rows of one organization. */
export type OwnedTable = Required<CopiedTable>;

/**
 * Lists the tables that have rows of organizations. Each comes after those that its foreign keys refer to.
 * @param id the organization, as an SQL literal
 */
export async function listOwnedTables(client: pg.ClientBase, id: string): Promise<OwnedTable[]> {
  const conditions = ownedRows(id);
  const tables = await listTables(client);
  return tables.flatMap((table) => {
    const where = conditions.get(table.name);
    return where === undefined ? [] : [{ ...table, where }];
  });
}
