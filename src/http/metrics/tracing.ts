import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { AroundStatement } from '../../db/connection/pool.js';
import type { OnStage } from '../../domain/doors/stages.js';
import type { Log } from '../../domain/log.js';
import type { Outcome } from '../../domain/uploads/upload.js';
import { version } from '../../version.js';
import type { OnEnded } from '../responses/request-log.js';
import type { RequestContext } from '../routing/endpoint.js';

/**
 * Traces requests and the filing of uploads. Nothing here fails or waits because of the receiver of the
 * traces.
 */
export interface Tracing {
  /** Runs the handling of a request within the request's span, which `onAnswered` ends. */
  request<T>(request: IncomingMessage, exchange: RequestContext, answer: () => T): T;
  readonly onAnswered: OnEnded;
  /** Runs a GraphQL operation within a span of its own. */
  operation<T>(kind: string, name: string | undefined, run: () => Promise<T>): Promise<T>;
  /** Runs an attempt to file an upload as a trace of its own. */
  upload(tried: { id: string; attempts: number }, run: () => Promise<Outcome>): Promise<Outcome>;
  /** Adds a stage to the current span as an event. */
  readonly onStage: OnStage;
  /** Runs work that outlives its request outside of all spans. */
  outside<T>(run: () => T): T;
  /** Sends a statement within a span if it belongs to a traced request. */
  readonly statement: AroundStatement;
  /** Sends the remaining spans, within seconds. */
  close(): Promise<void>;
}

/** Milliseconds for sending the last spans. */
const flushTimeoutMs = 3_000;

/** Characters of an operation's name that are kept. */
const maxNameLength = 100;

/** Doors without traces. Monitoring calls them every few seconds. */
const untracedDoors = new Set(['health', 'metrics']);

/** Creates the OpenTelemetry SDK from its standard environment variables (`OTEL_…`). */
function createProvider(log: Log): BasicTracerProvider {
  setGlobalErrorHandler((error) => {
    const reason = typeof error === 'string' ? error : error.message;
    log.warn({ reason }, 'Traces could not be sent');
  });
  const own = resourceFromAttributes({ 'service.name': 'expiration-gateway', 'service.version': version });
  const environment = detectResources({ detectors: [envDetector] });
  return new BasicTracerProvider({
    resource: defaultResource().merge(own).merge(environment),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
}

/** Runs a function within a span, which ends with it. */
async function within<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: string };
    span.setAttribute('error.type', String(code ?? name));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Starts tracing by the semantic conventions of OpenTelemetry for HTTP, GraphQL and databases. */
export function createTracing(log: Log): Tracing {
  const provider = createProvider(log);
  const tracer = provider.getTracer('expiration-gateway', version);
  const propagator = new W3CTraceContextPropagator();
  const active = new AsyncLocalStorage<Context | undefined>();

  /** Starts a child of the active span. Undefined if there is none, or it is not recorded. */
  function startChild(name: string, options: SpanOptions): { span: Span; context: Context } | undefined {
    const context = active.getStore();
    if (!context || !trace.getSpan(context)?.isRecording()) return undefined;
    const span = tracer.startSpan(name, options, context);
    return { span, context: trace.setSpan(context, span) };
  }
  return {
    request(request, exchange, answer) {
      const { method = '' } = request;
      const { door, route, shownPath } = exchange.place;
      if (untracedDoors.has(door)) return answer();
      const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
      const attributes = {
        'http.request.method': method,
        'url.scheme': 'http',
        'url.path': shownPath,
        'network.protocol.version': request.httpVersion,
        'gateway.request_id': exchange.id,
        ...(route !== undefined && { 'http.route': route }),
      };
      const name = route === undefined ? method : `${method} ${route}`;
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      exchange.trace = { id: span.spanContext().traceId, span };
      return active.run(trace.setSpan(parent, span), answer);
    },
    onAnswered({ exchange, response: { headersSent, statusCode } }) {
      const span = exchange.trace?.span;
      if (!span) return;
      if (headersSent) span.setAttribute('http.response.status_code', statusCode);
      const [code] = exchange.errors ?? [];
      if (code !== undefined) span.setAttribute('error.type', code);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
    onStage(_door, stage, started, ended) {
      const context = active.getStore();
      const ms = Math.round((ended - started) * 1_000) / 1_000;
      if (context) trace.getSpan(context)?.addEvent(stage, { 'gateway.stage.ms': ms }, started);
    },
    async operation(kind, name, run) {
      const attributes = {
        'graphql.operation.type': kind,
        ...(name !== undefined && { 'graphql.operation.name': name.slice(0, maxNameLength) }),
      };
      const started = startChild(`graphql ${kind}`, { attributes });
      return started ? active.run(started.context, () => within(started.span, run)) : run();
    },
    upload({ id, attempts }, run) {
      const attributes = { 'gateway.upload.id': id, 'gateway.upload.attempt': attempts };
      const span = tracer.startSpan('file upload', { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT);
      const traced = async () => {
        const outcome = await run();
        span.setAttribute('gateway.upload.outcome', outcome);
        if (outcome === 'failed' || outcome === 'retried') span.setStatus({ code: SpanStatusCode.ERROR });
        return outcome;
      };
      return active.run(trace.setSpan(ROOT_CONTEXT, span), () => within(span, traced));
    },
    outside: (run) => active.run(undefined, run),
    async statement({ name, text }, send) {
      const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name, 'db.query.text': text };
      const started = startChild(name, { kind: SpanKind.CLIENT, attributes });
      return started ? within(started.span, send) : send();
    },
    async close() {
      const timeout = sleep(flushTimeoutMs, undefined, { ref: false });
      await Promise.race([provider.shutdown(), timeout]).catch(({ message }: Error) => {
        log.warn({ reason: message }, 'Traces could not be sent');
      });
    },
  };
}
