import { createHash } from 'node:crypto';
import { type ExecutionResult, GraphQLError, getOperationAST, locatedError } from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Logger } from 'pino';
import { once } from '../../access/idempotency.js';
import { isDeadlock } from '../../db/connection/errors.js';
import { exactText } from '../../domain/text/exact-json.js';
import { withDoneNote } from '../../graphql/limits/answer-size.js';
import { checkKey, keyHeader, replayedHeader } from '../../web/idempotency.js';
import { toGatewayError } from '../answers/errors.js';
import type { GatewayPlugin } from './plugin.js';

/** Hashes an operation: document, name and variables, including files. */
async function hashOperation({ query, operationName, variables }: GraphQLParams): Promise<string> {
  // Number the files, so that a file that occurs in a thousand places is read only once.
  const files = new Map<File, number>();
  const numberFile = (file: File) => {
    const number = files.get(file) ?? files.size + 1;
    files.set(file, number);
    return number;
  };
  const text = exactText([query, operationName ?? null, variables ?? null], (_name, value) =>
    value instanceof File ? numberFile(value) : value,
  );
  const hash = createHash('sha256').update(text);
  for (const file of files.keys()) {
    hash.update(JSON.stringify([file.name, file.type, file.size]));
    hash.update(new Uint8Array(await file.arrayBuffer()));
  }
  return hash.digest('base64url');
}

/** Thrown to roll back an operation with errors. */
class OperationFailed extends Error {
  constructor(readonly result: ExecutionResult) {
    super('The operation has errors.');
  }
}

/**
 * Removes the note that changes were made from a result-size error. They were not, as the transaction is
 * rolled back.
 */
function withoutDoneNote(error: GraphQLError): GraphQLError {
  const original = withDoneNote(error.originalError);
  return original === error.originalError ? error : locatedError(original, error.nodes, error.path);
}

/** Executes an operation. Throws a deadlock, to be retried, or a result with errors, to be rolled back. */
async function executeOrThrow(execute: () => unknown): Promise<ExecutionResult> {
  // A schema without @defer and @stream has only single results.
  const result = (await execute()) as ExecutionResult;
  if (!result.errors) return result;
  const deadlock = result.errors.find(({ originalError }) => originalError && isDeadlock(originalError));
  throw (
    deadlock?.originalError ?? new OperationFailed({ ...result, errors: result.errors.map(withoutDoneNote) })
  );
}

/**
 * Makes mutations with an `Idempotency-Key` idempotent: a retry gets the first result. Such a document is all
 * or nothing: a result with errors has no data, because nothing was written.
 */
export function useIdempotency(log: Logger): GatewayPlugin {
  /** Creates the result of a request that was not executed, or whose transaction failed. */
  function refusal(error: unknown, id: string): ExecutionResult {
    const { message, status, headers } = toGatewayError(error, log, id);
    return { errors: [new GraphQLError(message, { extensions: { http: { status, headers } } })] };
  }
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { request, session, params, exchange } = args.contextValue;
      const key = request.headers.get(keyHeader);
      if (key === null) return;
      if (getOperationAST(args.document, args.operationName)?.operation !== 'mutation') return;
      setExecuteFn(async (given) => {
        try {
          const keyed = { key: checkKey(key), fingerprint: await hashOperation(params) };
          const work = () => executeOrThrow(() => executeFn(given));
          const { answer, replayed } = await once(session, keyed, work);
          return replayed ? { ...answer, extensions: { http: { headers: replayedHeader } } } : answer;
        } catch (error) {
          return error instanceof OperationFailed
            ? { ...error.result, data: null }
            : refusal(error, exchange.id);
        }
      });
    },
  };
}
