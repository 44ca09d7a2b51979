import { expect } from 'vitest';
import type { TestGateway, TestRequest, TestResponse } from '../support/gateway.js';

/**
 * Returns the links of an answer by relation, resolved like clients do (RFC 8288): paths with their queries.
 */
export function linksOf({ headers }: TestResponse, base: string): Record<string, string> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(
    links.map(([, target = '', relation = '']) => {
      const { pathname, search } = new URL(target, base);
      return [relation, pathname + search];
    }),
  );
}

/** Requests a list, which must succeed. */
export async function page(gateway: TestGateway, path: string, request?: TestRequest) {
  const response = await gateway.send('GET', path, request);
  expect(response.status, response.text).toBe(200);
  const rows = Object.values(response.json).find(Array.isArray) as { readonly id: string }[];
  return {
    response,
    ...response.json,
    ids: rows.map(({ id }) => id),
    links: linksOf(response, gateway.url + path),
  };
}

/** Follows `next` from a path on, and returns the ids of each page. */
export async function walk(
  gateway: TestGateway,
  start: string,
  between: (ids: readonly string[]) => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const pages: string[][] = [];
  for (let path: string | undefined = start; path !== undefined; ) {
    const { ids, links }: { ids: string[]; links: Record<string, string> } = await page(gateway, path);
    pages.push(ids);
    // Distinguishes an endless walk from a long one.
    expect(pages.length).toBeLessThan(1_000);
    await between(ids);
    path = links.next;
  }
  return pages;
}
