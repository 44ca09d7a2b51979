import { accessSync, constants } from 'node:fs';
import * as z from 'zod';
import { sessionAttributes, type WantedRole, withWantedRole } from '../db/hosts/host-list.js';
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
