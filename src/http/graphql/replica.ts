import { getOperationAST } from 'graphql';
import type { GatewayPlugin } from './plugin.js';

/** Lets queries read from the replica, if it suits their callers. Mutations read what they wrote. */
export function useReplica(): GatewayPlugin {
  return {
    onExecute({ args: { document, operationName, contextValue } }) {
      if (getOperationAST(document, operationName)?.operation === 'query')
        contextValue.session.readFromReplica();
    },
  };
}
