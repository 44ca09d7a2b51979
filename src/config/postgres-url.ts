import { accessSync, constants } from 'node:fs';
import * as z from 'zod';
import { isPostgresUrl } from './formats.js';

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

/**
 * Connection string whose SSL parameters mean the same to `pg` as to libpq. They are `sslmode`,
 * `sslrootcert`, `sslcert` and `sslkey` (PostgreSQL's documentation, section 32.19). By itself, `pg` 8 treats
 * `require` like `verify-full`.
 */
export const postgresUrl = z
  .string()
  .refine(isPostgresUrl, { error: 'a postgres:// or postgresql:// URL', abort: true })
  .transform((text, context) => {
    const [base = '', query = ''] = text.split(/\?(.*)/s);
    const params = new URLSearchParams(query);
    const given = params.get('sslmode');
    if (given === null && !files.some((name) => params.has(name))) return text;
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
    return `${base}?${params}`;
  });
