import { accessSync, constants } from 'node:fs';
import * as z from 'zod';
import { readHostList, sessionAttributes, type WantedRole, withWantedRole } from '../db/hosts/host-list.js';
import { isTrustworthyUrl } from '../domain/caller.js';
import type { SmtpServer } from '../mail/mailer.js';

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
const bearer = z
  .string()
  .regex(/^[A-Za-z0-9\-._~+/]+=*$/, 'letters, digits and -._~+/, with = only at the end');
/** Words of texts that stand where a secret should be. */
const placeholders = /change|example|secret|password|bootstrap|metrics|hunter2|12345678/i;

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
function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//i.test(text)) return false;
  return readHostList(text).servers.every(({ url }) => URL.canParse(url.replace('@/', '@socket/')));
}

/** Checks the URL of an HTTP service. */
export const isHttpUrl = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text);

/** Parameters that name a file. */
const files = ['sslrootcert', 'sslcert', 'sslkey'];
const modes = ['disable', 'require', 'verify-ca', 'verify-full'];

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Checks the TLS parameters of a connection string; returns what was expected instead. */
function findSslProblem(mode: string, params: URLSearchParams): string | undefined {
  const root = params.get('sslrootcert');
  // libpq's `prefer` and `allow` accept whatever they get, so an attacker in between decides.
  if (!modes.includes(mode)) return `sslmode to be one of ${modes.join(', ')}`;
  if (root === 'system' && mode !== 'verify-full') return 'sslmode=verify-full with sslrootcert=system';
  if (mode === 'verify-ca' && root === null) return 'sslrootcert with sslmode=verify-ca';
  const missing = files.find((name) => {
    const file = params.get(name);
    return file !== null && file !== 'system' && !isReadable(file);
  });
  return missing && `${missing} to name a file that can be read`;
}

/** Checks the servers of a connection string; returns what was expected instead. */
function findServerProblem(role: WantedRole, params: URLSearchParams): string | undefined {
  const attributes = params.get('target_session_attrs');
  const known = sessionAttributes[role];
  if (attributes !== null && !known.includes(attributes))
    return `target_session_attrs to be one of ${known.join(', ')}`;
  return undefined;
}

/**
 * Creates the rule of a connection string, which may name several servers.
 * Its SSL parameters mean the same to `pg` as to libpq. They are `sslmode`, `sslrootcert`, `sslcert` and
 * `sslkey` (PostgreSQL's documentation, section 32.19). By itself, `pg` 8 treats `require` like
 * `verify-full`.
 */
export const postgresUrl = (role: WantedRole) =>
  z
    .string()
    .refine(isPostgresUrl, { error: 'a postgres:// or postgresql:// URL', abort: true })
    .transform((text, context) => {
      const [base = '', query = ''] = text.split(/\?(.*)/s);
      const params = new URLSearchParams(query);
      const wrong = findServerProblem(role, params);
      if (wrong !== undefined) {
        context.addIssue({ code: 'custom', message: wrong });
        return z.NEVER;
      }
      const given = params.get('sslmode');
      if (given === null && !files.some((name) => params.has(name))) return withWantedRole(text, role);
      // `no-verify` is pg's own value. A given certificate must take effect.
      const mode = given === 'no-verify' ? 'require' : (given ?? 'verify-full');
      const problem = findSslProblem(mode, params);
      if (problem !== undefined) {
        context.addIssue({ code: 'custom', message: problem });
        return z.NEVER;
      }
      // Without a file, Node.js trusts its public certificate authorities.
      if (params.get('sslrootcert') === 'system') params.delete('sslrootcert');
      params.set('sslmode', mode);
      params.set('uselibpqcompat', 'true');
      return withWantedRole(`${base}?${params}`, role);
    });

/** Ports of submission: implicit TLS, and STARTTLS (RFC 8314 section 3). */
const ports = { 'smtps:': 465, 'smtp:': 587 } as const;

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

function readServer(text: string): SmtpServer | undefined {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return undefined;
  }
  const { protocol, hostname, username, password, searchParams } = url;
  const defaultPort = ports[protocol as keyof typeof ports];
  const tls = searchParams.get('tls');
  if (!defaultPort || !hostname || !['', '/'].includes(url.pathname) || url.hash) return undefined;
  if ((tls !== null && tls !== 'required') || [...searchParams.keys()].some((name) => name !== 'tls')) {
    return undefined;
  }
  try {
    const user = decodeURIComponent(username);
    return Object.freeze({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: url.port ? Number(url.port) : defaultPort,
      tls:
        protocol === 'smtps:'
          ? 'implicit'
          : tls === null && loopback.test(hostname)
            ? 'optional'
            : 'required',
      login: user ? Object.freeze({ user, password: decodeURIComponent(password) }) : undefined,
    });
  } catch {
    // A `%` that starts no valid encoding.
    return undefined;
  }
}

/** Mail server as a URL: `smtps://user:password@host:465`, or `smtp://host:587`, which uses STARTTLS. */
export const smtpUrl = z.string().transform((text, context) => {
  const server = readServer(text);
  if (server) return server;
  context.addIssue({
    code: 'custom',
    message: 'smtps://user:password@host:465 or smtp://user:password@host:587, optionally with ?tls=required',
  });
  return z.NEVER;
});
