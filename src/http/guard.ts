import type { Logger } from 'pino';
import { errorResponseFor, toGatewayError } from './errors.js';
import { type GatewayPlugin, noteError } from './exchange.js';
import { askedOf } from './request.js';

/**
 * A plugin whose failures are answered as any other: what a hook throws would reach yoga's adapter, which shows
 * callers the stack.
 */
export function guarded(plugin: GatewayPlugin, log: Logger): GatewayPlugin {
  const { onRequest } = plugin;
  if (!onRequest) return plugin;
  return {
    ...plugin,
    async onRequest(payload) {
      try {
        await onRequest(payload);
      } catch (error) {
        const { request, serverContext, endResponse } = payload;
        const told = toGatewayError(error, log, serverContext.exchange.id);
        noteError(serverContext.exchange, told.code);
        endResponse(errorResponseFor(askedOf(request), told));
      }
    },
  };
}
