import { getOperationAST } from 'graphql';
import type { Tracing } from '../metrics/tracing.js';
import type { GatewayPlugin } from './plugin.js';

/** Traces each query and mutation with a span. A subscription lasts for hours, so it has none. */
export function useTracing(tracing: Tracing): GatewayPlugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => {
        const operation = getOperationAST(args.document, args.operationName);
        const run = async () => executeFn(args);
        return tracing.operation(operation?.operation ?? '', operation?.name?.value, run);
      });
    },
    onSubscribe({ subscribeFn, setSubscribeFn }) {
      setSubscribeFn((args) => tracing.outside(() => subscribeFn(args)));
    },
  };
}
