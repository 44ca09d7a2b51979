import {
  ColumnTypeEnum,
  mockMigrationAwareAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';

/**
 * Answer to the schema engine's first query. It asks: does the namespace exist, and which version is this?
 */
const ANSWER: SqlResultSet = {
  columnNames: ['exists', 'version', 'numeric_version'],
  columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
  rows: [[true, 'PostgreSQL 14.0', 140_000]],
};

/**
 * Returns an adapter without a database, for the engine's work on schema files. It stands for the oldest
 * PostgreSQL we support.
 */
export function offlineAdapter(): SqlMigrationAwareDriverAdapterFactory {
  const factory = mockMigrationAwareAdapterFactory('postgres');
  const connect = async () => ({ ...(await factory.connect()), queryRaw: async () => ANSWER });
  return { ...factory, connect };
}
