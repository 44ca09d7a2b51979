import { named } from '../db/connection/statement.js';
import type { SignInWay } from '../domain/sign-in.js';
import { Prisma } from '../generated/prisma/client.js';
import type { SignInContext } from './context.js';
import { passwordLength } from './password-rules.js';

const { sql } = Prisma;

/** Facts that the page for signing in needs before somebody has signed in. */
export interface SignInOptions {
  /** True for a new gateway, which nobody has set up yet. */
  readonly isNew: boolean;
  readonly ways: Readonly<Record<Lowercase<SignInWay>, boolean>>;
  /** The least number of characters of a password. */
  readonly passwordLength: number;
  /** True if every organization requires a second factor. */
  readonly secondFactorRequired: boolean;
}

interface Row {
  readonly isNew: boolean;
  readonly ways: readonly SignInWay[];
  readonly secondFactorRequired: boolean;
}

/**
 * Reads how people can sign in. Of several organizations, it says what at least one allows, because it is not
 * known yet who asks.
 * @param isSecure false where browsers offer no passkeys
 */
export async function readOptions(context: SignInContext, isSecure: boolean): Promise<SignInOptions> {
  const statement = sql`
    SELECT count(*) = 0 AS "isNew", coalesce(bool_and(second_factor_required), false) AS "secondFactorRequired",
      ARRAY(SELECT DISTINCT unnest(sign_in_ways)::text FROM organizations) AS ways
    FROM organizations`;
  const [found] = await context.database.query<Row>(named('sign_in.options', statement));
  const { isNew = false, ways = [], secondFactorRequired = false } = found ?? {};
  const allows = (way: SignInWay) => context.ways.includes(way) && (isNew || ways.includes(way));
  return {
    isNew,
    ways: {
      password: allows('PASSWORD'),
      passkey: allows('PASSKEY') && isSecure,
      link: allows('LINK') && (await context.sendsMail()),
      oidc: allows('OIDC') && context.hasIssuer,
    },
    passwordLength: passwordLength.least,
    secondFactorRequired,
  };
}
