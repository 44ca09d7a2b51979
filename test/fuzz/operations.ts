import fc, { type Random, Stream, Value } from 'fast-check';
import {
  type DocumentNode,
  type GraphQLObjectType,
  getOperationAST,
  getVariableValues,
  parse,
  print,
  validate,
} from 'graphql';
import { checkSize } from '../../src/graphql/limits/cost.js';
import { checkRepeats, checkText } from '../../src/graphql/limits/documents.js';
import { schema } from '../../src/graphql/schema.js';
import { printed } from './documents.js';
import { Draft } from './draft.js';
import { selection } from './selections.js';
import { smaller } from './smaller.js';
import type { World } from './world.js';

/** An operation that the gateway takes: its document is valid, and within the limits. */
export interface ValidOperation {
  readonly query: string;
  readonly document: DocumentNode;
  readonly variables: Record<string, unknown>;
}

/**
 * Returns the variables of a document as they are, and with the opposite of its conditions: it has a plan for
 * each.
 */
export function bothConditions({ variables }: ValidOperation): Record<string, unknown>[] {
  const opposite = (value: unknown) => (typeof value === 'boolean' ? !value : value);
  const others = Object.entries(variables).map(([name, value]) => [name, opposite(value)]);
  return [variables, Object.fromEntries(others)];
}

/** Reads an operation; undefined when it is not valid, or asks for too much. */
function valid(query: string, variables: Record<string, unknown>): ValidOperation | undefined {
  let document: DocumentNode;
  try {
    checkText(query);
    document = parse(query);
    // It throws at a condition of a subscription's field, which GraphQL forbids (section 5.2.4.1).
    if (validate(schema, document).length > 0) return undefined;
  } catch {
    return undefined;
  }
  const operation = getOperationAST(document);
  if (!operation || checkRepeats(document)) return undefined;
  if (checkSize(schema, document, operation, variables).refusals.length > 0) return undefined;
  // No stream is opened with variables that cannot be read.
  const isStream = operation.operation === 'subscription';
  if (isStream && getVariableValues(schema, operation.variableDefinitions ?? [], variables).errors) {
    return undefined;
  }
  return { query, document, variables };
}

/** Writes a draft down: the operation first, then its fragments. */
function textOf({ definitions, fragments }: Draft, kind: string, body: string): string {
  const header = definitions.length > 0 ? `(${definitions.join(', ')})` : '';
  return [`${kind} Q${header} ${body}`, ...fragments.map(({ text }) => text)].join('\n');
}

const roots = {
  query: printed.getQueryType(),
  mutation: printed.getMutationType(),
  subscription: printed.getSubscriptionType(),
};

/** Draws valid operations over every field of the schema. */
export class Operations extends fc.Arbitrary<ValidOperation> {
  readonly #world: Pick<World, 'ids'>;
  readonly #kind: keyof typeof roots;
  readonly #body: (draft: Draft, root: GraphQLObjectType) => string;

  /** @param body writes the operation's selection, of any of the root type's fields unless told otherwise */
  constructor(
    world: Pick<World, 'ids'>,
    kind: keyof typeof roots,
    body: (draft: Draft, root: GraphQLObjectType) => string = selection,
  ) {
    super();
    this.#world = world;
    this.#kind = kind;
    this.#body = body;
  }

  override generate(random: Random): Value<ValidOperation> {
    for (let tries = 0; ; tries++) {
      const draft = new Draft(random, this.#world);
      const text = textOf(draft, this.#kind, this.#body(draft, roots[this.#kind] as GraphQLObjectType));
      const operation = valid(text, JSON.parse(`{${draft.variables.join()}}`));
      if (operation) return new Value(operation, undefined);
      if (tries === 1_000) throw new Error(`Too few documents are valid, as this one: ${text}`);
    }
  }

  override canShrinkWithoutContext(_value: unknown): _value is ValidOperation {
    return false;
  }

  /** Leaves out one part after the other; fast-check goes on with what still fails. */
  override shrink({ document, variables }: ValidOperation): Stream<Value<ValidOperation>> {
    function* all() {
      for (const one of smaller(document)) {
        const operation = valid(print(one), variables);
        if (operation) yield new Value(operation, undefined);
      }
    }
    return new Stream(all());
  }
}
