import { type Config, readConfig } from '../config.js';
import { findOrganization } from '../data/accounts.js';
import { ensureOrganization } from '../data/bootstrap.js';
import { setUser } from '../data/provisioning.js';
import { GatewayError } from '../domain/errors.js';
import type { Role } from '../domain/roles.js';
import { withDatabase } from './database.js';
import { type Io, quietLog, report } from './io.js';

/** What `user set` can be told. */
export interface UserOptions {
  /** Id or name. */
  readonly organization?: string;
  readonly role?: Role;
  /** At `OIDC_ISSUER`; false forgets it. */
  readonly subject?: string | false;
  readonly json?: boolean;
}

function subjectOf({ oidc }: Config, subject: string | false | undefined) {
  if (subject === undefined) return undefined;
  if (subject === false) return null;
  if (!oidc) throw new GatewayError('BAD_REQUEST', '--subject is a name at OIDC_ISSUER, which is not set.');
  return { issuer: oidc.issuer, subject };
}

/** Makes a user or changes one, for an issuer's tokens; of an empty database it makes the first organization too. */
export async function setUserCommand(io: Io, idOrEmail: string, options: UserOptions): Promise<void> {
  const config = readConfig(io.env);
  const settings = { role: options.role, subject: subjectOf(config, options.subject) };
  await withDatabase(config, quietLog(io), async ({ database }) => {
    const now = new Date();
    await ensureOrganization(database, { demo: config.demoData, now });
    const { id: organizationId } = await findOrganization(database, options.organization);
    const user = await setUser(database, organizationId, idOrEmail, settings, now);
    const { id, name, email, role, issuer, subject } = user;
    const words = [id, email, role?.toLowerCase() ?? 'no role', subject ?? 'no subject'];
    await report(io, options, { id, name, email, role, issuer, subject }, words.join('  '));
  });
}
