import type { Part } from './part.js';

/** A link to a part of a list: relation, and parameter with value. */
type Relation = readonly [
  name: 'next' | 'prev' | 'first' | 'last',
  parameter: 'page' | 'cursor',
  value: string,
];

/** Lists the parts that a numbered page leads to. Beyond the last page, the one before is the last. */
function relationsOfPage(page: number, pages: number): Relation[] {
  const last = Math.max(pages, 1);
  return [
    ...(page < last ? [['next', 'page', String(page + 1)] as const] : []),
    ...(page > 1 ? [['prev', 'page', String(Math.min(page - 1, last))] as const] : []),
    ['first', 'page', '1'],
    ['last', 'page', String(last)],
  ];
}

/** Lists the parts that one after a cursor leads to. Where the ones before it began, nobody knows. */
function relationsOfCursor(next: string | undefined): Relation[] {
  return [...(next === undefined ? [] : [['next', 'cursor', next] as const]), ['first', 'cursor', '']];
}

/** Characters that the header may have. A proxy's buffer for all headers is 4 KiB as a rule. */
const longestHeader = 2_048;

/**
 * Writes the `Link` header of a list (RFC 8288). Its references are relative, so that they are right behind a proxy,
 * and have the other parameters of the request. One that is too long has the most useful link alone.
 * @param pages the number of pages
 * @param next the cursor of the next part, if there is one
 */
export function linkHeader(
  path: string,
  query: URLSearchParams,
  { page, cursor }: Part,
  { pages, next }: { readonly pages: number; readonly next: string | undefined },
): string {
  const others = [...query].filter(([name]) => !/^(page|cursor)$/i.test(name));
  const kept = others.length === 0 ? '' : `${new URLSearchParams(others)}&`;
  const relations = cursor === undefined ? relationsOfPage(page, pages) : relationsOfCursor(next);
  const links = relations.map(
    ([name, parameter, value]) => `<${path}?${kept}${parameter}=${value}>; rel="${name}"`,
  );
  const header = links.join(', ');
  return header.length <= longestHeader ? header : (links[0] ?? '');
}
