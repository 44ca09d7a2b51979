import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  parse,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { ConfigError } from '../config/parse.js';
import type { Right } from '../domain/caller.js';
import { fragmentsOf } from '../graphql/limits/limits.js';
import { inputSchema, type JsonSchema, orNull, type Shape, shapeOf } from './shape.js';

/** Mutations that delete records or take something away from them. */
const deleting = /^(delete|purge|remove)[A-Z]/;

/** Types with secrets: what people and programs sign in with, and addresses that open something. Their owners may read them without a further right. */
const credentialTypes: ReadonlySet<string> = new Set([
  'AccessToken',
  'CalendarFeed',
  'ComplianceLink',
  'Passkey',
  'Session',
]);

/** Returns the rights that a field demands besides those of its root type. */
function furtherRights({ extensions }: GraphQLField<unknown, unknown>): string[] {
  const { authScopes = {} } = (extensions.pothosOptions ?? {}) as { authScopes?: object };
  return Object.keys(authScopes);
}

/**
 * Returns why an operation cannot be a tool; undefined if it can. Tools delete nothing, and have nothing to do
 * with what administrators do or with the means of signing in.
 */
function forbiddenIn(document: DocumentNode, schema: GraphQLSchema): string | undefined {
  const types = new TypeInfo(schema);
  let problem: string | undefined;
  const enter = () => {
    const field = types.getFieldDef();
    const parent = types.getParentType();
    if (!field || !parent || problem !== undefined) return;
    const isMutation = parent === schema.getMutationType();
    if (isMutation && deleting.test(field.name)) {
      problem = `${field.name} deletes, which no tool may do`;
    } else if (
      credentialTypes.has(getNamedType(field.type).name) ||
      credentialTypes.has(parent.name) ||
      furtherRights(field).some((right) => right !== (isMutation ? 'upload' : 'read'))
    ) {
      problem = `${parent.name}.${field.name} belongs to tokens or settings, which no tool may reach`;
    }
  };
  visit(document, visitWithTypeInfo(types, { Field: { enter } }));
  return problem;
}

/** An operation that assistants can call. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The right without which a caller is not offered it. */
  readonly right: Right;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly inputSchema: JsonSchema & { readonly properties: Readonly<Record<string, JsonSchema>> };
  readonly shape: Shape;
  /** Text of the GraphQL document. */
  readonly document: string;
  /** Names of its arguments by the paths of the values that they become. */
  readonly argumentPaths: ReadonlyMap<string, string>;
  /** The default number of entries in a page; undefined if it has no pages. */
  readonly pageSize: number | undefined;
}

/** The argument of tools that change something. It is sent as the header `Idempotency-Key` would be. */
export const keyArgument = 'idempotencyKey';

const keySchema: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A text that is new for each change, such as a UUID. Repeat a call with the same one if its answer was lost: the change is then made only once.',
};

/** Mutations that lose nothing: they add a record, or the history keeps the old value. */
const keeping = /^(create|renew|acknowledge|confirm)/;

/** The argument with the number of entries of a page. */
export const pageArgument = 'first';

const ownFolder = fileURLToPath(new URL('../../schema/mcp', import.meta.url));

/** Throws the error for an operation that cannot be a tool. */
function refuse(file: string, problem: string): never {
  throw new ConfigError([`MCP_OPERATIONS ${JSON.stringify(file)}: ${problem}`]);
}

function parseOperation(text: string, file: string): DocumentNode {
  try {
    return parse(text);
  } catch (error) {
    return refuse(file, (error as Error).message);
  }
}

/** Finds the variables in an argument's value, by the path that violations have. */
function collectPaths(value: ValueNode, path: string, found: Map<string, string>): void {
  if (value.kind === Kind.VARIABLE) found.set(path, value.name.value);
  else if (value.kind === Kind.OBJECT) {
    for (const { name, value: inner } of value.fields) collectPaths(inner, `${path}.${name.value}`, found);
  } else if (value.kind === Kind.LIST) {
    for (const [at, inner] of value.values.entries()) collectPaths(inner, `${path}.${at}`, found);
  }
}

function argumentPathsOf({ selectionSet }: OperationDefinitionNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const field of selectionSet.selections) {
    if (field.kind !== Kind.FIELD) continue;
    for (const { name, value } of field.arguments ?? []) collectPaths(value, name.value, found);
  }
  return found;
}

/** Effect of an operation on records. What it overwrites, null clears; elsewhere null says nothing. */
type Change = 'none' | 'keeping' | 'overwriting';

function changeOf({ operation, selectionSet: { selections } }: OperationDefinitionNode): Change {
  if (operation !== 'mutation') return 'none';
  const isKeeping = selections.every((field) => field.kind === Kind.FIELD && keeping.test(field.name.value));
  return isKeeping ? 'keeping' : 'overwriting';
}

/** Returns the schema of one argument. */
function argumentSchema(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  change: Change,
): JsonSchema {
  const type = typeFromAST(schema, definition.type as Parameters<typeof typeFromAST>[1]);
  const isClearable = change === 'overwriting' && definition.type.kind !== Kind.NON_NULL_TYPE;
  const accepted = isInputType(type) ? inputSchema(type as GraphQLInputType) : {};
  return {
    ...(isClearable ? orNull(accepted) : accepted),
    ...(definition.description && { description: definition.description.value }),
    ...(definition.defaultValue && { default: valueFromASTUntyped(definition.defaultValue) }),
  };
}

function argumentsSchema(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  change: Change,
): Tool['inputSchema'] {
  const isMutation = change !== 'none';
  const properties = Object.fromEntries(
    definitions.map((definition) => [
      definition.variable.name.value,
      argumentSchema(schema, definition, change),
    ]),
  );
  const required = definitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .map(({ variable }) => variable.name.value);
  return {
    type: 'object',
    properties: { ...properties, ...(isMutation && { [keyArgument]: keySchema }) },
    required: [...required, ...(isMutation ? [keyArgument] : [])],
    additionalProperties: false,
  };
}

const titleOf = (name: string) => {
  const words = name.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

function operationIn(document: DocumentNode, file: string): OperationDefinitionNode {
  const [operation, ...others] = document.definitions.filter(
    ({ kind }) => kind === Kind.OPERATION_DEFINITION,
  );
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0)
    return refuse(file, 'expected one operation');
  return operation;
}

/** Compiles one document. @throws {ConfigError} naming the file, if it cannot be a tool */
export function compileTool(text: string, file: string, schema: GraphQLSchema): Tool {
  const document = parseOperation(text, file);
  const [invalid] = validate(schema, document);
  if (invalid) return refuse(file, invalid.message);
  const forbidden = forbiddenIn(document, schema);
  if (forbidden !== undefined) return refuse(file, forbidden);
  const operation = operationIn(document, file);
  const { variableDefinitions: definitions = [], selectionSet } = operation;
  const name = operation.name?.value;
  const root = schema.getRootType(operation.operation);
  if (name === undefined || !root) return refuse(file, 'expected an operation with a name');
  if (operation.operation === 'subscription') return refuse(file, 'expected a query or a mutation');
  if (name.length > 64) return refuse(file, 'expected a name of at most 64 characters');
  if (definitions.some(({ variable }) => variable.name.value === keyArgument)) {
    return refuse(file, `expected no variable $${keyArgument}: mutations have it without`);
  }
  const change = changeOf(operation);
  const isMutation = change !== 'none';
  // A mutation must not be run again with fewer entries.
  const page = isMutation
    ? undefined
    : definitions.find(({ variable }) => variable.name.value === pageArgument)?.defaultValue;
  return {
    name,
    title: titleOf(name),
    description: (operation.description?.value ?? titleOf(name)).replace(/\s+/g, ' ').trim(),
    right: isMutation ? 'write' : 'read',
    annotations: {
      readOnlyHint: !isMutation,
      destructiveHint: change === 'overwriting',
      idempotentHint: true,
      openWorldHint: false,
    },
    inputSchema: argumentsSchema(schema, definitions, change),
    shape: shapeOf(root, [selectionSet], { schema, fragments: fragmentsOf(document) }),
    document: text,
    argumentPaths: argumentPathsOf(operation),
    pageSize: page?.kind === Kind.INT ? Number(page.value) : undefined,
  };
}

/** Reads a file or folder that has to be there. */
function readable<T>(path: string, kind: 'file' | 'folder', read: () => T): T {
  try {
    return read();
  } catch {
    return refuse(path, `expected a ${kind} that can be read`);
  }
}

function documentsIn(folder: string): (readonly [file: string, text: string])[] {
  const names = readable(folder, 'folder', () => readdirSync(folder));
  const files = names.filter((name) => name.endsWith('.graphql')).map((name) => join(folder, name));
  return files.map((file) => [file, readable(file, 'file', () => readFileSync(file, 'utf8'))] as const);
}

/** The tool that sends people mails. It is off unless the operator allows it. */
const askingTool = 'ask_for_document';

/**
 * Loads the gateway's own tools and an operator's, ordered by name. A tool of the operator replaces our own
 * with the same name.
 * @param asks whether assistants may ask people for documents
 * @throws {ConfigError} naming the folder or file that cannot be used
 */
export function loadTools(schema: GraphQLSchema, folder: string | undefined, asks = false): readonly Tool[] {
  const own = documentsIn(ownFolder)
    .map(([file, text]) => compileTool(text, file, schema))
    .filter(({ name }) => asks || name !== askingTool);
  const more = folder === undefined ? [] : documentsIn(folder);
  const added = more.map(([file, text]) => compileTool(text, file, schema));
  for (const [at, { name }] of added.entries()) {
    const earlier = added.findIndex((tool) => tool.name === name);
    if (earlier < at) return refuse(more[at]?.[0] ?? '', `another file has an operation ${name}, too`);
  }
  const byName = new Map([...own, ...added].map((tool) => [tool.name, tool]));
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
