import type { TestRequest, TestResponse } from './gateway.js';
import { validateResponse } from './openapi.js';

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a function that sends requests to a gateway, and checks the answers of REST by its OpenAPI document.
 * @param usual the token of requests that name none
 */
export const sendAs =
  (url: string, usual: string) =>
  async (method: string, path: string, request: TestRequest = {}): Promise<TestResponse> => {
    const { token = usual, body, raw } = request;
    const headers: Record<string, string> = {};
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...request.headers },
      redirect: 'manual',
      body: raw ?? (body === undefined ? null : JSON.stringify(body)),
    });
    const text = await response.text();
    if (path.startsWith('/v1') && !path.startsWith('/v1/openapi.')) {
      validateResponse(method, path, response.status, response.headers, text);
    }
    return { status: response.status, headers: response.headers, text, json: parse(text) };
  };
