import { useEngine } from '@envelop/core';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type ParseOptions,
  parse,
  type Source,
  specifiedRules,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import type { Logger } from 'pino';
import type { Stage, StageTimer } from '../../domain/doors/stages.js';
import { execute } from '../../graphql/execution/execute.js';
import { subscribe } from '../../graphql/execution/subscribe.js';
import { checkRepeats, checkText } from '../../graphql/limits/document.js';
import { valuesBesideInputs } from '../../graphql/limits/inputs.js';
import { maxErrors, requestLimits } from '../../graphql/limits/limits.js';
import { placed } from '../../graphql/limits/places.js';
import { isPlainlyValid } from '../../graphql/limits/plainly-valid.js';
import { answeredResult } from '../answers/answered.js';
import type { Tracing } from '../metrics/tracing.js';
import type { GatewayPlugin, ServerContext } from './plugin.js';

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

interface Text {
  readonly source: string | Source;
  readonly options: ParseOptions | undefined;
}

/** Parses a document whose text is within the limits. */
const parseDocument: Stage<Text, DocumentNode> = {
  name: 'parse',
  run({ source, options }) {
    checkText(source.toString());
    return parse(source, options);
  },
};

interface Parsed {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly rules: readonly ValidationRule[] | undefined;
}

/**
 * Validates a document, unless it repeats so much that validation would be slow. One walk finds most valid
 * documents; the rules are only needed to explain what may be wrong with the others.
 */
const validateDocument: Stage<Parsed, readonly GraphQLError[]> = {
  name: 'validate',
  run({ schema, document, rules }) {
    const refusal = checkRepeats(document);
    if (refusal) return [refusal];
    if (isPlainlyValid(schema, document)) return [];
    // graphql-js would add "too many errors" as one more error without a location, which would change the
    // answer's status.
    const options = { maxErrors: maxErrors, hideSuggestions: true };
    const own = (rules ?? specifiedRules).map((rule) =>
      rule === ValuesOfCorrectTypeRule ? valuesBesideInputs : rule,
    );
    return placed(validate(schema, document, own, options).slice(0, maxErrors), schema, document);
  },
};

/** Installs the gateway's parser, validator and executor in yoga. */
export function useGatewayEngine(stages: StageTimer, log: Logger): GatewayPlugin {
  const engine = {
    parse: (source: string | Source, options?: ParseOptions) =>
      stages.run(parseDocument, { source, options }),
    validate: (schema: GraphQLSchema, document: DocumentNode, rules?: readonly ValidationRule[]) =>
      stages.run(validateDocument, { schema, document, rules }),
    execute: (args: ExecutionArgs) => execute(args, stages),
    subscribe: (args: ExecutionArgs) => {
      const { exchange } = args.contextValue as ServerContext;
      return subscribe(args, (result: ExecutionResult) => answeredResult(result, log, exchange));
    },
  };
  return useEngine(engine) as GatewayPlugin;
}
