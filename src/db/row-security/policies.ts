import { createHash } from 'node:crypto';
import type pg from 'pg';
import { type ModelName, type ModelRow, modelRows, type Scope } from '../../domain/models.js';
import { snakeCase } from '../../domain/text/names.js';
import { callerRole, settingNames } from '../connection/pool.js';
import { DatabaseClient } from '../hosts/hosts.js';
import {
  listMigrations,
  lockMigrations,
  lookAtSchema,
  MIGRATIONS_FOLDER,
  readHistory,
} from '../migrations/migrate.js';
import { hasView, modelInfo, viewName } from '../sql/models.js';

type Model = ModelName;

/** Returns SQL that reads a setting. It is used in scalar subqueries, which are evaluated once for a statement. */
const settingSql = (name: string) => `current_setting('${name}', true)`;
const organization = `(SELECT nullif(${settingSql(settingNames.organization)}, '')::uuid)`;
const allTeams = `(SELECT ${settingSql(settingNames.teams)} = 'all')`;
const teams = `(SELECT nullif(nullif(${settingSql(settingNames.teams)}, ''), 'all')::uuid[])`;

const inOrganization = `organization_id = ${organization}`;
const inTeam = (column: string) => `(${allTeams} OR ${column} = ANY (${teams}::uuid[]))`;
const inTeams = `${inOrganization} AND ${inTeam('team_id')}`;
/** Condition on the changes that a caller may see. Changes of users are visible in the whole organization. */
const changesSeen = `${inOrganization} AND (team_id IS NULL OR ${inTeam('team_id')} OR ${inTeam('from_team_id')})`;
/** Returns the condition that the caller sees a referenced row. Its table has a policy of its own. */
const rowExistsSql = (model: Model, column: string) =>
  `EXISTS (SELECT FROM ${modelInfo[model].table} AS whole WHERE whole.id = ${column})`;

/**
 * Returns a condition that PostgreSQL only checks, and by which it finds no rows. The planner expects nearly all rows to
 * meet it. They are found by the statement's own scope, whose values the planner knows. For a setting, it would expect an
 * organization of average size, and read all of a large one for a few rows.
 */
const checkSql = (condition: string) => `CASE WHEN ${condition} THEN TRUE END IS NOT NULL`;

/** Conditions on the rows that a caller may access, by scope. */
const scopes: Readonly<Record<Scope, string>> = {
  workspace: checkSql(inTeams),
  organization: checkSql(inOrganization),
  'own organization': checkSql(`id = ${organization}`),
  'own workspaces': checkSql(`${inOrganization} AND ${inTeam('id')}`),
  'own members': `${rowExistsSql('Team', 'team_id')} AND ${rowExistsSql('User', 'user_id')}`,
};

/** Returns the name of the function that checks whether a record exists, visible or not. */
const existsFunction = (model: Model) => `caller_knows_${modelInfo[model].table}`;

/**
 * A row-level security policy. Its name includes a hash of its definition, so a changed policy gets a new
 * name.
 */
interface Policy {
  readonly table: string;
  readonly name: string;
  readonly sql: string;
}

function createPolicy(table: string, command: 'ALL' | 'SELECT', using: string, check = using): Policy {
  const said = command === 'ALL' ? `USING (${using}) WITH CHECK (${check})` : `USING (${using})`;
  const name = `caller_${command.toLowerCase()}_${createHash('sha256').update(said).digest('hex').slice(0, 8)}`;
  return { table, name, sql: `CREATE POLICY ${name} ON ${table} FOR ${command} TO ${callerRole} ${said}` };
}

/**
 * Returns the conditions under which a part is visible through another record. After an UPDATE moves a part
 * to a record that the same statement creates, the part must be visible, but the record is not yet.
 */
function otherOwnerSql({ orOf }: NonNullable<ModelRow['partOf']>): string[] {
  if (!orOf) return [];
  const column = snakeCase(`${orOf.relation}Id`);
  const isNew = `(${column} IS NOT NULL AND NOT ${existsFunction(orOf.record)}(${column}))`;
  return [rowExistsSql(orOf.record, column), isNew];
}

/** Returns the policies of a model's table. */
function tablePolicies({ table, scope, lookUpScope, partOf }: ModelRow): Policy[] {
  if (partOf) {
    const column = snakeCase(`${partOf.relation}Id`);
    const seen = [rowExistsSql(partOf.record, column), ...otherOwnerSql(partOf)].join(' OR ');
    // The statement that creates a record also creates its parts, and does not see the record yet.
    return [createPolicy(table, 'ALL', seen, `${seen} OR NOT ${existsFunction(partOf.record)}(${column})`)];
  }
  const all = createPolicy(table, 'ALL', scopes[scope]);
  return lookUpScope ? [all, createPolicy(table, 'SELECT', scopes[lookUpScope])] : [all];
}

const wantedPolicies: readonly Policy[] = [
  ...modelRows.flatMap(([, row]) => tablePolicies(row)),
  // This table has no model: triggers write it.
  createPolicy('record_counts', 'ALL', scopes.workspace),
  // Nor have these: the bytes of files in parts, and the notes about objects that were written for them.
  createPolicy('archive_parts', 'ALL', scopes.organization),
  createPolicy('file_removals', 'ALL', `starts_with(object_key, ${organization}::text || '/')`),
  // A foreign key may change rows in a workspace that the writer does not see.
  createPolicy('record_changes', 'ALL', checkSql(changesSeen), inOrganization),
  createPolicy('record_change_epochs', 'SELECT', 'TRUE'),
];

/** Records that have parts. */
const owners = new Set(modelRows.flatMap(([, { partOf }]) => (partOf ? [partOf.record] : [])));

/**
 * SQL for the functions that check rows hidden from the caller. They run as the tables' owner (`SECURITY
 * DEFINER`).
 */
const functions = [...owners].flatMap((model) => [
  `CREATE OR REPLACE FUNCTION ${existsFunction(model)} (wanted uuid) RETURNS boolean
   LANGUAGE sql STABLE SECURITY DEFINER RETURN EXISTS (SELECT FROM ${modelInfo[model].table} WHERE id = wanted)`,
  `REVOKE ALL ON FUNCTION ${existsFunction(model)} FROM PUBLIC`,
  `GRANT EXECUTE ON FUNCTION ${existsFunction(model)} TO ${callerRole}`,
]);

/** A view of the rows of a table that a caller may access. */
interface View {
  readonly name: string;
  /** Hash of its definition, which its comment has. */
  readonly hash: string;
  readonly sql: readonly string[];
}

/**
 * Returns the view of a model's rows that the caller may access. It reads the table as the table's owner does, and has
 * the policy's condition. In a table with policies, PostgreSQL uses no index for functions that might tell of hidden rows
 * (are not LEAKPROOF), nor for `LIKE`, `@>` and states. That protects against those who write SQL, which callers do not.
 *
 * Its column is the whole row, so that it does not depend on columns that migrations change.
 */
function createView(model: Model, { table, scope }: ModelRow & { readonly scope: Scope }): View {
  const name = viewName(model);
  const query = `SELECT found AS whole FROM ${table} AS found WHERE ${scopes[scope]}`;
  const hash = createHash('sha256').update(query).digest('hex').slice(0, 8);
  const sql = [
    `CREATE OR REPLACE VIEW ${name} AS ${query}`,
    `COMMENT ON VIEW ${name} IS '${hash}'`,
    `GRANT SELECT ON ${name} TO ${callerRole}`,
  ];
  return { name, hash, sql };
}

const wantedViews = modelRows.flatMap(([model, row]) =>
  hasView(row) && row.scope ? [createView(model, row)] : [],
);

const tables = [...new Set(wantedPolicies.map(({ table }) => table))];

/**
 * Creates the callers' role, its grants and the row-level security policies. Existing ones that are correct
 * stay. Any number of processes may call it concurrently. The tables' owner still sees and writes all rows.
 * @param url connection string of the tables' owner, to a migrated database
 * @throws {Error} if the user may not create the role, with instructions for an administrator
 */
export async function installRoleAndPolicies(url: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: url });
  client.on('error', () => {}); // statements in progress fail as well
  try {
    await client.connect();
    const isDone = async () => {
      const { missing, old, views } = await compare(client);
      return missing.length + old.length + views.length === 0;
    };
    if (!(await lookAtSchema(client, isDone))) {
      // Held until the session ends; migrations and other processes' policy installations wait for it.
      await lockMigrations(client);
    }
    await makeRole(client);
    // The policies of a newer version stay: its gateways run beside this one.
    const { newer } = await readHistory(client, await listMigrations(MIGRATIONS_FOLDER));
    if (newer.length === 0) await makePolicies(client);
  } finally {
    await client.end();
  }
}

/** Returns whether policies apply to the role; undefined if there is no such role. */
async function policiesApply(client: pg.Client): Promise<boolean | undefined> {
  const { rows } = await client.query<{ bound: boolean }>(
    'SELECT NOT rolsuper AND NOT rolbypassrls AS bound FROM pg_roles WHERE rolname = $1',
    [callerRole],
  );
  return rows[0]?.bound;
}

/**
 * SQLSTATEs for a role that another process has just created. Roles belong to the server, not to one
 * database.
 */
const CREATED_CONCURRENTLY = new Set(['42710', '23505']);

async function makeRole(client: pg.Client): Promise<void> {
  const enterRole = () => client.query(`SET ROLE ${callerRole}; RESET ROLE`);
  try {
    if ((await policiesApply(client)) === undefined) {
      await client.query(`CREATE ROLE ${callerRole} NOLOGIN`).catch((error) => {
        if (!CREATED_CONCURRENTLY.has(error.code)) throw error;
      });
    }
    // The creator of a role may grant it, but does not automatically have it.
    await enterRole().catch(() => client.query(`GRANT ${callerRole} TO CURRENT_USER`).then(enterRole));
  } catch (cause) {
    throw new Error(
      `ROW_SECURITY needs the role ${callerRole}, which this user may not create or use: ` +
        `${(cause as Error).message}. As a database administrator, run once\n` +
        `  CREATE ROLE ${callerRole} NOLOGIN; GRANT ${callerRole} TO <the gateway's user>;`,
      { cause },
    );
  }
  if (await policiesApply(client)) return;
  throw new Error(`ROW_SECURITY needs the role ${callerRole} to be neither superuser nor BYPASSRLS.`);
}

/** Returns the policies and views that are missing, and the policies of an older version. */
async function compare(client: pg.Client) {
  const { rows: present } = await client.query<{ table: string; name: string }>(
    `SELECT tablename AS table, policyname AS name FROM pg_policies WHERE schemaname = current_schema()`,
  );
  const has = (some: readonly { table: string; name: string }[], one: { table: string; name: string }) =>
    some.some(({ table, name }) => table === one.table && name === one.name);
  const missing = wantedPolicies.filter((policy) => !has(present, policy));
  const old = present.filter((policy) => policy.name.startsWith('caller_') && !has(wantedPolicies, policy));
  const { rows: made } = await client.query<{ name: string; hash: string | null }>(
    `SELECT relname AS name, obj_description(oid, 'pg_class') AS hash FROM pg_class
     WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace`,
  );
  const hashes = new Map(made.map(({ name, hash }) => [name, hash]));
  const views = wantedViews.filter(({ name, hash }) => hashes.get(name) !== hash);
  return { missing, old, views };
}

async function makePolicies(client: pg.Client): Promise<void> {
  const { missing, old, views } = await compare(client);
  if (missing.length + old.length + views.length === 0) return;
  const { rows } = await client.query<{ schema: string }>('SELECT quote_ident(current_schema()) AS schema');
  // A query without parameters may have many statements, and is one transaction.
  await client.query(
    [
      // Running gateways must not be blocked: whatever cannot get its lock is retried at the next start.
      "SET LOCAL lock_timeout = '10s'",
      `GRANT USAGE ON SCHEMA ${rows[0]?.schema} TO ${callerRole}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${tables.join(', ')} TO ${callerRole}`,
      ...functions,
      ...tables.map((table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`),
      ...old.map(({ table, name }) => `DROP POLICY ${name} ON ${table}`),
      ...missing.map(({ sql }) => sql),
      ...views.flatMap(({ sql }) => sql),
    ].join(';\n'),
  );
}
