import { defaultPageSize, maxPageSize } from '../../domain/paging.js';
import { type ListRoute, showsFiles } from '../route.js';
import { badParameter, readInteger, sentParameter, wantsFileContent } from './parameters.js';

/** The part of a list that is asked for. */
export interface Part {
  /** The page, from 1. A list that is walked by cursors has no numbers: 1 stands there. */
  readonly page: number;
  readonly size: number;
  /** End of the part before, empty for the start; undefined where pages have numbers. */
  readonly cursor: string | undefined;
}

/** Largest page of rows with the bytes of files. Each row may have many of them. */
export const largestPageWithFiles = 25;

/** Most bytes of the files of a page. What goes beyond is left out, and can be read by its id. */
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

/** Reads which part of a list is asked for: `page` or `cursor`, and `paging`. */
export function readPart(query: URLSearchParams, route: ListRoute): Part {
  const page = pageIn(query);
  const cursor = sentParameter(query, 'cursor');
  if (page !== undefined && cursor !== undefined) throw badParameter('cursor', 'does not go with page');
  return { page: page ?? 1, size: sizeIn(query, route), cursor };
}
