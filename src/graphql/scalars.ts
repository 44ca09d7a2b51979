import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { formatDate, momentExpected, parseDate, parseMoment } from '../domain/dates.js';
import { isUuid } from '../domain/rules.js';
import { integerOf, parseExact } from '../domain/text/exact-json.js';

function invalidValue(expected: string): GraphQLError {
  return new GraphQLError(expected);
}

function text(value: unknown, expected: string): string {
  if (typeof value !== 'string') throw invalidValue(expected);
  return value;
}

/** Returns the value of a literal as JSON would represent it. */
type ReadLiteral = (node: ValueNode, variables?: Record<string, unknown> | null) => unknown;

/** Parses literals in a document like variables. An error points to the literal's place. */
function reading<T>(parseValue: (value: unknown) => T, read: ReadLiteral = valueFromASTUntyped) {
  const parseLiteral = (node: ValueNode, variables?: Record<string, unknown> | null): T => {
    try {
      return parseValue(read(node, variables));
    } catch (error) {
      throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error;
    }
  };
  return { parseValue, parseLiteral };
}

/** Writes a date. Lists read those that are only shown as texts, which stay as they are (db/sql/json.ts). */
const writtenDate = (value: unknown, write: (date: Date) => string) =>
  typeof value === 'string' ? value : write(value as Date);

const dateExpected = 'must be a date, YYYY-MM-DD';

/** The scalar of calendar dates. For a date-time, the date part is taken as written (docs/use/rest.md). */
export const DateScalar = new GraphQLScalarType<Date, string>({
  name: 'Date',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'A calendar date, `YYYY-MM-DD`. On input, only the date part of an ISO 8601 date-time counts.',
  serialize: (value) => writtenDate(value, formatDate),
  ...reading((value) => {
    const date = parseDate(text(value, dateExpected));
    if (!date) throw invalidValue(dateExpected);
    return date;
  }),
});

/** A timestamp, RFC 3339. */
export const DateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  description:
    'A point in time in RFC 3339 format, shown in UTC with milliseconds: `2026-11-20T09:30:00.000Z`.',
  serialize: (value) => writtenDate(value, (moment) => moment.toISOString()),
  ...reading((value) => {
    const moment = parseMoment(text(value, momentExpected));
    if (!moment) throw invalidValue(momentExpected);
    return moment;
  }),
});

/** A UUID that does not identify one of our records. */
export const UuidScalar = new GraphQLScalarType<string, string>({
  name: 'UUID',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  description: "A UUID that is stored as sent. Ids of this service's own records have the type `ID`.",
  serialize: (value) => String(value),
  ...reading((value) => {
    const uuid = text(value, 'must be a UUID');
    if (!isUuid(uuid)) throw invalidValue('must be a UUID');
    return uuid.toLowerCase();
  }),
});

const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n];
/** Message for a value that is no 64-bit integer. */
export const int64Expected = 'must be a 64-bit integer';

function int64(sent: unknown): bigint {
  const isDigits = typeof sent === 'string' && /^-?\d{1,19}$/.test(sent);
  const number = isDigits ? BigInt(sent) : integerOf(sent);
  if (number === undefined || number < smallest || number > largest) throw invalidValue(int64Expected);
  return number;
}

/** Marks scalars that take numbers with all their digits. Others take doubles. */
const exactNumbers = { takesExactNumbers: true };

/** An int64, never rounded. */
export const BigIntScalar = new GraphQLScalarType<bigint, string>({
  name: 'BigInt',
  specifiedByURL: 'https://spec.openapis.org/registry/format/int64',
  extensions: exactNumbers,
  description: 'A 64-bit integer, written as a string because many JSON parsers round large numbers.',
  serialize: (value) => String(value),
  // Parse the digits: a number would be rounded.
  ...reading(int64, (node) => (node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined)),
});

/** A file that is uploaded with a request. */
export const UploadScalar = new GraphQLScalarType<File, never>({
  name: 'Upload',
  specifiedByURL: 'https://github.com/jaydenseric/graphql-multipart-request-spec',
  description:
    'An uploaded file (graphql-multipart-request-spec). The variable is null, and the part `map` of the `multipart/form-data` body says which part contains the file.',
  parseValue: (value) => {
    if (!(value instanceof File)) throw invalidValue('must be a file in the request');
    return value;
  },
  parseLiteral: () => {
    throw invalidValue('must be a variable');
  },
  serialize: () => {
    throw invalidValue('is never shown');
  },
});

/** Reads a literal as JSON, its numbers as they are written. */
const jsonLiteral: ReadLiteral = (node, variables) => {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return parseExact(node.value);
    case Kind.LIST:
      return node.values.map((element) => jsonLiteral(element, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, jsonLiteral(value, variables)]),
      );
    default:
      return valueFromASTUntyped(node, variables);
  }
};

/** Any JSON, its numbers to the last digit. */
export const JsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'Any JSON value.',
  extensions: exactNumbers,
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: jsonLiteral,
});
