import type pg from 'pg';

/** Objects of a schema, with quoted names. */
interface Place {
  readonly owner: string;
  readonly database: string;
  readonly schema: string;
  readonly role: string;
}

/**
 * Returns statements for the owner of the tables. They let a role read and write what the gateway stores, also in
 * tables that are made later, and neither make nor change tables.
 */
export async function grantsFor(client: pg.ClientBase, role: string): Promise<string[]> {
  const { rows } = await client.query<Place>(
    `SELECT quote_ident(current_user) AS owner, quote_ident(current_database()) AS database,
      quote_ident(coalesce(current_schema(), 'public')) AS schema, quote_ident($1) AS role`,
    [role],
  );
  const [place] = rows;
  if (!place) throw new Error('A statement without a condition gave no row.');
  const { owner, database, schema, role: grantee } = place;
  const later = `ALTER DEFAULT PRIVILEGES FOR ROLE ${owner} IN SCHEMA ${schema}`;
  const use = 'SELECT, INSERT, UPDATE, DELETE ON';
  return [
    `GRANT CONNECT ON DATABASE ${database} TO ${grantee};`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${grantee};`,
    `GRANT ${use} ALL TABLES IN SCHEMA ${schema} TO ${grantee};`,
    `GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA ${schema} TO ${grantee};`,
    `${later} GRANT ${use} TABLES TO ${grantee};`,
    `${later} GRANT USAGE, SELECT ON SEQUENCES TO ${grantee};`,
  ];
}

/** Rights of a role that only uses the gateway's tables. */
export interface TableRights {
  /** True if it owns the tables. Only then may it migrate, and make and drop partitions. */
  readonly isOwner: boolean;
  /** Tables that it may not read and write; names are quoted. */
  readonly denied: readonly string[];
  /** Name of the role. */
  readonly role: string;
}

/** Reads which rights the connection's role has on the gateway's tables. */
export async function readTableRights(client: pg.ClientBase): Promise<TableRights> {
  const { rows } = await client.query<TableRights>(
    `SELECT quote_ident(current_user) AS role,
      coalesce(bool_and(pg_has_role(relowner, 'USAGE')) FILTER (WHERE relname IN ('event_logs', 'event_log_entities')), false)
        AS "isOwner",
      coalesce(array_agg(quote_ident(relname) ORDER BY relname) FILTER (WHERE relname <> '_prisma_migrations' AND NOT (
        has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
        AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE'))), '{}') AS denied
    FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
      AND NOT EXISTS (
        SELECT FROM pg_depend AS part
        WHERE part.classid = 'pg_class'::regclass AND part.objid = pg_class.oid AND part.deptype = 'e')`,
  );
  const [rights] = rows;
  if (!rights) throw new Error('A statement without a condition gave no row.');
  return rights;
}
