import type { Database } from '../../src/db/connection/database.js';

/** Lists the rows of all tables that have one of the texts, ignoring case, with their tables. */
export async function dumpOf(database: Database, texts: readonly string[]): Promise<string[]> {
  const tables = await database.sql<{ name: string }>(
    `SELECT format('%I', relname) AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.sql<{ text: string }>(`SELECT record::text AS text FROM ${name} AS record`);
    for (const { text } of rows) {
      // Bytes are written in hexadecimal.
      const all = [
        text,
        ...[...text.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString()),
      ];
      const low = all.join('\n').toLowerCase();
      if (texts.some((one) => low.includes(one))) found.push(`${name} ${text.slice(0, 300)}`);
    }
  }
  return found;
}
