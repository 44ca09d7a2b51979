import { expect } from 'vitest';
import type { TestGateway, TestResponse } from '../support/gateway.js';

/** The revisions of the protocol that clients speak. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Returns the JSON of a message, which may come as an event. */
export function messageIn({ text, headers }: Pick<TestResponse, 'text' | 'headers'>) {
  const isEvent = headers.get('content-type')?.startsWith('text/event-stream');
  // A line ends with a line feed alone: `.` would end at U+2028, too.
  const data = isEvent ? /^data: ([^\n]*)/m.exec(text)?.[1] : text;
  return data ? JSON.parse(data) : undefined;
}

/** Sends a request of the protocol, and returns the whole response. */
export async function post(
  gateway: Pick<TestGateway, 'send'>,
  method: string,
  params: Record<string, unknown> = {},
  { token, revision = '2025-11-25' }: { token?: string | null | undefined; revision?: Revision } = {},
): Promise<TestResponse> {
  const isNew = revision === '2026-07-28';
  const body = {
    ...{ jsonrpc: '2.0', id: 1, method },
    params: isNew ? { ...params, _meta: meta } : params,
  };
  const headers: Record<string, string> = {
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': revision,
  };
  if (isNew) headers['Mcp-Method'] = method;
  if (isNew && typeof params.name === 'string') headers['Mcp-Name'] = params.name;
  return gateway.send('POST', '/mcp', { body, headers, ...(token !== undefined && { token }) });
}

/** Sends a request of the protocol, and returns its result. */
export async function request(...args: Parameters<typeof post>) {
  const response = await post(...args);
  expect(response.status, response.text).toBe(200);
  const message = messageIn(response);
  expect(message.error, response.text).toBeUndefined();
  return message.result;
}

/** Calls a tool, and returns its result. */
export const call = (
  gateway: Pick<TestGateway, 'send'>,
  name: string,
  args: Record<string, unknown> = {},
  options?: Parameters<typeof post>[3],
) => request(gateway, 'tools/call', { name, arguments: args }, options);
