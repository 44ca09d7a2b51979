import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { badField, type FieldPath } from './errors.js';

/** The longest texts and lists a record may hold. */
export const limits = { line: 255, text: 65_536, customFieldValue: 4_096, entries: 100 } as const;

/** PostgreSQL cannot store NUL, and a lone surrogate is not a character in any encoding. */
function storable(max: number) {
  return (
    z
      .string()
      // Characters are code points, as in JSON Schema's `maxLength`, which the reference shows from here.
      .refine((text) => text.length <= max || [...text].length <= max, `must have at most ${max} characters`)
      .meta({ maxLength: max })
      .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
      .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
  );
}

const uuidText = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .toLowerCase();

// RFC 5321 §4.1.2 with the letters of RFC 6531: dot-separated atoms or a quoted text, then a domain or an address
// in brackets. A domain may be a single name, as on a private network.
const atom = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`;
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?`;
const quoted = String.raw`"(?:[^"\\\p{C}]|\\[^\p{C}])*"`;
const literal = String.raw`\[[\x21-\x5a\x5e-\x7e]+\]`;
const address = new RegExp(
  `^(?:${atom}(?:\\.${atom})*|${quoted})@(?:${label}(?:\\.${label})*|${literal})$`,
  'u',
);

/** Names that JavaScript's engine knows, but not the IANA time zone database. */
const foreignZones =
  /^(?:SystemV\/.*|ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/i;

function isZone(name: string): boolean {
  // Later engines take offsets such as +01:00 as well.
  if (!/^[a-z]/i.test(name) || foreignZones.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether a text is a UUID of any version, in either case. */
export function isUuid(text: string): boolean {
  return uuidText.safeParse(text).success;
}

/** A new time-ordered id (UUID version 7). */
export const newId: () => string = uuidv7;

/**
 * The rules of values, one for each kind of field; a resource's rules are an object of these. Each takes what
 * the doors' types let through, gives what is stored, and stands for an absent or null value with its default.
 */
export const rules = {
  /** A single line: a name, a plate, a telephone number. */
  line: storable(limits.line).nullish().default(null),
  /** A single line that every record has. */
  requiredLine: storable(limits.line).refine((text) => text.trim() !== '', 'must not be empty'),
  /** An e-mail address that every record has, kept as written; white space around it does not count. */
  email: storable(limits.line).refine((text) => address.test(text.trim()), 'must be an e-mail address'),
  /** A time zone's name in the IANA database, aliases included. */
  timezone: storable(limits.line)
    .refine(isZone, 'must be the IANA name of a time zone, such as Europe/Berlin')
    .nullish()
    .default(null),
  /** Free text. */
  text: storable(limits.text).nullish().default(null),
  int: z.int32().nullish().default(null),
  /** A whole number between two others, both included. */
  between: (least: number, most: number) => {
    const message = `must be from ${least} to ${most}`;
    return z.int32().min(least, message).max(most, message).nullish().default(null);
  },
  /** A double; Prisma rounds the very largest ones to what no double can hold. */
  number: z.number().min(-1e308).max(1e308).nullish().default(null),
  /** A UUID, whether it names a record of ours or is kept as sent. */
  uuid: uuidText.nullish().default(null),
  date: z.date().nullish().default(null),
  /** A local time, `HH:mm`; seconds are accepted and dropped. */
  timeOfDay: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time of day, HH:mm')
    .transform((time) => time.slice(0, 5))
    .nullish()
    .default(null),
  /** Ids in the order sent, each once. */
  uuids: z
    .array(uuidText)
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish()
    .transform((ids) => [...new Set(ids)]),
  flag: (standard: boolean) =>
    z
      .boolean()
      .nullish()
      .transform((value) => value ?? standard),
  choice: z.boolean().nullish().default(null),
  /** Custom fields in the order sent; one without an id is given one. */
  customFields: z
    .array(
      z.object({
        id: uuidText.nullish().transform((id) => id ?? newId()),
        name: storable(limits.line).nullish().default(null),
        value: storable(limits.customFieldValue).nullish().default(null),
      }),
    )
    .max(limits.entries, `must have at most ${limits.entries} entries`)
    .nullish()
    .transform((entries) => entries ?? []),
};

/** A custom field as it is stored. */
export type CustomField = z.output<typeof rules.customFields>[number];

/**
 * Checks values by their rules.
 * @param at where in the caller's input the values stand
 * @returns the values to use.
 * @throws GatewayError BAD_REQUEST with the path of the first value at fault and what was expected.
 */
export function check<T>(schema: z.ZodType<T>, values: unknown, at: FieldPath = []): T {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw badField([...at, ...((issue?.path ?? []) as FieldPath)], issue?.message ?? 'is not valid');
}
