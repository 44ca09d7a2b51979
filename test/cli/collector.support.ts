import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP's JSON has it, its attributes as an object. */
interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly events: readonly { readonly name: string }[];
  readonly attributes: Record<string, unknown>;
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };

const objectOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** Returns what a collector receives, on loopback. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const texts: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    texts.push(`${request.method} ${request.url} ${text}`);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      resources.push(objectOf(resource.attributes));
      for (const { spans: sent } of scopeSpans) {
        for (const span of sent) spans.push({ ...span, attributes: objectOf(span.attributes) });
      }
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url, spans, resources, texts, close };
}
