import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/** Requests the run's PostgreSQL, which the first request starts. */
async function ask(door: string): Promise<string> {
  // Not with `fetch`, which times out after minutes, and which tests replace.
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(door, { agent: false }, resolve).on('error', reject).end();
  });
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`There is no PostgreSQL for tests: ${answer}`);
  return answer;
}

/** The PostgreSQL of the whole run; tests create databases in it from `templateDatabase`. */
export const postgresUrl = await ask(inject('postgresDoor'));
