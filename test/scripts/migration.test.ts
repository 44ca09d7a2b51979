import { expect, test } from 'vitest';
import { completed, diffSchemas } from '../../scripts/migration.mjs';

const head = 'datasource db {\n  provider = "postgresql"\n}\n';
const depot = `${head}model Depot {
  id             String   @id @db.Uuid
  organizationId String   @map("organization_id") @db.Uuid
  teamId         String   @map("team_id") @db.Uuid
  name           String
  modified       DateTime @db.Timestamptz(3)
  @@index([name(ops: raw("gin_trgm_ops"))], type: Gin, map: "depots_term_idx")
  @@map("depots")
}
`;
const shelf = 'model Shelf {\n  id String @id @db.Uuid\n  @@map("shelves")\n}\n';

test('a new table of records gets the trigger of the feed, and an index of folded texts', async () => {
  const sql = completed(await diffSchemas(head, depot + shelf));
  expect(sql).toContain('USING GIN (folded("name") gin_trgm_ops)');
  expect(sql).toContain('CREATE TRIGGER tell_change AFTER INSERT OR UPDATE OR DELETE ON "depots"\n');
  expect(sql).toContain('CREATE TABLE "shelves"');
  expect(sql.match(/CREATE TRIGGER/g)).toHaveLength(1);
});

test('a changed table has its trigger already', async () => {
  const changed = depot.replace('name           String', 'name           String\n  size Int?');
  expect(completed(await diffSchemas(depot, changed))).toBe(
    '-- AlterTable\nALTER TABLE "depots" ADD COLUMN     "size" INTEGER;\n',
  );
});
