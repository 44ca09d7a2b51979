import {
  ColumnTypeEnum,
  mockMigrationAwareAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlResultSet,
} from '@prisma/driver-adapter-utils';

/** What the schema engine asks when it starts: does the namespace exist, and which version is this? */
const ANSWER: SqlResultSet = {
  columnNames: ['exists', 'version', 'numeric_version'],
  columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
  rows: [[true, 'PostgreSQL 14.0', 140_000]],
};

/** An adapter without a database, for the engine's work on schema files: the oldest PostgreSQL we support. */
export function offlineAdapter(): SqlMigrationAwareDriverAdapterFactory {
  const factory = mockMigrationAwareAdapterFactory('postgres');
  const connect = async () => ({ ...(await factory.connect()), queryRaw: async () => ANSWER });
  return { ...factory, connect };
}
