import { Agent, request } from 'node:http';

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

/** What is sent. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** The `Idempotency-Key`. */
  readonly key?: string | undefined;
}

/** Milliseconds after which a request without an answer hangs: longer than the gateway ever waits for its database. */
export const longestWait = 20_000;

/** Someone who sends requests with a token, over connections that are kept alive. */
export interface Client {
  /** Rejects when the connection ends before the answer does. */
  send(url: string, sent: Sent): Promise<Answer>;
  close(): void;
}

/** Creates a client. */
export function createClient(token: string): Client {
  const agent = new Agent({ keepAlive: true });
  const send = (url: string, { method, path, body, key }: Sent) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      };
      const signal = AbortSignal.timeout(longestWait);
      const sent = request(url + path, { method, headers, agent, signal }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('error', reject);
        response.once('end', () => {
          const header = (name: string) => response.headers[name.toLowerCase()]?.toString();
          resolve({ status: response.statusCode ?? 0, header, text });
        });
      });
      sent.once('error', (error) => reject(signal.aborted ? signal.reason : error));
      sent.end(body && JSON.stringify(body));
    });
  return { send, close: () => agent.destroy() };
}

/** Sends one request, as whoever has the token. */
export async function sendOnce(token: string, url: string, sent: Sent): Promise<Answer> {
  const client: Client = createClient(token);
  try {
    return await client.send(url, sent);
  } finally {
    client.close();
  }
}
