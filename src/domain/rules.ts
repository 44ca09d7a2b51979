import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { badFields, type FieldPath, maxViolations, type ViolationRule } from './errors.js';
import { isEmail, isZone, trimWhiteSpace } from './text/formats.js';
import { isReadable, isStorable, type JsonObject } from './text/json.js';
import { isVisible } from './text/names.js';

/** The longest texts and lists that a record may have. */
export const limits = {
  line: 255,
  address: 2_048,
  text: 65_536,
  customFieldValue: 4_096,
  entries: 100,
  depth: 32,
} as const;

/** Says that a number lies outside 32 bits. */
export const beyondInt32 = (isNegative: boolean) =>
  isNegative ? 'is too small: at least -2147483648' : 'is too large: at most 2147483647';

/** Messages for values of another type, by zod's names of types. */
const expectedTypes: Readonly<Record<string, string>> = {
  string: 'must be a string',
  number: 'must be a number within the range of a double',
  int: 'must be a 32-bit integer',
  boolean: 'must be true or false',
  date: 'must be a date',
  array: 'must be a list',
  object: 'must be an object',
  record: 'must be an object',
};

/** Returns what callers are told where a rule says nothing else. zod would say "Invalid input: expected …". */
function messageFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.input == null ? 'is required' : (expectedTypes[issue.expected] ?? 'is not valid');
  }
  if (issue.code === 'too_big') return issue.origin === 'int' ? beyondInt32(false) : 'is too large';
  if (issue.code === 'too_small') return issue.origin === 'int' ? beyondInt32(true) : 'is too small';
  return 'is not valid';
}
z.config({ customError: messageFor });

/** Creates the rule name and message for what one of our own rules rejects. */
const broken = (rule: ViolationRule, error: string) => ({ error, params: { rule } });

/** Languages of mails (ISO 639-1). */
export const languages = ['de', 'en', 'es', 'fr', 'it', 'nl'] as const;

/**
 * Checks the number of a text's characters. They are code points, as in JSON Schema's `maxLength`, which the
 * reference derives from the rules. Each has one or two code units, so a long text need not be counted.
 */
const isWithin = (text: string, max: number) =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max);

/** Creates the rule of a text that PostgreSQL can store. It has no NUL, and no lone surrogate. */
function storable(max: number) {
  return z
    .string('is required')
    .refine((text) => isWithin(text, max), {
      ...broken('length', `must have at most ${max} characters`),
      // Nothing else looks at a text of any length.
      abort: true,
    })
    .meta({ maxLength: max })
    .refine((text) => !text.includes('\0'), broken('characters', 'must not contain NUL characters'))
    .refine((text) => text.isWellFormed(), broken('characters', 'must be well-formed Unicode'));
}

const uuidText = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, {
    error: 'must be a UUID',
    // Nothing else looks at a text of any length.
    abort: true,
  })
  .toLowerCase();

/** Nil UUID (RFC 9562 §5.9). Typed clients whose ids cannot be null send it for "none" (docs/use/rest.md). */
const nil = '00000000-0000-0000-0000-000000000000';

/** Checks for the nil UUID, which counts as absent wherever an id may be absent. */
export const isNil = (value: unknown): boolean => value === nil;

const optionalUuid = uuidText.nullish().transform((id) => (id == null || isNil(id) ? null : id));

/** Checks that a text is a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  return uuidText.safeParse(text).success;
}

/** Creates a time-ordered id (UUID version 7). */
export const newId: () => string = uuidv7;

/** Creates the rule of entries with a name and an id. A missing id is generated. */
function namedEntries<Shape extends z.ZodRawShape>(others: Shape) {
  return z
    .array(
      z.object({
        id: optionalUuid.transform((id) => id ?? newId()),
        name: storable(limits.line).nullish().default(null),
        ...others,
      }),
    )
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish()
    .transform((entries) => entries ?? []);
}

/** A single line that is not blank. */
const requiredLine = storable(limits.line).refine((text) => text.trim() !== '', {
  ...broken('required', 'must not be empty'),
  abort: true,
});

/** The violation of a name without a visible character. */
export const unseenName = broken('required', 'must contain a visible character');

/** Value of a custom field. */
const customFieldValue = storable(limits.customFieldValue).nullish().default(null);

/**
 * Validation rules (zod), one for each kind of field. A resource's rules are an object of these. Each accepts
 * what the APIs' types let through, returns what is stored, and replaces an absent or null value by its
 * default.
 */
export const rules = {
  /** A single line: a name, a license plate, a telephone number. */
  line: storable(limits.line).nullish().default(null),
  /** A single line that is required. */
  requiredLine,
  /** A required name. It must have a visible character, so that people can see it and click it. */
  name: requiredLine.refine(isVisible, unseenName),
  /** A required e-mail address. It is stored as written, without surrounding white space. */
  email: z
    .string('is required')
    // White space around an address is free, but not any amount of it.
    .max(limits.text, `must have at most ${limits.line} characters`)
    .meta({ maxLength: limits.line })
    .transform(trimWhiteSpace)
    .pipe(storable(limits.line).refine(isEmail, broken('format', 'must be an e-mail address'))),
  /** A time zone's name in the IANA database, including aliases. */
  timezone: storable(limits.line)
    .refine(isZone, broken('format', 'must be the IANA name of a time zone, such as Europe/Berlin'))
    .nullish()
    .default(null),
  /** A language of mails. */
  language: z
    .string()
    .toLowerCase()
    .meta({ maxLength: 2 })
    .pipe(z.enum(languages, `must be a language: one of ${languages.join(', ')}`))
    .nullish()
    .default(null),
  /** A URL, or the key that a file is stored under. */
  address: storable(limits.address).nullish().default(null),
  text: storable(limits.text).nullish().default(null),
  /** Limits a text of several lines to fewer characters than others. */
  textWithin: (most: number) => storable(most).nullish().default(null),
  int: z.int32().nullish().default(null),
  /** Limits an integer to a range, both ends included. */
  between: (least: number, most: number) => {
    const message = `must be from ${least} to ${most}`;
    return z.int32().min(least, message).max(most, message).nullish().default(null);
  },
  /** A double. */
  number: z.number().nullish().default(null),
  /** A UUID. It is our own record's, or a foreign one that is kept as sent. */
  uuid: optionalUuid.default(null),
  /** A required UUID. */
  requiredUuid: uuidText,
  date: z.date().nullish().default(null),
  /** A local time, `HH:mm`; seconds are accepted and dropped. */
  timeOfDay: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time of day, HH:mm')
    .meta({ maxLength: 'HH:mm:ss'.length })
    .transform((time) => time.slice(0, 5))
    .nullish()
    .default(null),
  /** Ids without duplicates, in the order sent. */
  uuids: z
    .array(uuidText)
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish()
    .transform((ids) => [...new Set(ids)].filter((id) => !isNil(id))),
  flag: (standard: boolean) =>
    z
      .boolean()
      .nullish()
      .transform((value) => value ?? standard),
  choice: z.boolean().nullish().default(null),
  /** A JSON object of the caller's choice. Its numbers may be exact ones (exact-json.ts). */
  object: z
    .record(z.string(), z.unknown(), 'must be a JSON object')
    .refine(
      (object) => isStorable(object, limits.depth),
      broken(
        'depth',
        `must be nested at most ${limits.depth} levels deep, without NUL or malformed characters`,
      ),
    )
    .refine(
      isReadable,
      broken('range', 'must not contain numbers that are too large for a double, such as 1e400'),
    )
    .transform((object) => object as JsonObject)
    .nullish()
    .default(null),
  customFieldValue,
  /** Custom fields in the order sent. Missing ids are generated. */
  customFields: namedEntries({ value: customFieldValue }),
  /** Custom fields of a document type's items, in the order sent. Missing ids are generated. */
  fieldDefinitions: namedEntries({ internalName: storable(limits.line).nullish().default(null) }),
};

export type CustomField = z.output<typeof rules.customFields>[number];

export type FieldDefinition = z.output<typeof rules.fieldDefinitions>[number];

/** Returns the name of the rule that a value violates. */
function ruleOf(issue: z.core.$ZodIssue): ViolationRule {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.rule as ViolationRule | undefined) ?? 'invalid';
    case 'invalid_type':
      return /required|received (undefined|null)$/.test(issue.message) ? 'required' : 'type';
    case 'too_big':
    case 'too_small':
      if (issue.origin === 'string') return 'length';
      return issue.origin === 'array' ? 'entries' : 'range';
    case 'invalid_format':
      return 'format';
    default:
      return 'type';
  }
}

/**
 * Checks values by their rules.
 * @param at path of the values in the caller's input
 * @returns the values to use
 * @throws GatewayError BAD_REQUEST with the paths of the invalid values and what was expected
 */
export function check<T>(schema: z.ZodType<T>, values: unknown, at: FieldPath = []): T {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const { issues } = result.error;
  const told = issues.slice(0, maxViolations).map((issue) => ({
    path: [...at, ...(issue.path as FieldPath)],
    message: issue.message,
    rule: ruleOf(issue),
  }));
  throw badFields(told, issues.length > maxViolations);
}
