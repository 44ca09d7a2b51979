import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import WebSocket from 'ws';
import { transports, webSocketUrl } from '../live/support.js';
import type { TestGateway } from '../support/gateway.js';
import type { ValidOperation } from './operations.js';
import type { Answer } from './same.js';

/** Sends an operation to a gateway and reads its one answer. */
export type Send = (operation: ValidOperation) => Promise<Answer>;

/** Returns the ways to a gateway's GraphQL door; one WebSocket carries all that is sent over it. */
export function doorsOf(
  gateway: TestGateway,
): Record<'POST' | 'GET' | 'SSE' | 'WebSocket', Send> & { close(): void } {
  const client = createClient({
    url: webSocketUrl(gateway),
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${gateway.admin}` },
    retryAttempts: 0,
  });
  const only = async (results: AsyncIterator<unknown>): Promise<Answer> => {
    const { value } = await results.next();
    expect((await results.next()).done).toBe(true);
    return value as Answer;
  };
  return {
    async POST({ query, variables }) {
      const { status, json } = await gateway.send('POST', '/graphql', { body: { query, variables } });
      expect(status).toBeLessThan(500);
      return json;
    },
    async GET({ query, variables }) {
      const params = new URLSearchParams({ query, variables: JSON.stringify(variables) });
      const { status, json } = await gateway.send('GET', `/graphql?${params}`);
      expect(status).toBeLessThan(500);
      return json;
    },
    SSE: ({ query, variables }) =>
      only(transports['plain server-sent events'](gateway, { query, variables })),
    async WebSocket({ query, variables }) {
      try {
        return await only(client.iterate({ query, variables }));
      } catch (errors) {
        // An operation that was not begun is told by its errors alone.
        if (Array.isArray(errors)) return { errors };
        throw errors;
      }
    },
    close: () => void client.dispose(),
  };
}
