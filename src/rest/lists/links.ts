import type { Part } from './part.js';

/** A link to a part of a list: relation, and parameter with value. */
type Relation = readonly [
  name: 'next' | 'prev' | 'first' | 'last',
  parameter: 'page' | 'cursor',
  value: string,
];

/** Lists the links of a numbered page. The page before the first one beyond the end is the last page. */
function relationsOfPage(page: number, pages: number): Relation[] {
  const last = Math.max(pages, 1);
  return [
    ...(page < last ? [['next', 'page', String(page + 1)] as const] : []),
    ...(page > 1 ? [['prev', 'page', String(Math.min(page - 1, last))] as const] : []),
    ['first', 'page', '1'],
    ['last', 'page', String(last)],
  ];
}

/** Lists the links of a part after a cursor. The start of the previous part is unknown. */
function relationsOfCursor(next: string | undefined): Relation[] {
  return [...(next === undefined ? [] : [['next', 'cursor', next] as const]), ['first', 'cursor', '']];
}

/** Maximum characters of the header. A proxy's buffer for all headers is usually 4 KiB. */
const longestHeader = 2_048;

/**
 * Writes the `Link` header of a list (RFC 8288). Its references are relative, so that they work behind a
 * proxy, and keep the request's other parameters. If it would be too long, it has only the most useful link.
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
