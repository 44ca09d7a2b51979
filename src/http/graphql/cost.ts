import { requestLimits } from '../../graphql/limits/limits.js';
import type { GatewayPlugin } from './plugin.js';

/** The request header that asks for an operation's cost. */
const costHeader = 'graphql-cost';

/**
 * Adds the cost of an operation to the extensions of its answer. Callers get it if they ask for it with the
 * header `GraphQL-Cost`, or if they are refused because of it. `useLimits`, which comes later, measures the
 * cost.
 */
export function useCost(): GatewayPlugin {
  return {
    onExecute({ args }) {
      const { answer, request } = args.contextValue;
      const isAsked = request.headers.get(costHeader)?.trim().toLowerCase() === 'true';
      return {
        onExecuteDone({ result, setResult }) {
          const { cost } = answer;
          if (cost === undefined || !(isAsked || cost > requestLimits.cost)) return;
          // A schema without @defer and @stream has only single results.
          const { extensions, ...rest } = result as { readonly extensions?: object };
          const told = { requested: cost, limit: requestLimits.cost };
          setResult({ ...rest, extensions: { ...extensions, cost: told } });
        },
      };
    },
  };
}
