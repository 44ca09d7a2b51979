import { expect } from 'vitest';
import type { TestGateway } from './gateway.js';

const verbs: Record<string, string> = {
  SELECT: 'read',
  'INSERT INTO': 'insert',
  UPDATE: 'update',
  'DELETE FROM': 'delete',
};

/** What a statement does, in words that stay when its columns change: `read vehicles + users`, `begin`. */
export function shapeOf(sql: string): string {
  const text = sql.replaceAll('"public".', '').replaceAll('"', '').replace(/\s+/g, ' ').trim();
  if (text.includes('FROM access_tokens AS token')) return 'authenticate';
  if (text.includes('AS asked (')) return 'identify';
  const [, tree] = /^WITH branch0 AS \((.*)\), ?answer AS MATERIALIZED/.exec(text) ?? [];
  if (tree) {
    const [rows = '', ...joined] = tree.split(/\) ?, ?branch\d+ AS \(/);
    const tables = joined.map((branch) => /FROM (\w+) AS record/.exec(branch)?.[1]);
    return [shapeOf(rows), ...tables].join(' + ');
  }
  const [, gone] = /^WITH logged AS .* DELETE FROM (\w+) AS record/i.exec(text) ?? [];
  if (gone) return `delete ${gone}`;
  const [, first] = /^WITH (?!RECURSIVE)(\w+)/i.exec(text) ?? [];
  if (first) return `with ${first}`;
  const [, below] = /^SELECT .{0,80} AS parent,.*?FROM (\w+) AS record/i.exec(text) ?? [];
  if (below) return `${text.includes('count(*)') ? 'count' : 'read'} nested ${below}`;
  const [, kept] = /FROM record_counts AS record WHERE record.table_name = '(\w+)'/.exec(text) ?? [];
  if (kept) return `count ${kept}`;
  const [, read, write, table] =
    /^(?:(SELECT)\b.*?\bFROM|(INSERT INTO|UPDATE|DELETE FROM)) (\w+)/i.exec(text) ?? [];
  if (/\bFOR (NO KEY )?UPDATE\b/i.test(text)) return `lock ${table}`;
  if (/^SELECT COUNT\(/i.test(text)) return `count ${table}`;
  const word = verbs[(read ?? write ?? '').toUpperCase()];
  return word ? `${word} ${table}` : text.toLowerCase();
}

/** The shapes of the statements that a request sends, in order, without the one that finds out who asks. */
export async function shapesOf(gateway: TestGateway, work: () => Promise<unknown>): Promise<string[]> {
  const [first, ...others] = (await gateway.statements(work)).map(shapeOf);
  expect(first).toBe('authenticate');
  return others;
}

/** Has the use of all tokens written down already, which would otherwise happen aside of a first request. */
export async function settle({ database: { prisma }, clock }: TestGateway): Promise<void> {
  await prisma.accessToken.updateMany({ data: { lastUsedAt: clock.now } });
}
