import type pg from 'pg';

/** Rights of a role that migrations need; names are quoted. */
interface Rights {
  readonly role: string;
  readonly database: string;
  /** Schema for new tables; null if the role may use none of its search path. */
  readonly schema: string | null;
  readonly may_make_tables: boolean;
  readonly may_make_schemas: boolean;
  readonly has_extension: boolean;
  readonly can_have_extension: boolean;
}

const select = `
  SELECT
    quote_ident(current_user) AS role,
    quote_ident(current_database()) AS database,
    quote_ident(current_schema()) AS schema,
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_make_tables,
    has_database_privilege(current_database(), 'CREATE') AS may_make_schemas,
    EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') AS has_extension,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'pg_trgm') AS can_have_extension`;

/**
 * Checks that the connection's role may run migrations. They create tables, for which PostgreSQL 15 and later
 * grant nobody CREATE on the schema public, and the extension pg_trgm.
 * @param first true if the first migration is pending, which creates the schema
 * @throws {Error} with the statements for the database's administrator
 */
export async function checkRights(db: Pick<pg.Pool | pg.ClientBase, 'query'>, first: boolean): Promise<void> {
  const { rows } = await db.query<Rights>(select);
  const [rights] = rows;
  if (!rights) throw new Error('A statement without a condition gave no row.');
  const { role, database, schema } = rights;
  if (!rights.has_extension && !rights.can_have_extension) {
    throw new Error(
      'The PostgreSQL server lacks the extension pg_trgm: ask its administrator to install the contrib package.',
    );
  }
  const needsDatabase = (first || !rights.has_extension) && !rights.may_make_schemas;
  const grants = [
    schema === null && `GRANT USAGE, CREATE ON SCHEMA public TO ${role};`,
    schema !== null && !rights.may_make_tables && `GRANT CREATE ON SCHEMA ${schema} TO ${role};`,
    needsDatabase && `GRANT CREATE ON DATABASE ${database} TO ${role};`,
  ].filter((grant) => grant !== false);
  if (grants.length === 0) return;
  throw new Error(
    `The role ${role} may not create the gateway's tables in the database ${database}: ` +
      `ask an administrator to run ${grants.join(' ')} in that database, and start again.`,
  );
}
