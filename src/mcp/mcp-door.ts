import type { Config } from '../config/config.js';
import { paths } from '../domain/doors/paths.js';
import { GatewayError } from '../domain/errors.js';
import type { Endpoint, ProtectedResource } from '../http/routing/endpoint.js';
import type { Exchange } from '../http/routing/exchange.js';
import { isLoopback } from '../http/session/cookies.js';
import { checkJsonType } from '../rest/body.js';
import { readJson } from '../rest/json-body.js';
import { largestBodies } from '../rest/routes.js';
import { jsonType } from '../web/answer.js';
import { type AnswerMessage, createMcpServer, type McpOptions } from './server.js';

export interface McpDoorOptions extends Omit<McpOptions, 'console'> {
  readonly config: Config;
  /** True if there is a console for links to lead to. */
  readonly hasConsole: boolean;
}

/** Creates the endpoints of a protected resource's metadata (RFC 9728 section 3). */
function metadataEndpoints(config: Config, originOf: (exchange: Exchange) => string): Endpoint[] {
  const { oidc } = config;
  if (!oidc) return [];
  const endpoint = (path: string, resource: string): Endpoint => ({
    path,
    door: 'mcp',
    methods: {
      GET: {
        access: 'public',
        async handle(_incoming, exchange) {
          const metadata = {
            resource: `${originOf(exchange)}${resource}`,
            resource_name: 'Expiration Gateway',
            authorization_servers: [oidc.issuer],
            bearer_methods_supported: ['header'],
            scopes_supported: oidc.scope.split(' '),
          };
          return { status: 200, headers: jsonType, body: JSON.stringify(metadata) };
        },
      },
    },
  });
  return [endpoint(paths.protectedMcp, paths.mcp), endpoint(paths.protectedResource, '')];
}

/**
 * Creates the endpoints for assistants: the Model Context Protocol over HTTP, and its metadata. The protocol's
 * library is loaded with the first message.
 */
export function mcpEndpoints({ config, hasConsole, ...options }: McpDoorOptions): Endpoint[] {
  const originOf = (exchange: Exchange) => config.publicUrl ?? exchange.origin();
  const console = (exchange: Exchange) => (hasConsole ? originOf(exchange) : undefined);
  let loading: Promise<AnswerMessage> | undefined;
  const load = () => {
    loading ??= createMcpServer({ ...options, console }).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const resource: ProtectedResource = {
    metadata: (exchange) => `${originOf(exchange)}${paths.protectedMcp}`,
    // The host of a request must not decide which tokens are accepted.
    audience: config.publicUrl === undefined ? undefined : `${config.publicUrl}${paths.mcp}`,
  };
  /** Refuses pages of other sites, as the protocol demands. */
  function checkOrigin(origin: string | null, exchange: Exchange): void {
    if (origin === null || config.corsOrigins.includes(origin)) return;
    // Without an address in the settings, a name that leads here may be a DNS rebinding attack by a web page.
    const isKnown = config.publicUrl !== undefined || isLoopback(new URL(originOf(exchange)).hostname);
    if (isKnown && origin === originOf(exchange)) return;
    throw new GatewayError('FORBIDDEN', 'Pages of this origin may not call the gateway: see `CORS_ORIGINS`.');
  }
  return [
    {
      path: paths.mcp,
      door: 'mcp',
      methods: {
        POST: {
          access: 'token',
          ...(config.oidc && { resource }),
          body: {
            limit: () => largestBodies.standard,
            check: ({ header }) => checkJsonType(header('content-type') ?? '', false),
          },
          async handle(incoming, exchange) {
            checkOrigin(incoming.header('origin'), exchange);
            const message = readJson(exchange.body);
            // A batch would be many requests for the rate limit of one. The protocol has had none since 2025.
            if (Array.isArray(message)) {
              throw new GatewayError('BAD_REQUEST', 'The body must be one message, not a batch.');
            }
            const answer = await load();
            return answer(incoming, message, exchange);
          },
        },
      },
    },
    ...metadataEndpoints(config, originOf),
  ];
}
