import type { GraphQLFormattedError } from 'graphql';
import type { ErrorCode, FieldPath, Violation } from '../domain/errors.js';
import { isKey } from '../web/parameters.js';
import { keyArgument, type Tool } from './tools.js';

/** Advice for an assistant about an error, besides its message. */
const advice: Partial<Record<ErrorCode, string>> = {
  FORBIDDEN: 'Tell the person that their access does not allow this. Do not try again.',
  NOT_FOUND: 'Look for the record with another tool, and use the id that it returns.',
  PRECONDITION_FAILED: 'Somebody else has changed the record: read it again, and send its current `version`.',
  CONFLICT: 'Read the records again before you decide what to send.',
  UNPROCESSABLE: `Send a new \`${keyArgument}\`, because this is another change.`,
  PAYLOAD_TOO_LARGE: 'Send less.',
  UNAVAILABLE: `Try again later, with the same \`${keyArgument}\` if there is one.`,
  INTERNAL_ERROR: 'Tell the person that the gateway has a problem.',
};

/** The members of an error's `extensions` that are read here. */
interface Extensions {
  readonly code?: ErrorCode;
  readonly violations?: readonly Violation[];
  readonly retryAfter?: number;
}

/** The members of an argument's schema that are read here. */
interface Described {
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: { readonly enum?: readonly unknown[] };
}

const ended = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Returns the argument that a value came from, and the rest of its path. */
function argumentAt(path: FieldPath, { argumentPaths }: Tool): readonly [name: string, rest: FieldPath] {
  for (let length = path.length; length > 0; length--) {
    const name = argumentPaths.get(path.slice(0, length).join('.'));
    if (name !== undefined) return [name, path.slice(length)];
  }
  return [String(path[0] ?? ''), path.slice(1)];
}

/** Describes an argument in words, with the values of an enum. */
function meaningOf(name: string, { inputSchema }: Tool): string {
  if (!Object.hasOwn(inputSchema.properties, name)) return '';
  const { description, items, enum: values = items?.enum } = inputSchema.properties[name] as Described;
  const words = values?.join(', ');
  return [
    description === undefined ? '' : ` Expected: ${ended(description)}`,
    words === undefined ? '' : ` The values are ${words}.`,
  ].join('');
}

function violationSentence({ path, message }: Violation, tool: Tool): string {
  const [name, rest] = argumentAt(path, tool);
  const place = [name, ...rest].join('.');
  return `${ended(`\`${place}\`: ${message}`)}${meaningOf(name, tool)}`;
}

/** Explains an error of an operation in sentences that say what to send instead. */
export function errorSentences({ message, extensions = {} }: GraphQLFormattedError, tool: Tool): string {
  const { code, retryAfter, violations = [] } = extensions as Extensions;
  const told =
    violations.length > 0
      ? violations.map((violation) => violationSentence(violation, tool)).join('\n')
      : ended(message);
  const wait = retryAfter === undefined ? '' : ` Wait ${retryAfter} s before you try again.`;
  const todo = code === undefined ? undefined : advice[code];
  return `${told}${wait}${todo === undefined ? '' : ` ${todo}`}`;
}

/** Explains which arguments are missing or unknown; undefined if all fit. */
export function argumentProblems(given: Readonly<Record<string, unknown>>, tool: Tool): string | undefined {
  const { properties, required } = tool.inputSchema;
  const missing = (required as readonly string[]).filter((name) => (given[name] ?? null) === null);
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const key = given[keyArgument] ?? null;
  const isBadKey = keyArgument in properties && key !== null && !(typeof key === 'string' && isKey(key));
  const sentences = [
    ...(isBadKey ? [`\`${keyArgument}\`: must be a text of 1 to 255 visible ASCII characters.`] : []),
    ...missing.map((name) => `\`${name}\` is missing.${meaningOf(name, tool)}`),
    ...(unknown.length > 0
      ? [
          `There is no argument ${unknown
            .slice(0, 5)
            .map((name) => `\`${name.slice(0, 64).toWellFormed()}\``)
            .join(', ')}. The arguments are ${Object.keys(properties).join(', ')}.`,
        ]
      : []),
  ];
  return sentences.length > 0 ? sentences.join('\n') : undefined;
}
