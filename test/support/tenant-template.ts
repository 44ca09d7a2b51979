import pg from 'pg';
import { postgresUrl } from './postgres.js';

/** The database that those with a tenant are copied from, because creating a tenant takes longer than copying. */
export const tenantTemplate = 'template_tenant';

/** Makes a database the template, with its tenant as its comment, unless another worker of the run has made one. */
async function makeOnce<T>(create: () => Promise<{ url: string; tenant: T }>): Promise<T> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(`SELECT pg_advisory_lock(hashtext('${tenantTemplate}'))`);
    const { rows } = await client.query<{ tenant: string }>(
      `SELECT shobj_description(oid, 'pg_database') AS tenant FROM pg_database WHERE datname = '${tenantTemplate}'`,
    );
    if (rows[0]) return JSON.parse(rows[0].tenant);
    const { url, tenant } = await create();
    const name = new URL(url).pathname.slice(1);
    await client.query(`COMMENT ON DATABASE ${name} IS ${pg.escapeLiteral(JSON.stringify(tenant))}`);
    await client.query(`ALTER DATABASE ${name} RENAME TO ${tenantTemplate}`);
    return tenant;
  } finally {
    await client.end();
  }
}

let made: Promise<unknown> | undefined;

/**
 * Returns the tenant of `tenantTemplate`.
 * @param create creates a database with a tenant, and closes its connections
 */
export function tenantInTemplate<T>(create: () => Promise<{ url: string; tenant: T }>): Promise<T> {
  made ??= makeOnce(create);
  return made as Promise<T>;
}
