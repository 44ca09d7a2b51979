import * as z from 'zod';
import { readHostList } from '../db/hosts/host-list.js';
import { isTrustworthyUrl } from '../domain/identity.js';

/** Creates the rule of an integer in a range, with at most six digits. */
export const wholeNumber = (min: number, max: number) => {
  const expected = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, expected)
    .transform(Number)
    .refine((number) => number >= min && number <= max, expected);
};
/** A limit; `off` for none. */
export const numberOrOff = z
  .string()
  .toLowerCase()
  .regex(/^(off|[1-9]\d{0,5})$/, 'off, or a whole number from 1 to 999999')
  .transform((text) => (text === 'off' ? Number.POSITIVE_INFINITY : Number(text)));
/** Creates the rule of days for which something is kept; `off` for forever. */
export const daysOrOff = (min: number) =>
  numberOrOff.refine((days) => days >= min, `off, or a whole number from ${min} to 999999`);
/** RFC 6750, section 2.1: the characters of a token in an Authorization header. */
export const bearer = z
  .string()
  .regex(/^[A-Za-z0-9\-._~+/]+=*$/, 'letters, digits and -._~+/, with = only at the end');
/** Words of texts that stand where a secret should be. */
const placeholders = /change|example|secret|password|bootstrap|metrics|hunter2|12345/i;

/** Returns whether a text is plainly no secret. It is a placeholder, repeats itself, or has few different characters. */
const isNoSecret = (text: string) =>
  placeholders.test(text) || new Set(text).size < 8 || /^(.{1,64}?)\1+=*$/.test(text);

/** The fewest characters of a token that somebody sets: 128 random bits in hexadecimal. */
const leastSecret = 32;

/** A token that somebody sets, and that opens something to whoever knows or guesses it. */
export const secretBearer = bearer.refine(
  (text) => text.length >= leastSecret && !isNoSecret(text),
  `at least ${leastSecret} random characters, such as the output of: openssl rand -base64 32`,
);
/** A switch, with the words of docs/run/configuration.md. */
export const onOff = z.stringbool({ error: 'on or off' });
/** Log levels, from the most verbose to silence. */
export const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/**
 * Checks an entry of allowed hosts: a name, optionally with wildcard and port. The name is ASCII and cannot
 * be parsed as an address; the wildcard stands for all names below it.
 */
export function isHostEntry(text: string): boolean {
  const form = /^(\*\.)?([a-z0-9_-]+\.)*[a-z][a-z0-9-]*(:[1-9]\d*)?$/;
  return form.test(text) && URL.canParse(`https://${text}`);
}

/** Checks an issuer's URL. It is compared as it is written (OpenID Connect Discovery 1.0 §4.3). */
export function isIssuer(text: string): boolean {
  return isTrustworthyUrl(text) && !/[?#@]/.test(text);
}

/** Checks a scope of OAuth (RFC 6749, section 3.3). */
export const isScope = (text: string) => /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(text);

/** Splits a comma-separated list, and trims its words. */
export const splitList = (text: string) => text.split(',').map((word) => word.trim());

/** Checks a PostgreSQL URL. Unlike in a `URL`, the host may be empty, for a Unix socket, or a list. */
export function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//i.test(text)) return false;
  return readHostList(text).servers.every(({ url }) => URL.canParse(url.replace('@/', '@socket/')));
}

/** Checks the URL of an HTTP service. */
export const isHttpUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text);
