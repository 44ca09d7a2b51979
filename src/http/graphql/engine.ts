import { useEngine } from '@envelop/core';
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLSchema,
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
import { maxErrors } from '../../graphql/limits/variables.js';
import { answeredResult } from '../answers/errors.js';
import type { GatewayPlugin, ServerContext } from './plugin.js';

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

/** Validates a document, unless it repeats so much that validation would be slow. */
const validateDocument: Stage<Parsed, readonly GraphQLError[]> = {
  name: 'validate',
  run({ schema, document, rules }) {
    const refusal = checkRepeats(document);
    if (refusal) return [refusal];
    // graphql-js would add "too many errors" as one more error without a location, which would change the
    // answer's status.
    const options = { maxErrors: maxErrors, hideSuggestions: true };
    const own = (rules ?? specifiedRules).map((rule) =>
      rule === ValuesOfCorrectTypeRule ? valuesBesideInputs : rule,
    );
    return validate(schema, document, own, options).slice(0, maxErrors);
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
