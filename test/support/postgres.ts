import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

/** Asks for the run's PostgreSQL, which is started for the first who asks. */
async function ask(door: string): Promise<string> {
  // Not by `fetch`, which gives up after minutes, and which tests replace.
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(door, { agent: false }, resolve).on('error', reject).end();
  });
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`There is no PostgreSQL for tests: ${answer}`);
  return answer;
}

/** The PostgreSQL of the whole run; tests make databases in it from `templateDatabase`. */
export const postgresUrl = await ask(inject('postgresDoor'));
