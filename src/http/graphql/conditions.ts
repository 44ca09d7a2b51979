import { createHash } from 'node:crypto';
import {
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  GraphQLError,
  getOperationAST,
  Kind,
  locatedError,
  type SelectionSetNode,
} from 'graphql';
import type { GraphQLParams } from 'graphql-yoga';
import type { Logger } from 'pino';
import { once } from '../../access/idempotency.js';
import { isDeadlock } from '../../db/connection/errors.js';
import { GatewayError } from '../../domain/errors.js';
import { FileError } from '../../domain/files.js';
import { exactText } from '../../domain/text/exact-json.js';
import { withDoneNote } from '../../graphql/limits/answer-size.js';
import { asInvalid } from '../../graphql/limits/limits.js';
import { checkKey, keyHeader, replayedHeader } from '../../web/parameters.js';
import { toGatewayError } from '../answers/answered.js';
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

/** Returns whether all that a result lacks are bytes of files. Its changes are none the worse for it. */
const lacksOnlyFiles = ({ data, errors = [] }: ExecutionResult) =>
  data != null && errors.every(({ originalError }) => originalError instanceof FileError);

/** Executes an operation. Throws a deadlock, to be retried, or a result with errors, to be rolled back. */
async function executeOrThrow(execute: () => unknown): Promise<ExecutionResult> {
  // A schema without @defer and @stream has only single results.
  const result = (await execute()) as ExecutionResult;
  if (!result.errors || lacksOnlyFiles(result)) return result;
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
          let lacking: ExecutionResult['errors'];
          const work = async () => {
            const { errors, ...result } = await executeOrThrow(() => executeFn(given));
            lacking = errors;
            return result;
          };
          const { answer, replayed } = await once(session, keyed, work);
          if (replayed) return { ...answer, extensions: { http: { headers: replayedHeader } } };
          return lacking ? { ...answer, errors: lacking } : answer;
        } catch (error) {
          return error instanceof OperationFailed
            ? { ...error.result, data: null }
            : refusal(error, exchange.id);
        }
      });
    },
  };
}

/** Arguments of mutations that take versions, like `If-Match`. */
const versionArguments: ReadonlySet<string> = new Set(['ifVersion', 'ifVersions']);

/** Lists the mutations of an operation by their keys in the result. Fragments are followed. */
function mutationsOf({ document, operationName }: ExecutionArgs): FieldNode[] {
  const found = new Map<string, FieldNode>();
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode) => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { alias, name } = selection;
        if (name.value !== '__typename') found.set((alias ?? name).value, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = document.definitions.find(
          (definition) =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) collect(fragment.selectionSet);
      }
    }
  };
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === 'mutation') collect(operation.selectionSet);
  return [...found.values()];
}

/** Returns the refusal of an operation's `If-Match`, if any. */
function refusalOf(args: ExecutionArgs): GatewayError | undefined {
  const [mutation, ...others] = mutationsOf(args);
  if (!mutation) return undefined;
  if (others.length > 0) {
    const message =
      '`If-Match` works only with a single mutation; give each mutation an `ifVersion` instead.';
    return new GatewayError('BAD_REQUEST', message);
  }
  const field = args.schema.getMutationType()?.getFields()[mutation.name.value];
  if (field?.args.some(({ name }) => versionArguments.has(name))) return undefined;
  const message = `\`${mutation.name.value}\` changes no record whose version \`If-Match\` could name.`;
  return new GatewayError('PRECONDITION_FAILED', message);
}

/**
 * Rejects `If-Match` where it is unclear which record it applies to. It is a condition on the one record that
 * a request changes, so a document with several mutations must not have it.
 */
export function useConditions(): GatewayPlugin {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      if (args.contextValue.request.headers.get('if-match') === null) return;
      const originalError = refusalOf(args);
      if (!originalError) return;
      const nodes = getOperationAST(args.document, args.operationName);
      const extensions = { http: { ...asInvalid().http, status: originalError.status } };
      setResultAndStopExecution({ errors: [new GraphQLError('', { nodes, originalError, extensions })] });
    },
  };
}
