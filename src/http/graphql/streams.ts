import { type ExecutionArgs, getOperationAST } from 'graphql';
import { createGraphQLError } from 'graphql-yoga';
import type { SentVariables } from '../../graphql/limits/limits.js';
import { eventStream } from '../answers/event-stream.js';
import { accepts } from '../request/request.js';
import { estimateDocumentBytes } from './limits.js';
import { forgetParams } from './params.js';
import type { GatewayPlugin } from './plugin.js';

/** Returns the values of the variables that an operation declares. A request may send others, too. */
function usedVariables({ document, operationName, variableValues }: ExecutionArgs): SentVariables {
  const names = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const sent = variableValues ?? {};
  return Object.fromEntries(
    names
      .map(({ variable: { name } }) => name.value)
      .filter((name) => Object.hasOwn(sent, name))
      .map((name) => [name, sent[name]]),
  );
}

function estimateBytes(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value !== 'object' || value === null) return 16;
  return Object.values(value).reduce((sum: number, inner) => sum + estimateBytes(inner), 64);
}

/**
 * Runs subscriptions. Over HTTP they are server-sent events only, and each event is read anew. A stream keeps
 * its document and variables in memory, and nothing else of its request.
 */
export function useStreams(): GatewayPlugin {
  return {
    onSubscribe({ args, setResultAndStopExecution }) {
      const { request, exchange } = args.contextValue;
      if (accepts(request.headers.get('accept'), eventStream) && !exchange.headOnly) {
        const { memory } = exchange;
        args.variableValues = usedVariables(args);
        if (
          !memory.tryGrow(estimateDocumentBytes(args.document) + estimateBytes(args.variableValues), 'stream')
        ) {
          throw memory.refusal();
        }
        forgetParams(args.contextValue.params);
        return;
      }
      // Checked before the stream begins: yoga would refuse it itself, but leave it open.
      const message = `A subscription returns ${eventStream}: \`Accept\` it, or use a WebSocket.`;
      const error = createGraphQLError(message, { extensions: { http: { status: 406 } } });
      setResultAndStopExecution({ errors: [error] });
    },
  };
}
