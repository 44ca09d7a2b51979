import { byKind, type RecordKind } from '../../domain/models.js';
import { recordVersion, versionTimes } from '../../domain/versions.js';
import { named, type Statement } from '../connection/statement.js';
import { modelFields } from '../sql/columns.js';
import { columnSql } from '../sql/conditions.js';
import { modelInfo, modelName, recordNames } from '../sql/models.js';
import { join, raw, type Sql, sql } from '../sql/sql.js';

/**
 * Kinds of records whose changes are reported. The event log, the ledger of reminders and the queue of
 * deliveries only grow, and have streams or lists of their own; tokens, suppressions and webhooks
 * are only for administrators; a chat channel changes with each message.
 */
export type ChangedKind = Exclude<RecordKind, ExcludedKind>;

const excludedKinds = [
  'eventLog',
  'reminder',
  'delivery',
  'accessToken',
  'suppression',
  'channel',
  'webhookEndpoint',
  'webhookMessage',
  'webhookDelivery',
] as const;

type ExcludedKind = (typeof excludedKinds)[number];

const tableByKind = byKind<RecordKind, string>(({ noun, table }) => (noun ? table : undefined));

const excluded: ReadonlySet<string> = new Set(excludedKinds);

/** Kinds of records whose changes are reported, and their tables. */
export const changedTables = Object.entries(tableByKind).filter(([kind]) => !excluded.has(kind)) as [
  ChangedKind,
  string,
][];

export const kindByTable: ReadonlyMap<string, ChangedKind> = new Map(
  changedTables.map(([kind, table]) => [table, kind]),
);

/** A changed record as it is now. */
export interface RecordState {
  /** Its workspace; null if the whole organization sees it. */
  readonly teamId: string | null;
  readonly version: string;
}

/** Returns SQL for the workspace in which callers see a row. */
function teamSql(kind: ChangedKind): Sql {
  const { scope } = modelInfo[modelName(kind)];
  if (scope === 'organization') return raw('NULL::uuid');
  return columnSql('record', scope === 'own workspaces' ? 'id' : 'teamId');
}

/** Returns SQL for the time that serves as a row's version. */
function modifiedSql(kind: ChangedKind): Sql {
  const time = versionTimes.find((field) => modelFields(modelName(kind)).includes(field));
  if (!time) throw new Error(`Nothing tells when a ${recordNames[kind]} was changed.`);
  return columnSql('record', time);
}

interface StateRow {
  readonly id: string;
  readonly kind: ChangedKind;
  readonly teamId: string | null;
  readonly modified: Date;
}

/**
 * Reads the current state of changed records, with one statement by key.
 * @param send sends a statement; with row-level security, on the caller's behalf
 * @returns the states by kind and id (`vehicle 0198…`), without records that are gone
 */
export async function readStates(
  send: <Row>(statement: Statement) => Promise<Row[]>,
  organizationId: string,
  records: readonly { readonly kind: ChangedKind; readonly id: string }[],
): Promise<ReadonlyMap<string, RecordState>> {
  if (records.length === 0) return new Map();
  const ids = new Map(changedTables.map(([kind]) => [kind, new Set<string>()]));
  for (const { kind, id } of records) ids.get(kind)?.add(id);
  // It covers all kinds, so that there is one prepared statement: looking up no ids costs nothing. IS NOT
  // DISTINCT FROM cannot use an index, so the planner always uses that of the ids.
  const selects = changedTables.map(
    ([kind, table]) => sql`
      SELECT record.id, ${raw(`'${kind}'`)} AS kind, ${teamSql(kind)} AS "teamId", ${modifiedSql(kind)} AS modified
      FROM ${raw(table)} AS record
      WHERE record.id = ANY(${[...(ids.get(kind) ?? [])]}::uuid[])
        AND record.organization_id IS NOT DISTINCT FROM ${organizationId}::uuid`,
  );
  const rows = await send<StateRow>(named('record_changes.states', join(selects, ' UNION ALL ')));
  return new Map(
    rows.map(({ id, kind, teamId, modified }) => [
      `${kind} ${id}`,
      { teamId, version: recordVersion(modified) },
    ]),
  );
}
