import { expect, it } from 'vitest';
import { summaryOf } from '../../src/db/connection/statements.js';

it.each([
  ['SELECT "public"."vehicles"."id" FROM "public"."vehicles" WHERE 1=1', 'SELECT vehicles'],
  ['INSERT INTO "public"."event_logs" ("id") VALUES ($1)', 'INSERT event_logs'],
  ['\n    UPDATE upload_notifications AS upload SET due_at = $1', 'UPDATE upload_notifications'],
  ['DELETE FROM "public"."tags" WHERE id = $1', 'DELETE tags'],
  ['SELECT a, ARRAY(SELECT b FROM teams WHERE c IN (1, 2)) FROM access_tokens', 'SELECT access_tokens'],
  ['SELECT COUNT(*) FROM (SELECT "id" FROM "public"."vehicles" OFFSET $1) AS "sub"', 'SELECT vehicles'],
  ['BEGIN', 'BEGIN'],
  ['', 'SQL'],
])('the summary of %j is %s', (sql, summary) => {
  expect(summaryOf(sql)).toBe(summary);
});
