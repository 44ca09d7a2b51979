import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  doTypesOverlap,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getNamedType,
  isCompositeType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  isTypeSubTypeOf,
  Kind,
  Lexer,
  type ObjectValueNode,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  Source,
  type Token,
  TokenKind,
  TypeNameMetaFieldDef,
  typeFromAST,
  type ValueNode,
  type VariableNode,
} from 'graphql';
import { limitError, type RequestLimit, requestLimits } from './limits.js';

const opening: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const closing: ReadonlySet<TokenKind> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/**
 * Returns the limit that a token counts towards. `nesting` and `parentheses` count the brackets open before
 * it.
 */
function countedBy({ kind }: Token, nesting: number, parentheses: number): RequestLimit | undefined {
  if (kind === TokenKind.AT) return 'directives';
  // Inside parentheses a colon precedes a value or type, elsewhere it follows an alias.
  if (kind === TokenKind.COLON && parentheses === 0) return 'aliases';
  // Each operation and fragment has one top-level selection.
  if (kind === TokenKind.BRACE_L && nesting === 0) return 'definitions';
  return undefined;
}

/**
 * Checks a document's text against the limits before it is parsed. The parser and later steps recurse for
 * each level of nesting, and create objects for each token. A single pass without allocations finds documents
 * that are too long, too deep, or repeat too much of what costs the sender little.
 * @throws GraphQLError for the first token beyond a limit, or an invalid token
 */
export function checkText(text: string): void {
  if (text.length > requestLimits.characters) throw limitError('characters', { source: new Source('') });
  const source = new Source(text);
  const lexer = new Lexer(source);
  const counts: Partial<Record<RequestLimit, number>> = {};
  let [nesting, parentheses] = [0, 0];
  const count = (limit: RequestLimit, number: number, { start }: Token) => {
    counts[limit] = number;
    if (number > requestLimits[limit]) throw limitError(limit, { source, positions: [start] });
  };
  for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
    count('tokens', (counts.tokens ?? 0) + 1, token);
    const limit = countedBy(token, nesting, parentheses);
    if (limit) count(limit, (counts[limit] ?? 0) + 1, token);
    if (opening.has(token.kind)) count('nesting', ++nesting, token);
    if (closing.has(token.kind)) nesting--;
    if (token.kind === TokenKind.PAREN_L) parentheses++;
    if (token.kind === TokenKind.PAREN_R) parentheses--;
  }
}

/** Counts the fields that a selection already has, including those of inline fragments. */
function repeatsIn({ selections }: SelectionSetNode, seen: Set<string>): number {
  let repeats = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.INLINE_FRAGMENT) repeats += repeatsIn(selection.selectionSet, seen);
    if (selection.kind !== Kind.FIELD) continue;
    const name = (selection.alias ?? selection.name).value;
    if (seen.has(name)) repeats++;
    seen.add(name);
    if (selection.selectionSet) repeats += repeatsIn(selection.selectionSet, new Set());
  }
  return repeats;
}

/**
 * Checks a parsed document for repeated fields before it is validated. GraphQL's validation compares each
 * pair of fields with the same name to see whether they can be merged.
 * @returns the error for a document that repeats too many fields
 */
export function checkRepeats({ definitions }: DocumentNode): GraphQLError | undefined {
  let repeats = 0;
  for (const definition of definitions) {
    if (!('selectionSet' in definition) || !definition.selectionSet) continue;
    repeats += repeatsIn(definition.selectionSet, new Set());
    if (repeats > requestLimits.repeats) return limitError('repeats', { nodes: definition });
  }
  return undefined;
}

/** Steps after which a document is left to the rules. Fragments that repeat others could need many. */
const maxSteps = 10_000;

/** Thrown when a document is not plainly valid. */
const unsure = new Error('This document is left to the rules.');

/** Ends the check unless something is certain. */
function need(isCertain: boolean): void {
  if (!isCertain) throw unsure;
}

/** Finds an element that certainly exists. */
function existing<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw unsure;
  return value;
}

/** A field that is answered under a key, with the keys below it. */
interface Keyed {
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly below: Keys;
}

/** The fields of a selection by their keys in the answer. */
interface Keys extends Map<string, Keyed> {}

/** A variable of the operation, with its type. */
interface Variable {
  readonly type: GraphQLInputType;
  readonly hasDefault: boolean;
  isUsed: boolean;
}

/** Checks one document in one walk. Each method throws `unsure` if it is not certain. */
class Check {
  readonly #schema: GraphQLSchema;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #keysOf = new Map<string, Keys>();
  readonly #variables = new Map<string, Variable>();
  #steps = 0;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  document({ definitions }: DocumentNode): void {
    let operation: OperationDefinitionNode | undefined;
    for (const definition of definitions) {
      need(definition.kind === Kind.FRAGMENT_DEFINITION || definition.kind === Kind.OPERATION_DEFINITION);
      need(!('directives' in definition && definition.directives?.length));
      if (definition.kind === Kind.FRAGMENT_DEFINITION) {
        need(!this.#fragments.has(definition.name.value) && !definition.variableDefinitions?.length);
        this.#fragments.set(definition.name.value, definition);
      } else if (definition.kind === Kind.OPERATION_DEFINITION) {
        need(operation === undefined);
        operation = definition;
      }
    }
    this.#operation(existing(operation));
  }

  #operation({ operation, variableDefinitions = [], selectionSet }: OperationDefinitionNode): void {
    // The root fields of a subscription have a rule of their own.
    need(operation !== 'subscription');
    for (const { variable, type: node, defaultValue, directives } of variableDefinitions) {
      const type = typeFromAST(this.#schema, node);
      need(isInputType(type) && !directives?.length && !this.#variables.has(variable.name.value));
      if (!isInputType(type)) return;
      if (defaultValue) this.#value(defaultValue, type, false);
      const hasDefault = defaultValue !== undefined && defaultValue.kind !== Kind.NULL;
      this.#variables.set(variable.name.value, { type, hasDefault, isUsed: false });
    }
    this.#selections(selectionSet, existing(this.#schema.getRootType(operation)), new Map());
    need(this.#keysOf.size === this.#fragments.size);
    for (const { isUsed } of this.#variables.values()) need(isUsed);
  }

  #selections({ selections }: SelectionSetNode, type: GraphQLCompositeType, keys: Keys): void {
    for (const selection of selections) {
      need(++this.#steps <= maxSteps);
      this.#directives(selection.directives);
      if (selection.kind === Kind.FIELD) {
        this.#field(selection, type, keys);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition;
        const inner = condition ? this.#typeNamed(condition.name.value, type) : type;
        this.#selections(selection.selectionSet, inner, keys);
      } else {
        const fragment = existing(this.#fragments.get(selection.name.value));
        const inner = this.#typeNamed(fragment.typeCondition.name.value, type);
        this.#merge(keys, this.#keysOfFragment(fragment, inner));
      }
    }
  }

  /** Returns the type of a fragment that applies to some objects of another type. */
  #typeNamed(name: string, around: GraphQLCompositeType): GraphQLCompositeType {
    const type = existing(this.#schema.getType(name));
    if (!isCompositeType(type)) throw unsure;
    need(type === around || doTypesOverlap(this.#schema, around, type));
    return type;
  }

  /** Checks a fragment once. One that contains itself is met again before its keys are known. */
  #keysOfFragment({ name, selectionSet }: FragmentDefinitionNode, type: GraphQLCompositeType): Keys {
    const known = this.#keysOf.get(name.value);
    if (known) {
      need(known.size > 0);
      return known;
    }
    this.#keysOf.set(name.value, new Map());
    const keys: Keys = new Map();
    this.#selections(selectionSet, type, keys);
    this.#keysOf.set(name.value, keys);
    return keys;
  }

  #field(node: FieldNode, parent: GraphQLCompositeType, keys: Keys): void {
    const { name, arguments: args = [], selectionSet, alias } = node;
    // Introspection has a rule of its own.
    const definition =
      name.value === TypeNameMetaFieldDef.name
        ? TypeNameMetaFieldDef
        : existing('getFields' in parent ? parent.getFields()[name.value] : undefined);
    this.#arguments(args, definition.args);
    const type = getNamedType(definition.type);
    need(isLeafType(type) !== (selectionSet !== undefined));
    const { below } = this.#note(keys, (alias ?? name).value, { node, definition, below: new Map() });
    if (selectionSet && isCompositeType(type)) this.#selections(selectionSet, type, below);
  }

  /**
   * Notes a field under its key. If there is one already, both must ask for the same.
   * @returns the first one with this key; everything below both is noted there
   */
  #note(keys: Keys, key: string, field: Keyed): Keyed {
    const known = keys.get(key);
    if (!known) {
      keys.set(key, field);
      return field;
    }
    need(known.node.name.value === field.node.name.value);
    need(String(known.definition.type) === String(field.definition.type));
    const [one, other] = [known, field].map(({ node }) => node.arguments?.map(print).join() ?? '');
    need(one === other);
    return known;
  }

  /** Adds the fields of a fragment to those of a selection. */
  #merge(keys: Keys, others: Keys): void {
    for (const [key, field] of others) {
      need(++this.#steps <= maxSteps);
      const known = this.#note(keys, key, field);
      if (known.below !== field.below) this.#merge(known.below, field.below);
    }
  }

  /** Checks that directives are `@skip` and `@include`, each at most once. */
  #directives(directives: readonly DirectiveNode[] = []): void {
    const seen = new Set<string>();
    for (const { name, arguments: args = [] } of directives) {
      const directive = [GraphQLSkipDirective, GraphQLIncludeDirective].find(
        (one) => one.name === name.value,
      );
      need(!seen.has(name.value));
      seen.add(name.value);
      this.#arguments(args, existing(directive).args);
    }
  }

  #arguments(nodes: readonly ArgumentNode[], definitions: readonly GraphQLArgument[]): void {
    const seen = new Set<string>();
    for (const { name, value } of nodes) {
      need(!seen.has(name.value));
      seen.add(name.value);
      const { type, defaultValue } = existing(definitions.find((one) => one.name === name.value));
      this.#value(value, type, defaultValue !== undefined);
    }
    for (const one of definitions) need(seen.has(one.name) || !isRequiredArgument(one));
  }

  /** @param hasDefault true if the place has a default value */
  #value(node: ValueNode, type: GraphQLInputType, hasDefault: boolean): void {
    if (node.kind === Kind.VARIABLE) this.#variable(node, type, hasDefault);
    else if (isNonNullType(type)) this.#literal(node, type.ofType);
    else if (node.kind !== Kind.NULL) this.#literal(node, type);
  }

  #literal(node: ValueNode, type: GraphQLInputType): void {
    need(node.kind !== Kind.NULL);
    if (isListType(type)) {
      const values = node.kind === Kind.LIST ? node.values : [node];
      for (const value of values) this.#value(value, type.ofType, false);
    } else if (isInputObjectType(type)) {
      need(node.kind === Kind.OBJECT && !type.isOneOf);
      if (node.kind === Kind.OBJECT) this.#object(node, type.getFields());
    } else {
      need(isLeafType(type));
      if (isLeafType(type)) this.#leaf(node, type);
    }
  }

  #leaf(node: ValueNode, type: GraphQLLeafType): void {
    // A list or an object may contain variables, which must have types.
    need(node.kind !== Kind.LIST && node.kind !== Kind.OBJECT);
    let value: unknown;
    try {
      value = type.parseLiteral(node, undefined);
    } catch {
      throw unsure;
    }
    need(value !== undefined);
  }

  #object({ fields }: ObjectValueNode, definitions: Readonly<Record<string, GraphQLInputField>>): void {
    const seen = new Set<string>();
    for (const { name, value } of fields) {
      need(++this.#steps <= maxSteps && !seen.has(name.value) && Object.hasOwn(definitions, name.value));
      seen.add(name.value);
      const { type, defaultValue } = existing(definitions[name.value]);
      this.#value(value, type, defaultValue !== undefined);
    }
    for (const one of Object.values(definitions)) need(seen.has(one.name) || !isRequiredInputField(one));
  }

  /** Checks that a variable may be used in a place (GraphQL, section 5.8.5). */
  #variable({ name }: VariableNode, place: GraphQLInputType, hasDefault: boolean): void {
    const variable = existing(this.#variables.get(name.value));
    variable.isUsed = true;
    const mayBeAbsent = isNonNullType(place) && !isNonNullType(variable.type);
    need(!mayBeAbsent || variable.hasDefault || hasDefault);
    need(isTypeSubTypeOf(this.#schema, variable.type, mayBeAbsent ? place.ofType : place));
  }
}

/**
 * Finds in one walk that a document is valid, as most are. GraphQL's rules, which explain what is wrong, walk
 * it some thirty times side by side and take a third of the time of a new document. Whatever is rare or needs
 * comparisons is left to them: several operations, subscriptions, introspection, and keys that stand for
 * different fields.
 * @returns false if the document may be invalid
 */
export function passesFastValidation(schema: GraphQLSchema, document: DocumentNode): boolean {
  try {
    new Check(schema).document(document);
    return true;
  } catch (error) {
    if (error === unsure) return false;
    throw error;
  }
}
