import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { badField, type FieldPath } from './errors.js';

/** The longest texts and lists a record may hold. */
export const limits = { line: 255, text: 65_536, customFieldValue: 4_096, entries: 100 } as const;

/** PostgreSQL cannot store NUL, and a lone surrogate is not a character in any encoding. */
function storable(max: number) {
  return z
    .string()
    .max(max, `must have at most ${max} characters`)
    .refine((text) => !text.includes('\0'), 'must not contain NUL characters')
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode');
}

const uuidText = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .toLowerCase();

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
  /** Free text. */
  text: storable(limits.text).nullish().default(null),
  int: z.int32().nullish().default(null),
  /** A double; Prisma rounds the very largest ones to what no double can hold. */
  number: z.number().min(-1e308).max(1e308).nullish().default(null),
  /** A UUID, whether it names a record of ours or is kept as sent. */
  uuid: uuidText.nullish().default(null),
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
