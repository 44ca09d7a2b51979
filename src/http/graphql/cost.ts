import { requestLimits } from '../../graphql/limits/limits.js';
import type { GatewayPlugin } from './plugin.js';

/** The header by which a caller asks what an operation costs. */
const costHeader = 'graphql-cost';

/**
 * Tells the cost of an operation in the extensions of its answer. It is told to callers who ask for it by the header
 * `GraphQL-Cost`, and to those refused for it. What it costs is measured by `useLimits`, which comes after.
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
          // A schema without @defer and @stream has single results.
          const { extensions, ...rest } = result as { readonly extensions?: object };
          const told = { requested: cost, limit: requestLimits.cost };
          setResult({ ...rest, extensions: { ...extensions, cost: told } });
        },
      };
    },
  };
}
