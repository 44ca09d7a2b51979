import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/**
 * Statement that marks the current migration as finished. With the lock there is one at most. The engine does
 * so itself, but in a transaction of its own: killed in between, it would take what it has applied for not
 * begun.
 */
const finish = `
  DO $$ BEGIN
    IF to_regclass('_prisma_migrations') IS NOT NULL THEN
      UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
    END IF;
  END $$`;

/**
 * Wraps an adapter so that scripts go to the server whole. `@prisma/adapter-pg` cuts them at every semicolon,
 * so it breaks function bodies and strings, and leaves half a migration behind when a statement fails. A
 * script sent whole is one transaction, and is what Prisma's native engine does. That it is finished is a
 * part of it.
 */
export function wholeScripts(
  factory: SqlMigrationAwareDriverAdapterFactory,
): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => withWholeScripts(await factory.connect()),
    connectToShadowDb: async () => withWholeScripts(await factory.connectToShadowDb()),
  };
}

function withWholeScripts(adapter: SqlDriverAdapter): SqlDriverAdapter {
  // A query without arguments uses PostgreSQL's simple protocol, which takes any number of statements.
  adapter.executeScript = async (script) => {
    // A script may end in a comment, or without a semicolon.
    await adapter.executeRaw({ sql: `${script}\n;${finish}`, args: [], argTypes: [] });
  };
  return adapter;
}
