import type { ListRoute } from '../../domain/doors/route.js';
import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import { showsFiles } from '../route.js';
import { badParameter, readInteger, sentParameter, wantsFileContent } from './parameters.js';

/** The requested part of a list. */
export interface Part {
  /** The page, from 1. It is 1 for a list that is read by cursors, which has no page numbers. */
  readonly page: number;
  readonly size: number;
  /** End of the previous part, empty for the start; undefined if pages have numbers. */
  readonly cursor: string | undefined;
}

/** Maximum rows of a page with file contents. Each row may have many files. */
export const largestPageWithFiles = 25;

/** Maximum bytes of the files of a page. Further files are left out, and can be read by id. */
export const largestContents = 32 * 1024 * 1024;

/** Reads the page number, from 1; -1 stands for none (docs/rest.md). */
function pageIn(query: URLSearchParams): number | undefined {
  const page = readInteger(query, 'page') ?? -1;
  if (page === 0 || page < -1)
    throw badParameter('page', `must be 1 or more, or -1 for the first, not ${page}`);
  return page === -1 ? undefined : page;
}

function sizeIn(query: URLSearchParams, route: ListRoute): number {
  const size = route.pageSize ?? readInteger(query, 'paging') ?? defaultPageSize;
  if (size < 1 || size > maxPageSize)
    throw badParameter('paging', `must be from 1 to ${maxPageSize}, not ${size}`);
  const standard = showsFiles(route);
  const hasFiles = standard !== undefined && wantsFileContent(query, standard);
  return hasFiles ? Math.min(size, largestPageWithFiles) : size;
}

/** Reads which part of a list is requested: `page` or `cursor`, and `paging`. */
export function readPart(query: URLSearchParams, route: ListRoute): Part {
  const page = pageIn(query);
  const cursor = sentParameter(query, 'cursor');
  if (page !== undefined && cursor !== undefined)
    throw badParameter('cursor', 'cannot be combined with page');
  return { page: page ?? 1, size: sizeIn(query, route), cursor };
}
