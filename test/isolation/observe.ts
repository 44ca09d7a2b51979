import { expect } from 'vitest';
import { newId } from '../../src/domain/rules.js';
import type { TestRequest } from '../support/gateway.js';
import { foreignWords, type World } from './world.js';

/** What a request sends. */
export interface Sent extends TestRequest {
  readonly method: string;
  readonly path: string;
}

/** All that a caller can tell of an answer, but for what no two answers share, and how the database was asked. */
export interface Observation {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** What was sent to the database, word for word; of a query in no order, as its fields are read side by side. */
  readonly statements: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever an answer holds.
  readonly json: any;
}

/** Headers that differ between any two answers, or follow from what was written. */
const ofItsOwn = ['date', 'x-request-id', 'etag', 'location'];

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const moment = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const secretPath = /\/calendar\/[\w-]{43}\.ics/g;
const version = /"version":"[0-9a-z]+"/g;

/** Returns the statements of a request: those of its transaction in their order, those of reading in none. */
function ordered(sent: readonly string[]): string[] {
  // What is announced goes out aside of requests.
  const own = sent.filter((sql) => !sql.includes('pg_notify'));
  const end = 1 + Math.max(own.lastIndexOf('COMMIT'), own.lastIndexOf('ROLLBACK'));
  return [...own.slice(0, end), ...own.slice(end).sort()];
}

/** Sends a request, and watches what comes of it. */
export async function observe({ gateway }: World, request: Sent): Promise<Observation> {
  const { method, path, ...rest } = request;
  let response: Awaited<ReturnType<typeof gateway.send>> | undefined;
  const sent = await gateway.statements(async () => {
    response = await gateway.send(method, path, rest);
  });
  if (!response) throw new Error('There is no answer.');
  const { status, headers, text, json } = response;
  const shown = text
    .replace(uuid, '<an id>')
    .replace(moment, '<a time>')
    .replace(secretPath, '/calendar/<a secret>.ics')
    .replace(version, '"version":"<a version>"');
  return {
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !ofItsOwn.includes(name))),
    body: json === undefined ? shown : JSON.parse(shown),
    statements: ordered(sent),
    json,
  };
}

/**
 * Expects that a request is answered with a foreign id as it is with one that exists nowhere, by the same statements,
 * so that neither the answer nor its time tells them apart.
 * @param makeRequest gives the request for an id
 * @returns the answer
 */
export async function expectUntold(
  world: World,
  makeRequest: (id: string) => Sent,
  foreignId: string,
): Promise<Observation> {
  const { json: _, ...unknown } = await observe(world, makeRequest(newId()));
  const { json, ...foreign } = await observe(world, makeRequest(foreignId));
  expect(foreign).toEqual(unknown);
  for (const word of foreignWords) expect(JSON.stringify(foreign.body)).not.toContain(word);
  return { ...foreign, json };
}
