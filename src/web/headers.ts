import type { ServerResponse } from 'node:http';

/**
 * Headers of every answer. By default, an answer is for its caller and this moment only, and browsers must
 * not guess another media type.
 */
export const alwaysSent = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

const entries = Object.entries(alwaysSent);

/** Sets these headers on an answer. Headers that are set later replace them. */
export function setAlwaysSent(response: ServerResponse): void {
  for (const [name, value] of entries) response.setHeader(name, value);
}
