import type { Logger } from 'pino';
import { errorResponseFor, toGatewayError } from './errors.js';
import type { GatewayPlugin } from './exchange.js';

/** Answers what was refused as it arrived, here, where the answer gets the headers that every answer has. */
export function useRefusals(): GatewayPlugin {
  return {
    onRequest({ url, serverContext, endResponse }) {
      const { refusal } = serverContext.exchange;
      if (refusal) endResponse(errorResponseFor(url.pathname, refusal));
    },
  };
}

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
        const { url, serverContext, endResponse } = payload;
        endResponse(errorResponseFor(url.pathname, toGatewayError(error, log, serverContext.exchange.id)));
      }
    },
  };
}
