import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

/** The audit's own requests, with a token. */
function fetchFn(url: string, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Bearer ${gateway.admin}`);
  return fetch(url, { ...init, headers });
}

// The specification of GraphQL over HTTP, as its reference implementation audits it: every MUST, SHOULD and MAY.
test.each(
  serverAudits({ url: () => `${gateway.url}/graphql`, fetchFn }).map(({ id, name, fn }) => ({
    id,
    name,
    fn,
  })),
)('$id: $name', async ({ fn }) => {
  const result = await fn();
  expect(result.status, 'reason' in result ? result.reason : '').toBe('ok');
});
