import type { ServerResponse } from 'node:http';

/**
 * Headers of every answer. It is for who asked and at that moment, unless the door that gives it says otherwise; and
 * it is what its type says, whatever it looks like to a browser.
 */
export const alwaysSent = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

const entries = Object.entries(alwaysSent);

/** Sets them on an answer; those that are set or written later take their place. */
export function setAlwaysSent(response: ServerResponse): void {
  for (const [name, value] of entries) response.setHeader(name, value);
}
