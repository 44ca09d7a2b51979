import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/**
 * The same adapter, but scripts go to the server whole. `@prisma/adapter-pg` cuts them at every semicolon, so it
 * breaks function bodies and strings, and leaves half a migration behind when a statement fails. A script sent
 * whole is one transaction, and is what Prisma's native engine does.
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
    await adapter.executeRaw({ sql: script, args: [], argTypes: [] });
  };
  return adapter;
}
