import {
  type ExecutionArgs,
  type FieldNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { GatewayError } from '../../domain/errors.js';
import { asInvalid } from '../../graphql/limits/limits.js';
import type { GatewayPlugin } from './plugin.js';

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
