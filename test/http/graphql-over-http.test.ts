import { serverAudits } from 'graphql-http';
import { expect, test } from 'vitest';
import { useGateway } from '../support/gateway.js';

const gateway = useGateway();

/** Returns the audit's own requests, with a token. */
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

test.each(['application/json', 'application/graphql-response+json'])(
  'a document with more faults than are reported has the same status: %s',
  async (accept) => {
    const send = async (count: number) => {
      const query = `{ ${Array.from({ length: count }, (_, index) => `unknown${index}`).join(' ')} }`;
      const response = await gateway.send('POST', '/graphql', { body: { query }, headers: { accept } });
      return { status: response.status, errors: response.json.errors.length };
    };
    const five = await send(5);
    expect(five).toEqual({ status: accept === 'application/json' ? 200 : 400, errors: 5 });
    for (const count of [6, 7, 50]) expect(await send(count), `${count} faults`).toEqual(five);
  },
);
