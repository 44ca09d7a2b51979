import { createSecretKey } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { createSecrets } from '../../src/db/secrets/secrets.js';
import { schema } from '../../src/graphql/schema.js';
import { createPost } from '../../src/outbound/outbound.js';
import { createRecordReader } from '../../src/rest/handler.js';
import { startWebhooks, type WebhooksOptions } from '../../src/webhooks/send/sender.js';
import { ask } from '../graphql/support.js';
import { eventually } from '../support/eventually.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

/** A message as a receiver got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver on the loopback interface. It accepts everything, unless a test sets another answer. */
export interface Receiver {
  readonly host: string;
  readonly received: Received[];
  answer: RequestListener;
  /** Returns what arrived at a path, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever a message holds.
  at(path: string): any[];
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url ?? '', headers: request.headers, body });
    receiver.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (_request, response) => response.writeHead(204).end(),
    at: (path) => received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

const key = '5a'.repeat(32);
const secrets = createSecrets({
  secretKey: createSecretKey(Buffer.from(key, 'hex')),
  dataDir: 'none',
});
const reader = createRecordReader(schema);

/** A gateway, a receiver, and senders that share the gateway's clock. */
export interface Webhooks {
  readonly gateway: TestGateway;
  readonly receiver: Receiver;
  /** Starts a process that makes and sends messages. Returns what stops it. */
  start(options?: Partial<WebhooksOptions>): () => Promise<void>;
  /** Creates an endpoint with a path of its own. */
  create(
    input?: object,
    token?: string,
  ): Promise<{ readonly id: string; readonly secret: string; readonly path: string }>;
  /** Waits until nothing is due: no event without messages, and no delivery. */
  settled(): Promise<void>;
  /** Moves the clock. */
  later(ms: number): void;
  close(): Promise<void>;
}

/** Starts to make and send messages of a gateway as a process of its own would. Returns what stops it. */
export function startSending(
  { database, clock }: Pick<TestGateway, 'database' | 'clock'>,
  { host }: Receiver,
  options: Partial<WebhooksOptions> = {},
): () => Promise<void> {
  return startWebhooks({
    ...{ database, secrets, clock: () => clock.now, log: pino({ level: 'silent' }), pollMs: 10 },
    post: createPost({ privateHosts: [host], timeoutMs: 10_000 }),
    loadReader: async () => reader,
    origin: async () => 'https://expiry.example.com',
    ...options,
  });
}

/** Waits until nothing of a gateway is due: no event without messages, and no delivery. */
export const settleMessages = ({ database, clock }: Pick<TestGateway, 'database' | 'clock'>): Promise<void> =>
  eventually(async () => {
    const [left] = await database.sql<{ count: number }>(
      `SELECT (SELECT count(*) FROM webhook_outbox)::int + (SELECT count(*) FROM webhook_deliveries AS delivery
        JOIN webhook_endpoints AS endpoint ON endpoint.id = endpoint_id AND endpoint.state = 'ENABLED'
        WHERE due_at <= '${clock.now.toISOString()}' OR is_claimed)::int AS count`,
    );
    if (left?.count !== 0) throw new Error(`${left?.count} are left.`);
  });

export async function openWebhooks(): Promise<Webhooks> {
  const receiver = await startReceiver();
  const gateway = await startGateway({ WEBHOOK_PRIVATE_HOSTS: receiver.host, SECRET_KEY: key });
  const { clock } = gateway;
  const stops: (() => Promise<void>)[] = [];
  let count = 0;
  return {
    gateway,
    receiver,
    start(options) {
      const stop = startSending(gateway, receiver, options);
      stops.push(stop);
      return stop;
    },
    async create(input = {}, token) {
      const path = `/${++count}`;
      const { createWebhookEndpoint } = await ask(
        gateway,
        `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } secret } }`,
        {
          input: {
            name: `Endpoint ${count}`,
            url: `http://${receiver.host}${path}`,
            ratePerSecond: 100,
            ...input,
          },
        },
        token,
      );
      return { id: createWebhookEndpoint.endpoint.id, secret: createWebhookEndpoint.secret, path };
    },
    settled: () => settleMessages(gateway),
    later(ms) {
      clock.now = new Date(clock.now.getTime() + ms);
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await gateway.close();
      receiver.close();
    },
  };
}
