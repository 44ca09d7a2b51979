import { resultsOf } from '../../src/csv/import/result.js';
import type { Session } from '../../src/db/connection/session.js';
import type { RowResult } from '../../src/imports/imports.js';

/** Reads the outcomes of an import's rows. */
export async function outcomesIn(session: Session, id: string): Promise<RowResult[]> {
  const results: RowResult[] = [];
  for await (const result of resultsOf(session, id)) results.push(result);
  return results;
}
