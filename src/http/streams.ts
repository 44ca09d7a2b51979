import { createGraphQLError } from 'graphql-yoga';
import type { Logger } from 'pino';
import { subscribe } from '../graphql/subscribe.js';
import { answeredResult } from './errors.js';
import { eventStream } from './event-stream.js';
import type { GatewayPlugin } from './exchange.js';

/** Whether a caller takes a stream of events, as far as it says what it takes. */
function takesStream(accept: string | null): boolean {
  const types = (accept ?? '*/*').split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  return [eventStream, 'text/*', '*/*'].some((type) => types.includes(type));
}

/**
 * Subscriptions: each event is read anew, and over HTTP they are streams of server-sent events and nothing else.
 */
export function useStreams(log: Logger): GatewayPlugin {
  return {
    onSubscribe({ args, setSubscribeFn, setResultAndStopExecution }) {
      const { request, exchange } = args.contextValue;
      if (takesStream(request.headers.get('accept')) && !exchange.headOnly) {
        setSubscribeFn((given) => subscribe(given, (result) => answeredResult(result, log, exchange)));
        return;
      }
      // Before it begins: yoga would refuse the stream itself, and leave it open.
      const message = `A subscription is answered as ${eventStream}: \`Accept\` it, or use a WebSocket.`;
      const error = createGraphQLError(message, { extensions: { http: { status: 406 } } });
      setResultAndStopExecution({ errors: [error] });
    },
  };
}
