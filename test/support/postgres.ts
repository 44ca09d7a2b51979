import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import type { ServerAddresses } from '../../src/db/server/addresses.js';
import { type RunsPostgres, urlOf } from './database.js';

/** Requests the run's PostgreSQL, which the first request starts. */
async function ask(door: string): Promise<RunsPostgres> {
  // Not with `fetch`, which times out after minutes, and which tests replace.
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    request(door, { agent: false }, resolve).on('error', reject).end();
  });
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`There is no PostgreSQL for tests: ${answer}`);
  return JSON.parse(answer);
}

const { url, pooler } = await ask(inject('postgresDoor'));

/** The PostgreSQL of the whole run; tests create databases in it from `templateDatabase`. */
export const postgresUrl = url;

/** Returns the addresses with which a gateway opens a database: through the run's pooler, if it has one. */
export function addressesOf(directUrl: string): ServerAddresses {
  if (!pooler) return { url: directUrl, directUrl, pooling: { mode: 'session' } };
  return {
    url: urlOf(pooler.url, new URL(directUrl).pathname.slice(1)),
    directUrl,
    pooling: pooler.pooling,
  };
}
