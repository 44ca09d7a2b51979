import { getOperationAST } from 'graphql';
import type { GatewayPlugin } from './plugin.js';

/** Has queries read from the replica, as far as it suits their callers; mutations read what they wrote. */
export function useReplica(): GatewayPlugin {
  return {
    onExecute({ args: { document, operationName, contextValue } }) {
      if (getOperationAST(document, operationName)?.operation === 'query')
        contextValue.session.readFromReplica();
    },
  };
}
