import type { Logger } from 'pino';
import type { Database } from '../db/connection/database.js';
import type { Secrets } from '../db/secrets/secrets.js';
import type { SignInWay } from '../domain/sign-in.js';
import type { Attempts } from './attempts.js';
import type { PasswordHasher } from './password-hasher.js';

/** The parts of the gateway that signing in needs. */
export interface SignInContext {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly hasher: PasswordHasher;
  readonly attempts: Attempts;
  readonly log: Pick<Logger, 'info'>;
  /** Ways that the settings allow. */
  readonly ways: readonly SignInWay[];
  /** Returns whether mail can be sent, with links to the gateway. */
  readonly sendsMail: () => Promise<boolean>;
  /** The console's client id at the issuer. Undefined if people cannot sign in there. */
  readonly issuerClient: string | undefined;
}
